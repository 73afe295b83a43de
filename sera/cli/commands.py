"""The command line: `sera --help`. Each command reads and writes the records of `sera.records`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import click

from sera import __version__
from sera.cli.options import Folder, Group, In, Index, Number, Out, Whole, check_output
from sera.errors import InputError, printable
from sera.names import separated
from sera.registry import unknown
from sera.retrieval.engines import ENGINES, documents_in

# Modules are imported where a command needs them, so that `sera --help` answers at once.


_IN = In()
_OUT = Out()
_ENGINE = click.option(
    "--engine",
    type=click.Choice(list(ENGINES)),
    default="embedded",
    show_default=True,
    help="Search engine; environment variables (ELASTICSEARCH_HOSTS and others) name the server.",
)


_CONFIDENCE = click.option(
    "--confidence",
    type=Number(0, 100, above=True),
    default=95,
    show_default=True,
    help="Confidence level of the interval, in percent.",
)
_VECTORS = click.option(
    "--vectors", type=_IN, help="ROUGE-WE, AVG_SIM, S3: word vectors (word2vec, GloVe, fastText, or learnt)."
)
_FRAMENET = click.option("--framenet", type=Folder(), help="Frame, S3: folder of a FrameNet release.")


def _vectors(path: Path | None, texts: list[Any]) -> Any:
    """The vectors of the words of these texts."""
    if path is None:
        return None
    from sera.metrics.s3.words import vocabulary
    from sera.vectors.word_vectors import read

    return _kept(read, path, vocabulary(texts))


def _frames(folder: Path | None) -> Any:
    if folder is None:
        return None
    from sera.metrics.framenet import FrameNet

    return _kept(FrameNet, folder)


def _names(text: str) -> list[str]:
    """What stands between commas; a name with a comma in it is in quotes."""
    return separated(text)


def _known(kind: str, texts: tuple[str, ...], names: list[str]) -> list[str]:
    """The names that options name, each alone or some with commas between; InputError for an unknown one.

    A name may have commas in it: where there is one that is as a text, it is meant.
    """
    found = [name for text in texts for name in ([text] if text in names else _names(text))]
    for name in found:
        if name not in names:
            raise unknown(kind, name, names)
    return found


def _without_words(texts: list[Any], what: str) -> str:
    """What a closing line says of texts that are empty; nothing if none is."""
    empty = sum(not any(map(str.strip, text.sentences)) for text in texts)
    return f"; {empty} of {len(texts)} {what} without words" if empty else ""


@cache
def _kept(make: Any, *arguments: Any) -> Any:
    """What is read once, though several families of metrics ask for it."""
    return make(*arguments)


def _open(engine: str, folder: Path) -> Any:
    return ENGINES.load(engine)(folder)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="sera")
def main() -> None:
    """Score, summarize and search your own files.

    Files are JSONL, one object per line: candidates have topic, system and sentences; references have
    topic, annotator and sentences. `make reproduce` runs the whole study.
    """


@main.command()
def metrics() -> None:
    """List the metrics, each with a description in one line."""
    from sera.metrics import catalogue

    listed = list(catalogue())
    width = max(len(name) for name, _ in listed)
    for name, description in listed:
        click.echo(f"{name:<{width}}  {description}")


@main.command()
def summarizers() -> None:
    """List the summarizers, each with a description in one line."""
    from sera.summarizers import SUMMARIZERS

    for name in SUMMARIZERS:
        click.echo(f"{name:<16}  {SUMMARIZERS.describe(name)}")


@main.command()
@click.option(
    "--metrics", "names", required=True, help="Metrics (comma-separated), as `sera metrics` lists them."
)
@click.option("--candidates", required=True, type=_IN, help="JSONL: topic, system, sentences.")
@click.option("--references", required=True, type=_IN, help="JSONL: topic, annotator, sentences.")
@click.option("--sources", type=_IN, help="JSONL: topic, id, sentences; for metrics that need the article.")
@click.option("--out", required=True, type=_OUT, help="TSV to write: topic, system, metric, score.")
@click.option("--stem/--no-stem", default=False, show_default=True, help="ROUGE: stem the words.")
@click.option("--stop/--no-stop", default=False, show_default=True, help="ROUGE: remove stop words.")
@click.option(
    "--multi",
    type=click.Choice(["pooled", "best", "jackknife"]),
    show_default="pooled; best with rouge-score",
    help="ROUGE: how to use several references.",
)
@click.option("--words", type=Whole(1), help="ROUGE: cut texts to this number of words.")
@click.option("--bytes", "bytes_", type=Whole(1), help="ROUGE: cut texts to this number of bytes.")
@click.option(
    "--dialect",
    type=click.Choice(["ROUGE-1.5.5", "rouge-score"]),
    default="ROUGE-1.5.5",
    show_default=True,
    help="ROUGE: program whose numbers to reproduce.",
)
@click.option("--index", type=Index(), help="SERA: index to search.")
@click.option(
    "--mu",
    type=Number(0, 10**9, above=True),
    default=2000.0,
    show_default=True,
    help="SERA: Dirichlet smoothing parameter.",
)
@click.option(
    "--noun-phrases",
    default="textblob",
    show_default=True,
    help="SERA-NP: textblob, or spacy:MODEL with an installed model.",
)
@_ENGINE
@click.option("--nuggets", type=_IN, help="Pyramid: JSONL with topic, annotator, text.")
@click.option(
    "--threshold",
    type=Number(0, 1, above=True),
    default=0.75,
    show_default=True,
    help="Pyramid: share of a nugget's stems that a match needs.",
)
@click.option(
    "--matching",
    type=click.Choice(["tokens", "substring"]),
    default="tokens",
    show_default=True,
    help="ROUGE-K: how to find a keyword in a summary.",
)
@click.option(
    "--second",
    type=click.Choice(["title", "title-always", "article"]),
    default="title",
    show_default=True,
    help="ROUGE-K: text to add to the references; see docs/rouge-k.md.",
)
@click.option(
    "--beta",
    type=Number(0, 10**6, above=True),
    default=1.0,
    show_default=True,
    help="MOULIN-ROUGE: weight of abstraction.",
)
@_VECTORS
@_FRAMENET
@click.option("--model", type=_IN, help="S3: trained model.")
@click.option("--signatures", is_flag=True, help="Print each metric's signature.")
def score(
    names: str,
    candidates: Path,
    references: Path,
    sources: Path | None,
    out: Path,
    stem: bool,
    stop: bool,
    multi: str | None,
    words: int | None,
    bytes_: int | None,
    dialect: str,
    index: Path | None,
    mu: float,
    noun_phrases: str,
    engine: str,
    nuggets: Path | None,
    threshold: float,
    matching: str,
    second: str,
    beta: float,
    vectors: Path | None,
    framenet: Path | None,
    model: Path | None,
    signatures: bool,
) -> None:
    """Score candidates against references.

    ROUGE follows ROUGE-1.5.5. By default it neither stems nor removes stop words; the paper uses --stem
    and --stop. The system human_A is annotator A's own summary and is scored against the other references.
    """
    from sera.metrics import family_of, metric
    from sera.metrics.scoring import score as score_all
    from sera.metrics.scoring import write_scores
    from sera.records import Nugget, Source, read, read_unique

    def rankings() -> dict[str, Any]:
        from sera.metrics.sera import EngineRankings

        if index is None:
            return {}
        return {"rankings": EngineRankings(_open(engine, index), mu=mu, noun_phrases=noun_phrases)}

    def pyramid() -> dict[str, Any]:
        from sera.metrics.pyramid import Pyramid

        return {
            "nuggets": Pyramid.from_records(read(nuggets, Nugget)) if nuggets else None,
            "threshold": threshold,
        }

    def rouge() -> dict[str, Any]:
        limits = {"words": words, "bytes": bytes_}
        return {"stem": stem, "stop": stop, "multi": multi, **limits, "dialect": dialect}

    def with_vectors() -> dict[str, Any]:
        return {"vectors": _vectors(vectors, texts)}

    def with_frames() -> dict[str, Any]:
        return {"frames": _frames(framenet)}

    def s3() -> dict[str, Any]:
        from sera.metrics.s3.model import load

        return {"model": load(model), **with_vectors(), **with_frames()} if model else {}

    settings = {
        "ROUGE": rouge,
        "SERA": rankings,
        "Pyramid": pyramid,
        "ROUGE-K": lambda: {"matching": matching, "second": second},
        "MOULIN-ROUGE": lambda: {"beta": beta},
        "ROUGE-WE": with_vectors,
        "AVG_SIM": with_vectors,
        "Frame": with_frames,
        "S3": s3,
    }
    wanted = list(dict.fromkeys(_names(names)))
    if not wanted:
        raise InputError("--metrics names no metric", remedy="`sera metrics` lists them.")
    given = {"SERA": index, "Pyramid": nuggets, "Frame": framenet, "S3": model}
    given |= dict.fromkeys(("ROUGE-WE", "AVG_SIM"), vectors)
    for one in map(metric, wanted):  # what is not there is told before anything is read
        if given.get(family_of(one.name), True) is None:
            one.ready()
        if one.needs_source and sources is None:
            raise InputError(
                f"{one.name} compares with the article, and no articles are given",
                remedy="Name their file: --sources FILE.",
            )
    summaries, gold = _summaries(candidates, references)
    texts = [*summaries, *gold]
    made = {family: settings.get(family, dict)() for family in dict.fromkeys(map(family_of, wanted))}
    chosen = [metric(name, **made[family_of(name)]) for name in wanted]
    articles = read_unique(sources, Source) if sources else []
    table = score_all(chosen, summaries, gold, articles)
    write_scores(out, table)
    if signatures:
        for each in chosen:
            click.echo(each.signature)
    undefined = int(table["score"].isna().sum())
    click.echo(
        f"{len(table)} scores of {table['system'].nunique()} systems "
        f"on {table['topic'].nunique()} topics in {out}"
        + (f"; {undefined} undefined" if undefined else "")
        + _without_words(summaries, "candidates")
        + _without_words(gold, "references")
    )


def _summaries(candidates: Path, references: Path) -> tuple[list[Any], list[Any]]:
    """The candidates and references of two files; InputError for a file without any."""
    from sera.records import Candidate, Reference, read_unique

    summaries, gold = read_unique(candidates, Candidate), read_unique(references, Reference)
    for path, read, what in ((candidates, summaries, "candidate"), (references, gold, "reference")):
        if not read:
            raise InputError(f"holds no {what}", path=path, remedy=f"A {what} is a JSON object in a line.")
    return summaries, gold


@main.command()
@click.argument("scores", nargs=-1, required=True, type=_IN)
@_CONFIDENCE
@click.option(
    "--out", type=_OUT, help="TSV to write instead: system, metric, measure, mean, ci_low, ci_high."
)
def average(scores: tuple[Path, ...], confidence: float, out: Path | None) -> None:
    """Average each system's scores over the topics, with bootstrap intervals, as ROUGE-1.5.5 does.

    SCORES are tables of `sera score`. The averages and their format are those of the program with
    -r 1000 -c CONFIDENCE: each is the mean over 1,000 resamples of the topics.
    """
    from sera import tsv
    from sera.metrics.rouge import averages as rouge_average
    from sera.metrics.scoring import read_all_scores

    table = rouge_average.average(read_all_scores(scores), confidence)
    if out is None:
        for line in rouge_average.lines(table, confidence):
            click.echo(line)
    else:
        tsv.write(out, table, decimals=5)
        click.echo(f"{len(table)} averages of {table['system'].nunique()} systems in {out}")


@main.command()
@click.argument("scores", nargs=-1, required=True, type=_IN)
@click.option("--judgements", required=True, type=_IN, help="TSV: topic, system, judgement, score.")
@click.option(
    "--compare",
    multiple=True,
    help="Metrics to compare in pairs (comma-separated); may be repeated, as for a name with a comma.",
)
@click.option(
    "--falling",
    multiple=True,
    help="Your metrics for which lower is better (comma-separated); may be repeated.",
)
@click.option(
    "--top", multiple=True, type=Whole(2), help="Evaluate this number of best systems too; may be repeated."
)
@click.option(
    "--bootstrap",
    type=click.Choice(["systems", "topics", "both"]),
    default="both",
    show_default=True,
    help="What to resample for the intervals.",
)
@click.option(
    "--resamples", type=Whole(1, 10**6), default=1000, show_default=True, help="Number of resamples."
)
@_CONFIDENCE
@click.option("--seed", type=Whole(0, 2**63 - 1), default=0, show_default=True)
@click.option("--out", required=True, type=Folder(), help="Folder for the tables.")
def evaluate(
    scores: tuple[Path, ...],
    judgements: Path,
    compare: tuple[str, ...],
    falling: tuple[str, ...],
    top: tuple[int, ...],
    bootstrap: str,
    resamples: int,
    confidence: float,
    seed: int,
    out: Path,
) -> None:
    """Evaluate how well metrics follow human judgements.

    SCORES are tables of `sera score`, or tables of any metric in the same format. Each result is written as
    .tsv, .md and .tex; docs/meta-evaluation.md describes the tables.
    """
    from sera.evaluation.coefficients import COEFFICIENTS
    from sera.evaluation.correlation import Bootstrap, Scores
    from sera.evaluation.meta_evaluation import TABLES
    from sera.evaluation.meta_evaluation import evaluate as tables_of
    from sera.evaluation.tables import aligned, printed, write_table
    from sera.metrics import falling as fall
    from sera.metrics.scoring import read_all_scores, with_judgements
    from sera.published.paper import caption

    for name in TABLES:
        for ending in ("tsv", "md", "tex"):
            check_output(out / f"{name}.{ending}", [*scores, judgements])
    table = read_all_scores(scores)
    both = with_judgements(table, judgements)
    names = list(table["metric"].unique())
    compared, turned = (_known("metric in the scores", texts, names) for texts in (compare, falling))
    compared = list(dict.fromkeys(compared))
    judged = both[len(table) :]
    by = list(dict.fromkeys(judged["metric"]))
    if table.merge(judged, on=["topic", "system"]).empty:
        raise InputError(
            "no summary is both scored and judged",
            path=judgements,
            remedy="Look whether topics and systems have the same names in the tables.",
        )
    tables = tables_of(
        Scores.of(both),
        by,
        falling=[*turned, *fall(names)],
        bootstrap=Bootstrap(bootstrap, resamples, seed),
        confidence=confidence,
        top=top,
        compared=compared,
    )
    benchmark = printable(judgements.stem)
    out.mkdir(parents=True, exist_ok=True)
    for name, part in tables.items():
        write_table(out / name, part, caption=caption(name, benchmark), benchmark=benchmark)
    shown = tables["system_level"][["metric", "against", *COEFFICIENTS, "systems", "topics", "undefined"]]
    click.echo(aligned(printed(shown)))
    click.echo(
        f"{len(names)} metrics by {', '.join(by)}, over systems; all {len(tables)} tables are in {out}"
    )


@main.command()
@click.argument("table", type=_IN)
@click.option(
    "--digits",
    type=Whole(1, 12),
    show_default="the most decimals of any value",
    help="Number of decimals of the printed values.",
)
@click.option("--out", type=_OUT, help="TSV to write: the rows, with a column for each hypothesis.")
@click.option("--strict", is_flag=True, help="Exit with 1 if any row fits no hypothesis.")
def audit(table: Path, digits: int | None, out: Path | None, strict: bool) -> None:
    """Find the numbers of systems for which printed rank correlations are possible.

    TABLE is a TSV with the columns spearman and kendall (tau-b); metric and against name what was compared.
    The audit searches for each pair of values among all pairs that rankings of 4 to 9 systems can give, with
    at most one tied pair of systems on either side.
    """
    from sera.evaluation.tables import aligned, write_tsv
    from sera.published import audit as module

    pairs = module.read_pairs(table)
    digits = digits or module.digits_of(pairs)
    rows = module.audit({printable(table.stem): pairs}, digits)
    click.echo(aligned(module.readable(rows)))
    click.echo(f"{module.LEGEND}\n")
    click.echo(aligned(module.readable_summary(module.summary(rows, digits))))
    click.echo(f"{module.SUMMARY_LEGEND}\n")
    if out is not None:
        write_tsv(out, rows)
    unfit, undefined = len(module.unfit(rows)), module.undefined(rows)
    click.echo(
        f"{len(rows) - unfit - undefined} of {len(rows)} rows fit some number of systems, {unfit} none, "
        f"{undefined} undefined; to {digits} decimals" + (f"; in {out}" if out else "")
    )
    if strict and unfit:
        raise click.exceptions.Exit(1)


@main.command()
@click.option("--system", required=True, help="Summarizer, as `sera summarizers` lists it.")
@click.option("--sources", required=True, type=_IN, help="JSONL: topic, id, title, sections or sentences.")
@click.option("--citances", type=_IN, help="JSONL: topic, citing, text; for the citation-based systems.")
@click.option("--references", type=_IN, help="JSONL: topic, annotator, sentences; for the oracle.")
@click.option("--words", type=Whole(1), show_default="250", help="Length limit, in words.")
@click.option("--sentences", type=Whole(1), help="Length limit, in sentences instead.")
@click.option(
    "--share",
    type=Number(0, 1, above=True),
    help="Length limit, as a share of the source's words instead.",
)
@click.option(
    "--order",
    type=click.Choice(["source", "choice"]),
    default="source",
    show_default=True,
    help="Order of the sentences: as in the source, or as chosen.",
)
@click.option(
    "--seed",
    type=Whole(0, 2**32 - 1),
    default=0,
    show_default=True,
    help="Seed of the systems that draw random numbers.",
)
@click.option(
    "--set",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="Parameter of the system, for example variant=paper; may be repeated.",
)
@click.option("--out", required=True, type=_OUT, help="JSONL to write: topic, system, sentences.")
def summarize(
    system: str,
    sources: Path,
    citances: Path | None,
    references: Path | None,
    words: int | None,
    sentences: int | None,
    share: float | None,
    order: str,
    seed: int,
    parameters: tuple[str, ...],
    out: Path,
) -> None:
    """Summarise each source with one system, in whole sentences.

    docs/summarizers.md lists the parameters of each system for --set.
    """
    from sera.progress import progress
    from sera.records import Citance, Reference, Source, read, read_unique, write
    from sera.summarizers import SUMMARIZERS, summarizer
    from sera.summarizers import summarize as summarize_one
    from sera.summarizers.budget import budget

    # what is wrong with the options is told before anything is read
    needed = SUMMARIZERS.needs(system)
    chosen = _parameters(parameters)
    summarizer(system, **chosen)
    budget(Source("", ""), words=words, sentences=sentences, share=share, order=order)
    for what, path in (("citances", citances), ("references", references)):
        if what in needed and path is None:
            raise InputError(
                f"no {what} are given, and {system} needs them", remedy=f"Name their file: --{what} FILE."
            )
    cited = read(citances, Citance) if citances else []
    gold = read_unique(references, Reference) if references else []
    summaries = (
        summarize_one(
            system,
            source,
            cited,
            gold,
            words=words,
            sentences=sentences,
            share=share,
            order=order,
            seed=seed,
            **chosen,
        )
        for source in progress(read_unique(sources, Source), "articles summarised")
    )
    click.echo(f"{write(out, summaries)} summaries in {out}")


def _parameters(texts: tuple[str, ...]) -> dict[str, Any]:
    """The parameters that ``--set`` gives: numbers, true, false and null as JSON has them, else words."""
    from sera.files import parse_json

    chosen: dict[str, Any] = {}
    for given in texts:
        name, equals, value = given.partition("=")
        shown = given if len(given) <= 80 else f"{given[:77]}..."
        if not equals or name in ("words", "sentences", "share", "seed", "order"):
            raise InputError(f"--set {shown}: is no parameter of a system", remedy="It is NAME=VALUE.")
        if name in chosen:
            raise InputError(f"--set {shown}: the parameter is set twice", remedy="Set it once.")
        try:
            chosen[name] = parse_json(value)
        except InputError:
            chosen[name] = value
    return chosen


@main.command()
@click.option("--analyzer", type=click.Choice(["english", "standard"]), default="english", show_default=True)
@click.option("--texts", required=True, type=_IN, help="JSONL (.gz too): id, text.")
@click.option("--out", type=_OUT, help="JSONL to write instead of standard output: id, tokens.")
def analyze(analyzer: str, texts: Path, out: Path | None) -> None:
    """Print the index terms of texts as Lucene produces them, one {"id", "tokens"} per line."""
    import json

    from sera.files import writing
    from sera.records import Query, iterate
    from sera.text.analysis import analyzer as named

    tokens = named(analyzer).tokens
    lines = (
        json.dumps({"id": text.id, "tokens": tokens(text.text)}, ensure_ascii=False) + "\n"
        for text in iterate(texts, Query)
    )
    if out is None:
        for line in lines:
            click.echo(line.encode(), nl=False)  # JSON is UTF-8, whatever the terminal is
    else:
        with writing(out) as stream:
            stream.writelines(lines)


@main.group(cls=Group)
def index() -> None:
    """Build, search and verify an index for SERA."""


@index.command("build")
@click.option(
    "--documents",
    required=True,
    type=_IN,
    help="JSONL (.gz too): id, text; or the output of `corpus extract`.",
)
@click.option("--analyzer", type=click.Choice(["english", "standard"]), default="english", show_default=True)
@click.option(
    "--memory",
    type=Whole(1, 10**7),
    default=1000,
    show_default=True,
    help="Memory limit in megabytes.",
)
@_ENGINE
@click.option("--name", default="sera", show_default=True, help="Name of the index on a server.")
@click.option(
    "--mu",
    type=Number(0, 10**30, above=True),
    default=2000.0,
    show_default=True,
    help="Dirichlet smoothing parameter of the index on a server.",
)
@click.option("--out", required=True, type=Folder(files=True), help="Folder to create.")
def build_index(
    documents: Path, analyzer: str, memory: int, engine: str, name: str, mu: float, out: Path
) -> None:
    """Index documents in a folder, or on a server, with a receipt in the folder."""
    from sera.records import Document, iterate

    if engine == "elasticsearch":
        from sera.retrieval.engines.elasticsearch import Documents, load

        load(Documents([documents]), out, name=name, analyzer=analyzer, mu=mu)
    else:
        from sera.retrieval.engines.index_building import build_part

        build_part(iterate(documents, Document), out, analyzer=analyzer, memory=memory * 10**6)
    click.echo(f"{documents_in(out)} documents in {out}")


@index.command("search")
@click.option("--index", "folder", required=True, type=Index(), help="Index to search.")
@click.option("--queries", required=True, type=_IN, help="JSONL: id, text.")
@click.option(
    "--mu",
    type=Number(0, 10**30, above=True),
    default=2000.0,
    show_default=True,
    help="Dirichlet smoothing parameter.",
)
@click.option(
    "--k",
    type=Whole(1, 10**9),
    default=20,
    show_default=True,
    help="Number of documents per query.",
)
@_ENGINE
@click.option("--out", required=True, type=_OUT, help="TREC run to write.")
def search_index(folder: Path, queries: Path, mu: float, k: int, engine: str, out: Path) -> None:
    """Rank documents for queries, as Lucene's LM-Dirichlet does."""
    from sera.records import Query, read
    from sera.retrieval.runs import write_run

    asked = read(queries, Query)
    rankings = _open(engine, folder).search([query.text for query in asked], k, mu=mu)
    write_run(out, zip((query.id for query in asked), rankings, strict=True), tag=engine)
    click.echo(f"rankings of {len(asked)} queries in {out}")


