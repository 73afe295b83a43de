"""The length of a summary, counted in words and filled with whole sentences."""

from __future__ import annotations

from collections.abc import Sequence

from sumy.summarizers._summarizer import SentenceInfo

from sera.errors import InputError

ORDERS = ("source", "choice")


class WordBudget:
    """At most ``words`` words; to be passed as sumy's ``sentences_count``.

    sumy hands over the sentences from the best to the worst. Each is taken if it still fits;
    one that does not is passed over, because a shorter one may follow. A word is what white space
    separates.
    """

    def __init__(self, words: int, *, order: str = "source") -> None:
        """``order`` of the summary's sentences: as in the "source", or as by "choice", best first."""
        if words < 1:
            raise InputError(f"a summary of {words} words is not possible", remedy="Give 1 or more.")
        if order not in ORDERS:
            raise InputError(f"there is no order {order!r}", remedy=f"There are: {', '.join(ORDERS)}.")
        self.words, self.order = words, order

    def __call__(self, infos: Sequence[SentenceInfo]) -> list[SentenceInfo]:
        chosen, left = [], self.words
        for info in infos:
            length = len(str(info.sentence).split())
            if length <= left:
                chosen.append(info)
                left -= length
        if self.order == "choice":  # sumy sorts what it gets by `order`
            chosen = [info._replace(order=position) for position, info in enumerate(chosen)]
        return chosen
