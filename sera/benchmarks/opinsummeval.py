"""OpinSummEval (Shen & Wan 2023): summaries of 100 products' reviews by 14 systems, judged by two people.

``metric_evaluation/14model_outputs.jsonl`` has a product's eight reviews, a reference and the systems'
summaries a line. ``final_batch/annot<1 or 2>/batch<1 to 10>.xlsx`` has a judge's scores (1 to 5), a sheet a
product and a row a system, M1 to M14 in the order of the systems' names. ``autometric_scores`` has the scores
of other metrics, a line a product; a score that a language model refused to give is missing.
"""

import logging
import math
from collections.abc import Iterator
from pathlib import Path

import pandas as pd

from sera.benchmarks import Topic, turned
from sera.benchmarks import release as parts
from sera.benchmarks.released_metrics import falling_metrics, released_metrics
from sera.errors import InputError
from sera.io.fields import Fields, read_objects
from sera.io.records import GivenScore, Judgement

log = logging.getLogger(__name__)

JUDGED = True
BRINGS = "judges", "given"
RELEASE = "OpinSummEval", 100
ASPECTS = {
    "asp-rel": "aspect relevance",
    "self-coh": "self-coherence",
    "sent-con": "sentiment consistency",
    "readblty": "readability",
}
"""The judgements by their heads in the workbooks."""

ORIGIN = "Get https://github.com/A-Chicharito-S/OpinSummEval: sera datasets get opinsummeval."
_TEXTS = "metric_evaluation/14model_outputs.jsonl"
_SCORES = "metric_evaluation/autometric_scores"
_BOOKS = [
    [f"metric_evaluation/final_batch/annot{judge}/batch{batch}.xlsx" for batch in range(1, 11)]
    for judge in (1, 2)
]
_HEAD, _FIRST = 11, 12
"""The rows of a sheet, from 0, with the aspects and with the scores of the first system."""


def inputs(release: str | Path) -> list[Path]:
    """All files that `read` reads, sorted; InputError for one that is missing, or a link."""
    scores = {f"{_SCORES}/{each.field.split(':')[0]}.jsonl" for each in released_metrics("opinsummeval")}
    return sorted(parts.required(release, [_TEXTS, *sum(_BOOKS, []), *sorted(scores)], ORIGIN))


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The judged systems in order of name, and the judgements."""
    (path,) = parts.required(release, [_TEXTS], ORIGIN)
    return sorted(next(read_objects(path, ORIGIN)).nested("model_output").values), list(ASPECTS.values())


def read(release: str | Path) -> list[Topic]:
    """The products in their order, by number.

    InputError as in `inputs`, and with file and place for a sheet or a line that is not as described.
    """
    inputs(release=release)
    systems, _ = judged(release)
    judgements = [*_judgements(Path(release), systems)]
    scores = turned([*_read_scores(Path(release, _SCORES), systems)], falling_metrics("opinsummeval"))
    topics = []
    for row in read_objects(Path(release, _TEXTS), ORIGIN):
        name, reviews = _product(row), row.nested("revs")
        topics.append(
            parts.topic(
                name,
                [reviews.text(review) for review in reviews.values],
                {"human": row.text("summ")},
                {system: row.nested("model_output").text(system) for system in systems},
                judgements=[one for one in judgements if one.topic == name],
                given=[one for one in scores if one.topic == name],
            )
        )
    return topics


def _judgements(release: Path, systems: list[str]) -> Iterator[Judgement]:
    for judge, books in enumerate(_BOOKS, 1):
        for path in (release / book for book in books):
            try:
                sheets = pd.read_excel(path, sheet_name=None, header=None)
            except Exception as error:  # a damaged workbook raises errors of many kinds
                raise InputError(f"is not a workbook: {error}"[:200], path=path, remedy=ORIGIN) from None
            for sheet, table in sheets.items():
                scores = _sheet_scores(table, len(systems))
                if scores is None:
                    problem = f"sheet {sheet} has not the scores, 1 to 5, of {len(systems)} systems"
                    raise InputError(problem, path=path, remedy=ORIGIN)
                yield from (
                    Judgement(sheet.removeprefix("case"), system, aspect, score, f"judge_{judge}")
                    for aspect, column in scores.items()
                    for system, score in zip(systems, column, strict=True)
                )


def _sheet_scores(table: pd.DataFrame, count: int) -> dict[str, list[float]] | None:
    """The scores of ``count`` systems by aspect; None if the sheet has not all of them."""
    if len(table) < _FIRST + count or not set(ASPECTS) <= set(table.iloc[_HEAD]):
        return None
    table.columns = table.iloc[_HEAD]
    scores = table.iloc[_FIRST : _FIRST + count][[*ASPECTS]].apply(pd.to_numeric, errors="coerce")
    if not ((scores >= 1) & (scores <= 5)).all(axis=None):
        return None
    return {aspect: [*map(float, scores[head])] for head, aspect in ASPECTS.items()}


def _read_scores(folder: Path, systems: list[str]) -> Iterator[GivenScore]:
    lines: dict[str, list[Fields]] = {}
    for each in released_metrics("opinsummeval"):
        file, field = each.field.split(":")
        rows = lines.setdefault(file, list(read_objects(folder / f"{file}.jsonl", ORIGIN)))
        scores = [
            GivenScore(_product(row), system, each.metric, _value(row, system, field.split(".")))
            for row in rows
            for system in systems
        ]
        if gaps := sum(math.isnan(one.score) for one in scores):
            log.warning("%s: %d of %d answers have no score", each.metric, gaps, len(scores))
        yield from scores


def _product(row: Fields) -> str:
    return str(int(row.number("case")))


def _value(row: Fields, system: str, keys: list[str]) -> float:
    """A score of a system; NaN for an answer without one, in whose place the release has a 1."""
    if "model_output" not in row:
        return row.nested(keys[0]).number(system)
    scores = row.nested("model_output").nested(system)
    if scores.values.get("model_scoring_flag", "scored") not in ("scored", "all scored"):
        return math.nan
    for key in keys[:-1]:
        scores = scores.nested(key)
    is_list = isinstance(scores.values.get(keys[-1]), list)
    return scores.numbers(keys[-1])[0] if is_list else scores.number(keys[-1])
