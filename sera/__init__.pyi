# The types of what `sera` offers; sera/__init__.py imports each name when it is first used.
from sera.errors import InputError as InputError
from sera.evaluation.average import average as average
from sera.evaluation.evaluate import evaluate as evaluate
from sera.metrics import metric as metric
from sera.metrics.base import Summary as Summary
from sera.metrics.functions import metric_function as metric_function
from sera.metrics.score_table import score as score
from sera.registry import register as register
from sera.reporting.scores_page import report as report
from sera.retrieval.index import index as index
from sera.summarizers import summarize as summarize

__version__: str
__all__ = [
    "InputError",
    "Summary",
    "__version__",
    "average",
    "evaluate",
    "index",
    "metric",
    "metric_function",
    "register",
    "report",
    "score",
    "summarize",
]
