"""Scoring many summaries: who is compared with whom, and the table that comes out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, product
from os import PathLike

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.files import writing
from sera.metrics import family_of
from sera.metrics.base import Metric
from sera.progress import progress
from sera.records import Candidate, Reference, Source

COLUMNS = ["topic", "system", "metric", "score"]
JUDGEMENT_COLUMNS = ["topic", "system", "judgement", "score"]


def comparisons(
    candidates: Iterable[Candidate], references: Iterable[Reference]
) -> Iterator[tuple[Candidate, list[Reference]]]:
    """Each candidate with the references of its topic; ``human_A`` meets the other annotators' alone.

    Raises InputError for a topic without references and for two candidates of one system and topic.
    """
    by_topic: dict[str, list[Reference]] = {}
    for reference in references:
        by_topic.setdefault(reference.topic, []).append(reference)
    seen = set()
    for candidate in candidates:
        if (candidate.topic, candidate.system) in seen:
            raise InputError(f"system {candidate.system!r} has two candidates for topic {candidate.topic!r}")
        seen.add((candidate.topic, candidate.system))
        against = [r for r in by_topic.get(candidate.topic, ()) if r.annotator != candidate.annotator]
        if not against:
            raise InputError(
                f"topic {candidate.topic!r} of system {candidate.system!r} has no reference to compare with",
                remedy=f"The references have the topics {', '.join(sorted(by_topic)) or '(none)'}.",
            )
        yield candidate, against


def score(
    metrics: Sequence[Metric],
    candidates: Iterable[Candidate],
    references: Iterable[Reference],
    sources: Iterable[Source] = (),
) -> pd.DataFrame:
    """Every metric on every candidate: topic, system, metric, score, in the order given.

    A score that is undefined is NaN. Metrics of one family are computed together. Raises InputError as
    `comparisons` does, and for a topic without the source that a metric needs.
    """
    articles = {source.topic: source for source in sources}
    needing = next((metric.name for metric in metrics if metric.needs_source), None)
    families = [list(group) for _, group in groupby(metrics, key=lambda metric: family_of(metric.name))]
    rows = []
    for candidate, against in progress(list(comparisons(candidates, references)), "summaries scored"):
        source = articles.get(candidate.topic)
        if needing and source is None:
            raise InputError(
                f"{needing} compares with the article, and topic {candidate.topic!r} has none",
                remedy="Name the sources: --sources FILE on the command line.",
            )
        for family in families:
            values = type(family[0]).score_together(family, candidate, against, source)
            rows += [
                (candidate.topic, candidate.system, metric.name, value)
                for metric, value in zip(family, values, strict=True)
            ]
    return pd.DataFrame(rows, columns=COLUMNS)


def write_scores(path: str | PathLike[str], table: pd.DataFrame) -> None:
    """Write a score table as TSV; an undefined score reads ``nan``. Floats are written to the last digit."""
    with writing(path) as stream:
        table.to_csv(stream, sep="\t", index=False, na_rep="nan", lineterminator="\n")


def read_scores(path: str | PathLike[str]) -> pd.DataFrame:
    """Read a score table; InputError names what is missing, or the line that holds no number."""
    table = _read(path, COLUMNS, "scores")
    scores = pd.to_numeric(table["score"], errors="coerce")
    _refuse(
        path, table, scores.isna() & (table["score"].str.lower() != "nan"), "score {score!r} is no number"
    )
    _refuse_twice(path, table, "metric")
    return table.assign(score=scores)


def read_judgements(
    path: str | PathLike[str], summaries: Iterable[tuple[str, str]] | None = None
) -> pd.DataFrame:
    """Read human scores: topic, system, judgement, score.

    ``summaries`` are the topics and systems that each judgement has to be there for; without them every
    system has to be judged on every topic of the table. InputError names the column or the summaries that
    are missing, or the line that holds no finite number or stands twice.
    """
    table = _read(path, JUDGEMENT_COLUMNS, "human scores")
    scores = pd.to_numeric(table["score"], errors="coerce")
    wrong = ~np.isfinite(scores)
    _refuse(
        path, table, wrong, "score {score!r} is no finite number", "A summary that was not judged has none."
    )
    _refuse_twice(path, table, "judgement")
    if not len(table):
        raise InputError("holds no human score", path=path)
    wanted = set(
        product(table["topic"].unique(), table["system"].unique()) if summaries is None else summaries
    )
    for judgement, part in table.groupby("judgement", sort=False):
        missing = sorted(wanted - set(zip(part["topic"], part["system"], strict=True)))
        if missing:
            some = ", ".join(f"{system} on topic {topic}" for topic, system in missing[:5])
            raise InputError(
                f"{judgement} is missing for {len(missing)} of {len(wanted)} summaries: {some}"
                + (" and so on" if len(missing) > 5 else ""),
                path=path,
                remedy="Every system has to be judged on every topic: leave out the system or the topic.",
            )
    return table.assign(score=scores)


def _read(path: str | PathLike[str], columns: list[str], kind: str) -> pd.DataFrame:
    """A table's columns, as text."""
    try:
        table = pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)
    except FileNotFoundError:
        raise InputError(f"there is no such file; expected {kind}", path=path) from None
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise InputError(f"is not a table: {error}", path=path) from None
    if missing := [column for column in columns if column not in table.columns]:
        raise InputError(
            f"has no column {' and no column '.join(missing)}",
            path=path,
            remedy=f"Expected: {', '.join(columns)}.",
        )
    return table[columns]


def _refuse(
    path: str | PathLike[str], table: pd.DataFrame, wrong: pd.Series, problem: str, remedy: str | None = None
) -> None:
    """Raise InputError for the first row that is wrong; ``problem`` has its fields in braces."""
    if wrong.any():
        row = wrong.idxmax()
        raise InputError(problem.format(**table.loc[row]), path=path, line=int(row) + 2, remedy=remedy)


def _refuse_twice(path: str | PathLike[str], table: pd.DataFrame, measure: str) -> None:
    twice = table.duplicated(["topic", "system", measure])
    _refuse(path, table, twice, f"{{{measure}}} of {{system}} for {{topic}} stands twice")
