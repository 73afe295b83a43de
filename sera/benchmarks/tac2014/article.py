"""Cleaning of articles whose text was copied from publishers' web pages.

The text has one paragraph, heading, caption, table row or piece of web page per line. It begins with front
matter (journal, authors, DOI, ``Show more``, highlights), has captions and tables between its paragraphs,
and ends with acknowledgements, references and links. `clean` keeps title, abstract and body, and assigns each
sentence to its section. The rules cover the pages of ScienceDirect (Cell Press, Elsevier), PubMed Central,
PLOS, HighWire (PNAS, Cold Spring Harbor) and Wiley. They depend on what these sites print, not on the
article.

Each line is classified by its form and its neighbours:

1. Lines that only web pages or references have (``Go to:``, ``View Record in Scopus``) are always removed.
2. A figure or table is removed, from its label to the end of its block.
3. A section that is not part of the article's text (acknowledgements, supplements, references) is removed,
   from its heading to the next heading of the article.
4. The remaining lines are headings, which begin sections, and paragraphs.
"""

import re
from collections.abc import Sequence

from sera.benchmarks.tac2014.headings import (
    ARTICLE,
    ASIDE,
    HEADINGS,
    METHODS,
    PAGE_LABELS,
    REFERENCES,
    TEASERS,
    ends_article,
    heading_name,
)
from sera.benchmarks.tac2014.web_lines import (
    BOUNDARY,
    EQUATION,
    FIGURE_LEGEND,
    IMAGE,
    INLINE,
    ITEM_DOI,
    LABEL,
    NUMBERED,
    OPTIONS,
    PANEL,
    PLAIN,
    REFERENCE_ENTRY,
    STOP,
    WEB,
    Line,
    is_prose,
    lines_of,
)
from sera.io.records import Section, Source
from sera.registry import unknown
from sera.text.sentences import sentences

CLEANINGS = ("full", "none")


def clean(text: str, *, id: str, topic: str, cleaning: str = "full") -> Source:
    """Clean the article of a topic: its title, and its sections of sentences without headings and legends.

    The abstract is kept as the first section, since it is part of the article; a study that must not see it
    can drop it by its title. A section without sentences is kept if its heading names a part of the article
    (``Results``), else left out. Text that follows the abstract without a heading, as some journals'
    introductions do, belongs to the abstract's section.

    ``cleaning`` is ``full`` or ``none``. With ``none`` every line is split into sentences unchanged, in one
    section without a title, to measure the effect of cleaning. InputError for any other value.
    """
    if cleaning not in CLEANINGS:
        raise unknown("cleaning", cleaning, CLEANINGS)
    lines = lines_of(text)
    if cleaning == "none":
        whole = tuple(sentence for line in lines for sentence in sentences(line.text))
        return Source(topic=topic, id=id, sections=(Section("", whole),) if whole else ())
    start = _start(lines)
    sections = []
    part = ""
    for title, paragraphs in _sections(lines[start:]):
        part = heading_name(title) if heading_name(title) in ARTICLE else part
        text_sentences = tuple(
            s for paragraph in _join_paragraphs(paragraphs) for s in _sentences(paragraph, part in METHODS)
        )
        if text_sentences or heading_name(title) in ARTICLE:
            sections.append(Section(title, text_sentences))
    return Source(topic=topic, id=id, title=_title(lines[:start]), sections=tuple(sections))


# --- the front ------------------------------------------------------------------------------------


def _start(lines: list[Line]) -> int:
    """The line where the front matter ends: the heading of the abstract or a section, or the first prose."""
    for i, line in enumerate(lines):
        if i == 0 or WEB.fullmatch(line.text):
            continue
        name = heading_name(line.text)
        if (
            name in ARTICLE
            or name in TEASERS
            or name in ASIDE
            or ends_article(name)
            and name != "referred to by"
        ):
            return i
        if i > 1 and is_prose(line.text, 120):
            return i
    return min(1, len(lines))


_CITED_AS = re.compile(
    r"[A-Z][\w .&:()-]*[.,] ?(?:\w{3} ?\d{0,2},? ?)?(?:19|20)\d\d\b.{0,40}(?:[;:]|pp?\.).*\d\W*"
    r"|.*Volume \d+, Issue \d+.*"
)


def _is_cited_as(text: str) -> bool:
    """Whether a line says how to cite the article; lines over 1000 characters are not tried."""
    return len(text) <= 1000 and bool(_CITED_AS.fullmatch(text))


