"""The file formats of the demo benchmark's articles: plain text of web pages, JATS, and packages.

The forms and their pitfalls are those of the TAC 2014 release and of PMC's open-access packages, which
`sera.benchmarks.tac2014` and `sera.pubmed.articles` read.
"""

from __future__ import annotations

import io
import re
import struct
import tarfile
import zlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import jinja2

from study.demo.world import Sentence

SCIENCE_DIRECT, PUBMED_CENTRAL, HIGHWIRE = STYLES = (
    "science_direct.txt.j2",
    "pubmed_central.txt.j2",
    "highwire.txt.j2",
)
"""The templates of web pages, each in the style of a site; PubMed Central numbers its references."""

_MODIFIED = 1483142400  # 2016-12-31 00:00:00 UTC, the time of every member of a package
_SMALL_WORDS = frozenset("a an and are as at by for from in is of on or that the to with without".split())


class Entry(NamedTuple):
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
    def pages(self) -> str:
        return f"{self.page}–{self.page + 11}"


class Heading(NamedTuple):
    text: str


class Paragraph(NamedTuple):
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)


class Figure(NamedTuple):
    number: int
    title: str
    legends: tuple[str, ...]

    @property
    def panels(self) -> list[str]:
        return [f"({letter}) {legend}" for letter, legend in zip("ABCDEFGH", self.legends, strict=False)]


class ArticleTable(NamedTuple):
    number: int
    title: str
    rows: tuple[tuple[str, ...], ...]  # the first holds the columns' heads


Block = Heading | Paragraph | Figure | ArticleTable


class DemoArticle(NamedTuple):
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


# The templates of articles: web pages as plain text, and JATS.


@cache
def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("study", "resources"), trim_blocks=True, keep_trailing_newline=True
    )
    environment.filters |= {"title_case": title_case, "xml": escape}
    for kind in (Heading, Paragraph, Figure):
        environment.tests[kind.__name__.lower()] = lambda block, kind=kind: isinstance(block, kind)
    return environment.get_template(name)


def web_page(style: str, article: DemoArticle, *, highlights: bool = False) -> str:
    """The text of an article's page in one of the `STYLES`; ScienceDirect's may have highlights."""
    return _template(style).render(article=article, highlights=highlights).removesuffix("\n")


def jats(article: DemoArticle, number: int, accession: str) -> bytes:
    """The article as JATS or NLM XML; ``number`` selects which of PMC's constructs it has.

    The template's line breaks are not part of it after the document type.
    """

    def mark_text(text: str) -> str:
        """A paragraph's text as XML, with cross-references to figures and references by name or number."""
        xml = re.sub(r"Figure (\d)[A-D]", r'<xref ref-type="fig" rid="fig\1">\g<0></xref>', escape(text))
        xml = xml.replace("in vivo", "<italic>in vivo</italic>")
        for i, ref in enumerate(article.references, 1):
            marker = escape(ref.marker)
            if number % 4 == 1:
                xml = xml.replace(f" ({marker})", f'<sup><xref ref-type="bibr" rid="bib{i}">{i}</xref></sup>')
            else:
                xml = xml.replace(marker, f'<xref ref-type="bibr" rid="bib{i}">{marker}</xref>')
        return xml

    (_, abstract), *sections = article.sections
    xml = _template("jats.xml.j2").render(
        **{"article": article, "number": number, "accession": accession, "marked": mark_text},
        abstract=abstract,
        sections=[(title, *_nest_blocks(blocks)) for title, blocks in sections],
    )
    declaration, document_type, *rest = xml.split("\n")
    return f"{declaration}\n{document_type}\n{''.join(rest)}\n".encode()


def _nest_blocks(blocks: Iterable[Block]) -> tuple[list[Block], list[tuple[Heading, list[Block]]]]:
    """The blocks before the first heading, and each heading with the blocks that follow it."""
    opening: list[Block] = []
    groups: list[tuple[Heading, list[Block]]] = []
    for block in blocks:
        if isinstance(block, Heading):
            groups.append((block, []))
        else:
            (groups[-1][1] if groups else opening).append(block)
    return opening, groups


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
