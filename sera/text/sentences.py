"""Sentence boundaries in biomedical text, and in German text.

syntok finds most boundaries. This module corrects it for scientific prose: ``Fig. 2A``, ``chr. 5`` and
``et al. (2004)`` do not end a sentence; a decimal may end one (``P < 0.05. The ...``), and so may the mark of
a citation after the full stop (``known.12,13 The ...``, ``known.[3] The ...``); and a gene's name in lower
case may begin one (``miR-21 is ...``).
"""

import re
import string
from functools import cache, lru_cache
from typing import Any

from sera.text.languages import ENGLISH

_PARAGRAPH = re.compile(r"\n[^\S\n]*\n\s*")

# A name in lower case that may begin a sentence: miR-21, p53, mRNAs, c-Myc, let-7, α-synuclein.
_NAME = r"(?:(?:[a-z]{1,4}-?(?=[A-Z0-9])|[α-ω]-?)[A-Za-z0-9/&-]*)"
_OPENING = rf"(?=[\"“‘«»‹›(\[]*(?:[A-Z0-9Α-Ω]|{_NAME}))"

# The mark of a citation or note behind a full stop: [1], [3–5], [a], (2), ¹².
_MARK = r"(?:(?:\[[^\[\]]{1,40}\]){1,3}|\(\d[\d,;\s–-]{0,20}\)|[⁰¹²³⁴-⁹][⁰¹²³⁴-⁹,–⁻]{0,20})"

# Boundaries that syntok misses; each match ends where the next sentence begins.
_MISSED = re.compile(
    "|".join(
        (
            rf"(?<=\d)[.?!][)\]”\"]*\s+(?=[\"“(\[]*(?:[A-Z][a-z0-9]*\b(?!\.)|{_NAME}))",  # P < 0.05. The
            r"(?<=[a-z)\]])\.\d{1,3}(?:[,–-]\s?\d{1,3})*\s+(?=[\"“(]*[A-Z])",  # is known.12,13 The
            rf"(?<=[\w)\]%”’\"])[.?!…][)”’\"»«]*{_MARK}\s+{_OPENING}",  # is known.[12] The
            rf"[.?!…](?:[»«›‹]|[’'][”\"]|[”\"][’'])\)?\s+{_OPENING}",  # «Go.» The; “... ‘Go.’” The
            r"(?<=\d[\s-])(?:h|hr|hrs|min|s|sec|d|ml|mg|kg|cm|mm|nm|nt|bp|kb|kDa|°C|C)\.\s+(?=[A-Z][a-z]+\s)",
            rf"(?<=[a-z][a-z]|.[)\]%]|.[A-Z])\.\s+(?={_NAME},?\s)",  # was lost. miR-21 is
            r"(?<=[)\]])\.\s+(?=[A-Z][a-z]*,?\s)",  # by Olsen et al. (1999). It affects
            r"(?<=\s)[a-z]{3,}[.!?](?=[A-Z][a-z]+,?\s)",  # in summarization.Technologies that
        )
    )
)
# How a sentence ends ...
_LAST = re.compile(r"[.?!…][)\]”\"’'»«›‹*†‡\d,–-]*$")
_LAST_MARK = re.compile(rf"(?<=[.?!…)”’\"»«]){_MARK}$")
# ... abbreviations that never end one ...
_NEVER_LAST = re.compile(
    r"(?:^|[\s(\[“\"–—-])(?:(?:[Ss]uppl?(?:ementa(?:l|ry))?\.?\s)?(?:[Ff]igs?|[Rr]efs?|[Ee]qs?|[Ee]qns?|[Tt]abs?|[Ss]uppl?"
    r"|(?<!\d\s)[Ss]ect?s?)|i\.\s?e|e\.\s?g|[Cc]f|[Vv]s|[Vv]iz|[Aa]pprox|ca|resp|var|subsp|ssp|Drs?|Profs?|Mrs?|Ms|St)\.$"
)
# ... abbreviations that do not end one before a number or a bracket: of parts of texts, places, quantities,
# taxa and amino acids ...
_NUMBERED = (
    "al app arts? bk ch chaps? cl cols? def exs? exp expts? fasc fol footn iss lect lib ll? lem nn? nos? op "
    "par paras? pgs? pp? pls? prob prop pts? sched ser tbl thm tit ver vers vols? v "
    "bldg chrs? chrom dept dist ext rm rte "
    "acc accn avg concn? diam dil est freq hum incl lat max min mol pat reg temps? vel wts? "
    "cvs? spp? ala arg asn asp cys gln glu gly ile leu lys phe thr trp tyr"
)
_NUMBERED_WORD = "|".join(f"[{word[0].upper()}{word[0]}]{word[1:]}" for word in _NUMBERED.split())
_NOT_BEFORE_NUMBER = re.compile(rf"(?:^|[\s(\[])(?:{_NUMBERED_WORD}|Cat|His|Lot|Met|Pro|Res|Val)\.$")
# ... and initials: E. coli, P. Hughes. Two initials in a row are a name too: J. A. Smith.
_INITIAL = re.compile(r"(?:^|[\s(\[.“-])[A-Z]\.$")
_LOWER = re.compile(r"[\"“(\[]*[a-zα-ω]")
_OPENS = re.compile(_OPENING)
_NUMBER = re.compile(r"[(\[]*\d|\(")
_ROMAN = re.compile(r"[IVXL]+\b")
_NOT_BEFORE_ROMAN = re.compile(r"(?:^|[\s(\[])(?:[Aa]rt|[Bb]k|[Cc]h|[Cc]hap|[Ll]ib|[Pp]t|[Vv]ol)s?\.$")
_WORD = re.compile(r"[A-Za-z]+")
_TAIL = 120  # characters before a boundary that the patterns above look at
_BRACKET = 300  # a bracket that is still open after this number of characters is a misprint