@index.command("verify")
@click.argument("folder", type=Index())
def verify_index(folder: Path) -> None:
    """Read an index in full, verify its checksums and check that its parts agree.

    FOLDER is the output of `sera index build`. A search makes the same checks, but only once for files that
    do not change.
    """
    from sera.retrieval.engines.index_format import verify

    found = verify(folder).manifest["statistics"]
    counts = ", ".join(f"{found[name]} {name}" for name in ("documents", "terms", "tokens"))
    click.echo(f"all is right in {folder}: {counts}")


@main.group(cls=Group)
def vectors() -> None:
    """Learn word vectors, for the metrics that use them."""


@vectors.command("learn")
@click.option("--index", "folder", required=True, type=Index(), help="Index to learn from.")
@click.option("--width", type=Whole(1, 10_000), default=100, show_default=True, help="Length of a vector.")
@click.option("--window", type=Whole(1, 1000), default=5, show_default=True, help="Words on each side.")
@click.option(
    "--minimum",
    type=Whole(1),
    default=5,
    show_default=True,
    help="Smallest frequency of a term with a vector.",
)
@click.option("--out", required=True, type=_OUT, help="File (.npz) to write.")
def learn_vectors(folder: Path, width: int, window: int, minimum: int, out: Path) -> None:
    """Learn word vectors from the output of `sera index build`.

    Each term of the index has a vector. Terms are stems, unless the index was built with --analyzer standard.
    """
    from sera.vectors.learning import learn

    learnt = learn(folder, width=width, window=window, minimum=minimum)
    learnt.save(out)
    click.echo(f"vectors of {len(learnt.words)} terms, {learnt.width} numbers each, in {out}")


