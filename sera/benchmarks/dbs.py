"""The DBS corpus (Benikova et al. 2016): German summaries and nuggets of web pages about education.

Read are the tables of one of its two versions, as its README and docs/data.md describe them: tab-separated
UTF-8, where ``\\n`` in a cell is a line break. The nuggets of a reference are the annotator's *best* ones,
from which the summary was written. The text of a page is read from its column, where the authors gave it to
you, or from ``texts/<ID>.txt``; judged summaries are read as in `sera.benchmarks.folder`.

A line of a summary or text ends a sentence; lines are split by `sera.text.sentences`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

from sera import names
from sera.benchmarks import Benchmark, Topic, check_complete, folder, topics_of, warn_of_equal
from sera.benchmarks import release as parts
from sera.errors import InputError
from sera.io import files, tsv
from sera.io.records import Document, Nugget, Reference, Section, Source
from sera.text.sentences import german_sentences

log = logging.getLogger(__name__)


DBS_FROM = (
    "Get the DBS corpus (public, CC BY-SA 4.0), https://github.com/AIPHES/DBS, and name its folder "
    "dbs-corpus-v1 or dbs-corpus-v2."
)
_TABLES = {
    "dbs-topics.tsv": ("ID", "TOPIC"),
    "dbs-summary.tsv": ("TOPIC_ID", "USER_ID", "SUMMARY_TEXT"),
    "dbs-nuggets.tsv": ("TOPIC_ID", "USER_ID", "TEXT", "REVISED_TEXT", "REDUNDANT_IS_BEST"),
    "dbs-document-links.tsv": ("ID", "TOPIC_ID", "TITLE"),
}
_TEXT_COLUMNS = ("TEXT", "TEXT_CONTACT-US")


def inputs(release: str | Path) -> list[Path]:
    """The files that `read` reads, sorted; InputError for a table that is missing, or for a link."""
    tables = Path(release)
    there = {path.name for path in parts.entries(tables)}
    if absent := [name for name in _TABLES if name not in there]:
        raise InputError(f"lacks {', '.join(absent)}", path=tables, remedy=DBS_FROM)
    paths = [tables / name for name in (*_TABLES, "candidates.jsonl", "judgements.tsv") if name in there]
    if "judgements.tsv" in there and "candidates.jsonl" not in there:
        problem = "has judgements.tsv and no candidates.jsonl"
        raise InputError(problem, path=tables, remedy="Add the summaries that are judged.")
    if parts.is_folder(tables / "texts"):
        paths += [path for path in parts.entries(tables / "texts") if path.suffix == ".txt"]
    return sorted(map(parts.check_file, paths))


def read(release: str | Path) -> list[Topic]:
    """The topics in the release's order.

    A page without a text is left out, with a warning in the log. So is a row of the nuggets with a wrong
    number of cells: version 2 has one. InputError as in `inputs`, and for files that contradict each other.
    """
    paths = {path.name: path for path in inputs(release=release) if path.parent == Path(release)}
    topics = {row["ID"]: row["TOPIC"] for _, row in _rows(paths["dbs-topics.tsv"])}
    references = [
        Reference(row["TOPIC_ID"], row["USER_ID"], _sentences(row["SUMMARY_TEXT"]))
        for _, row in _topic_rows(paths["dbs-summary.tsv"], topics)
    ]
    _check_references(paths["dbs-summary.tsv"], references, list(topics))
    nuggets = [
        Nugget(row["TOPIC_ID"], row["USER_ID"], text)
        for _, row in _topic_rows(paths["dbs-nuggets.tsv"], topics)
        if row["REDUNDANT_IS_BEST"] == "1" and (text := _plain(row["REVISED_TEXT"]) or _plain(row["TEXT"]))
    ]
    pages = _pages(paths["dbs-document-links.tsv"], topics)
    candidates, judgements = folder.judged_summaries(release, topics)
    if not candidates and (empty := [topic for topic in topics if not pages[topic]]):
        problem = f"has no text of a page of topic {', '.join(empty[:5])}"
        remedy = "Ask the authors for the texts and put them in texts/<ID>.txt, or add candidates.jsonl."
        raise InputError(problem, path=paths["dbs-document-links.tsv"], remedy=remedy)
    documents = {
        topic: [
            Document(f"{topic}-{id_}", " ".join(section.sentences), section.title)
            for id_, section in topic_pages
        ]
        for topic, topic_pages in pages.items()
    }
    return topics_of(
        (Source(id_, id_, title, tuple(part for _, part in pages[id_])) for id_, title in topics.items()),
        references,
        nuggets,
        candidates,
        judgements,
        documents=documents,
    )


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    lines = files.lines(path, "a table of the DBS corpus")
    header = next(lines, (1, ""))[1].split("\t")
    tsv.check_header(path, 1, header, _TABLES[path.name])
    for line, text in lines:
        cells = text.split("\t")
        problem = f"has {len(cells)} cells, not {len(header)}"
        if len(cells) == len(header):
            row = dict(zip(header, cells, strict=True))
            for column in _TABLES[path.name]:
                if column.endswith("ID"):
                    names.check(column, row[column], path=path, line=line)
            yield line, row
        elif path.name == "dbs-nuggets.tsv":
            log.warning("%s: line %d %s, and is left out", path, line, problem)
        else:
            raise InputError(problem, path=path, line=line, remedy=DBS_FROM)


def _topic_rows(path: Path, topics: dict[str, str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table; InputError for one whose topic is not among the topics."""
    for line, row in _rows(path):
        if row["TOPIC_ID"] not in topics:
            problem = f"has the topic {row['TOPIC_ID']!r}, which dbs-topics.tsv lacks"
            raise InputError(problem, path=path, line=line, remedy="Use the tables of one version.")
        yield line, row


