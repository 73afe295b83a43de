"""How good recognisers of content units are, against human judgements of whether a summary has a unit.

A recogniser (`study.recognition.recognisers`) finds a unit in a summary if its score is at least a
threshold. It is judged by its decisions (precision, recall, specificity, F1, Cohen's kappa) and by the share
of a reference's units found in a summary, correlated with the human share
(`sera.evaluation.correlate`).

The criterion by which another recogniser is clearly better than the present one was written before any was
measured. Both get the threshold with the highest kappa on the other documents (ten folds, document i in fold
i modulo 10). The other is clearly better if its kappa and its correlation at the summary level (Kendall's
tau-b) are both higher, and the intervals of both differences are above 0. The intervals are percentiles of
a bootstrap over documents, with 95 % shared among the recognisers compared (Bonferroni: 98.75 % for four).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.evaluation.bootstrap import Bootstrap, interval_columns
from sera.evaluation.coefficients import COEFFICIENTS, CORRELATIONS
from sera.evaluation.correlate import LEVELS, Scores, correlate, correlation
from study.recognition.recognisers import PRESENT, Recogniser, StemsInOrder

THRESHOLDS = tuple(number / 20 for number in range(1, 21))  # the thresholds that are tried: 0.05, 0.1, ..., 1
FOLDS = 10
RATES = ("precision", "recall", "f1", "specificity", "kappa")
COUNTS = ("true_positive", "false_positive", "false_negative", "true_negative")
_CLOSE = 1e-9  # sums of floats may miss a threshold that they equal
_KENDALL = COEFFICIENTS.index("kendall")


@dataclass(frozen=True)
class Labelled:
    """One topic: its units, the summaries' sentences by system, and the human labels, (system, unit)."""

    topic: str
    units: tuple[StemsInOrder, ...]
    summaries: tuple[tuple[StemsInOrder, ...], ...]
    labels: np.ndarray


def score_units(recogniser: Recogniser, topics: Sequence[Labelled]) -> list[np.ndarray]:
    """A recogniser's score of every unit, 0 to 1: for each topic an array, (system, unit)."""
    return [
        np.array([[recogniser(unit, sentences) for unit in each.units] for sentences in each.summaries])
        for each in topics
    ]


def decisions(scores: Sequence[np.ndarray], threshold: float) -> list[np.ndarray]:
    """Which units are recognised: scores of at least the threshold, of any shape."""
    return [each >= threshold - _CLOSE for each in scores]


def confusion(found: Sequence[np.ndarray], labels: Sequence[np.ndarray]) -> np.ndarray:
    """The counts of each topic, (topic, count), in the order of COUNTS."""
    pairs = zip(found, labels, strict=True)
    return np.array([[(f & y).sum(), (f & ~y).sum(), (~f & y).sum(), (~f & ~y).sum()] for f, y in pairs])


def rates(counts: np.ndarray) -> np.ndarray:
    """The rates of counts, (..., count) to (..., rate), in the order of RATES; NaN where undefined."""
    tp, fp, fn, tn = np.moveaxis(np.asarray(counts, np.float64), -1, 0)
    total = tp + fp + fn + tn
    with np.errstate(invalid="ignore", divide="ignore"):
        chance = ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / total**2
        kappa = ((tp + tn) / total - chance) / (1 - chance)
        values = tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn), tn / (tn + fp), kappa
    return np.stack(values, axis=-1)


def cross_validate(
    scores: Sequence[np.ndarray], labels: Sequence[np.ndarray], folds: int = FOLDS
) -> tuple[list[np.ndarray], list[float]]:
    """The decisions on each topic by the best threshold of the other folds, and each topic's threshold."""
    if len(scores) < folds:
        raise InputError(f"there are {len(scores)} topics, fewer than {folds} folds")
    fold = np.arange(len(scores)) % folds
    counts = np.array([confusion(decisions(scores, t), labels) for t in THRESHOLDS])
    kappas = np.array([_kappas(counts[:, fold != number].sum(axis=1)) for number in range(folds)])
    best = len(THRESHOLDS) - 1 - np.nan_to_num(kappas[:, ::-1], nan=-np.inf).argmax(axis=1)  # the last one
    thresholds = [THRESHOLDS[place] for place in best[fold]]
    return [decisions([each], t)[0] for each, t in zip(scores, thresholds, strict=True)], thresholds


def _kappas(counts: np.ndarray) -> np.ndarray:
    return rates(counts)[:, RATES.index("kappa")]


