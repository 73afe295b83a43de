"""Summarization evaluation for scientific articles: metrics, summarizers, retrieval and their study.

>>> from sera import Summary, metric
>>> metric("ROUGE-2-F").score("the cat sat", ["a cat sat down", Summary(["the cat", "it sat"])])
>>> metric("ROUGE-2-F").score_all(["the cat sat", "it sat"], [["a cat sat down"], ["the cat", "it sat"]])

`evaluate` compares scores with human judgements, and `report` writes a page on them; the notebook
docs/evaluate-a-metric.ipynb shows both.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"
_MODULES = {
    "evaluate": "sera.evaluation.judged",
    "metric": "sera.metrics",
    "report": "sera.reporting.scores_page",
    "Summary": "sera.metrics.base",
}
__all__ = ["Summary", "__version__", "evaluate", "metric", "report"]


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that `import sera` does not import the metrics."""
    if name in _MODULES:
        return getattr(importlib.import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'sera' has no attribute {name!r}")
