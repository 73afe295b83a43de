"""The file formats of the demo benchmark's articles: plain text of web pages, JATS, and packages.

The forms and their pitfalls are those of the TAC 2014 release and of PMC's open-access packages, which
`sera.benchmarks.tac2014` and `sera.corpora.pmc_oa` read.
"""

from __future__ import annotations

import io
import re
import struct
import tarfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from study.demo.world import Sentence

_MODIFIED = 1483142400  # 2016-12-31 00:00:00 UTC, the time of every member of a package
_SMALL_WORDS = frozenset(("a an and are as at by for from in is of on or that the to with without").split())


@dataclass(frozen=True)
class Entry:
    """An entry of a reference list."""

    authors: tuple[tuple[str, str], ...]  # initials and surname
    year: int
    title: str
    journal: str
    volume: int
    page: int

    @property
    def marker(self) -> str:
        """The citation in a text: names and year."""
        return f"{' and '.join(surname for _, surname in self.authors)}, {self.year}"

    @property
    def names(self) -> str:
        """The authors as PubMed lists them."""
        return ", ".join(f"{surname} {initials.replace('.', '')}" for initials, surname in self.authors)

    @property
    def xml_names(self) -> list[str]:
        """The authors in JATS."""
        return [
            f"<name><surname>{escape(surname)}</surname><given-names>{initials}</given-names></name>"
            for initials, surname in self.authors
        ]

    @property
    def pages(self) -> str:
        return f"{self.page}–{self.page + 11}"


@dataclass(frozen=True)
class Heading:
    text: str


@dataclass(frozen=True)
class Paragraph:
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)


@dataclass(frozen=True)
class Figure:
    number: int
    title: str
    legends: tuple[str, ...]

    @property
    def panels(self) -> list[str]:
        return [f"({letter}) {legend}" for letter, legend in zip("ABCDEFGH", self.legends, strict=False)]


@dataclass(frozen=True)
class ArticleTable:
    number: int
    title: str
    rows: tuple[tuple[str, ...], ...]  # the first holds the columns' heads


Block = Heading | Paragraph | Figure | ArticleTable


@dataclass(frozen=True)
class DemoArticle:
    """An article; its first section is the abstract."""

    title: str
    entry: Entry  # how others list it
    sections: tuple[tuple[str, tuple[Block, ...]], ...]
    references: tuple[Entry, ...]
    keywords: tuple[str, ...] = ()

    @property
    def sentences(self) -> list[Sentence]:
        """All sentences of the paragraphs, in order."""
        blocks = [block for _, blocks in self.sections for block in blocks]
        return [sentence for block in blocks if isinstance(block, Paragraph) for sentence in block.sentences]


def title_case(text: str) -> str:
    """A text in title case; small words and words with a digit or capital do not change."""
    words = text.split()
    return " ".join(
        word if (i and word in _SMALL_WORDS) or not word.islower() else word[0].upper() + word[1:]
        for i, word in enumerate(words)
    )


# Web pages as lists of lines of plain text.


def _lines(
    blocks: Iterable[Block],
    figure: Callable[[Figure], list[str]],
    table: Callable[[ArticleTable], list[str]],
    spaced: bool = False,
) -> Iterator[str]:
    """The lines of a section; headings are ``spaced`` if a blank line follows them."""
    for block in blocks:
        match block:
            case Heading(text):
                yield from [title_case(text), ""][: 1 + spaced]
            case Paragraph():
                yield from [block.text, ""]
            case Figure():
                yield from figure(block)
            case ArticleTable():
                yield from table(block)


