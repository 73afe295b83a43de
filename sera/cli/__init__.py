"""The command line: `sera --help`. Each command reads and writes the records of `sera.io.records`.

A file holds the commands on one subject; `inputs` has what several of them are given. A command imports the
modules of other packages where it needs them, so that `sera --help` answers at once.
"""

import click

from sera import __version__
from sera.cli import data, evaluation, index, research, score, summarizers
from sera.cli.options import Group

__all__ = ["main"]

_COMMANDS = {
    "Common": (
        score.score,
        evaluation.evaluate,
        evaluation.report,
        score.metrics,
        summarizers.summarize,
        index.index,
        index.search,
        data.datasets,
    ),
    "Research": (
        evaluation.compare,
        evaluation.average,
        summarizers.summarizers,
        data.corpus,
        research.research,
    ),
}


class _Headed(Group):
    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        for heading, commands in _COMMANDS.items():
            with formatter.section(heading):
                formatter.write_dl(
                    [(command.name or "", command.get_short_help_str(60)) for command in commands]
                )


@click.group(cls=_Headed)
@click.version_option(__version__, prog_name="sera")
def main() -> None:
    """Score, summarize and search your own files.

    Files are JSONL, one object per line: candidates have topic, system and sentences; references have
    topic, annotator and sentences. `make reproduce` runs the whole study.
    """


for _commands in _COMMANDS.values():
    for _command in _commands:
        main.add_command(_command)
