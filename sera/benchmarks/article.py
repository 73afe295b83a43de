"""The article as authors wrote it, out of text that was copied from publishers' web pages.

Such text has one paragraph, heading, caption, table row or piece of web page a line. It begins with front
matter (journal, authors, DOI, ``Show more``, highlights), has captions and tables between its paragraphs,
and ends with acknowledgements, references and links. `clean` keeps title, abstract and body and says which
section a sentence stands in. It knows the pages of ScienceDirect (Cell Press, Elsevier), PubMed Central,
PLOS, HighWire (PNAS, Cold Spring Harbor) and Wiley by what they print, not by the article.

A line is judged by its form and its neighbours:

1. lines that only web pages or references have (``Go to:``, ``View Record in Scopus``) go wherever they stand
2. a figure or table goes from its label to the end of its block
3. a section that is not the article's text (acknowledgements, supplements, references) goes from its heading
   to the next heading of the article
4. of the rest, headings begin sections and the others are paragraphs
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sera.records import Section, Source
from sera.registry import unknown
from sera.text.sentences import sentences

CLEANINGS = ("full", "none")


def clean(text: str, *, id: str, topic: str, cleaning: str = "full") -> Source:
    """The article of a topic: its title and sections of sentences, headings and legends left out.

    The abstract is kept, as the first section: it is part of the article (drop it by its title where a
    study must not see it). A section without a sentence of its own is there if it says which part of the
    article begins (``Results``), else it is left out. Text that follows the abstract without a heading, as
    some journals' introductions do, is in the abstract's section.

    With ``cleaning="none"`` every line is split into sentences as it stands, in one section without a
    title, to measure what cleaning does. Raises InputError for any other name but ``full``.
    """
    if cleaning not in CLEANINGS:
        raise unknown("cleaning", cleaning, CLEANINGS)
    lines = _lines(text)
    if cleaning == "none":
        whole = tuple(sentence for line in lines for sentence in sentences(line.text))
        return Source(topic=topic, id=id, sections=(Section("", whole),) if whole else ())
    start = _start(lines)
    sections = []
    part = ""
    for title, paragraphs in _sections(lines[start:]):
        part = _name(title) if _name(title) in _ARTICLE else part
        found = tuple(s for paragraph in _joined(paragraphs) for s in _sentences(paragraph, part in _METHODS))
        if found or _name(title) in _ARTICLE:
            sections.append(Section(title, found))
    return Source(topic=topic, id=id, title=_title(lines[:start]), sections=tuple(sections))


class _Line(NamedTuple):
    text: str  # white space collapsed, never empty
    cells: int  # pieces between tabs
    spaced: bool  # a blank line, or the end, follows


# Quantifiers of what may be long are bounded, here and below, where a line of one character would else take
# quadratic time.
# PubMed Central's links that open a figure repeat its number: "(Fig. <0-width>(Fig.1A).1A)." was "(Fig. 1A)."
_POPUP = re.compile(r"\u200b[^\w\s]?[A-Za-z]{0,20}\.?(\S{1,30}?)\1(?!\w)")


def _lines(text: str) -> list[_Line]:
    text = _POPUP.sub(r"\1", text.removeprefix("\ufeff")).replace("\u200b", "")
    rows = re.split(r"\r\n|\r|\n", text)
    lines: list[_Line] = []
    for row in rows:
        if collapsed := " ".join(row.split()):
            lines.append(_Line(collapsed, len([c for c in row.split("\t") if c.strip()]), False))
        elif lines:
            lines[-1] = lines[-1]._replace(spaced=True)
    return lines


# --- what a line is -------------------------------------------------------------------------------

# Lines that a web page adds, whole.
_WEB = re.compile(
    r"""
    Go\ to:? | (Previous|Next)\ Section | Show\ (more|less) | open\ menu | Open\ Archive
    | Open\ Access(\ funded\ by.*)? | Get\ rights\ and\ content | Under\ an?\ Elsevier\ user\ license
    | Under\ a\ Creative\ Commons\ license | Cover\ image | Logo\ of\ .*
    | Full[-\ ]size\ (image|table|figure).*
    | (Figure|Table)\ options | View\ (larger\ version|this\ table|Within\ Article|in\ article).*
    | View\ large\b.* | (Download|PowerPoint)\ slide | (Back\ to|Top\ of)\ (top|page) | Jump\ to\ section
    | In\ this\ (page|window)\b.* | Download\ as\ PowerPoint\ Slide
    | Download(\ high-res)?(\ image)?:?(\ \(.*\))? | thumbnail
    | (PPT|PNG|TIFF)\ (PowerPoint\ slide|larger\ image|original\ image).*
    | (image|Graphic|Formula)(\ ?\(\d+\))? | Help\ with\ \w+\ files.* | Options
    | Open\ in\ a\ separate\ window | Click\ (here|on)\b.* | View\ the\ MathML\ source | Turn\ MathJax\ on
    | equation\ (image|M\d+)(\ \(?\d+\)?)? | (An\ external\ file\ that\ holds.*)?Object\ name\ is\ .*
    | Enlarge\ image.* | Larger\ version | [\[(]?\d+(\.\d+)?\ [KMG]?B\ \w+[\])]? | \([A-Z]{3,4}X?\)
    | \d+\ /\ \d+\ figshare.* | figshare.* | \(PMCID:.* | (https?://|www\.)\S+ | DOI:?\ ?\S+
    | doi:\ ?10\.\S+ | PDF(\ \(.*\))? | Author\ [Ii]nformation\ ►.* | \+?\ ?Author\ Affiliations
    | (HHMIS|NIHMS|PMC|UKPMS|EMS)\w*:.* | Published\ (online|in\ final\ edited\ form|ahead).*
    | Article\ first\ published\ online.*
    | (This|See\ other)\ articles?\ (has\ been|in\ PMC)\ (cited|corrected|that\ cite).*
    | The\ publisher['’]s\ final\ edited\ version.* | [\w\ .&:]+\.\ Author\ manuscript;\ available\ .*
    | Abstract\ ?Full\ ?Text.*
    | (Full\ Text|Citations|BioEntities|Related\ Articles|External\ Links)\ .{0,160}
    | Copyright\ .* | ©.* | .{0,150}©\ ?\d{4}\b.{0,150} | .{0,150}All\ rights\ reserved\.?
    | .{0,150}Published\ by\ Elsevier.{0,80} | .{0,80}\$\d+\.\d\d\b.{0,80}
    | (Citation|(Academic\ )?Editors?|Received|Accepted|Published|Copyright|Funding|Competing\ [Ii]nterests?
      |Data\ Availability|Abbreviations)\s?:.*
    | (Received|Accepted|Revised|Available\ online|Edited\ by|Communicated\ by|Contributed\ by)
      \ [^.]{3,1000}\d{4}\S{0,100}\.?\)?\.?
    | Edited\ by\ .{3,80} | (Author\ )?Key\ ?words?\s?:.* | .*,\ (Academic\ )?Editor
    | (Corresponding|Author\ for)\ author.*
    | [\d*†‡§¶?\ ,]*(To\ [Ww]hom\ )?[Cc]orrespond(ence|ing)\b.{0,150}
    | [\d*†‡§¶?\ ,]*(Tel|Fax|E-?mail)\b.{0,150}
    | [\d*†‡§¶\ ,]*These\ authors\ contributed\ equally.* | [\d*†‡§¶\ ,]*Present\ address.*
    | This\ (is\ an\ open|article\ is\ (a\ PNAS|distributed|published\ under)).*
    | This\ is\ an\ Open\ Access\ article.* | ↵.* | ↑.* | Publisher['’]s\ Disclaimer.*
    | (We|The\ authors?)\ (wish\ to\ |would\ like\ to\ )?(sincerely\ )?
      (thank|are\ grateful\ to|acknowledge\ (?!that))\b.*
    | This\ (work|study|research)\ (was|is|has\ been)\ (\w+\ )?(supported|funded)\b.* | Article\ Linker
    | Search\ Google\ Scholar | Referred\ to\ by.* | [^\w“"(\[]+ | \d{1,4}
    """,
    re.VERBOSE,
)
# What only entries of reference lists have.
_REFERENCE = re.compile(
    r"View Record in Scopus|Full Text via CrossRef|Cited By in Scopus|Citing articles \(|\[PubMed\]"
    r"|\[Cross ?Ref\]|\[PMC free article\]|FREE Full Text|Search Google Scholar|View Article PubMed"
    r"|CrossRef, ?PubMed|, \d+ \(\d{4}\), pp?\. \w?\d+"
)
_LABEL = re.compile(
    r"(?:Supplement(?:ary|al) )?(?:Fig(?:ure)?|FIG(?:URE)?|Table|TABLE|Scheme|Chart|Box|Movie|Video"
    r"|Plate|Text|File|Dataset)[ _]?\.? ?(S?\d+[A-Za-z]?|[IVX]+)[.:]{0,2}(?:\.\w{3,4})?"
)
_LEGEND = re.compile(
    r"(?:Supplement(?:ary|al) )?(?:Fig(?:ure)?|FIG(?:URE)?|Table|TABLE|Scheme|Chart|Plate|Movie|Video)\.? ?"
    r"(?:S?\d+[A-Za-z]?|[IVX]+) ?(?:[.:|–—]|\ [.:|–—]) ?(?=[\"“(\[]?[A-Z0-9a-z])(?!\d)"
)
_PANEL = re.compile(r"\(?[A-Za-z](?:(?:, | and |[-–])[A-Za-z])*[).] \S")
_OPTIONS = re.compile(r"(?:Figure|Table) options")
_IMAGE = re.compile(r"Full[- ]size (?:image|table)")
_ITEM_DOI = re.compile(r"doi:10\.1371/journal\.\w+\.\d+\.[gts]\d+")
_EQUATION = re.compile(r"(?:Formula|equation|View the MathML source|Turn MathJax|Graphic).{0,20}")
_BOUNDARY = re.compile(r"Go to:?|(?:Previous|Next) Section")
_NUMBERED = re.compile(r"(?:\d{1,2}|[IVX]{1,4})(?:\.\d{1,2})*\.? (?=[A-Z“\"(a-z])")
_CLOSING = r"[)\]”\"’'\d,–-]"  # the comma is a stop and may follow one
_STOP = re.compile(rf"[.?!:;…]{_CLOSING}*+$|(?<!{_CLOSING})(?={_CLOSING}*+$){_CLOSING}*,")
_PLAIN = re.compile(r"[a-z]+(?=$|[\s,;.)])")  # an ordinary word in lower case: no digit, capital or hyphen
_INLINE = re.compile(
    r"\(?Full-size image \([\d.]+ [KM]\)|View the MathML source|Turn MathJax on|Figure options|Table options"
    r"|An external file that holds a picture, illustration, etc\.|Object name is \S+?\.(?:jpg|gif|png)\.?"
    r"|equation (?:image|M\d+)\b|(?<=[a-z,.] )Graphic\b|\[[a-z -]+ triangle\]"
    r"|Corresponding author contact information|E-mail the corresponding author"
)


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split("|"))


# Headings, in lower case, without numbers, final stops and colons.
_OPENING = frozenset({"abstract", "summary", "synopsis"})
_ARTICLE = _OPENING | _phrases(
    """
    introduction | background | main text | main | results | result | discussion | discussions |
    results and discussion | results & discussion | discussion and conclusions |
    discussion and conclusion | results and discussions | conclusion | conclusions | concluding remarks |
    concluding remark | summary and conclusions | conclusions and perspectives | perspectives |
    perspective | future directions | outlook | conclusions and future directions |
    concluding remarks and perspectives | significance | author summary | authors summary |
    authors' summary | materials and methods | material and methods | methods | methods and materials |
    materials & methods | experimental procedures | experimental procedure | experimental methods |
    experimental | experimental section | online methods | methods summary | patients and methods |
    subjects and methods | methodology | methodology/principal findings | principal findings |
    conclusions/significance | materials | overview | findings | limitations
    """
)
_METHODS = frozenset(
    name
    for name in _ARTICLE
    if name.startswith(("method", "material", "experimental", "patients", "subjects", "online"))
)
# To the next heading of the article, or of any section where the page marks its sections.
_NOT_ARTICLE = _phrases(
    """
    acknowledgments | acknowledgements | acknowledgment | acknowledgement | acknowledgments and funding |
    supplementary material | supplementary materials | supplementary data | supplementary information |
    supplemental data | supplemental information | supplemental material | supplemental materials |
    supplementary methods | supplementary figures | supporting information | supporting material |
    supporting online material | electronic supplementary material | additional files | additional file |
    appendix | appendix a | appendix a. supplementary data | appendix. supplementary data |
    appendix a. supplementary material | authors' contributions | author contributions |
    author's contributions | authors contributions | contributions | authors' information | footnotes |
    footnote | notes | funding | funding statement | financial support | grant support |
    competing interests | competing interest | competing financial interests | conflict of interest |
    conflicts of interest | conflict of interest statement | disclosure | disclosures |
    disclosure statement | disclosure of potential conflicts of interest | declaration of interests |
    accession numbers | accession number | accession codes | deposition | data deposition |
    database linking | pre-publication history | article information | author information |
    author notes | abbreviations used | nomenclature | glossary | web resources | url | urls |
    note added in proof | referred to by | related content | figures | figures and tables | tables |
    uncited references | vitae | dedication | publisher's disclaimer | open access | supplement |
    contributor information
    """
)
# What advertises the article before it begins: to the next heading or long paragraph.
_TEASERS = _phrases(
    "graphical abstract | highlights | in brief | research highlights | key points | toc blurb"
)
# One line, or a few short ones, and the article goes on.
_ASIDE = frozenset(
    {"keywords", "key words", "author keywords", "key word", "abbreviations", "mesh terms", "keyword"}
)
_REFERENCES = _phrases(
    """
    references | reference | literature cited | bibliography | references and notes |
    references and recommended reading | cited literature | literature | references cited |
    notes and references | selected reading | selected readings | further reading | recommended reading |
    suggested reading | additional reading | works cited
    """
)
_HEADINGS = _ARTICLE | _NOT_ARTICLE | _TEASERS | _ASIDE | _REFERENCES
_PAGE_LABELS = _phrases(
    """
    article | articles | research article | original article | original research | review |
    review article | research | report | reports | minireview | preview | previews | commentary |
    brief report | short article | resource | letter | perspective | primer | essay | editorial |
    regular article
    """
)


def _name(text: str) -> str:
    """A heading as it is looked up."""
    return (
        re.sub(r"^(?:\d{1,2}|[IVX]{1,4})(?:\.\d{1,2})*\.? (?=\S)", "", text)
        .lower()
        .replace("’", "'")
        .strip(" .:[]")
    )


def _is_prose(text: str, length: int = 80) -> bool:
    """A run of sentences, not a list of names: ends as a sentence does, half its words are ordinary."""
    words = text.split()
    return (
        len(text) >= length
        and bool(_STOP.search(text) or len(text) > 250)
        and 2 * sum(map(bool, map(_PLAIN.match, words))) >= len(words)
    )


# --- the front ------------------------------------------------------------------------------------


def _start(lines: list[_Line]) -> int:
    """Where the front matter ends: at the abstract's or a section's heading, or at the first prose."""
    for i, line in enumerate(lines):
        if i == 0 or _WEB.fullmatch(line.text):
            continue
        name = _name(line.text)
        if (
            name in _ARTICLE
            or name in _TEASERS
            or name in _ASIDE
            or _ends_article(name)
            and name != "referred to by"
        ):
            return i
        if i > 1 and _is_prose(line.text, 120):
            return i
    return min(1, len(lines))


_CITED_AS = re.compile(
    r"[A-Z][\w .&:()-]*[.,] ?(?:\w{3} ?\d{0,2},? ?)?(?:19|20)\d\d\b.{0,40}(?:[;:]|pp?\.).*\d\W*"
    r"|.*Volume \d+, Issue \d+.*"
)


def _is_cited_as(text: str) -> bool:
    """Whether a line says how the article is cited; one so long that it is none is not tried."""
    return len(text) <= 1000 and bool(_CITED_AS.fullmatch(text))


def _title(front: list[_Line]) -> str:
    """The first line before the abstract that names neither journal, page nor kind of article."""
    rest = [
        line.text
        for line in front
        if not (_WEB.fullmatch(line.text) or _is_cited_as(line.text) or _name(line.text) in _PAGE_LABELS)
    ]
    return _INLINE.sub(
        "", next((text for text in rest if len(text.split()) > 2), rest[0] if rest else "")
    ).strip()


# --- the body -------------------------------------------------------------------------------------


def _sections(lines: list[_Line]) -> list[tuple[str, list[str]]]:
    """``(title, paragraphs)`` in order."""
    sections: list[tuple[str, list[str]]] = [("", [])]
    spaced = _paragraphs_are_spaced(lines)
    kept = True
    references = False  # inside the list of references: only a named section of the article ends it
    fresh = False  # the page has just marked the end of a section
    i = 0
    while i < len(lines):
        line = lines[i]
        name = _name(line.text)
        if _BOUNDARY.fullmatch(line.text):
            fresh = True
            i += 1
            continue
        if name in _REFERENCES:
            kept, references = False, True
        elif references:
            if name in _ARTICLE and i + 1 < len(lines) and _is_article(lines[i + 1].text):
                kept, references = True, False
                sections.append((line.text, []))
        elif name in _TEASERS:
            i = _after_teaser(lines, i)
            continue
        elif name in _ASIDE and len(line.text) < 40:
            if fresh:  # a section of its own
                kept = False
            else:
                i = _after_aside(lines, i)
                continue
        elif _ends_article(name):
            kept = False
        elif name in _ARTICLE:
            kept = True
            sections.append((line.text, []))
        elif not kept:
            if (fresh or _NUMBERED.match(line.text)) and _is_heading(lines, i, spaced):
                kept = True
                sections.append((line.text, []))
            elif fresh and _is_article(line.text):
                kept = True
                sections.append(("", [line.text]))
        elif (end := _after_float(lines, i)) > i:
            i = end
            fresh = False
            continue
        elif (
            _WEB.fullmatch(line.text)
            or _REFERENCE.search(line.text)
            or line.cells > 1
            and not _is_article(line.text)
        ):
            pass
        elif _is_heading(lines, i, spaced, after=sections[-1][1]):
            sections.append((line.text, []))
        else:
            sections[-1][1].append(line.text)
        fresh = False
        i += 1
    return sections


# Headings of the same sections in other words: "Acknowledgements and Fundings", "Supplementary data 1".
_NOT_ARTICLE_TOO = re.compile(
    r"(?:acknowledg|supplement(?:ary|al) (?:data|info|material|file|figure|table)"
    r"|supporting (?:info|material)|electronic supp|additional file|authors?'? contribution|conflicts? of"
    r"|competing|financial disclos|funding|accession (?:number|code)|publisher's disclaimer)\S*(?: \S+){0,7}"
)


def _ends_article(name: str) -> bool:
    return name in _NOT_ARTICLE or bool(_NOT_ARTICLE_TOO.fullmatch(name))


def _is_article(text: str) -> bool:
    return _is_prose(text) and not _WEB.fullmatch(text) and not _REFERENCE.search(text)


def _paragraphs_are_spaced(lines: list[_Line]) -> bool:
    """Whether the text sets a blank line after most paragraphs, so that none is a sign of a heading."""
    for length in (300, 200):  # legends are shorter than paragraphs, and stand close
        if long := [line.spaced for line in lines if len(line.text) > length]:
            return sum(long) > 0.6 * len(long)
    return False


def _is_heading(lines: list[_Line], i: int, spaced: bool, after: Sequence[str] = ()) -> bool:
    """Whether line ``i`` is a heading; ``after`` are the paragraphs of the section it would end."""
    text = lines[i].text
    following = next((line for line in lines[i + 1 :] if not _BOUNDARY.fullmatch(line.text)), None)
    if len(text) > 200 or following is None:
        return False
    if _EQUATION.fullmatch(following.text):  # words around a displayed formula
        return False
    # Where paragraphs stand apart, a heading stands right above its paragraph.
    above = spaced and not lines[i].spaced and _is_prose(following.text, 161)
    if _PLAIN.match(text):  # a gene's name, or the rest of a sentence that a formula broke
        return above and not _STOP.search(text) and not (after and _unfinished(after[-1]))
    if not _STOP.search(text):
        return not _PLAIN.match(following.text)
    if text.endswith((":", ";", ",")):
        return False
    if _NUMBERED.match(text) and len(text) < 120 and text.count(". ") < 3:
        return True
    return above and len(text) <= 160 and len(sentences(text)) == 1


def _unfinished(paragraph: str) -> bool:
    return not re.search(r"[.?!][)\]”\"’]*$", paragraph)


def _after_teaser(lines: list[_Line], i: int) -> int:
    """The line after highlights or a graphical abstract: a heading, or a paragraph that is no bullet."""
    i += 1
    while i < len(lines) and _name(lines[i].text) not in _HEADINGS and not _NUMBERED.match(lines[i].text):
        if len(lines[i].text) > 400 and _is_article(lines[i].text) and lines[i].text[0] not in "►•▸":
            break
        i += 1
    return i


def _after_aside(lines: list[_Line], i: int) -> int:
    """The line after keywords or abbreviations: one line, however long, and what is short and no heading."""
    i += 2
    while (
        i < len(lines)
        and re.search(r"[;,]", lines[i].text)
        and not _STOP.search(lines[i].text)
        and len(lines[i].text) < 120
    ):
        if _name(lines[i].text) in _HEADINGS or _NUMBERED.match(lines[i].text):
            break
        i += 1
    return i


def _after_float(lines: list[_Line], i: int) -> int:
    """The line after the figure or table that begins at line ``i``; ``i`` itself if none does."""
    text = lines[i].text
    label = _LABEL.fullmatch(text)
    if label or _IMAGE.match(text):
        if end := _options(lines, i):
            return end
    if label:
        return _after_label(lines, i)
    if _LEGEND.match(text):
        return _after_legend(lines, i)
    return i


def _options(lines: list[_Line], i: int) -> int:
    """The line after ``Figure options`` or ``Table options``, if the block from ``i`` on ends so; else 0."""
    labels = set()
    for j in range(i, min(i + 200, len(lines))):
        text = lines[j].text
        if _OPTIONS.fullmatch(text):
            return j + 1
        if _BOUNDARY.fullmatch(text) or _name(text) in _HEADINGS:
            return 0
        if found := _LABEL.fullmatch(text):
            labels.add(found[1])
        if len(labels) > 1 or j > i and _IMAGE.match(text):  # another one, and this had no end
            return 0
    return 0


def _after_label(lines: list[_Line], i: int) -> int:
    """After the label, its repetition, the page's buttons, the caption and its panels."""
    j = i + 1
    while (
        j < len(lines)
        and (_LABEL.fullmatch(lines[j].text) or _WEB.fullmatch(lines[j].text))
        and not _BOUNDARY.fullmatch(lines[j].text)
    ):
        j += 1
    if (
        j < len(lines)
        and not lines[j - 1].spaced
        and _name(lines[j].text) not in _HEADINGS
        and not _BOUNDARY.fullmatch(lines[j].text)
    ):
        j = _after_legend(lines, j)
    return j


def _after_legend(lines: list[_Line], i: int) -> int:
    """After a legend that begins at ``i`` and may go on in panels or up to its own DOI."""
    for j in range(i, min(i + 6, len(lines))):
        if _ITEM_DOI.fullmatch(lines[j].text):
            return j + 1
    j = i + 1
    while j < len(lines) and not lines[j - 1].spaced and (_PANEL.match(lines[j].text) or lines[j].cells > 1):
        j += 1
    return j


# --- paragraphs -----------------------------------------------------------------------------------


def _joined(paragraphs: list[str]) -> list[str]:
    """Paragraphs with those put together that a page or a formula broke in a sentence."""
    whole: list[str] = []
    for text in paragraphs:
        if whole and _PLAIN.match(text) and _unfinished(whole[-1]):
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

    Among methods a few words without a verb are one too: ``Cell culture.``
    """
    if not sentence.endswith(".") or sentence.endswith("al."):
        return False
    words = sentence.split()
    long = [word for word in words if len(word) > 3]
    if (
        len(words) <= 25
        and len(long) > 1
        and not _AUXILIARY.search(sentence)
        and sum(not _PLAIN.match(word) for word in long) >= 0.75 * len(long)
    ):
        return True
    return methods and len(words) <= 10 and not _VERB.search(sentence)


def _sentences(paragraph: str, methods: bool) -> list[str]:
    """A paragraph's sentences, without what the web page left in it and without a heading run into it."""
    found = sentences(_INLINE.sub(" ", paragraph))
    if len(found) > 1 and _runs_in(found[0], methods):
        found = found[1:]
    return [
        sentence
        for sentence in found
        if len(re.findall(r"[^\W\d_]{2,}", sentence)) > 1 and not sentence.startswith(("©", "Copyright ©"))
    ]