def _title(front: list[Line]) -> str:
    """The first line before the abstract that does not name a journal, a page or a kind of article."""
    rest = [
        line.text
        for line in front
        if not (WEB.fullmatch(line.text) or _is_cited_as(line.text) or heading_name(line.text) in PAGE_LABELS)
    ]
    return INLINE.sub(
        "", next((text for text in rest if len(text.split()) > 2), rest[0] if rest else "")
    ).strip()


# --- the body -------------------------------------------------------------------------------------


def _sections(lines: list[Line]) -> list[tuple[str, list[str]]]:
    sections: list[tuple[str, list[str]]] = [("", [])]
    is_spaced = _paragraphs_are_spaced(lines)
    is_article = True
    references = False  # inside the list of references, which only a named section of the article ends
    fresh = False  # the page has just marked the end of a section
    i = 0
    while i < len(lines):
        line = lines[i]
        name = heading_name(line.text)
        if BOUNDARY.fullmatch(line.text):
            fresh = True
            i += 1
            continue
        if name in REFERENCES:
            is_article, references = False, True
        elif references:
            if name in ARTICLE and i + 1 < len(lines) and _is_article(lines[i + 1].text):
                is_article, references = True, False
                sections.append((line.text, []))
        elif name in TEASERS:
            i = _skip_teaser(lines, i)
            continue
        elif name in ASIDE and len(line.text) < 40:
            if fresh:  # a section of its own
                is_article = False
            else:
                i = _skip_aside(lines, i)
                continue
        elif ends_article(name):
            is_article = False
        elif name in ARTICLE:
            is_article = True
            sections.append((line.text, []))
        elif not is_article:
            if (fresh or NUMBERED.match(line.text)) and _is_heading(lines, i, is_spaced):
                is_article = True
                sections.append((line.text, []))
            elif fresh and _is_article(line.text):
                is_article = True
                sections.append(("", [line.text]))
        elif (end := _skip_float(lines, i)) > i:
            i = end
            fresh = False
            continue
        elif (
            WEB.fullmatch(line.text)
            or REFERENCE_ENTRY.search(line.text)
            or line.cells > 1
            and not _is_article(line.text)
        ):
            pass
        elif _is_heading(lines, i, is_spaced, after=sections[-1][1]):
            sections.append((line.text, []))
        else:
            sections[-1][1].append(line.text)
        fresh = False
        i += 1
    return sections


def _is_article(text: str) -> bool:
    return is_prose(text) and not WEB.fullmatch(text) and not REFERENCE_ENTRY.search(text)


def _paragraphs_are_spaced(lines: list[Line]) -> bool:
    """Whether most paragraphs are followed by a blank line, so that a line without one may be a heading."""
    for length in (300, 200):  # legends are shorter than paragraphs, and have no blank line
        if long := [line.spaced for line in lines if len(line.text) > length]:
            return sum(long) > 0.6 * len(long)
    return False


def _is_heading(lines: list[Line], i: int, is_spaced: bool, after: Sequence[str] = ()) -> bool:
    """Whether line ``i`` is a heading; ``after`` holds the paragraphs of the section it would end."""
    text = lines[i].text
    successor = next((line for line in lines[i + 1 :] if not BOUNDARY.fullmatch(line.text)), None)
    if len(text) > 200 or successor is None:
        return False
    if EQUATION.fullmatch(successor.text):  # words around a displayed formula
        return False
    # Between paragraphs with blank lines, a heading has no blank line after it.
    is_tight = is_spaced and not lines[i].spaced and is_prose(successor.text, 161)
    if PLAIN.match(text):  # a gene's name, or the rest of a sentence that a formula broke
        return is_tight and not STOP.search(text) and not (after and _lacks_end(after[-1]))
    if not STOP.search(text):
        return not PLAIN.match(successor.text)
    if text.endswith((":", ";", ",")):
        return False
    if NUMBERED.match(text) and len(text) < 120 and text.count(". ") < 3:
        return True
    return is_tight and len(text) <= 160 and len(sentences(text)) == 1


def _lacks_end(paragraph: str) -> bool:
    return not re.search(r"[.?!][)\]”\"’]*$", paragraph)


def _skip_teaser(lines: list[Line], i: int) -> int:
    """The line after highlights or a graphical abstract: a heading, or a paragraph that is not a bullet."""
    i += 1
    while (
        i < len(lines) and heading_name(lines[i].text) not in HEADINGS and not NUMBERED.match(lines[i].text)
    ):
        if len(lines[i].text) > 400 and _is_article(lines[i].text) and lines[i].text[0] not in "►•▸":
            break
        i += 1
    return i


