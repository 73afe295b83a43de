"""The commands of the room `sera.benchmarks`: list data sets with human judgements, and fetch them."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.options import Group


@click.group(cls=Group, invoke_without_command=True)
@click.pass_context
def datasets(context: click.Context) -> None:
    """List data sets with human judgements, or fetch one (`sera datasets get`)."""
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
            ("run", f"make reproduce BENCHMARK={' or '.join(each.benchmarks)}"),
        ):
            click.echo(f"  {title:<11} {text}")


@datasets.command("get")
@click.argument("name")
@click.option(
    "--to",
    "folder",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the files; it is created if it is missing.",
)
@click.option("--server", help="Mirror of https://raw.githubusercontent.com.")
@click.option(
    "--tries",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    help="Number of attempts in a row without a byte before a file fails.",
)
def fetch_dataset(name: str, folder: Path, server: str | None, tries: int) -> None:
    """Fetch the data set NAME from its authors' repository, or resume a download.

    The files are those of one commit, and each is checked against its SHA-256. `sera datasets` lists the
    names.
    """
    from sera.benchmarks.datasets import DATASETS, RAW, get

    files = get(name, folder, server=server or RAW, tries=tries)
    click.echo(f"{len(files)} files, {sum(each.size or 0 for each in files)} bytes, in {folder}")
    click.echo(f"Licence: {DATASETS[name].licence}. The texts keep their owners' rights.")
    click.echo(f"Cite: {DATASETS[name].citation}.")