@main.group(cls=Group)
def s3() -> None:
    """Train and evaluate the metric S3, which is learnt from human scores."""


_MODEL_OF = click.option(
    "--model-of",
    "name",
    type=click.Choice(["S3-best", "S3-full"]),
    default="S3-best",
    show_default=True,
    help="Model: the paper's six features (S3-best), or all available ones (S3-full).",
)


def _learning(command: Any) -> Any:
    """The options of what a model of S3 is trained on."""
    for option in reversed(
        (
            click.option("--candidates", required=True, type=_IN, help="JSONL: topic, system, sentences."),
            click.option("--references", required=True, type=_IN, help="JSONL: topic, annotator, sentences."),
            click.option(
                "--sources", type=_IN, help="JSONL: topic, id, sentences; for the article's features."
            ),
            click.option("--human", required=True, type=_IN, help="TSV: topic, system, judgement, score."),
            click.option("--judgement", help="Judgement to learn, if there are several."),
            _VECTORS,
            _FRAMENET,
            _MODEL_OF,
        )
    ):
        command = option(command)
    return command


def _training(
    name: str,
    judgement: str | None,
    candidates: Path,
    references: Path,
    sources: Path | None,
    human: Path,
    vectors: Path | None,
    framenet: Path | None,
) -> tuple[Any, Any, Any]:
    """Features, their scores, and human scores; prints the features that are not available."""
    from sera.metrics.s3.model import FULL, MODELS
    from sera.metrics.s3.training import available, chosen, one_judgement
    from sera.metrics.scoring import read_judgements
    from sera.metrics.scoring import score as score_all
    from sera.records import Source, read_unique

    judgements = read_judgements(human)
    one_judgement(judgements, judgement)
    summaries, gold = _summaries(candidates, references)
    features = available(
        vectors=_vectors(vectors, [*summaries, *gold]), frames=_frames(framenet), sources=bool(sources)
    )
    features = [each for each in features if each.name in MODELS[name]]
    chosen(name, [each.name for each in features])
    if missing := [each for each in FULL if each in MODELS[name] and each not in map(str, features)]:
        click.echo(f"without {', '.join(missing)}: give --vectors, --framenet and --sources for all features")
    return (
        features,
        score_all(features, summaries, gold, read_unique(sources, Source) if sources else []),
        judgements,
    )


