"""The length of summaries in one text, as the setting `length` and the multiverse's choices have it."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from sera.errors import InputError
from sera.summarizers.budget import WORDS

_LENGTH = re.compile(
    r"(?P<words>[1-9]\d*) ?words|(?P<sentences>[1-9]\d*) ?sentences|(?P<share>\d+(?:\.\d+)?) ?percent"
)


def write_length(
    *, words: int | None = None, sentences: int | None = None, share: float | None = None
) -> str:
    """A length in one text, for example "250 words", "10 sentences" or "4 percent" of the source's words."""
    if sentences is not None:
        return f"{sentences} sentences"
    if share is not None:
        return f"{round(100 * share, 10):g} percent"
    return f"{WORDS if words is None else words} words"


def read_length(text: str) -> dict[str, Any]:
    """The arguments of `sera.summarizers.budget.budget` for a length; InputError for any other text."""
    if match := _LENGTH.fullmatch(text):
        ((unit, value),) = ((unit, value) for unit, value in match.groupdict().items() if value)
        return {unit: float(Decimal(value) / 100) if unit == "share" else int(value)}
    problem = f"{text!r} is not a length of a summary"
    raise InputError(problem, remedy="Write 250 words, 10 sentences or 4 percent, for example.")
