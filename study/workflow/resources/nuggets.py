"""The content units that annotators marked."""

from collections.abc import Sequence
from typing import Any

from sera.io.records import Nugget, iterate
from sera.metrics.pyramid import Pyramid


def read(rule: Any, texts: Sequence[Any]) -> Any:
    return Pyramid.from_records(iterate(rule.input.nuggets, Nugget))
