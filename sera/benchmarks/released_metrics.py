"""Metrics whose scores come with a release: their names, their kinds, and where the release has them.

``sera/resources/released_metrics.tsv`` has a row for each metric. ``kind`` is what it compares: words,
vectors, the probability of generation, answers to questions, entailment, what a language model says as a
judge, or a score learned from such features. ``reads`` is what it compares a summary with: the reference, the
source, or the summary alone. ``dimension`` is the judgement that a judge was asked for, ``model`` the
language model that judged, with the month in which it came out. A column for each release has the name of the
field there.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from sera.io import tsv

_TABLE = Path(__file__).parent.parent / "resources" / "released_metrics.tsv"


class ReleasedMetric(NamedTuple):
    """A metric of a release."""

    metric: str
    kind: str
    reads: str
    dimension: str
    model: str
    lower_is_better: bool
    field: str


@cache
def released_metrics(release: str = "metric") -> tuple[ReleasedMetric, ...]:
    """The metrics whose scores a release has, in the table's order; by default, those of all."""
    columns = ["metric", "kind", "reads", "dimension", "model", "falling", release]
    rows = tsv.read(_TABLE, columns)[columns].itertuples(name=None)
    return tuple(
        ReleasedMetric(metric, kind, reads, dimension, model, direction == "yes", field)
        for _, metric, kind, reads, dimension, model, direction, field in rows
        if field
    )


def lower_is_better(release: str) -> set[str]:
    """The metrics of a release for which a lower score is better."""
    return {metric.metric for metric in released_metrics(release) if metric.lower_is_better}
