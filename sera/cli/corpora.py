"""The commands of the room `sera.corpora`: fetch articles, and read them."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.inputs import IN, OUT
from sera.cli.options import Group, check_output
from sera.names import separated


@click.group(cls=Group)
def corpus() -> None:
    """Fetch and read articles to be indexed."""


@corpus.command("download")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--groups", help="Groups of licences with commas between; all if not named.")
@click.option(
    "--incremental/--baseline-only",
    default=True,
    show_default=True,
    help="Also the packages of the days since the baseline.",
)
@click.option(
    "--table", help="TSV (file or address) of exactly the files to fetch: file, size, sha256, md5, url."
)
@click.option("--server", help="A mirror of PubMed Central's oa_bulk folder.")
@click.option(
    "--at-once",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="How many files to fetch at a time.",
)
@click.option(
    "--tries",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    help="How many times in a row to ask for a file while no byte of it comes.",
)
def download(
    folder: Path,
    groups: str | None,
    incremental: bool,
    table: str | None,
    server: str | None,
    at_once: int,
    tries: int,
) -> None:
    """Fetch PubMed Central's Open Access packages, or go on fetching them.

    FOLDER gets the packages (*.tar.gz), their lists and packages.tsv, a table of sizes and checksums that
    fetches the same files elsewhere if it is given as --table.
    """
    from sera.corpora.download import download as fetch
    from sera.corpora.package_catalogue import GROUPS, SERVER

    files = fetch(
        folder,
        server=server or SERVER,
        groups=separated(groups) if groups else GROUPS,
        incremental=incremental,
        table=table,
        at_once=at_once,
        tries=tries,
    )
    click.echo(f"{len(files)} files, {sum(each.size or 0 for each in files)} bytes, in {folder}")


@corpus.command("extract")
@click.argument("packages", nargs=-1, required=True, type=IN)
@click.option(
    "--figures/--no-figures",
    default=False,
    show_default=True,
    help="Keep the captions of figures and tables.",
)
@click.option("--out", required=True, type=OUT, help="JSONL (.gz by the name) to write.")
def extract(packages: tuple[Path, ...], figures: bool, out: Path) -> None:
    """Read the articles of PubMed Central Open Access packages (*.tar.gz).

    Each article is read once, in the newest version that the packages' lists (*.filelist.csv, beside them)
    tell of, and not at all if it was retracted. What is not read is listed beside the output, with its
    reason, in <out>.unreadable.tsv.
    """
    from sera.corpora.pmc_oa import write_extract

    unreadable = out.with_name(f"{out.name}.unreadable.tsv")
    check_output(unreadable, list(packages))
    counts = write_extract(packages, out, unreadable, figures=figures)
    click.echo(f"{counts.documents} articles in {out}; {counts.unreadable} not read, listed in {unreadable}")