_MAY_END = re.compile(r"[.?!…。！？][^.?!…。！？]")
_WIDE_END = re.compile(r"(?<=[。！？])(?![。！？”’」』）])")


@lru_cache(maxsize=2**14)  # the references of a topic meet all its systems
def split(text: str, language: str = ENGLISH) -> tuple[str, ...]:
    """The sentences of running text: its lines if it has several, otherwise those that a splitter finds.

    The splitter is that of the language, and the marks 。！？ end a sentence too. A text of white space alone
    is one sentence.

    >>> split("今天天气很好。明天下雨。")
    ('今天天气很好。', '明天下雨。')
    """
    lines = [line for each in text.split("\n") if (line := each.strip())]
    if len(lines) != 1 or not _MAY_END.search(lines[0]):
        return tuple(lines) or (text,)
    find = sentences if language == ENGLISH else german_sentences
    if text.isascii():  # as most are
        return tuple(find(lines[0]))
    return tuple(sentence for part in _WIDE_END.split(lines[0]) if part for sentence in find(part))


def sentences(text: str) -> list[str]:
    """The sentences of a text in order, with white space collapsed.

    A blank line ends a sentence; a single line end is white space. Every character that is not white space
    is in exactly one sentence, so the sentences joined with blanks give the text back, with a blank more
    where a full stop has none after it.
    """
    return [sentence for paragraph in _paragraphs(text) for sentence in _split_paragraph(paragraph)]


def _paragraphs(text: str) -> list[str]:
    if text.isprintable() and "  " not in text:  # of white space, the blank alone is printable
        return [text.strip()]
    return [" ".join(paragraph.split()) for paragraph in _PARAGRAPH.split(text)]


@cache
def _tokenizer() -> Any:
    from syntok.tokenizer import Tokenizer

    return Tokenizer(replace_not_contraction=False)


def _syntok_starts(text: str) -> set[int]:
    from syntok import segmenter  # the workflow loads benchmarks without it

    return {sentence[0].offset for sentence in segmenter.segment(_tokenizer().tokenize(text)) if sentence}


def _syntok_abbreviations() -> frozenset[str]:
    from syntok.segmenter import State

    return State.abbreviations


# syntok takes nearly all of the time. Where a word ends a sentence before a word with a capital, what syntok
# and `_ends` say depends on these words alone, so they are asked once for each; only parts of a text with
# other marks, such as brackets and abbreviations, are given to syntok whole.
_FULL_STOP = re.compile(r"\.['\"’”]? (?=([A-Z][a-z]*)\b)")  # found faster than one of several marks
_ENDING = re.compile(r"[.?!]['\"’”]? (?=([A-Z][a-z]*)\b)")
_SMALL_WORD = re.compile("[a-z]{2,}")  # syntok ends a sentence behind each that is not an abbreviation
_PLAIN_WORD = re.compile("[A-Za-z0-9-]*[A-Za-z0-9]")
_OTHER_CHARACTERS = r"[\w ,:'\"’‘“”%/+=<>*°–—&£#$`@|-]*+"
_HAS_NO_ENDING = re.compile(
    rf"{_OTHER_CHARACTERS}(?:(?:(?<=\d)\.(?=\d)|[.?!;] (?=[a-z]++(?![\w-]))){_OTHER_CHARACTERS})*+"
    r"(?:[.?!]['\"’”]?)?"
)
_PLAIN = string.ascii_letters.encode() + string.digits.encode() + b"_ .,:'\"%/+=<>*&#$`@|-"
"""The full stop, and the characters of ASCII that `_OTHER_CHARACTERS` has."""
_CLOSING = r")\]}\uff60\uff5d\uff3d\uff09\ufe5e\ufe5c\ufe5a\ufd3f\u301b\u3019\u2986\u2984\u232a"
_NO_BRACKETS = (
    rf"[^{_CLOSING}(\[{{\uff5f\uff5b\uff3b\uff08\ufe5d\ufe5b\ufe59\ufd3e\u301a\u3018\u2985\u2983\u2329]*+"
)
_HAS_PAIRED_BRACKETS = re.compile(
    rf"{_NO_BRACKETS}(?:(?:\({_NO_BRACKETS}\)|\[{_NO_BRACKETS}\]){_NO_BRACKETS})*+"
)
_CLOSES = re.compile(f"[{_CLOSING}]")
_NEXT_WORDS = 40  # characters behind a part of a text that the patterns of `_MISSED` look at