def science_direct(article: DemoArticle, *, highlights: bool = False) -> list[str]:
    """The lines of a page in the style of ScienceDirect.

    References have links, figures have sizes and options.
    """
    authors = [f"{initials} {surname}{i}" for i, (initials, surname) in enumerate(article.entry.authors, 1)]
    number = article.entry.volume * 1000 + article.entry.page
    page = [
        article.title,
        ", ".join(authors) + ", Corresponding author contact information, E-mail the corresponding author",
        "Show more",
        f"http://dx.doi.org/10.5555/j.demo.{article.entry.year}.{number}",
        "  Open Archive",
    ]
    if highlights:
        page += ["Highlights", *(f"• {keyword}" for keyword in article.keywords), ""]

    def figure(one: Figure) -> list[str]:
        size = f"Full-size image ({40 + 17 * one.number} K)"
        return [size, f"Figure {one.number}. ", title_case(one.title), *one.panels, "Figure options"]

    def table(one: ArticleTable) -> list[str]:
        rows = ["\t".join(row) for row in one.rows]
        return [f"Table {one.number}.", title_case(one.title), *rows, "", "Table options"]

    for title, blocks in article.sections:
        page += [title, *_lines(blocks, figure, table)]
    page += [
        "Acknowledgments",
        "We thank the members of our laboratories. This work was supported by an imaginary fund.",
        "",
        "References",
    ]
    for entry in article.references:
        page += [
            entry.marker,
            ", ".join(f"{initials} {surname}" for initials, surname in entry.authors),
            entry.title,
            f"{entry.journal}, {entry.volume} ({entry.year}), pp. {entry.pages}",
            "",
            f"Article |  PDF ({entry.page} K) | View Record in Scopus | Cited By in Scopus ({entry.volume})",
        ]
    page += ["Corresponding author contact information", f"Copyright © {article.entry.year} Demo Press.", ""]
    return page


def pubmed_central(article: DemoArticle) -> list[str]:
    """The lines of a page in the style of PubMed Central.

    ``Go to:`` precedes every section, figures are named twice, and references are numbered.
    """
    authors = ", ".join(f"{initials} {surname},1" for initials, surname in article.entry.authors)
    page = [
        article.title,
        f"{authors} and Jane Example, Editor",
        "Author information ► Article notes ► Copyright and License information ►",
    ]

    def float_of(kind: str) -> Callable[[Figure | ArticleTable], list[str]]:
        return lambda one: [f"{kind} {one.number}", f"{kind} {one.number}", f"{one.title}."]

    for title, blocks in article.sections:
        page += ["Go to:", title, *_lines(blocks, float_of("Figure"), float_of("Table"), spaced=True)]
    page += [
        "Go to:",
        "Supporting Information",
        "Figure S1",
        "Click here for additional data file.(140K, tif)",
        "Go to:",
        "Acknowledgments",
        "We are grateful to two imaginary reviewers.",
        "",
        "Go to:",
        "References",
    ]
    for number, entry in enumerate(article.references, 1):
        page.append(
            f"{number}. {entry.names} ({entry.year}) {entry.title}. "
            f"{entry.journal} {entry.volume}: {entry.pages} [PubMed]"
        )
    return page


def highwire(article: DemoArticle) -> list[str]:
    """The lines of a page in the style of HighWire, with links to the previous and the next section."""
    page = [
        article.title,
        " and ".join(f"{initials} {surname}1" for initials, surname in article.entry.authors),
        "+ Author Affiliations",
        "",
        "1 Department of Demonstration, University of Nowhere, 00000 Nowhere",
        " ",
    ]

    def figure(one: Figure) -> list[str]:
        label, legend = f"Fig. {one.number}.", " ".join([f"{one.title}.", *one.panels])
        links = ["View larger version:", "In this page In a new window", "Download as PowerPoint Slide"]
        return [label, *links, label, legend, ""]

    def table(one: ArticleTable) -> list[str]:
        return ["View this table:", f"Table {one.number}.", one.title, ""]

    for i, (title, blocks) in enumerate(article.sections):
        page += ["Previous Section"] * (i > 0)
        page += ["Next Section", title, "", *_lines(blocks, figure, table)]
    page += [
        "Previous Section",
        "Next Section",
        "Acknowledgments",
        "We thank an imaginary colleague for reagents.",
        "",
        "Previous Section",
        " ",
        "References",
    ]
    for entry in article.references:
        page.append(
            f"{entry.names}. {entry.year}. {entry.title}. {entry.journal} {entry.volume}: {entry.pages}. "
            "Abstract/FREE Full Text"
        )
    page += ["Abstract Full Text Full Text (PDF) Supplemental Material", "OPEN ACCESS ARTICLE"]
    return page


# JATS.

_DOCTYPES = (
    ("-//NLM//DTD Journal Archiving and Interchange DTD v2.3 20070202//EN", "archivearticle.dtd", "2.3"),
    ("-//NLM//DTD Journal Archiving and Interchange DTD v3.0 20080202//EN", "archivearticle3.dtd", "3.0"),
    ("-//NLM//DTD JATS (Z39.96) Journal Archiving and Interchange DTD v1.0 20120330//EN",
     "JATS-archivearticle1.dtd", "1.0"),
    ("-//NLM//DTD JATS (Z39.96) Journal Archiving and Interchange DTD v1.1d3 20150301//EN",
     "JATS-archivearticle1.dtd", "1.1d3"),
)  # fmt: skip

