"""The commands of the room `sera.benchmarks`: list data sets with human judgements, and fetch them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from sera.cli.inputs import TRIES
from sera.cli.options import Group
from sera.errors import Faults, InputError


@click.group(cls=Group, invoke_without_command=True)
@click.pass_context
def datasets(context: click.Context) -> None:
    """List data sets with human judgements, or fetch them (`sera datasets get`)."""
    from sera.benchmarks.datasets import DATASETS

    if context.invoked_subcommand:
        return
    for name, each in DATASETS.items():
        click.echo(f"{name}: {each.topics}; systems {each.systems}; references {each.references}")
        for title, text in (
            ("judgements", each.judgements),
            ("judges", each.judges),
            ("language", each.language),
            ("licence", each.licence),
            ("cite", each.citation),
            ("run", _run(name, each.benchmarks)),
        ):
            click.echo(f"  {title:<11} {text}")


def _run(name: str, benchmarks: Sequence[str]) -> str:
    """The command of the study on a data set in a folder."""
    return f"make reproduce BENCHMARK={' or '.join(benchmarks)} DATA=FOLDER"


@datasets.command("get")
@click.argument("name", required=False)
@click.option(
    "--all", "every", is_flag=True, help="Fetch all data sets, each into the folder of its name in --to."
)
@click.option(
    "--to",
    "folder",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the files; it is created if it is missing.",
)
@click.option("--server", help="Mirror of https://raw.githubusercontent.com.")
@TRIES
def fetch_dataset(name: str | None, every: bool, folder: Path, server: str | None, tries: int) -> None:
    """Fetch the data set NAME from its authors' repository, or resume a download.

    The files are those of one commit, and each is checked against its SHA-256. `sera datasets` lists the
    names. `make matrix DATA=FOLDER` evaluates on what --all fetched.
    """
    from sera.benchmarks.datasets import DATASETS, RAW, get

    if every == (name is not None):
        raise InputError(
            "NAME and --all are both given" if every else "neither NAME nor --all is given",
            remedy="Give one of the two; `sera datasets` lists the names.",
        )
    faults = Faults()
    for each, within in ((one, one) for one in DATASETS) if name is None else [(name, "")]:
        try:
            files = get(each, folder, within, server=server or RAW, tries=tries)
        except InputError as error:  # the others are fetched all the same
            faults.append(error)
            continue
        click.echo(f"{len(files)} files, {sum(file.size or 0 for file in files)} bytes, in {folder / within}")
        click.echo(f"Licence: {DATASETS[each].licence}. The texts keep their owners' rights.")
        click.echo(f"Cite: {DATASETS[each].citation}.")
    faults.raise_all()
