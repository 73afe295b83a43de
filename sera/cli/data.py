"""The commands on data: fetch data sets with human judgements; fetch articles, and read them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sera.cli.inputs import OUT
from sera.cli.options import STDOUT, Folder, Group, check_output, say
from sera.errors import Faults, InputError
from sera.names import separated

TRIES = click.option(
    "--tries",
    type=click.IntRange(1),
    default=8,
    help="Number of attempts in a row without a byte before a file fails.",
)


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
            ("run", f"make reproduce BENCHMARK={' or '.join(each.benchmarks)} DATA=FOLDER"),
        ):
            click.echo(f"  {title:<11} {text}")


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


@click.group(cls=Group)
def corpus() -> None:
    """Fetch and read the articles to index."""


@corpus.command("download")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--groups", help="Licence groups (comma-separated); all by default.")
@click.option(
    "--incremental/--baseline-only",
    default=True,
    help="Whether to fetch the daily packages since the baseline too.",
)
@click.option(
    "--table",
    help="TSV (file or address) of the files to fetch, and no others: file, size, sha256, md5, url.",
)
@click.option("--server", help="Mirror of PubMed Central's oa_bulk folder.")
@click.option("--at-once", type=click.IntRange(1), default=3, help="Number of files to fetch in parallel.")
@TRIES
def download(folder: Path, groups: str | None, server: str | None, **given: Any) -> None:
    """Fetch PubMed Central's Open Access packages, or resume a download.

    FOLDER receives the packages (*.tar.gz), their lists and packages.tsv, a table of sizes and checksums.
    With --table, this table fetches the same files elsewhere.
    """
    from sera.corpora.pmc_oa_download import GROUPS, SERVER
    from sera.corpora.pmc_oa_download import download as fetch

    chosen = separated(groups) if groups else GROUPS
    files = fetch(folder, server=server or SERVER, groups=chosen, **given)
    say(f"{len(files)} files, {sum(each.size or 0 for each in files)} bytes, in {folder}")


@corpus.command("extract")
@click.argument("paths", nargs=-1, required=True, type=Folder(files=True))
@click.option("--figures/--no-figures", default=False, help="Keep the captions of figures and tables.")
@click.option("--out", required=True, type=OUT, help="JSONL (.gz by the name) to write.")
def extract(paths: tuple[Path, ...], figures: bool, out: Path) -> None:
    """Read the articles of folders of JATS XML, as `sera corpus download` fills them.

    PATHS may be former bulk packages of PubMed Central (*.tar.gz with its *.filelist.csv) too. Each article
    is read once, and retracted ones are left out. <out>.unreadable.tsv lists what was not read, with the
    reason; with --out -, standard error does.
    """
    from sera.corpora.articles import write_extract

    unreadable = Path("/dev/stderr") if out == STDOUT else out.with_name(f"{out.name}.unreadable.tsv")
    check_output(unreadable, list(paths))
    count, refused = write_extract(paths, out, unreadable, figures=figures)
    say(f"{count} articles in {out}; {refused} not read, listed in {unreadable}")
