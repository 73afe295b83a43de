"""Several metrics that score texts together, each text prepared once."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sera.metrics.base import Metric, Row, Text, checking, make_row, make_rows
from sera.metrics.scoring import labels_of, scores_of


@dataclass(frozen=True)
class MetricGroup:
    """Metrics, such as the P, R and F of one measure; `sera.metric` makes it."""

    metrics: Sequence[Metric]

    def score(
        self, candidate: Text, references: Sequence[Text] | Text = (), source: Text | None = None
    ) -> dict[str, float]:
        """The scores of one candidate by the metrics' names or selectors; arguments as of `Metric.score`."""
        columns = self._scores([make_row(self.metrics, candidate, references, source)])
        return {name: score for name, (score,) in columns.items()}

    def score_all(
        self,
        candidates: Iterable[Text],
        references: Iterable[Sequence[Text] | Text] | None = None,
        sources: Iterable[Text] | None = None,
    ) -> dict[str, list[float]]:
        """The scores of several candidates, in their order, by the metrics' names or selectors.

        Arguments, errors and warnings are those of `Metric.score_all`.
        """
        return self._scores(make_rows(self.metrics, candidates, references, sources))

    def _scores(self, rows: Sequence[Row]) -> dict[str, list[float]]:
        with checking(rows):
            columns = scores_of(self.metrics, rows).T.tolist()
        for metric in self.metrics:
            metric.warn(metric.count_wordless(rows))
        return dict(zip(labels_of(self.metrics), columns, strict=True))
