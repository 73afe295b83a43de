"""One article in JATS XML (NLM 2.x and 3.0, JATS 1.x) as plain text.

What is kept: title and subtitle; the paragraphs of every abstract, digests and author summaries included; the
body's sections in order. What is not: sub-articles and responses (decision letters), references, footnotes,
acknowledgements and the rest of the back matter, keywords, abstracts that only advertise (`ADVERTS`),
abstracts in another language, tables, and, unless asked for, the captions of figures and tables.
"""

from __future__ import annotations

import codecs
import html.entities
import re

from lxml import etree

from sera import limits
from sera.errors import InputError
from sera.records import Document, Passage

ADVERTS = frozenset({"graphical", "precis", "short", "teaser", "toc", "video"})

_BLOCKS = frozenset(
    (
        "p list list-item disp-quote boxed-text def-list def-item term def verse-group verse-line "
        "speech statement attrib preformat caption"
    ).split()
)
_LEFT_OUT = frozenset(
    (
        "table table-wrap-foot fn fn-group ref-list ref graphic inline-graphic media "
        "supplementary-material object-id label tex-math annotation annotation-xml permissions "
        "sec-meta alt-text long-desc sub-article response"
    ).split()
)
_FLOATS = frozenset(["fig", "fig-group", "table-wrap", "table-wrap-group", "chem-struct-wrap"])
_SPACED = frozenset(["disp-formula", "disp-formula-group", "chem-struct", "break", "hr"])
_NOTE_MARKS = frozenset(["fn", "table-fn", "aff", "corresp", "author-notes"])

# Put where two pieces must not become one word; a blank if they would, else nothing.
_SEAM = "\x00"
_GLUED = re.compile(rf"(?<=\w){_SEAM}+(?=\w)")
_OWN_DOI = re.compile(r"(?:DOI:? ?)?(?:https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/\S+", re.IGNORECASE)


def article(xml: bytes, id: str, *, figures: bool = False, largest: int | None = None) -> Document:
    """The text of one article; ``figures`` adds the captions of figures and tables where they stand.

    Each section is one passage with its own title, in document order; one that has only subsections
    keeps its title and has no paragraph, so the text is said once. The rules for what stands inside a
    sentence:

    - a citation's mark stays, and is set apart from a word it would be glued to (``cells 1,2``);
      marks of footnotes go, as the footnotes do
    - superscripts and subscripts stay glued (``Ca2+``)
    - an inline formula is its MathML's characters, set apart from words; TeX source is dropped
    - a displayed formula is a blank
    - lists and quotations inside a paragraph become paragraphs
    - white space is collapsed

    The DTD that a DOCTYPE names is never read. A named entity that only it defines is taken from HTML's
    table (which contains the ISO sets), or is a blank if it is not there.

    Raises InputError for what is not XML, not a JATS article, larger than ``largest`` bytes (`limits.MEMBER`
    if not given), of more elements than `limits.ELEMENTS`, in an encoding that no article is in, empty (no
    title, abstract nor body), or declares entities of its own, which no article needs and attacks do.
    """
    root = _root(xml, limits.MEMBER.value if largest is None else largest)
    title = abstract = body = floats = None
    for child in root:
        match _name(child):
            case "front":
                title, abstract = _front(child)
            case "body":
                body = child
            case "floats-group" | "floats-wrap":
                floats = child
    text = _Text(figures)
    if body is not None:
        text.walk(body)
        text.flush()
    if floats is not None and figures:
        text.start("")
        text.walk(floats)
        text.flush()
    document = Document(
        id=id,
        title=title or "",
        abstract=abstract or (),
        sections=tuple(
            Passage(name, tuple(paragraphs)) for name, paragraphs in text.passages if name or paragraphs
        ),
    )
    if not (document.title or document.abstract or document.sections):
        raise InputError("is empty: no title, abstract nor body")
    return document


