"""Extract the plain text of an article in JATS XML (NLM 2.x and 3.0, JATS 1.x).

Kept are title and subtitle, the paragraphs of every abstract (also digests and author summaries), and the
sections of the body in order. Left out are sub-articles and responses (decision letters), references,
footnotes, acknowledgements and the rest of the back matter, keywords, abstracts that only advertise
(`ADVERTS`), abstracts in another language than the article's (``xml:lang`` of its root, by default English),
tables, and, by default, the captions of figures and tables.
"""

import html.entities
import re

from lxml import etree

from sera.errors import InputError
from sera.io.records import Document, Passage

ADVERTS = frozenset({"graphical", "precis", "short", "teaser", "toc", "video"})

_BLOCKS = frozenset(
    "p list list-item disp-quote boxed-text def-list def-item term def verse-group verse-line "
    "speech statement attrib preformat caption".split()
)
_LEFT_OUT = frozenset(
    "table array table-wrap-foot fn fn-group ref-list ref graphic inline-graphic media inline-media "
    "supplementary-material object-id label tex-math annotation annotation-xml mphantom permissions "
    "sec-meta alt-text long-desc sub-article response index-term glyph-data".split()
)
_FLOATS = frozenset(["fig", "fig-group", "table-wrap", "table-wrap-group", "chem-struct-wrap"])
_SPACED = frozenset(["disp-formula", "disp-formula-group", "chem-struct", "break", "hr"])
_NOTE_MARKS = frozenset(["fn", "table-fn", "aff", "corresp", "author-notes"])

# What may stand inside a word, in JATS and in MathML. The parts of all other elements are words of their own.
_JOINED = frozenset(
    "bold fixed-case italic monospace overline roman sans-serif sc strike underline sub sup abbrev email "
    "ext-link named-content private-char styled-content target uri x xref milestone-start milestone-end "
    "overline-start overline-end underline-start underline-end mi mn mo ms mrow mstyle mpadded menclose "
    "semantics msub msup msubsup munder mover munderover mmultiscripts mprescripts none".split()
)
_TOKENS = frozenset(["mi", "mn", "mo", "ms"])
_CHOICES = ("alternatives", "maction")  # ends of names, such as `name-alternatives`
_APART = frozenset(["mfrac", "mroot", "mfenced"])  # their children are no row of characters

# A seam stands between two pieces that must not become one word: a blank if they would, else nothing. Other
# elements than `_JOINED` have seams of their own: between one and the next at once is always a blank.
_SEAM, _BEGIN, _END = "\x00", "\x01", "\x02"
_BLANK = re.compile(r"[\x00-\x02](?:(?<=\w.)[\x00-\x02]*(?=\w)|(?<=\x02)\x00*\x01)")
_OWN_DOI = re.compile(r"(?:DOI:? ?)?(?:https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}/\S+", re.IGNORECASE)


def read_article(xml: bytes, id: str, *, figures: bool = False) -> Document:
    """The text of one article as a document with this ``id``.

    xml:      the XML, in any usual encoding
    figures:  whether to add the captions of figures and tables at their places

    Each section is one passage with its own title, in document order. A section with only subsections keeps
    its title and has no paragraphs, so no text is repeated. The rules inside a sentence:

    - the mark of a citation stays, with a blank between it and a word (``cells 1,2``); marks of footnotes are
      left out
    - superscripts and subscripts stay joined to the word (``Ca2+``)
    - an inline formula becomes the characters of its MathML, with blanks between it and words and between the
      parts of fractions and the cells of matrices; TeX source is left out
    - of alternatives, only the first with text is taken
    - between the parts of any other element that does not only change the look of characters, such as a name,
      stands a blank (``Doe J``)
    - a displayed formula becomes a blank
    - lists and quotations inside a paragraph become paragraphs
    - white space is collapsed

    The DTD of a DOCTYPE is never read. A named entity that only the DTD defines is looked up in HTML's table,
    which contains the ISO sets; if it is not there, it becomes a blank.

    Raises InputError for content that is not XML or not one JATS article, is empty (no title, abstract nor
    body), or declares entities of its own, which articles do not need and attacks use.
    """
    root = parse_xml(xml)
    if _name(root) != "article":
        articles = [each for each in root.iter() if _name(each) == "article"]
        if len(articles) != 1:
            number = f" with {len(articles)} articles" if articles else ""
            raise InputError(f"is not a JATS article: its root is <{_name(root)}>{number}")
        (root,) = articles
    text = _Text(figures)
    for child in root:
        if _name(child) == "body" or (figures and _name(child) in ("floats-group", "floats-wrap")):
            text.start("")
            text.walk(child)
    text.flush()
    title, abstract = _front(root)
    sections = (Passage(name, tuple(paragraphs)) for name, paragraphs in text.passages if name or paragraphs)
    document = Document(id=id, title=title, abstract=abstract, sections=tuple(sections))
    if not (document.title or document.abstract or document.sections):
        raise InputError("is empty: no title, abstract nor body")
    return document