def _skip_aside(lines: list[Line], i: int) -> int:
    """The line after keywords or abbreviations: one line of any length, then short lines until a heading."""
    i += 2
    while (
        i < len(lines)
        and re.search(r"[;,]", lines[i].text)
        and not STOP.search(lines[i].text)
        and len(lines[i].text) < 120
    ):
        if heading_name(lines[i].text) in HEADINGS or NUMBERED.match(lines[i].text):
            break
        i += 1
    return i


def _skip_float(lines: list[Line], i: int) -> int:
    """The line after the figure or table that begins at line ``i``; ``i`` itself if none does."""
    text = lines[i].text
    label = LABEL.fullmatch(text)
    if label or IMAGE.match(text):
        if end := _options(lines, i):
            return end
    if label:
        return _skip_label(lines, i)
    if FIGURE_LEGEND.match(text):
        return _skip_legend(lines, i)
    return i


def _options(lines: list[Line], i: int) -> int:
    """The line after ``Figure options`` or ``Table options`` if these end the block from ``i``; else 0."""
    labels = set()
    for j in range(i, min(i + 200, len(lines))):
        text = lines[j].text
        if OPTIONS.fullmatch(text):
            return j + 1
        if BOUNDARY.fullmatch(text) or heading_name(text) in HEADINGS:
            return 0
        if match := LABEL.fullmatch(text):
            labels.add(match[1])
        if len(labels) > 1 or j > i and IMAGE.match(text):  # another figure begins, and this one had no end
            return 0
    return 0


def _skip_label(lines: list[Line], i: int) -> int:
    """The line after the label, its repetition, the page's buttons, the caption and its panels."""
    j = i + 1
    while (
        j < len(lines)
        and (LABEL.fullmatch(lines[j].text) or WEB.fullmatch(lines[j].text))
        and not BOUNDARY.fullmatch(lines[j].text)
    ):
        j += 1
    if (
        j < len(lines)
        and not lines[j - 1].spaced
        and heading_name(lines[j].text) not in HEADINGS
        and not BOUNDARY.fullmatch(lines[j].text)
    ):
        j = _skip_legend(lines, j)
    return j


def _skip_legend(lines: list[Line], i: int) -> int:
    """The line after a legend that begins at ``i``, with its panels or up to its own DOI."""
    for j in range(i, min(i + 6, len(lines))):
        if ITEM_DOI.fullmatch(lines[j].text):
            return j + 1
    j = i + 1
    while j < len(lines) and not lines[j - 1].spaced and (PANEL.match(lines[j].text) or lines[j].cells > 1):
        j += 1
    return j


# --- paragraphs -----------------------------------------------------------------------------------


def _join_paragraphs(paragraphs: list[str]) -> list[str]:
    """The paragraphs, with those joined that a page or a formula broke within a sentence."""
    whole: list[str] = []
    for text in paragraphs:
        if whole and PLAIN.match(text) and _lacks_end(whole[-1]):
            whole[-1] += " " + text
        else:
            whole.append(text)
    return whole


_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|may|might|must|will|would|should|we|\w{2,}ed|shows?|found|seen|made"
    r"|grown|thus|here|this|these|there)\b",
    re.IGNORECASE,
)


_AUXILIARY = re.compile(r"\b(?:is|are|was|were|has|have|had)\b")  # in a title they are capitalised


def _runs_in(sentence: str, methods: bool) -> bool:
    """Whether a paragraph's first sentence is its heading: ``Loss of Lats2 Causes Arrest.``

    In methods, a few words without a verb are a heading too: ``Cell culture.``
    """
    if not sentence.endswith(".") or sentence.endswith("al."):
        return False
    words = sentence.split()
    long = [word for word in words if len(word) > 3]
    if (
        len(words) <= 25
        and len(long) > 1
        and not _AUXILIARY.search(sentence)
        and sum(not PLAIN.match(word) for word in long) >= 0.75 * len(long)
    ):
        return True
    return methods and len(words) <= 10 and not _VERB.search(sentence)


def _sentences(paragraph: str, methods: bool) -> list[str]:
    """The sentences of a paragraph, without traces of the web page and without a run-in heading."""
    texts = sentences(INLINE.sub(" ", paragraph))
    if len(texts) > 1 and _runs_in(texts[0], methods):
        texts = texts[1:]
    return [
        sentence
        for sentence in texts
        if len(re.findall(r"[^\W\d_]{2,}", sentence)) > 1 and not sentence.startswith(("©", "Copyright ©"))
    ]