def _root(xml: bytes, largest: int) -> etree._Element:
    if len(xml) > largest:
        raise InputError(f"is larger than {largest} bytes")
    if b"<!ENTITY" in xml:  # before a parser sees it
        raise InputError("declares XML entities of its own")
    if b"<" not in xml.lstrip()[:12]:  # after a byte order mark, in any encoding that is taken
        raise InputError("is not XML: it does not begin with a tag")
    if encoding := _foreign(xml):
        raise InputError(f"is not XML that is read: its encoding is {encoding}")
    if xml.count(b"<") > 2 * limits.ELEMENTS.value:  # each takes hundreds of times its bytes in memory
        raise limits.ELEMENTS.passed()
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(xml, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(f"is not XML: {error}") from None
    subset = root.getroottree().docinfo.internalDTD
    if subset is not None and any(True for _ in subset.iterentities()):  # in UTF-16, say
        raise InputError("declares XML entities of its own")
    if _name(root) != "article":
        found = next((e for e in root.iter() if _name(e) == "article"), None)
        if found is None:
            raise InputError(f"is not a JATS article: its root is <{_name(root)}>")
        return found
    return root


_DECLARED = re.compile(rb"\s*<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}[\"']([A-Za-z][A-Za-z0-9._-]{0,40})")
_ENCODINGS = re.compile(
    r"utf-?8|utf-?16(le|be)?|us-ascii|ascii|iso-?8859-\d{1,2}|latin-?1|windows-125\d", re.I
)


def _foreign(xml: bytes) -> str:
    """The encoding that XML declares if no article is in it; empty otherwise.

    In such a one, UTF-7, a tag need not begin with the byte ``<``, which is looked for above.
    """
    found = _DECLARED.match(xml.removeprefix(codecs.BOM_UTF8), 0, 400)
    name = found[1].decode() if found else ""
    return "" if not name or _ENCODINGS.fullmatch(name) else name


def _front(front: etree._Element) -> tuple[str, tuple[str, ...]]:
    title, abstract = "", []
    for meta in front:
        if _name(meta) != "article-meta":
            continue
        for child in meta:
            match _name(child):
                case "title-group":
                    parts = [_line(e) for e in child if _name(e) in ("article-title", "subtitle")]
                    title = ": ".join(part for part in parts if part)
                case "abstract" if child.get("abstract-type") not in ADVERTS:
                    text = _Text(figures=False)
                    text.walk(child)
                    text.flush()
                    abstract += [p for _, paragraphs in text.passages for p in paragraphs]
    return title, tuple(abstract)


def _line(element: etree._Element) -> str:
    """An element's text as one line."""
    text = _Text(figures=False)
    text.walk(element)
    text.flush()
    return " ".join(p for _, paragraphs in text.passages for p in paragraphs)


class _Text:
    """Collects passages, each ``(title, paragraphs)``, while one walk goes over the tree."""

    def __init__(self, figures: bool) -> None:
        self.figures = figures
        self.passages: list[tuple[str, list[str]]] = [("", [])]
        self._pieces: list[str] = []

    def start(self, title: str) -> None:
        self.flush()
        self.passages.append((title, []))

    def flush(self) -> None:
        """End the paragraph, if one is under way."""
        text = "".join(self._pieces)
        self._pieces.clear()
        if _SEAM in text:
            text = _GLUED.sub(" ", text).replace(_SEAM, "")
        text = " ".join(text.split())
        if text and not _OWN_DOI.fullmatch(text):
            self.passages[-1][1].append(text)

    def walk(self, element: etree._Element) -> None:
        """Take an element's inside."""
        add = self._pieces.append
        if element.text:
            add(element.text)
        for child in element:
            name = _name(child)
            if name == "sec":
                self._section(child)
            elif name in _LEFT_OUT:
                pass
            elif name in _FLOATS:
                if self.figures:
                    self.flush()
                    self.walk(child)
                    self.flush()
                else:  # it only floats in the paragraph, whose sentence goes on behind it
                    add(" ")
            elif (
                name == "title"
            ):  # a section's is taken by `_section`; one of a box, list or caption is a line
                if _name(element) not in ("sec", "abstract"):
                    self.flush()
                    self.walk(child)
                    self.flush()
            elif name in _BLOCKS:
                self.flush()
                self.walk(child)
                self.flush()
            elif name in _SPACED:
                add(" ")
            elif name == "xref":
                kind = child.get("ref-type")
                if kind in _NOTE_MARKS:
                    add(_SEAM)
                elif kind == "bibr":
                    add(_SEAM)
                    self.walk(child)
                    add(_SEAM)
                else:
                    self.walk(child)
            elif name == "inline-formula":
                add(_SEAM)
                self.walk(child)
                add(_SEAM)
            elif name == "math":
                self._math(child)
            elif name == "&":
                add(_entity(child))
            else:
                self.walk(child)
            if child.tail:
                add(child.tail)

    def _section(self, section: etree._Element) -> None:
        title = next((_line(child) for child in section if _name(child) == "title"), "")
        self.start(title)
        self.walk(section)
        self.start("")  # what follows inside the parent is not this section's

    def _math(self, math: etree._Element) -> None:
        """A formula's characters, without the white space between MathML's elements."""
        self._pieces.append(_SEAM)
        for element in math.iter():
            name = _name(element)
            if name == "mtext":
                self._pieces += (_SEAM, element.text or "", _SEAM)
            elif name in ("mi", "mn", "mo", "ms"):
                self._pieces.append((element.text or "").strip())
            elif name == "&":
                self._pieces.append(_entity(element))
        self._pieces.append(_SEAM)


def _entity(reference: etree._Element) -> str:
    return html.entities.html5.get(f"{reference.name};", " ")


def _name(element: etree._Element) -> str:
    """An element's name without its namespace; ``&`` for a reference to an entity."""
    tag = element.tag
    if isinstance(tag, str):
        return tag.rpartition("}")[2]
    return "&" if tag is etree.Entity else ""