def parse_xml(xml: bytes) -> etree._Element:
    """The root of an XML document, without comments; entities of its own, links and a DTD are never followed.

    InputError for what is not XML, and for entities of its own.
    """
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(xml, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(f"is not XML: {error}") from None
    subset = root.getroottree().docinfo.internalDTD
    if subset is not None and any(True for _ in subset.iterentities()):
        raise InputError("declares XML entities of its own")
    return root


def _language(element: etree._Element) -> str:
    """The language without the region, such as ``en``; empty if the element names none."""
    tag = element.get("{http://www.w3.org/XML/1998/namespace}lang", "")
    return re.split("[-_]", tag)[0].strip().lower()


def _front(root: etree._Element) -> tuple[str, tuple[str, ...]]:
    title, abstract, languages = "", [], ("", _language(root) or "en")
    for child in root.iterfind("{*}front/{*}article-meta/*"):
        if _name(child) == "title-group":
            parts = [_line(e) for e in child if _name(e) in ("article-title", "subtitle")]
            title = ": ".join(part for part in parts if part)
        elif _name(child) == "abstract" and child.get("abstract-type") not in ADVERTS:
            abstract += _paragraphs(child) if _language(child) in languages else []
    return title, tuple(abstract)


def _line(element: etree._Element) -> str:
    return " ".join(_paragraphs(element))


def _paragraphs(element: etree._Element) -> list[str]:
    text = _Text(figures=False)
    text.walk(element)
    text.flush()
    return [p for _, paragraphs in text.passages for p in paragraphs]


class _Text:
    """Collects passages, each ``(title, paragraphs)``, in one walk over the tree."""

    def __init__(self, figures: bool) -> None:
        self.figures = figures
        self.passages: list[tuple[str, list[str]]] = [("", [])]
        self._pieces: list[str] = []

    def start(self, title: str) -> None:
        self.flush()
        self.passages.append((title, []))

    def flush(self) -> None:
        """End the current paragraph, if there is one."""
        text = _BLANK.sub(" ", "".join(self._pieces))
        self._pieces.clear()
        text = " ".join(re.sub("[\x00-\x02]+", "", text).split())
        if text and not _OWN_DOI.fullmatch(text):
            self.passages[-1][1].append(text)

    def walk(self, element: etree._Element, math: bool = False) -> None:
        """Add the content of an element; in ``math``, white space between elements does not count."""
        add, start = self._pieces.append, len(self._pieces)
        parent = _name(element)
        math = math and parent not in _TOKENS
        if element.text and not (math and element.text.isspace()):
            add(element.text)
        for each in element:
            child = _choose_form(each) if _name(each).endswith(_CHOICES) else each
            name = _name(child)
            kind = child.get("ref-type") if name == "xref" else None
            if name == "sec":
                self._section(child)
            elif name in _LEFT_OUT or kind in _NOTE_MARKS:
                add("" if math else _SEAM)
            elif name in _SPACED or (name in _FLOATS and not self.figures):
                add(" ")  # the sentence of the paragraph continues after a figure or table
            elif name == "title" and parent in ("sec", "abstract"):
                pass  # `_section` adds it; the title of a box, list or caption is a paragraph
            elif name == "title" or name in _FLOATS or name in _BLOCKS:
                self.flush()
                self.walk(child)
                self.flush()
            elif name in ("inline-formula", "math", "mtext") or kind == "bibr":
                add(_SEAM)
                self.walk(child, name == "math")
                add(_SEAM)
            elif name == "&":
                add(html.entities.html5.get(f"{child.name};", " "))
            elif name in _JOINED and parent not in _APART:
                self.walk(child, math)
            else:
                add(_BEGIN)
                self.walk(child, math)
                add(_END)
            if each.tail and not (math and each.tail.isspace()):
                add(each.tail)
        if parent in _TOKENS:  # MathML trims these characters, not all white space
            self._pieces[start:] = ["".join(self._pieces[start:]).strip(" \t\r\n")]

    def _section(self, section: etree._Element) -> None:
        title = next((_line(child) for child in section if _name(child) == "title"), "")
        self.start(title)
        self.walk(section)
        self.start("")  # what follows belongs to the parent


def _choose_form(choice: etree._Element) -> etree._Element:
    """The first child with text, since the children are forms of one thing; if none has any, the element."""
    for form in choice:
        if _name(form) not in _LEFT_OUT and "".join(form.itertext()).strip():
            return _choose_form(form) if _name(form).endswith(_CHOICES) else form
    return choice


def _name(element: etree._Element) -> str:
    """The name of an element without its namespace; ``&`` for a reference to an entity."""
    tag = element.tag
    if isinstance(tag, str):
        return tag.rpartition("}")[2]
    return "&" if tag is etree.Entity else ""