@s3.command("train")
@_learning
@click.option("--out", required=True, type=_OUT, help="Model (JSON) to write.")
def train_s3(name: str, judgement: str | None, out: Path, **given: Any) -> None:
    """Train a model on human scores, for `sera score --metrics S3-best --model FILE`."""
    from sera.metrics.s3.training import train

    model = train(name, *_training(name, judgement, **given), judgement)
    model.save(out)
    click.echo(
        f"{name} of {len(model.features)} features, trained on {model.trained['summaries']} summaries "
        f"of {model.trained['topics']} topics, in {out}"
    )


@s3.command("evaluate")
@_learning
@click.option("--out", required=True, type=_OUT, help="TSV to write: topic, system, metric, score.")
def evaluate_s3(name: str, judgement: str | None, out: Path, **given: Any) -> None:
    """Score each topic with a model trained on the other topics."""
    from sera.metrics.s3.training import leave_one_topic_out
    from sera.metrics.scoring import write_scores

    _, table, judgements = _training(name, judgement, **given)
    scores = leave_one_topic_out(table, judgements, judgement, [name])
    write_scores(out, scores)
    undefined = int(scores["score"].isna().sum())
    click.echo(
        f"{len(scores)} scores on {scores['topic'].nunique()} topics in {out}"
        + (f"; {undefined} undefined" if undefined else "")
    )


