"""`average`: the mean score of each system with an interval, in one call from Python."""

import warnings
from collections.abc import Mapping

import pandas as pd

from sera.defaults import CONFIDENCE
from sera.evaluation.evaluate import long_form
from sera.io.tables import Columns
from sera.metrics.base import Caution
from sera.metrics.rouge import bootstrap_155


def average(
    scores: pd.DataFrame, *, confidence: float = CONFIDENCE, columns: Mapping[str, str] | None = None
) -> pd.DataFrame:
    """Average each system's scores over its topics: system, metric, measure, mean, ci_low, ci_high.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"topic": ["t", "u"], "system": ["s", "s"], "ROUGE-2-F": [0.25, 0.75]})
    >>> average(frame)
      system   metric measure  mean  ci_low  ci_high
    0      s  ROUGE-2       F   0.5    0.25     0.75

    ``scores`` and ``columns`` are as of `sera.evaluate`, and the numbers as of ``sera average``: means over
    1,000 resamples of the topics, and the interval of ``confidence`` percent of them, as of ROUGE-1.5.5.
    Warns with `Caution` if a system has scores on fewer topics than others, and says which columns of other
    names it read. InputError as of `evaluate`, and for an undefined score.
    """
    taken: list[str] = []
    chosen = Columns(columns, taken.append)
    table = long_form(scores, "scores", "metric", chosen)
    chosen.check_seen()
    averages = bootstrap_155.average(table, confidence)
    for line in [*taken, *bootstrap_155.uneven_lines(table)]:
        warnings.warn(line, Caution, stacklevel=2)
    return averages
