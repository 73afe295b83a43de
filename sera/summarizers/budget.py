"""Budgets: the length of a summary in words or sentences, filled with whole sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sera.errors import InputError
from sera.io.records import Source
from sera.settings import number, one_of, whole

if TYPE_CHECKING:  # slow to import, and every start of the workflow imports this module
    from sumy.summarizers._summarizer import SentenceInfo

ORDERS = ("source", "choice")
WORDS = 250
"""The limit of the TAC 2014 track, in words; Cohan & Goharian 2016 name none."""


class Budget:
    """A limit on the length of a summary, to be passed as sumy's ``sentences_count``.

    sumy calls it with the sentences, best first. A sentence is taken if it still fits; one that does not is
    skipped, since a shorter one may follow.
    """

    def __init__(self, limit: int, unit: str = "words", *, order: str = "source") -> None:
        """``limit``: 1 or more; ``unit``: "words", between white space, or "sentences"; ``order`` of the
        summary's sentences: "source" for that of the article, "choice" for best first. Raises InputError for
        other values."""
        self.unit = one_of("unit", unit, ("words", "sentences"))
        self.limit = whole(f"the length of a summary in {unit}", limit, 1, 10**9)
        self.order = one_of("order", order, ORDERS)

    def __str__(self) -> str:
        return f"{self.limit} {self.unit}"

    def cost(self, sentence: Any) -> int:
        """The length of a sentence in the budget's unit."""
        return len(str(sentence).split()) if self.unit == "words" else 1

    def __call__(self, infos: Sequence[SentenceInfo]) -> list[SentenceInfo]:
        choices, room = [], self.limit
        for info in infos:
            cost = self.cost(info.sentence)
            if cost <= room:
                choices.append(info)
                room -= cost
        if self.order == "choice":  # sumy sorts what it gets by `order`
            choices = [info._replace(order=position) for position, info in enumerate(choices)]
        return choices


def budget(
    source: Source,
    *,
    words: int | None = None,
    sentences: int | None = None,
    share: float | None = None,
    order: str = "source",
) -> Budget:
    """The budget that is given: ``words``, ``sentences`` or ``share``; by default `WORDS` words.

    ``share``: a part of the source's words, above 0 and up to 1, rounded down to whole words, at least one.
    Raises InputError if more than one is given, or one is out of its range.
    """
    options = {"words": words, "sentences": sentences, "share": share}
    names = [name for name, value in options.items() if value is not None]
    if len(names) > 1:
        raise InputError(f"a summary's length is given as {' and '.join(names)}", remedy="Give one of them.")
    if sentences is not None:
        return Budget(sentences, "sentences", order=order)
    if share is not None:
        share = number("share", share, 0, 1, above=True)
        whole = sum(len(sentence.split()) for sentence in source.sentences)
        # 0.29 * 100 is slightly less than 29 in floating point
        words = max(1, math.floor(round(share * whole, 6)))
    return Budget(WORDS if words is None else words, order=order)
