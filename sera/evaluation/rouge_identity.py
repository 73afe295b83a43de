"""Which ROUGE was it? The configurations that yield a printed number, and how surprising that is.

Papers print "ROUGE-1 44.16" without dialect, stemming, stop words, references, part, sentences or the way in
which the scores of many summaries became one number. Given the texts behind the number, each configuration is
computed, and those that agree with all its digits remain.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.evaluation.ties import merge_ties
from sera.io.records import Candidate, Reference
from sera.metrics import make_metric
from sera.metrics.base import Metric
from sera.metrics.scoring import score

PERL, GOOGLE = "ROUGE-1.5.5", "rouge-score"
_SIDES = ("F", "R", "P")
IDENTITY_COLUMNS = [
    *("system", "dialect", "measure", "part", "stem", "stop", "references", "sentences"),
    *("aggregation", "value", "hit", "summaries"),
]
MEAN, MEDIAN, F_OF_MEANS = "mean", "median", "F of mean P and R"


@dataclass(frozen=True)
class PrintedNumber:
    """A printed score: ``value`` in 0 to 1, known to half a ``unit``."""

    value: float
    unit: float

    @classmethod
    def parse(cls, text: str) -> PrintedNumber:
        """A number as it is printed: 0.4416, .4416 or 44.16; above 1 it is a percentage.

        InputError for anything else, and for a number above 100.
        """
        if not re.fullmatch(r"\d{0,3}\.\d{1,8}|\d{1,3}", text) or float(text) > 100:
            raise InputError(f"{text[:40]!r} is not a printed score", remedy="Write it as 0.4416 or 44.16.")
        scale = 100 if float(text) > 1 else 1
        return cls(float(text) / scale, 10.0 ** -len(text.partition(".")[2]) / scale)

    def matches(self, value: float) -> bool:
        """Whether a score is printed as this number; a tie in the last digit may be rounded either way."""
        return abs(value - self.value) <= self.unit / 2 + 1e-9


def configurations(measures: Sequence[str], references: int) -> Iterator[tuple[dict[str, Any], Metric]]:
    """Configurations of measures: what each is called, and its metric.

    ``references`` is the largest number of a topic: with one, there is nothing to combine. Google's package
    has no stop words, and takes the best of several references. Only L and W look at sentences.
    """
    ways: dict[str, dict[str, Any]] = {name: {"multi": name} for name in ("pooled", "best", "jackknife")}
    ways |= {"first": {"first_references": 1}}
    if references == 1:
        ways = {"one": {}}
    for measure, part in product(measures, _SIDES):
        for stem, stop, way in product((False, True), (False, True), ways):
            for joined in (False, True) if measure.startswith(("L", "W")) else (False,):
                setup: dict[str, Any] = {"dialect": PERL, "measure": measure, "part": part}
                setup |= {"stem": stem, "stop": stop}
                setup |= {"references": way, "sentences": "one" if joined else "given"}
                yield setup, make_metric(f"ROUGE-{measure}-{part}", stem=stem, stop=stop, **ways[way])
        if not re.fullmatch(r"[1-9]|L", measure):
            continue
        for stem, way in product((False, True), [way for way in ways if way in ("one", "best", "first")]):
            for google in (measure, "Lsum") if measure == "L" else (measure,):
                setup = {"dialect": GOOGLE, "measure": google, "part": part, "stem": stem, "stop": False}
                setup |= {"references": way, "sentences": "one" if google == "L" else "given"}
                own = {} if way != "first" else ways[way]
                yield setup, make_metric(f"ROUGE-{google}-{part}", stem=stem, dialect=GOOGLE, **own)


def identify(
    candidates: Sequence[Candidate], references: Sequence[Reference], published: str, measures: Sequence[str]
) -> pd.DataFrame:
    """Each system's score under each configuration, those nearest to the printed number first.

    ``value`` is in 0 to 1, ``hit`` is true if it prints as ``published``. ``aggregation`` is how the
    scores of the system's ``summaries`` became the value: their mean, their median, or the F of their mean P
    and R. A system with one summary has its score alone, as the mean.
    """
    target = PrintedNumber.parse(published)
    counts = Counter(reference.topic for reference in references)
    pairs = list(configurations(measures, max(counts.values(), default=1)))
    results: list[dict[str, Any]] = []
    inputs: tuple[Any, ...] = (candidates, references)
    for joined in (False, True):
        batch = [(setup, variant) for setup, variant in pairs if _joins(setup) == joined]
        if batch:
            texts = (list(map(_join_sentences, records)) if joined else records for records in inputs)
            results += _aggregate(batch, score([variant for _, variant in batch], *texts))
    rows = pd.DataFrame(results)
    rows["hit"] = [target.matches(value) for value in rows["value"]]
    order = merge_ties((rows["value"] - target.value).abs(), 1).argsort(kind="stable")
    return rows.iloc[order][IDENTITY_COLUMNS].reset_index(drop=True)


def _joins(setup: dict[str, Any]) -> bool:
    return setup["dialect"] == PERL and setup["sentences"] == "one"  # Google's own measure joins them itself


def _aggregate(chosen: Sequence[tuple[dict[str, Any], Metric]], table: pd.DataFrame) -> list[dict[str, Any]]:
    statistics = table.groupby(["metric", "system"], sort=False)["score"].agg(["mean", "median", "size"])
    rows, pairs = [], []
    means: dict[tuple, float] = {}
    for setup, variant in chosen:
        others = tuple(value for name, value in setup.items() if name != "part")
        for system, numbers in statistics.loc[str(variant)].iterrows():
            means[setup["part"], system, others] = numbers["mean"]
            row = {"system": system, **setup, "summaries": int(numbers["size"])}
            rows.append(row | {"aggregation": MEAN, "value": numbers["mean"]})
            if numbers["size"] > 1:
                rows.append(row | {"aggregation": MEDIAN, "value": numbers["median"]})
                if setup["part"] == "F":
                    pairs.append((row, others))
    for row, others in pairs:
        precision, recall = (means[part, row["system"], others] for part in "PR")
        both = precision + recall
        value = 2 * precision * recall / both if both else 0.0
        rows.append(row | {"aggregation": F_OF_MEANS, "value": value})
    return rows


def hit_probability(rows: pd.DataFrame, published: str) -> float:
    """The probability that some configuration yields a number by chance, 0 to 1.

    The number is drawn evenly from the range of all values in ``rows`` (a result of `identify`). Each value
    that prints differently hits one unit. A small probability makes a hit telling.
    """
    unit = PrintedNumber.parse(published).unit
    numbers = np.unique(np.round(rows["value"].dropna().to_numpy() / unit))
    return float(len(numbers) / (numbers[-1] - numbers[0] + 1)) if len(numbers) else float("nan")


def _join_sentences(text: Any) -> Any:
    return replace(text, sentences=(" ".join(text.sentences),))
