"""Sentence boundaries in German text.

syntok finds most boundaries. This module joins what it cuts after an ordinal number (``am 3. Oktober``, ``im
19. Jahrhundert``, ``die 5. Klasse``) and after the abbreviation of a street, and cuts after a date in digits
(``ab dem 1.1.2000. Danach``). A missing blank after a full stop (``Konflikten.Deshalb``) hides
no boundary. ``Es sind 12. Danach`` has one, since an ordinal needs an article or a preposition before it, or
a word such as a month after it.
"""

from __future__ import annotations

import re

from sera.text.sentences import paragraphs, syntok_starts

_ORDINAL = re.compile(r"(?:^|\s)(?P<before>\S+)\s+[(„\"]?(?:\d{1,3}|[IVX]{1,5})\.$|^\d{1,3}\.$")
_BEFORE = frozenset(
    (
        "der die das des dem den am im vom zum zur beim ab seit bis und oder bzw. einer einem eines ihrem "
        "seinem"
    ).split()
)
_AFTER = re.compile(
    r"(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhunderts?"
    r"|Jahrtausends?|Jahrestags?|Klassen?|Klassenstufen?|Schuljahr\w*|Schulstufen?|Jahrgangsstufen?|Lebensjahr\w*"
    r"|Auflage|Semesters?|Weltkrieg\w*)\b"
)
_STREET = re.compile(r"[Ss]tr\.$")
_DATE = re.compile(r"(?<=\d\.\d{4}\.)\s+(?=[A-ZÄÖÜ„])|(?<=\d\.\s\d{4}\.)\s+(?=[A-ZÄÖÜ„])")
_NO_BLANK = re.compile(r"[a-zäöüß]{2}[.!?]$")
_CAPITAL = re.compile(r"[A-ZÄÖÜ][a-zäöüß]")
_TAIL = 60  # characters before a boundary that the patterns above look at


def german_sentences(text: str) -> list[str]:
    """The sentences of a German text in order, with white space collapsed.

    A blank line ends a sentence; a single line end is white space. Every character that is not white space is
    in exactly one sentence.
    """
    return [sentence for paragraph in paragraphs(text) for sentence in _of_german(paragraph)]


def _of_german(paragraph: str) -> list[str]:
    starts = {start for start in syntok_starts(paragraph) if _begins(paragraph, start)}
    starts.update(match.end() for match in _DATE.finditer(paragraph))
    edges = [0, *sorted(starts - {0}), len(paragraph)]
    found = (paragraph[begin:end].strip() for begin, end in zip(edges, edges[1:]))
    return [sentence for sentence in found if sentence]


def _begins(text: str, start: int) -> bool:
    """Whether a sentence begins where syntok lets one begin."""
    if text[start - 1 : start].isspace():
        return not _inside(text, start)
    return bool(_NO_BLANK.search(text[max(0, start - _TAIL) : start])) and bool(_CAPITAL.match(text, start))


def _inside(text: str, start: int) -> bool:
    """Whether a place that syntok takes for a boundary is inside a sentence."""
    left = text[max(0, start - _TAIL) : start].rstrip()
    if _STREET.search(left) and text[start : start + 1].isdigit():
        return True
    number = _ORDINAL.search(left)
    if not number:
        return False
    return (number["before"] or "").lower() in _BEFORE or _AFTER.match(text, start) is not None
