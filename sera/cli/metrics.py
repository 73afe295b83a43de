"""The commands of the room `sera.metrics`: list the metrics, and score by them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sera.cli.inputs import (
    ENGINE,
    FRAMENET,
    IN,
    OUT,
    VECTORS,
    open_engine,
    read_frames,
    read_summaries,
    read_vectors,
)
from sera.cli.options import Command, IndexIn, Number, Whole
from sera.errors import InputError
from sera.names import separated


def _without_words(texts: list[Any], what: str) -> str:
    """What a closing line says of texts that are empty; nothing if none is."""
    empty = sum(not any(map(str.strip, text.sentences)) for text in texts)
    return f"; {empty} of {len(texts)} {what} without words" if empty else ""


@click.command(cls=Command)
def metrics() -> None:
    """List the metrics, each with a description in one line."""
    from sera.metrics import catalogue

    listed = list(catalogue())
    width = max(len(name) for name, _ in listed)
    for name, description in listed:
        click.echo(f"{name:<{width}}  {description}")


@click.command(cls=Command)
@click.option(
    "--metrics", "names", required=True, help="Metrics (comma-separated), as `sera metrics` lists them."
)
@click.option("--candidates", required=True, type=IN, help="JSONL: topic, system, sentences.")
@click.option("--references", required=True, type=IN, help="JSONL: topic, annotator, sentences.")
@click.option("--sources", type=IN, help="JSONL: topic, id, sentences; for metrics that need the article.")
@click.option("--out", required=True, type=OUT, help="TSV to write: topic, system, metric, score.")
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
@click.option("--index", type=IndexIn(), help="SERA: index to search.")
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
@ENGINE
@click.option("--nuggets", type=IN, help="Pyramid: JSONL with topic, annotator, text.")
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
@VECTORS
@FRAMENET
@click.option("--model", type=IN, help="S3: trained model.")
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
        return {"rankings": EngineRankings(open_engine(engine, index), mu=mu, noun_phrases=noun_phrases)}

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
        return {"vectors": read_vectors(vectors, texts)}

    def with_frames() -> dict[str, Any]:
        return {"frames": read_frames(framenet)}

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
    wanted = list(dict.fromkeys(separated(names)))
    if not wanted:
        raise InputError("--metrics names no metric", remedy="`sera metrics` lists them.")
    given = {"SERA": index, "Pyramid": nuggets, "Frame": framenet, "S3": model}
    given |= dict.fromkeys(("ROUGE-WE", "AVG_SIM"), vectors)
    for one in map(metric, wanted):  # what is missing is reported before anything is read
        if given.get(family_of(one.name), True) is None:
            one.ready()
        if one.needs_source and sources is None:
            raise InputError(
                f"{one.name} compares with the article, and no articles are given",
                remedy="Name their file: --sources FILE.",
            )
    summaries, gold = read_summaries(candidates, references)
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