@main.group(cls=Group)
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
@click.option(
    "--tries",
    type=click.IntRange(1),
    default=8,
    show_default=True,
    help="Number of attempts in a row without a byte before a file fails.",
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
    """Fetch PubMed Central's Open Access packages, or resume a download.

    FOLDER receives the packages (*.tar.gz), their lists and packages.tsv, a table of sizes and checksums.
    With --table, this table fetches the same files elsewhere.
    """
    from sera.corpora import download as module

    files = module.download(
        folder,
        server=server or module.SERVER,
        groups=_names(groups) if groups else module.GROUPS,
        incremental=incremental,
        table=table,
        at_once=at_once,
        tries=tries,
    )
    click.echo(f"{len(files)} files, {sum(each.size or 0 for each in files)} bytes, in {folder}")


@corpus.command("extract")
@click.argument("packages", nargs=-1, required=True, type=_IN)
@click.option(
    "--figures/--no-figures",
    default=False,
    show_default=True,
    help="Keep the captions of figures and tables.",
)
@click.option("--out", required=True, type=_OUT, help="JSONL (.gz by the name) to write.")
def extract(packages: tuple[Path, ...], figures: bool, out: Path) -> None:
    """Read the articles of PubMed Central Open Access packages (*.tar.gz).

    Each article is read once, in the newest version that the packages' lists (*.filelist.csv, beside them)
    name. Retracted articles are left out. <out>.unreadable.tsv lists each article that was not read, with the
    reason.
    """
    from sera.corpora.pmc_oa import write_extract

    unreadable = out.with_name(f"{out.name}.unreadable.tsv")
    check_output(unreadable, list(packages))
    counts = write_extract(packages, out, unreadable, figures=figures)
    click.echo(f"{counts.documents} articles in {out}; {counts.unreadable} not read, listed in {unreadable}")
