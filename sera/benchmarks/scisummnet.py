"""ScisummNet (Yasunaga et al. 2019): computational linguistics papers with a human summary, not judged.

The data is as released in the CL-SciSumm corpus of 2019, as the folder ``From-ScisummNet-2019`` or an archive
``.tar.gz`` of it. Of each paper it has ``<id>/Reference_XML/<id>.xml`` (the text, one sentence an ``S``) and
``<id>/summary/<id>.scisummnet_human.txt``: the title in the first line, then a sentence a line.

The title is not part of the summary here. With it, a summary and the title would share the whole title, so
that ROUGE-K had one keyword of five words a paper, while its paper reports three of 1.6 (Table 4).
"""

import html
import logging
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sera import names
from sera.benchmarks import Benchmark, Topic, as_document
from sera.benchmarks import release as parts
from sera.errors import InputError, checked_each
from sera.io import files
from sera.io.records import Reference, Section, Source
from sera.pubmed.archives import read_archive
from sera.pubmed.jats import parse_xml
from sera.registry import listed

log = logging.getLogger(__name__)


SCISUMMNET_ANNOTATOR = "human"  # a paper has one summary

SCISUMMNET_FROM = (
    "Get ScisummNet (public, CC BY 4.0): the folder data/Training-Set-2019/Task2/From-ScisummNet-2019 of "
    "https://github.com/WING-NUS/scisumm-corpus, or an archive (.tar.gz) of it."
)
_PART = re.compile(r"(?:.*/)?([^/]+)/(?:Reference_XML/\1\.xml|summary/\1\.scisummnet_human\.txt)", re.DOTALL)


def inputs(release: str | Path) -> list[Path]:
    """The archive, or the papers' files in the folder, sorted.

    InputError for a folder without a paper, and in a folder for a paper that lacks one of its two files, or a
    link in their place.
    """
    path = Path(release)
    if not path.is_dir():
        return [path]
    paths = [file for file in parts.walk(path) if _PART.fullmatch(file.as_posix())]
    _check_pairs([file.as_posix() for file in paths], path)
    return sorted(map(parts.check_file, paths))


def read(release: str | Path) -> list[Topic]:
    """The papers in order of their ids, which are those of the ACL Anthology.

    A paper without a sentence, or whose summary has no line but the title, is left out, with a warning in the
    log.
    """
    contents = dict(_each_part(release))
    _check_pairs([path.as_posix() for path in contents], release)
    papers: dict[str, dict[str, tuple[Path, bytes]]] = {}
    for path, content in contents.items():
        papers.setdefault(_PART.sub(r"\1", path.as_posix()), {})[path.suffix] = path, content
    topics = checked_each(lambda id_: _paper(id_, *papers[id_][".txt"], *papers[id_][".xml"]), sorted(papers))
    return [topic for topic in topics if topic]


def _each_part(release: str | Path) -> Iterator[tuple[Path, bytes]]:
    if Path(release).is_dir():
        yield from ((path, files.read_bytes(path)) for path in inputs(release))
        return
    for name, reason, content in read_archive(Path(release), ".xml", ".txt"):
        if _PART.fullmatch(name):
            if reason:
                raise InputError(reason, path=Path(release, name), remedy=SCISUMMNET_FROM)
            yield Path(release, name), content


def _check_pairs(file_names: list[str], release: str | Path) -> None:
    counts = Counter(_PART.sub(r"\1", name) for name in file_names)
    if not counts:
        raise InputError("holds no paper of ScisummNet", path=release, remedy=SCISUMMNET_FROM)
    if alone := [id_ for id_, count in sorted(counts.items()) if count != 2]:
        problem = f"has not one XML and one human summary of {listed(alone, 5)}"
        raise InputError(problem, path=release, remedy=SCISUMMNET_FROM)


def _paper(id_: str, summary: Path, text: bytes, article: Path, xml: bytes) -> Topic | None:
    """A topic; None for a paper or a summary without a sentence."""
    names.check("id", id_, path=summary)
    lines = [_clean(line) for _, line in files.lines(summary, content=text)]
    title, *sentences = list(filter(None, lines)) or [""]
    if not sentences:
        log.warning("%s: has no sentence but the title, so the paper is left out", summary)
        return None
    try:
        sections = _sections(xml, title)
    except InputError as error:
        raise InputError(error.problem, path=article, remedy=SCISUMMNET_FROM) from None
    if not sections:
        log.warning("%s: has no sentence, so the paper is left out", article)
        return None
    source = Source(id_, id_, title, sections)
    return Topic(
        id=id_,
        source=source,
        references=(Reference(id_, SCISUMMNET_ANNOTATOR, tuple(sentences)),),
        documents=(as_document(source),),
    )


def _sections(xml: bytes, title: str) -> tuple[Section, ...]:
    """The abstract and the sections, each with its sentences; the sentence that is the title is left out."""
    root = parse_xml(xml)
    if root.tag != "PAPER":
        raise InputError(f"has the root <{root.tag}>, not <PAPER>")
    groups = [("", [child for child in root if child.tag == "S"])]
    groups += [
        ("Abstract" if child.tag == "ABSTRACT" else child.get("title", ""), list(child.iter("S")))
        for child in root
        if child.tag != "S"
    ]
    sections = []
    for heading, elements in groups:
        texts = (_clean("".join(element.itertext())) for element in elements)
        if sentences := tuple(text for text in texts if text and text.casefold() != title.casefold()):
            sections.append(Section(_clean(heading), sentences))
    return tuple(sections)


def _clean(text: str) -> str:
    """One line without character references; some of the release are escaped twice."""
    return " ".join(html.unescape(text).split())


SCISUMMNET = Benchmark(
    inputs=inputs, read=read, LACKS=("nuggets", "citances"), RELEASE=("ScisummNet of 2019", 973)
)
