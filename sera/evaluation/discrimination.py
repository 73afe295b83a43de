"""How well a metric tells systems apart: paired tests over topics (Rankel et al. 2011).

Cohan & Goharian (2016, section 7) propose such tests as an alternative to correlations. The systems of every
pair are compared on the topics by Wilcoxon's signed-rank test. Rankel et al. propose it beside the paired
t-test; it is the one here, since scores of few topics, such as shares of five documents, are not normally
distributed. p is two-sided, exact with ties too, and corrected by Holm's method over all pairs of systems.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
import pandas as pd
from scipy import stats

from sera.evaluation.correlation import WHY, Scores
from sera.evaluation.significance import holm

LEVEL = 0.05
"""A metric distinguishes two systems if the corrected p is not above it."""

DISCRIMINATION_COLUMNS = [
    *("metric", "against", "pairs", "apart", "judged_apart", "same_order", "opposite_order"),
    *("metric_only", "judgement_only", "neither", "uncorrected", "judged_uncorrected"),
    *("systems", "topics", "undefined", WHY),
]

_DIGITS = 12  # differences that agree to these are tied, and 0 if they round to it


def signed_rank(differences: np.ndarray) -> float:
    """The exact two-sided p of Wilcoxon's signed-rank test (Wilcoxon 1945).

    ``differences``, (topic,), has no NaN. Differences of 0 are left out, as Wilcoxon does; ties share their
    mean rank. p is 1 if no difference is left.
    """
    differences = np.round(differences, _DIGITS)
    differences = differences[differences != 0]
    # twice the ranks, which are whole
    doubled = np.rint(2 * stats.rankdata(np.abs(differences))).astype(int)
    below = _distribution(tuple(sorted(doubled.tolist())))
    positive = int(doubled[differences > 0].sum())
    least = min(positive, int(doubled.sum()) - positive)  # the distribution is symmetric
    return float(min(2 * below[least], 1.0))


@lru_cache(maxsize=1024)
def _distribution(doubled: tuple[int, ...]) -> np.ndarray:
    """The chance that the ranks with a positive sign add up to at most s, for s from 0 to the sum of all."""
    chances = np.zeros(sum(doubled) + 1)
    chances[0] = 1.0
    for rank in doubled:
        moved = np.zeros_like(chances)
        moved[rank:] = chances[: len(chances) - rank]
        chances = (chances + moved) / 2
    return np.cumsum(chances)


def discrimination(
    scores: Scores, pairs: Sequence[tuple[str, str]], falling: Collection[str] = ()
) -> pd.DataFrame:
    """How many pairs of systems each metric and the judgement distinguish, a row per (metric, judgement).

    All columns from ``apart`` to ``judged_uncorrected`` are shares of the ``pairs`` of systems, 0 to 1:
    those that the metric and the judgement distinguish, in the same and in the opposite order, that only one
    or neither distinguishes, and those that each distinguishes without the correction. Both sides are of the
    topics that both score for both systems; ``undefined`` counts the pairs without such a topic, which are
    left out. ``falling`` names the metrics whose lower scores are better. With so few topics that no
    corrected p can be `LEVEL` or less, the shares are undefined but for the uncorrected ones, and
    ``why_undefined`` says so.
    """
    rows = [_row(scores, metric, against, falling) for metric, against in pairs]
    return pd.DataFrame(rows, columns=DISCRIMINATION_COLUMNS)


def _row(scores: Scores, metric: str, against: str, falling: Collection[str]) -> dict[str, object]:
    x, y = scores.of_metric(metric), scores.of_metric(against)
    if metric in falling:
        x = -x
    known = ~np.isnan(x + y)
    p: list[tuple[float, float]] = []
    order: list[tuple[float, float]] = []
    undefined = most = 0
    for one, other in combinations(range(len(scores.systems)), 2):
        both = known[:, one] & known[:, other]
        if not both.any():
            undefined += 1
            continue
        most = max(most, int(both.sum()))
        differences = [side[both, one] - side[both, other] for side in (x, y)]
        p.append((signed_rank(differences[0]), signed_rank(differences[1])))
        order.append((_sign(differences[0]), _sign(differences[1])))
    row: dict[str, object] = {"metric": metric, "against": against, "pairs": len(p)}
    row |= {"systems": len(scores.systems), "topics": int(known.any(axis=1).sum()), "undefined": undefined}
    if not p:
        return row | {WHY: "no two systems have a topic that both sides score"}
    raw = np.array(p)
    row |= {"uncorrected": (raw[:, 0] <= LEVEL).mean(), "judged_uncorrected": (raw[:, 1] <= LEVEL).mean()}
    least = min(len(p) * 2.0 ** (1 - most), 1.0)
    if least > LEVEL:
        return row | {WHY: f"with {most} topics and {len(p)} pairs no corrected p is below {least:.2g}"}
    mine, judged = (holm(raw[:, side]) <= LEVEL for side in (0, 1))
    alike = np.array([first == second for first, second in order])
    shares = {
        "apart": mine,
        "judged_apart": judged,
        "same_order": mine & judged & alike,
        "opposite_order": mine & judged & ~alike,
        "metric_only": mine & ~judged,
        "judgement_only": judged & ~mine,
        "neither": ~mine & ~judged,
    }
    return row | {name: share.mean() for name, share in shares.items()} | {WHY: ""}


def _sign(differences: np.ndarray) -> float:
    """Which system of a pair is ahead by the signed ranks: 1 the first, -1 the second, 0 neither."""
    differences = np.round(differences, _DIGITS)
    ranks = stats.rankdata(np.abs(differences)) * (differences != 0)
    return float(np.sign((ranks * np.sign(differences)).sum()))