def _check_references(path: Path, references: list[Reference], topics: list[str]) -> None:
    keys = [(reference.topic, reference.annotator) for reference in references]
    if twice := [key for place, key in enumerate(keys) if key in keys[:place]]:
        problem = f"has two summaries of topic {twice[0][0]} by {twice[0][1]}"
        raise InputError(problem, path=path, remedy="Keep one of them.")
    there = {("reference", reference.topic) for reference in references if reference.sentences}
    check_complete(path, there, ["reference"], topics, "has no")
    warn_of_equal(references, path)


def _pages(path: Path, topics: dict[str, str]) -> dict[str, list[tuple[str, Section]]]:
    pages: dict[str, list[tuple[str, Section]]] = {topic: [] for topic in topics}
    absent = 0
    for _, row in _topic_rows(path, topics):
        text = next((row[column] for column in _TEXT_COLUMNS if row.get(column, "").strip()), "")
        names.check_file_name("ID", row["ID"], path=path)
        file = path.parent / "texts" / f"{row['ID']}.txt"
        if not text and file.is_file():
            text = files.read_text(parts.check_file(file))
        if sentences := _sentences(text):
            pages[row["TOPIC_ID"]].append((row["ID"], Section(_plain(row["TITLE"]), sentences)))
        else:
            absent += 1
    if absent:
        log.warning("%s: %d pages have no text and are left out", path, absent)
    return pages


def _lines(cell: str) -> list[str]:
    return cell.replace("\\n", "\n").splitlines()


def _plain(cell: str) -> str:
    return " ".join(" ".join(_lines(cell)).split())


def _sentences(cell: str) -> tuple[str, ...]:
    return tuple(sentence for line in _lines(cell) for sentence in german_sentences(line))


DBS = Benchmark(
    inputs=inputs,
    judged=folder.judged,
    read=read,
    has_nuggets=lambda release: True,
    JUDGED=True,
    LACKS=("citances",),
    WRITTEN_IN="de",
)
