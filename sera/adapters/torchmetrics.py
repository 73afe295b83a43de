"""`SummaryScore`: the metrics of this package as a class of torchmetrics, which has to be installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torchmetrics import Metric as TorchMetric

from sera.metrics import metric
from sera.metrics.base import Metric, Text


class SummaryScore(TorchMetric):
    """The mean score of candidates by metrics of this package: ``SummaryScore("ROUGE-2-F", "ROUGE-L-F")``.

    `compute` returns a scalar tensor (float64) for each metric by its selector, NaN before the first update.
    Sums are kept, so that processes can be synchronised. Undefined scores make the mean undefined.
    """

    is_differentiable = False
    full_state_update = False

    def __init__(self, *metrics: str | Metric, **settings: Any) -> None:
        """``metrics``: selectors or metrics; ``settings``: those of ``torchmetrics.Metric``."""
        super().__init__(**settings)
        self.metrics = [metric(each) if isinstance(each, str) else each for each in metrics]
        zero = torch.zeros(len(metrics), dtype=torch.float64)
        self.add_state("total", zero, dist_reduce_fx="sum")
        self.add_state("count", torch.tensor(0), dist_reduce_fx="sum")

    def update(self, preds: Sequence[Text], target: Sequence[Sequence[Text]]) -> None:
        """Add candidates, each with the list of its references; errors as of `Metric.score_all`."""
        scores = [each.score_all(preds, target) for each in self.metrics]
        self.total += torch.tensor(
            [sum(each) for each in scores], dtype=torch.float64, device=self.total.device
        )
        self.count += len(preds)

    def compute(self) -> dict[str, torch.Tensor]:
        """The mean of each metric, by its selector."""
        return {str(each): mean for each, mean in zip(self.metrics, self.total / self.count)}
