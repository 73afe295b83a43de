"""The page of `sera research mark`: summaries, with what they copy from their articles marked."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from sera.metrics.copied_phrases import CopiedPhrases

_HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Copied phrases</title>
<style>
body { max-width: 45em; margin: 2em auto; padding: 0 1em; font: 1rem/1.5 sans-serif; }
mark { background: #ffe08a; color: #000; }
</style>
</head>
<body>
<main>
<h1>Copied phrases</h1>
"""


def marked_page(found: Iterable[CopiedPhrases], least: int) -> str:
    """The page: each summary with its copied phrases marked, and their number; it needs no network."""
    parts = [
        _HEAD,
        f"<p>Marked are phrases of {least} words or more that the article has word for word, without regard "
        "to case and punctuation.</p>\n",
    ]
    for one in found:
        text = " ".join(map(_marked, one.candidate.sentences, one.marks))
        number = len(one.lengths)
        parts.append(
            f"<section>\n<h2>{escape(one.candidate.topic)}: {escape(one.candidate.system)}</h2>\n"
            f"<p>{text}</p>\n"
            f"<p><small>{number} phrase{'' if number == 1 else 's'}; "
            f"{one.copied_words} of {one.words} words; "
            f"{one.copied} of {one.ngrams} {least}-grams</small></p>\n</section>\n"
        )
    return "".join([*parts, "</main>\n</body>\n</html>\n"])


def _marked(sentence: str, marks: Iterable[tuple[int, int]]) -> str:
    parts, place = [], 0
    for start, end in marks:
        parts += [escape(sentence[place:start]), f"<mark>{escape(sentence[start:end])}</mark>"]
        place = end
    return "".join([*parts, escape(sentence[place:])])
