"""The rankings of a search, by formulation of the queries."""

from collections.abc import Sequence
from typing import Any

from sera.metrics.sera import RunRankings


def read(rule: Any, texts: Sequence[Any]) -> RunRankings:
    return RunRankings.read(rule.input.rankings)
