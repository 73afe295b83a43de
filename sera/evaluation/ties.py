"""Two rules for when numbers count as equal although round-off makes them differ.

Scores, and means of scores, are equal if they round to the same number (`rounded`). Differences of statistics
are equal if they are at most `ROUND_OFF` apart. Compiled loops round by ``rint(x * 1e12) / 1e12``, as numpy
does.
"""

from __future__ import annotations

import numpy as np

DIGITS = 12
"""Decimals to which equal scores agree."""

ROUND_OFF = 1e-12
"""The greatest difference of two equal statistics."""


def rounded(values: np.ndarray) -> np.ndarray:
    """The values to `DIGITS` decimals, so that those that are equal on paper are equal."""
    return np.round(values, DIGITS)
