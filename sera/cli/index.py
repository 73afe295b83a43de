"""The commands on an index: build, verify and search it, and what it is made of."""

from pathlib import Path

import click

from sera.cli.inputs import ENGINE, IN, INDEX, OUT, read_some
from sera.cli.options import STDOUT, Command, Folder, Group, check_output, counted, say
from sera.retrieval.engines import ENGINES, MU, ON_SERVER, count_documents

_MU = click.option(
    "--mu",
    type=click.FloatRange(0, 10**30, min_open=True),
    default=MU,
    help="Dirichlet smoothing parameter, of an index on a server when it is built.",
)
_ANALYZER = click.option(
    "--analyzer",
    type=click.Choice(["english", "german", "standard"]),
    default="english",
    help="Analyzer, which is of the language of the texts.",
)


@click.group(cls=Group)
def index() -> None:
    """Build and verify an index for SERA, analyze texts, learn word vectors."""


@index.command("build")
@click.option(
    "--documents",
    required=True,
    type=IN,
    help="JSONL (compressed too): id, text; or the output of `corpus extract`.",
)
@_ANALYZER
@ENGINE
@click.option("--name", default="sera", help="Name of the index on a server.")
@_MU
@click.option("--out", required=True, type=Folder(files=True), help="Folder to create.")
def build_index(documents: Path, analyzer: str, engine: str, name: str, mu: float, out: Path) -> None:
    """Index documents in a folder, or on a server, with a receipt in the folder."""
    from sera.io.records import Document, checked_documents, iterate

    if engine == ON_SERVER:
        from sera.retrieval.elasticsearch import Documents, load

        load(Documents([documents]), out, name=name, analyzer=analyzer, mu=mu)
    else:
        from sera.retrieval.index import build_part

        records = checked_documents(iterate(documents, Document))
        build_part(records, out, analyzer=analyzer)
    say(f"{counted(count_documents(out), 'document')} in {out}")


@index.command("verify")
@click.argument("folder", type=INDEX)
def verify_index(folder: Path) -> None:
    """Read an index in full and compare it with its checksums.

    FOLDER is the output of `sera index build`.
    """
    from sera.retrieval import index

    sizes = index.verify_index(folder)
    counts = ", ".join(counted(sizes[f"{part}s"], part) for part in ("document", "term", "token"))
    say(f"all is right in {folder}: {counts}")


@index.command("analyze")
@_ANALYZER
@click.option("--texts", required=True, type=IN, help="JSONL (compressed too): id, text.")
@click.option("--out", type=OUT, default=STDOUT, show_default=False, help="JSONL to write: id, tokens.")
def analyze(analyzer: str, texts: Path, out: Path) -> None:
    """Write the index terms of texts as Lucene produces them, one {"id", "tokens"} per line."""
    import json

    from sera.io.files import writing
    from sera.io.records import Query, iterate
    from sera.text.analysis import analyzer as get_analyzer

    tokens = get_analyzer(analyzer).tokens
    with writing(out) as stream:
        for text in iterate(texts, Query):
            stream.write(json.dumps({"id": text.id, "tokens": tokens(text.text)}, ensure_ascii=False) + "\n")


@index.command("vectors")
@click.option("--index", "folder", required=True, type=INDEX, help="Index to search.")
@click.option("--width", type=click.IntRange(1, 10_000), default=100, help="Length of a vector.")
@click.option("--window", type=click.IntRange(1, 1000), default=5, help="Words on each side.")
@click.option(
    "--minimum", type=click.IntRange(1), default=5, help="Smallest frequency of a term with a vector."
)
@click.option("--out", required=True, type=OUT, help="File (.npz) to write.")
def learn_vectors(folder: Path, width: int, window: int, minimum: int, out: Path) -> None:
    """Learn word vectors from the output of `sera index build`.

    Each term of the index has a vector. Terms are stems, unless the index was built with --analyzer standard.
    """
    from sera.vectors.learning import learn

    vectors = learn(folder, width=width, window=window, minimum=minimum)
    vectors.save(out)
    terms, numbers = counted(len(vectors.words), "term"), counted(vectors.width, "number")
    say(f"vectors of {terms}, {numbers} each, in {out}")


@click.command(cls=Command)
@click.option("--index", "folder", required=True, type=INDEX, help="Index to search.")
@click.option("--queries", required=True, type=IN, help="JSONL: id, text.")
@_MU
@click.option("--k", type=click.IntRange(1, 10**9), default=20, help="Number of documents per query.")
@ENGINE
@click.option("--out", required=True, type=OUT, help="TREC run to write.")
def search(folder: Path, queries: Path, mu: float, k: int, engine: str, out: Path) -> None:
    """Rank documents for queries, as Lucene's LM-Dirichlet does.

    <out>.json has the settings.
    """
    from sera.io.records import Query
    from sera.retrieval.runs import settings_file, write_run
    from sera.retrieval.search import rank_documents

    if beside := settings_file(out):
        check_output(beside, [folder, queries])
    texts_by_id = {query.id: query.text for query in read_some(queries, Query)}
    searcher = ENGINES.load(engine)(folder)
    rankings = rank_documents(texts_by_id, searcher, k, mu=mu)
    settings = {"analyzer": searcher.analyzer, "mu": mu, "documents": searcher.documents}
    write_run(out, rankings.items(), tag=engine, settings=settings)
    unmatched = sum(not hits for hits in rankings.values())
    zeros = sum(hit.score == 0 for hits in rankings.values() for hit in hits)
    notes = [f"{unmatched} without a match, which the run leaves out"] if unmatched else []
    notes += [f"{counted(zeros, 'ranked document')} of score 0"] if zeros else []
    say("; ".join([f"rankings of {counted(len(texts_by_id), 'query')} in {out}", *notes]))
