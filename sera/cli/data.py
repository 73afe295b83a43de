"""The commands on data: fetch data sets with human judgements; fetch articles, and read them."""

from pathlib import Path

import click

from sera.cli.inputs import IN, OUT
from sera.cli.options import STDOUT, Folder, Group, check_output, counted, say
from sera.errors import Faults, InputError


@click.group(cls=Group, invoke_without_command=True)
@click.pass_context
def datasets(context: click.Context) -> None:
    """List data sets with human judgements, or fetch them (`sera datasets get`)."""
    from sera.benchmarks.datasets import DATASETS

    if context.invoked_subcommand:
        return
    for name, dataset in DATASETS.items():
        click.echo(f"{name}: {dataset.topics}; systems {dataset.systems}; references {dataset.references}")
        for title, text in (
            ("judgements", dataset.judgements),
            ("judges", dataset.judges),
            ("language", dataset.language),
            ("licence", dataset.licence),
            ("cite", dataset.citation),
            ("run", f"make reproduce BENCHMARK={' or '.join(dataset.benchmarks)} DATA=FOLDER"),
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
def fetch_dataset(name: str | None, every: bool, folder: Path, server: str | None) -> None:
    """Fetch the data set NAME from its authors' repository, or resume a download.

    The files are those of one commit, and each is checked against its SHA-256. `sera datasets` lists the
    names. `make matrix DATA=FOLDER` evaluates on what --all fetched.
    """
    from sera.benchmarks.datasets import DATASETS, RAW, get

    if every == (name is not None):
        problem = "NAME and --all are both given" if every else "neither NAME nor --all is given"
        raise InputError(problem, remedy="Give one of the two; `sera datasets` lists the names.")
    faults = Faults()
    subfolders = {name: ""} if name is not None else {known: known for known in DATASETS}
    for dataset, subfolder in subfolders.items():
        try:
            files = get(dataset, folder, subfolder, server=server or RAW)
        except InputError as error:  # the others are fetched all the same
            faults.append(error)
            continue
        size = counted(sum(file.size for file in files), "byte")
        click.echo(f"{counted(len(files), 'file')}, {size}, in {folder / subfolder}")
        click.echo(f"Licence: {DATASETS[dataset].licence}. The texts keep their owners' rights.")
        click.echo(f"Cite: {DATASETS[dataset].citation}.")
    faults.raise_all()


@datasets.command("export")
@click.argument("name")
@click.option("--data", required=True, type=Folder(), help="Folder that `sera datasets get` filled.")
@click.option("--topics", type=click.IntRange(1), help="Number of topics, the first; by default all.")
@click.option("--to", "folder", required=True, type=Folder(), help="Folder to write, new or empty.")
def export_dataset(name: str, data: Path, topics: int | None, folder: Path) -> None:
    """Write the benchmark NAME as JSONL and TSV, for `sera score` and `sera evaluate`.

    The folder is a benchmark of your own (docs/own-data.md): `make reproduce BENCHMARK=FOLDER` reads it.
    """
    from sera.benchmarks import load_benchmark
    from sera.benchmarks.folder import write
    from sera.metrics.notes import missing_lines

    benchmark = load_benchmark(name)
    if benchmark.OPTIONS or not benchmark.HAS_TEXTS:
        lacking = "is read from several folders" if benchmark.OPTIONS else "has scores alone, without texts"
        raise InputError(f"{name} {lacking}", remedy="Name another benchmark.")
    content = benchmark.read(data)[:topics]
    write(folder, content)
    summaries = [(topic.id, candidate.system) for topic in content for candidate in topic.candidates]
    say(f"{counted(len(content), 'topic')} with {counted(len(summaries), 'summary')} of systems in {folder}")
    for line in missing_lines(summaries, ()):
        say(f"{line}; the study needs one of each topic by each system")


@click.group(cls=Group)
def corpus() -> None:
    """Fetch and read the articles to index."""


@corpus.command("download")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--ids",
    type=IN,
    required=True,
    help="List of articles: PMC13901 or PMC13901.2 a line, or a table with the column pmcid or doi.",
)
@click.option("--source", help="Mirror of the bucket pmc-oa-opendata, or another server with its layout.")
def download(folder: Path, ids: Path, source: str | None) -> None:
    """Fetch the articles that a list names from PubMed Central, or resume a download.

    Without a version the newest is taken. FOLDER receives the XML and articles.tsv, which lists the articles
    with versions and checksums: given as --ids, it fetches the same bytes elsewhere.
    """
    from sera.pubmed.pmc_cloud import DIFFERENCES, SOURCE
    from sera.pubmed.pmc_cloud import download as fetch

    rows, differing = fetch(folder, ids, source=source or SOURCE)
    gone = sum(row.retracted == "yes" for row in rows)
    if differing:
        counts = f"{differing} of {counted(len(rows), 'article')}"
        say(f"{counts} read differently today; listed in {folder / DIFFERENCES}")
    retracted = f", {gone} of them retracted" if gone else ""
    say(f"{counted(len(rows), 'article')} of the National Library of Medicine in {folder}{retracted}")


@corpus.command("extract")
@click.argument("paths", nargs=-1, required=True, type=Folder(files=True))
@click.option("--figures/--no-figures", default=False, help="Keep the captions of figures and tables.")
@click.option(
    "--out", required=True, type=OUT, help="JSONL to write; compressed if its name ends in .gz, .bz2 or .xz."
)
def extract(paths: tuple[Path, ...], figures: bool, out: Path) -> None:
    """Read the articles of folders of JATS XML, as `sera corpus download` fills them.

    PATHS may be former bulk packages of PubMed Central (*.tar.gz with its *.filelist.csv) too. Each article
    is read once, and retracted ones are left out. <out>.unreadable.tsv lists what was not read, with the
    reason; with --out -, standard error does.
    """
    from sera.pubmed.articles import write_extract

    unreadable = Path("/dev/stderr") if out == STDOUT else out.with_name(f"{out.name}.unreadable.tsv")
    check_output(unreadable, list(paths))
    count, errors = write_extract(paths, out, unreadable, figures=figures)
    say(f"{counted(count, 'article')} in {out}; {errors} not read, listed in {unreadable}")
