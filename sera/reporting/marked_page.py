"""The page of `sera research mark`: summaries with what they copy from their articles marked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sera.metrics.copied_phrases import CopiedPhrases
from sera.reporting.page import TEMPLATE, Part, render


def marked_page(found: Iterable[CopiedPhrases], least: int) -> str:
    """The page: each summary with its copied phrases marked, and their number."""
    summaries = [
        (one, [list(_pieces(*pair)) for pair in zip(one.candidate.sentences, one.marks, strict=True)])
        for one in found
    ]
    content = {"title": "Copied phrases", "heading": "Copied phrases", "least": least, "found": summaries}
    return render([Part("summaries", "The summaries")], content, TEMPLATE.with_name("marked.html.j2"))


def _pieces(sentence: str, marks: Iterable[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    """The parts of a sentence in their order, each with whether it is marked."""
    place = 0
    for start, end in marks:
        yield from ((sentence[place:start], False), (sentence[start:end], True))
        place = end
    yield sentence[place:], False