_INLINE_FORMULA = (
    "<p>The response was described by the ratio <inline-formula><mml:math><mml:mi>k</mml:mi>"
    "<mml:mo>/</mml:mo><mml:mi>m</mml:mi></mml:math></inline-formula> of two rates, and the concentration of "
    "free Ca<sup>2+</sup> was kept constant.</p>"
)
_DISPLAY_FORMULA = (
    "<p>Growth followed the equation<disp-formula><label>(1)</label><mml:math><mml:mi>N</mml:mi>"
    "<mml:mo>=</mml:mo><mml:mi>a</mml:mi><mml:msup><mml:mi>e</mml:mi><mml:mi>r</mml:mi></mml:msup></mml:math>"
    "</disp-formula>throughout the observed period.</p>"
)
_LIST = (
    '<p>Three controls were included:<list list-type="bullet">'
    "<list-item><p>Without antibody.</p></list-item><list-item><p>Without cells.</p></list-item>"
    "<list-item><p>At rest.</p></list-item></list></p>"
)


def jats(article: DemoArticle, number: int, accession: str) -> bytes:
    """The article as JATS or NLM XML; ``number`` selects which of PMC's constructs it has."""
    public, system, version = _DOCTYPES[number % len(_DOCTYPES)]
    entry = article.entry
    front = [
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE article PUBLIC "{public}" "{system}">\n'
        '<article xmlns:mml="http://www.w3.org/1998/Math/MathML" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'article-type="research-article" dtd-version="{version}"><front><journal-meta>'
        f"<journal-title-group><journal-title>{escape(entry.journal)}</journal-title></journal-title-group>"
        "<publisher><publisher-name>Demo Press</publisher-name></publisher></journal-meta><article-meta>"
        f'<article-id pub-id-type="pmc">{accession.removeprefix("PMC")}</article-id>'
        f"<title-group><article-title>{escape(article.title)}</article-title></title-group><contrib-group>"
    ]
    front += [f'<contrib contrib-type="author">{name}</contrib>' for name in entry.xml_names]
    front.append(
        f'</contrib-group><pub-date pub-type="epub"><year>{entry.year}</year></pub-date>'
        f"<volume>{entry.volume}</volume><fpage>{entry.page}</fpage><permissions><license><license-p>"
        "Synthetic text, free of rights (CC0).</license-p></license></permissions>"
    )
    (_, abstract), *sections = article.sections
    if number % 40 != 39:
        front.append(f"<abstract>{_blocks(abstract, article, number)}</abstract>")
    if number % 2 == 0:
        digest = escape(next(b for b in abstract if isinstance(b, Paragraph)).sentences[0].text)
        front.append(
            f'<abstract abstract-type="executive-summary"><title>Digest</title><p>{digest}</p>'
            "<p>This digest says the same in simpler words.</p></abstract>"
        )
    keywords = "".join(f"<kwd>{escape(keyword)}</kwd>" for keyword in article.keywords)
    front.append(f"<kwd-group>{keywords}</kwd-group></article-meta></front>")
    body = ["<body>"]
    for i, (title, blocks) in enumerate(sections, 1):
        content = _sections(blocks, article, number, i)
        body.append(f'<sec id="s{i}"><title>{escape(title)}</title>{content}</sec>')
    if number % 3 == 0:
        formulas = _INLINE_FORMULA + _DISPLAY_FORMULA * (number % 2)
        body.append(f'<sec id="s9"><title>Model</title>{formulas}</sec>')
    if number % 7 == 0:
        body.append(f'<sec id="s10"><title>Controls</title>{_LIST}</sec>')
    back = ["</body><back><ack><title>Acknowledgements</title><p>We thank nobody in particular.</p></ack>"]
    back.append("<ref-list><title>References</title>")
    for i, ref in enumerate(article.references, 1):
        back.append(
            f'<ref id="bib{i}"><element-citation publication-type="journal">'
            f'<person-group person-group-type="author">{"".join(ref.xml_names)}</person-group>'
            f"<year>{ref.year}</year><article-title>{escape(ref.title)}</article-title>"
            f"<source>{escape(ref.journal)}</source><volume>{ref.volume}</volume><fpage>{ref.page}</fpage>"
            "</element-citation></ref>"
        )
    back.append("</ref-list></back>")
    if number % 4 != 3:
        back.append(
            '<sub-article article-type="article-commentary"><front-stub><title-group>'
            "<article-title>Decision letter</article-title></title-group></front-stub><body><p>Thank you for "
            "sending your work. The reviewers ask for further controls and a shorter text.</p></body>"
            "</sub-article>"
        )
    return "".join([*front, *body, *back, "</article>\n"]).encode("utf-8")