def _find_starts(text: str) -> tuple[set[int], set[int]]:
    """Where syntok or `_MISSED` lets a sentence of a paragraph begin; and where one begins for certain."""
    starts, begin = {0}, 0
    certain: set[int] = set()
    is_plain = text.isascii() and not text.encode().translate(None, _PLAIN)
    # otherwise, brackets that open are never in pairs
    closes = not is_plain and (any(map(text.__contains__, ")]}")) if text.isascii() else _CLOSES.search(text))
    mark_pattern = _ENDING if "?" in text or "!" in text else _FULL_STOP
    for ending in [*mark_pattern.finditer(text), None]:
        if ending:
            (mark, end), next_word = ending.span(), ending[1]
            end -= 1
            mark -= text[mark - 1] == " "
            word = text[text.rfind(" ", 0, mark) + 1 : mark]
            # the next word matters behind a number, as a month, or as a number
            if not word[-1:].isdigit() and not (next_word[0] in "IVXL" and _ROMAN.fullmatch(next_word)):
                next_word = "Xo"
            ends_part, ends_sentence = _judge_ending(word, text[mark:end], next_word)
        else:
            end = len(text)
        part = text[begin:end]
        if ending and not (ends_part and (not closes or _HAS_PAIRED_BRACKETS.fullmatch(part))):
            continue
        has_no_ending = is_plain and part.find(".") in (-1, len(part) - 1)  # found faster than by a pattern
        if not has_no_ending and not _HAS_NO_ENDING.fullmatch(part):
            starts.update(begin + start for start in _syntok_starts(part) if part[start - 1].isspace())
            starts.update(match.end() for match in _MISSED.finditer(text, begin, end + _NEXT_WORDS))
        begin = end + 1
        if ending:
            (certain if ends_sentence else starts).add(begin)
    return starts, certain


@lru_cache(maxsize=2**16)
def _judge_ending(word: str, mark: str, next_word: str) -> tuple[bool, bool]:
    """Whether syntok ends a sentence between two words, and whether one ends whatever is before them."""
    text = f"go {word}{mark} {next_word} goes."
    start = len(f"go {word}{mark} ")
    if not _SMALL_WORD.fullmatch(word) or word in _syntok_abbreviations():
        if not _PLAIN_WORD.fullmatch(word) or start not in _syntok_starts(text):
            return False, False
    return True, len(word) > 1 and any(map(str.isalpha, word)) and _ends(text, 0, start)


def _split_paragraph(text: str) -> list[str]:
    starts, certain = _find_starts(text)
    last_letter = 0
    if len(starts) > 1:  # 0 is one
        last_letter = next((place for place in range(len(text) - 1, 0, -1) if text[place].isalpha()), 0)
    pieces: list[str] = []
    begin = 0
    for start in sorted(starts | certain):
        if start in certain or 0 < start <= last_letter and _ends(text, begin, start):
            pieces.append(text[begin:start].rstrip())
            begin = start
    if last := text[begin:]:
        pieces.append(last)
    return pieces


def _ends(text: str, begin: int, start: int) -> bool:
    """Whether the text from ``begin`` to ``start`` is a whole sentence; a letter follows it."""
    if not any(map(str.isalpha, text[begin:start])):
        return False  # "12." alone is a number in a list or a lone reference number
    if text[start] == "&":
        return False
    head = text[max(begin, start - 1 - _TAIL) : start].rstrip()  # white space is collapsed
    head = _LAST_MARK.sub("", head)
    if _NEVER_LAST.search(head):
        return False
    if _NUMBER.match(text, start) and _NOT_BEFORE_NUMBER.search(head):
        return False
    if _ROMAN.match(text, start) and _NOT_BEFORE_ROMAN.search(head):
        return False
    if not _LAST.search(head):
        return False
    if _INITIAL.search(head) and not _closes_with_initial(text, start, head):
        return False
    if _LOWER.match(text, start) and not _OPENS.match(text, start):
        return False
    return not any(_is_inside(text, begin, start, *brackets) for brackets in ("()", "[]"))


