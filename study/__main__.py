"""The commands of the study, from its checkout: `python -m study --help`."""

from __future__ import annotations

import click

from sera.cli.options import Group
from study.commands import printed, results

__all__ = ["main"]


@click.group(cls=Group)
def main() -> None:
    """Print, keep and check the results of the study.

    The study is that of config.yaml in this folder. `make reproduce` runs it.
    """


for _command in (
    *(results.show, results.publish, results.folder, results.recognition, results.contexts),
    printed.audit,
):
    main.add_command(_command)


if __name__ == "__main__":
    main(prog_name="python -m study")
