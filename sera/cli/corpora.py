"""The commands of the room `sera.corpora`: fetch articles, and read them."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.inputs import IN, OUT, TRIES
from sera.cli.options import STDOUT, Group, check_output, say
from sera.names import separated


@click.group(cls=Group)
def corpus() -> None:
    """Fetch and read the articles to index."""


@corpus.command("download")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--groups", help="Licence groups (comma-separated); all by default.")
@click.option(
    "--incremental/--baseline-only",
    default=True,
    show_default=True,
    help="Whether to fetch the daily packages since the baseline too.",
)
@click.option(
    "--table",
    help="TSV (file or address) of the files to fetch, and no others: file, size, sha256, md5, url.",
)
@click.option("--server", help="Mirror of PubMed Central's oa_bulk folder.")
@click.option(
    "--at-once",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    help="Number of files to fetch in parallel.",
)
@TRIES
def download(
    folder: Path,
    groups: str | None,
    incremental: bool,
    table: str | None,
    server: str | None,
    at_once: int,
    tries: int,
) -> None:
    """Fetch PubMed Central's Open Access packages, or resume a download.

    FOLDER receives the packages (*.tar.gz), their lists and packages.tsv, a table of sizes and checksums.
    With --table, this table fetches the same files elsewhere.
    """
    from sera.corpora.pmc_oa_download import GROUPS, SERVER
    from sera.corpora.pmc_oa_download import download as fetch

    files = fetch(
        folder,
        server=server or SERVER,
        groups=separated(groups) if groups else GROUPS,
        incremental=incremental,
        table=table,
        at_once=at_once,
        tries=tries,
    )
    say(f"{len(files)} files, {sum(each.size or 0 for each in files)} bytes, in {folder}")


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
    name. Retracted articles are left out. <out>.unreadable.tsv lists each article that was not read, with the
    reason; with --out -, standard error does.
    """
    from sera.corpora.pmc_oa import write_extract

    unreadable = Path("/dev/stderr") if out == STDOUT else out.with_name(f"{out.name}.unreadable.tsv")
    check_output(unreadable, list(packages))
    counts = write_extract(packages, out, unreadable, figures=figures)
    say(f"{counts.documents} articles in {out}; {counts.unreadable} not read, listed in {unreadable}")