def judge(
    found: Sequence[np.ndarray], labels: Sequence[np.ndarray], bootstrap: Bootstrap
) -> dict[str, float]:
    """The counts, rates and correlations of decisions with the labels, with intervals over topics."""
    counts = confusion(found, labels)
    row = dict(zip(COUNTS, counts.sum(axis=0).tolist(), strict=True))
    row |= _rates_with_intervals(counts, bootstrap)
    return row | correlations(unit_shares(found), unit_shares(labels), bootstrap)


def _rates_with_intervals(counts: np.ndarray, bootstrap: Bootstrap) -> dict[str, float]:
    row: dict[str, float] = {}
    draw_rates = rates(bootstrap.draw_topics(len(counts)) @ counts)
    for name, value, draws in zip(RATES, rates(counts.sum(axis=0)), draw_rates.T, strict=True):
        row |= {name: float(value)} | interval_columns(name, draws, 95)
    return row


def correlations(x: np.ndarray, y: np.ndarray, bootstrap: Bootstrap) -> dict[str, float]:
    """``<level>_<coefficient>`` of two arrays of scores, (topic, system), with ``_low`` and ``_high``."""
    topics, systems = (tuple(map(str, range(length))) for length in x.shape)
    scores = Scores(("x", "y"), topics, systems, np.stack([x, y]))
    names = [f"{name}{end}" for name in CORRELATIONS for end in ("", "_low", "_high")]
    lines = {level: correlate(scores, [("x", "y")], level=level, bootstrap=bootstrap) for level in LEVELS}
    return {f"{level}_{name}": float(table[name].iloc[0]) for level, table in lines.items() for name in names}


def rates_by_length(
    found: Sequence[np.ndarray], topics: Sequence[Labelled], bootstrap: Bootstrap
) -> pd.DataFrame:
    """The rates by the number of a unit's distinct stems: a row per number."""
    sizes = [np.array([len(set(unit)) for unit in each.units]) for each in topics]
    rows = []
    for number in np.unique(np.concatenate(sizes)):
        counts = confusion(
            [each[:, unit_sizes == number] for each, unit_sizes in zip(found, sizes, strict=True)],
            [each.labels[:, unit_sizes == number] for each, unit_sizes in zip(topics, sizes, strict=True)],
        )
        units, total = sum(int((unit_sizes == number).sum()) for unit_sizes in sizes), int(counts.sum())
        tp, _, fn, _ = counts.sum(axis=0)
        row = {"stems": number, "units": units, "judgements": total, "present": float((tp + fn) / total)}
        rows.append(row | _rates_with_intervals(counts, bootstrap))
    return pd.DataFrame(rows)


def compare(
    found: Mapping[str, Sequence[np.ndarray]], labels: Sequence[np.ndarray], bootstrap: Bootstrap
) -> pd.DataFrame:
    """Each recogniser less the present one, by the module's criterion: a row for each of the others.

    ``found`` are the cross-validated decisions by recogniser, that of `PRESENT` among them.
    """
    others = [name for name in found if name != PRESENT]
    confidence = 100 - 5 / max(1, len(others))
    human = unit_shares(labels)
    topics = np.vstack([np.ones((1, len(human)), np.int64), bootstrap.draw_topics(len(human))])
    systems = np.ones((len(topics), human.shape[1]), np.int64)

    def values(name: str) -> np.ndarray:
        """Kappa and Kendall's tau-b, of all topics and then of each draw: (1 + resample, 2)."""
        kappas = _kappas(topics @ confusion(found[name], labels))
        coefficients = correlation(unit_shares(found[name]), human, "summary", topics=topics, systems=systems)
        return np.stack([kappas, coefficients[:, _KENDALL]], axis=1)

    present = values(PRESENT)
    rows = []
    for name in others:
        row: dict[str, object] = {"recogniser": name, "against": PRESENT, "confidence": confidence}
        for measure, column in zip(("kappa", "summary_kendall"), (values(name) - present).T, strict=True):
            row |= {measure: float(column[0])} | interval_columns(measure, column[1:], confidence)
        rows.append(row)
    table = pd.DataFrame(rows)
    return table.assign(clearly_better=(table["kappa_low"] > 0) & (table["summary_kendall_low"] > 0))


def unit_shares(units: Sequence[np.ndarray]) -> np.ndarray:
    """The share of a topic's units in each summary, (topic, system)."""
    return np.array([each.mean(axis=1) for each in units])
