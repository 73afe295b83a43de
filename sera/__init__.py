"""Summarization evaluation for scientific articles: metrics, summarizers, retrieval and their study.

>>> from sera import metric
>>> metric("ROUGE-2-F").score(candidate, references)
"""

from sera.metrics import metric

__version__ = "0.1.0"
__all__ = ["__version__", "metric"]