def _is_inside(text: str, begin: int, start: int, left: str, right: str) -> bool:
    """Whether a bracket that is open at ``start`` is closed soon after it."""
    if text.count(left, begin, start) <= text.count(right, begin, start):
        return False
    closing_place, opening_place = (text.find(bracket, start, start + _BRACKET) for bracket in (right, left))
    return closing_place >= 0 and not 0 <= opening_place < closing_place


def _closes_with_initial(text: str, start: int, head: str) -> bool:
    """Whether a single capital ends a sentence (``vitamin C. The``) and is not an initial (``P. Hughes``)."""
    word = _WORD.match(text, start)
    return word is not None and word[0] in _SENTENCE_WORDS and not re.search(r"[A-Z]\.\s?[A-Z]\.$", head)


_SENTENCE_WORDS = frozenset(
    (
        "A After All Although An Analysis Are As At Because Both But By Cells During Each Finally For "
        "From Furthermore Given Here However If In Indeed Interestingly It Its Mice Moreover Most "
        "Next No Of On One Our Since Some Such Surprisingly Taken Thus That The Their Then There "
        "Therefore These They This Those Three To Together Two Under Using Was We Were What When "
        "Whereas Whether Which While With"
    ).split()
)


# German
# This part corrects syntok after an ordinal number (am 3. Oktober, im 19. Jahrhundert, die 5. Klasse),
# the abbreviation of a street, a date in digits (ab dem 1.1.2000. Danach), the quotation mark or the mark of
# a citation that closes a sentence („Ich komme.“ Dann), and a full stop without a blank (Konflikten.Deshalb).
# An ordinal follows an article or a preposition, or precedes a word such as a month; "Es sind 12. Danach" has
# a boundary.

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
_CLOSED = re.compile(rf"(?<=[.!?…])(?:[“”«»‘’‹›\"']{{1,3}}\)?{_MARK}?|{_MARK})\s+(?=[„“»«‚‘›‹\"]*[A-ZÄÖÜ])")
# An abbreviation or a number alone in quotation marks: das Kürzel „Dr.“ Müllers.
_QUOTED_WORD = re.compile(r"[„“»«‚›‹\"](?:[A-ZÄÖÜa-zäöü]|Abb|Abs|Art|Dr|Nr|Prof|St|bzw|ca|vgl|\d{1,3})\.$")
_NO_BLANK = re.compile(r"[a-zäöüß]{2}[.!?]$")
_CAPITAL = re.compile(r"[A-ZÄÖÜ][a-zäöüß]")
_GERMAN_TAIL = 60  # characters before a boundary that the patterns above look at


def german_sentences(text: str) -> list[str]:
    """The sentences of a German text in order, as `sentences` returns those of an English one."""
    return [sentence for paragraph in _paragraphs(text) for sentence in _split_german(paragraph)]


def _split_german(paragraph: str) -> list[str]:
    starts = {start for start in _syntok_starts(paragraph) if _begins(paragraph, start)}
    starts.update(match.end() for match in _DATE.finditer(paragraph))
    starts.update(
        match.end()
        for match in _CLOSED.finditer(paragraph)
        if not _QUOTED_WORD.search(paragraph[max(0, match.start() - _GERMAN_TAIL) : match.start()])
    )
    edges = [0, *sorted(starts - {0}), len(paragraph)]
    pieces = (paragraph[begin:end].strip() for begin, end in zip(edges, edges[1:]))
    return [sentence for sentence in pieces if sentence]


def _begins(text: str, start: int) -> bool:
    """Whether a sentence begins where syntok lets one begin."""
    if text[start - 1 : start].isspace():
        return not _continues(text, start)
    head = text[max(0, start - _GERMAN_TAIL) : start]
    return bool(_NO_BLANK.search(head) and _CAPITAL.match(text, start))


def _continues(text: str, start: int) -> bool:
    """Whether a place that syntok takes for a boundary is inside a sentence."""
    head = text[max(0, start - _GERMAN_TAIL) : start].rstrip()
    if _STREET.search(head) and text[start : start + 1].isdigit():
        return True
    number = _ORDINAL.search(head)
    if not number:
        return False
    return (number["before"] or "").lower() in _BEFORE or _AFTER.match(text, start) is not None
