"""OpinSummEval (Shen & Wan 2023): summaries of 100 products' reviews by 14 systems, judged by two people.

``metric_evaluation/14model_outputs.jsonl`` has a product's eight reviews, a reference and the systems'
summaries a line. ``final_batch/annot<1 or 2>/batch<1 to 10>.xlsx`` has a judge's scores (1 to 5), a sheet a
product and a row a system, M1 to M14 in the order of the systems' names. ``autometric_scores`` has the scores
of other metrics, a line a product; a score that a language model refused to give is missing.
"""

import logging
import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import pandas as pd

from sera.benchmarks import reverse_scores
from sera.benchmarks.judged_releases import JudgedRelease, Records, Score
from sera.benchmarks.released_metrics import lower_is_better, released_metrics
from sera.errors import InputError
from sera.io.fields import Fields, Once, read_objects
from sera.io.records import GivenScore, Judgement

log = logging.getLogger(__name__)

_FOLDER = "metric_evaluation"
_BOOKS = [
    [f"{_FOLDER}/final_batch/annot{judge}/batch{batch}.xlsx" for batch in range(1, 11)] for judge in (1, 2)
]
_HEADS = "asp-rel", "self-coh", "sent-con", "readblty"
"""The dimensions' heads in the workbooks."""
_HEAD, _FIRST = 11, 12
"""The rows of a sheet, from 0, with the heads and with the scores of the first system."""


def _scores_file(metric_file: str) -> str:
    return f"{_FOLDER}/autometric_scores/{metric_file}.jsonl"


class OpinSummEval(JudgedRelease):
    """A line is a record; the judgements are in workbooks, and the given scores in lines of other files."""

    BRINGS = "judges", "given"

    def records_of(self, path: Path) -> dict[str, Fields]:
        """The lines by the numbers of the products."""
        once, records = Once(), {}
        for record in super().records_of(path).values():
            name = _product(record)
            once.check(name, record, f"product {name}")
            records[name] = record
        return records

    def systems(self, records: Records) -> list[str]:
        return sorted(super().systems(records))

    def joined(self, release: Path, records: Records) -> Iterable[Score]:
        """The judgements, and the given scores, reversed so that higher is better."""
        systems = self.systems(records)
        yield from self._judgements(release, systems)
        yield from reverse_scores([*self._given(release, systems)], lower_is_better("opinsummeval"))

    def _judgements(self, release: Path, systems: list[str]) -> Iterator[Judgement]:
        for judge, books in enumerate(_BOOKS, 1):
            for path in (release / book for book in books):
                try:
                    sheets = pd.read_excel(path, sheet_name=None, header=None)
                except Exception as error:  # a damaged workbook raises errors of many kinds
                    problem = f"is not a workbook: {error}"[:200]
                    raise InputError(problem, path=path, remedy=self.origin) from None
                for sheet, table in sheets.items():
                    scores = _sheet_scores(table, len(systems))
                    if scores is None:
                        problem = f"sheet {sheet} has not the scores, 1 to 5, of {len(systems)} systems"
                        raise InputError(problem, path=path, remedy=self.origin)
                    for dimension, head in zip(self.dimensions, _HEADS, strict=True):
                        for system, score in zip(systems, scores[head], strict=True):
                            topic = sheet.removeprefix("case")
                            yield Judgement(topic, system, dimension, float(score), f"judge_{judge}")

    def _given(self, release: Path, systems: list[str]) -> Iterator[GivenScore]:
        rows: dict[str, list[Fields]] = {}
        for metric in released_metrics("opinsummeval"):
            file, field = metric.field.split(":")
            if file not in rows:
                rows[file] = list(read_objects(release / _scores_file(file), self.origin))
            scores = [
                GivenScore(_product(row), system, metric.metric, _value(row, system, field.split(".")))
                for row in rows[file]
                for system in systems
            ]
            if gaps := sum(math.isnan(score.score) for score in scores):
                log.warning("%s: %d of %d answers have no score", metric.metric, gaps, len(scores))
            yield from scores


def _sheet_scores(table: pd.DataFrame, count: int) -> pd.DataFrame | None:
    """The scores of ``count`` systems by head; None if the sheet has not all of them."""
    if len(table) < _FIRST + count or not set(_HEADS) <= set(table.iloc[_HEAD]):
        return None
    table.columns = table.iloc[_HEAD]
    scores = table.iloc[_FIRST : _FIRST + count][[*_HEADS]].apply(pd.to_numeric, errors="coerce")
    return scores if ((scores >= 1) & (scores <= 5)).all(axis=None) else None


def _product(row: Fields) -> str:
    return str(int(row.number("case")))


def _value(row: Fields, system: str, keys: list[str]) -> float:
    """A score of a system; NaN for an answer without one, in whose place the release has a 1."""
    if "model_output" not in row:
        return row.nested(keys[0]).number(system)
    scores = row.nested("model_output").nested(system)
    if scores.values.get("model_scoring_flag", "scored") not in ("scored", "all scored"):
        return math.nan
    *outer, last = keys
    for key in outer:
        scores = scores.nested(key)
    is_list = isinstance(scores.values.get(last), list)
    return scores.items(last, float)[0] if is_list else scores.number(last)


OPINSUMMEVAL = OpinSummEval(
    RELEASE=("OpinSummEval", 100),
    origin="Get https://github.com/A-Chicharito-S/OpinSummEval: sera datasets get opinsummeval.",
    files=(
        f"{_FOLDER}/14model_outputs.jsonl",
        *sum(_BOOKS, []),
        *sorted({_scores_file(metric.field.split(":")[0]) for metric in released_metrics("opinsummeval")}),
    ),
    dimensions=("aspect relevance", "self-coherence", "sentiment consistency", "readability"),
    article="revs/*",
    references={"human": "summ"},
    summary="model_output/*",
)