def _sections(blocks: Sequence[Block], article: DemoArticle, number: int, section: int) -> str:
    """The blocks as XML, where every heading begins a nested section."""
    parts: list[list[Block]] = [[]]
    for block in blocks:
        if isinstance(block, Heading):
            parts.append([])
        parts[-1].append(block)
    xml = _blocks(parts[0], article, number)
    for i, (heading, *rest) in enumerate(parts[1:], 1):
        assert isinstance(heading, Heading)
        content = _blocks(rest, article, number)
        xml += f'<sec id="s{section}-{i}"><title>{escape(heading.text)}</title>{content}</sec>'
    return xml


def _blocks(blocks: Iterable[Block], article: DemoArticle, number: int) -> str:
    xml = []
    for i, block in enumerate(blocks):
        match block:
            case Paragraph():
                noted = number % 5 == 0 and i == 0
                note = '<fn id="fn1"><p>These data were reanalysed.</p></fn>' * noted
                xml.append(f"<p>{_marked(block.text, article, number)}{note}</p>")
            case Figure(n, title):
                legend = escape(" ".join(block.panels))
                figure = (
                    f'<fig id="fig{n}" position="float"><label>Figure {n}.</label><caption>'
                    f"<title>{escape(title)}.</title><p>{legend}</p></caption>"
                    f'<graphic xlink:href="fig{n}.tif"/></fig>'
                )
                xml.append(f"<p>{figure}</p>" if number % 2 else figure)
            case ArticleTable(n, title, rows):
                cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
                body = "".join(f"<tr>{row}</tr>" for row in cells)
                xml.append(
                    f'<table-wrap id="tbl{n}"><label>Table {n}.</label>'
                    f"<caption><p>{escape(title)}.</p></caption>"
                    f"<table><tbody>{body}</tbody></table></table-wrap>"
                )
    return "".join(xml)


def _marked(text: str, article: DemoArticle, number: int) -> str:
    """A paragraph's text as XML, with cross-references to figures and references by name or raised number."""
    xml = escape(text)
    xml = re.sub(r"Figure (\d)[A-D]", r'<xref ref-type="fig" rid="fig\1">\g<0></xref>', xml)
    xml = xml.replace("in vivo", "<italic>in vivo</italic>")
    for i, ref in enumerate(article.references, 1):
        marker = escape(ref.marker)
        if number % 4 == 1:
            raised = f'<sup><xref ref-type="bibr" rid="bib{i}">{i}</xref></sup>'
            xml = xml.replace(f" ({marker})", raised)
        else:
            xml = xml.replace(marker, f'<xref ref-type="bibr" rid="bib{i}">{marker}</xref>')
    return xml


# Packages.


def archive(members: Iterable[tuple[str, bytes]]) -> bytes:
    """A tar.gz of (name, content) with the same bytes on every machine.

    Gzip's blocks are stored, not compressed, because the output of a compressor depends on the version of
    zlib that Python was built with.
    """
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in members:
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.mode = len(content), _MODIFIED, 0o644
            tar.addfile(member, io.BytesIO(content))
    return _stored_gzip(buffer.getvalue())


def _stored_gzip(content: bytes) -> bytes:
    """The content as gzip (RFC 1952) with stored blocks (RFC 1951)."""
    header = b"\x1f\x8b\x08\x00" + b"\x00" * 4 + b"\x00\xff"  # deflate, no flags, no time, unknown system
    blocks = []
    for start in range(0, max(len(content), 1), 0xFFFF):
        block = content[start : start + 0xFFFF]
        last = start + 0xFFFF >= len(content)
        blocks.append(struct.pack("<BHH", last, len(block), len(block) ^ 0xFFFF) + block)
    return header + b"".join(blocks) + struct.pack("<II", zlib.crc32(content), len(content) & 0xFFFFFFFF)


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file; make its folder first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
