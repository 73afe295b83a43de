"""Summarization evaluation for scientific articles: metrics, summarizers, retrieval and their study.

>>> from sera import metric
>>> metric("ROUGE-2-F").score(candidate, references)
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"
__all__ = ["__version__", "metric"]


def __getattr__(name: str) -> Any:
    """Import `metric` when it is first used, so that `import sera` does not import the metrics."""
    if name == "metric":
        return importlib.import_module("sera.metrics").metric
    raise AttributeError(f"module 'sera' has no attribute {name!r}")
