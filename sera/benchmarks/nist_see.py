"""NIST's evaluations with SEE, DUC 2001 to 2003: summaries, and the coverage of a model by each of them.

A judge marked in SEE (Summary Evaluation Environment) how much of each unit of one human summary, the model,
a system's summary expresses. The coverage of a summary is the mean over the units. A folder holds one task, a
type and a length; docs/data.md has its files, and the table that can stand for DUC 2001's, of which no public
description was found. The sentences of a summary are SEE's anchors with an id; a file without markup has a
sentence per line. In tables, rows of other tasks and of humans are ignored.

A topic is a set, ``D061``, or a document of a set, ``D061-AP880911-0016``. The topics are those with
judgements. A human's summary that is in a folder of models and among the peers is read from the peers, where
it is split into sentences; the models are split into smaller units. Models are the first of the references.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from sera import names
from sera.benchmarks import Topic, check_complete, check_complete_judgements, topics_of
from sera.benchmarks import release as parts
from sera.benchmarks.nist_tables import WHOLE, system_number, text_of, value_of
from sera.errors import InputError
from sera.io.records import Candidate, Judgement, Reference, Source

COVERAGE = "coverage"

_SET, _TYPE, _DOCUMENT, _WORDS = range(4)
_COLUMNS = {6: (4, 5), 33: (8, 27), 34: (8, 28)}  # by their number: summarizer and mean coverage
_HIGHEST = 100  # DUC 2002 and 2003 have shares from 0 to 1; percentages are taken too
_NAME = re.compile(
    r"(?P<set>[A-Za-z0-9]+)\.(?P<type>[MP])\.(?P<words>\d+)\.[^.]+\.(?P<by>[A-Za-z]+|\d+)"
    r"(?:\.(?P<document>(?!html?$)[^/]+?))?(?:\.html?)?",
    re.ASCII,
)
_UNIT = re.compile(r"<a\b[^<>]*\bid\s*=[^<>]*>(.*?)</a\s*>", re.IGNORECASE | re.DOTALL)
_MARKUP = re.compile(r"<[^<>]*>")


class SeeFiles(NamedTuple):
    """The summaries in a folder and its tables of judgements, each sorted."""

    folder: Path
    summaries: dict[Path, re.Match[str]]  # each with the parts of its name
    tables: list[Path]


class _Summary(NamedTuple):
    sentences: tuple[str, ...]
    model: bool


def find(release: str | Path) -> SeeFiles | None:
    """The files of an evaluation with SEE; None if the folder has no table of its judgements.

    InputError for a link in place of a file.
    """
    every = parts.walk(Path(release))
    tables = [path for path in every if fnmatchcase(path.name.lower(), "short.results.table*")]
    others = (path for path in every if tables and path not in tables)
    summaries = {path: match for path in others if (match := _NAME.fullmatch(path.name))}
    for path in (*summaries, *tables):
        parts.check_file(path)
    return SeeFiles(Path(release), summaries, tables) if tables else None


def see_judgements(found: SeeFiles) -> dict[Judgement, None]:
    """The mean coverage of each system's summary of each topic, sorted."""
    tasks = sorted({(match["type"], int(match["words"])) for match in found.summaries.values()})
    if len(tasks) != 1:
        kinds = ", ".join(f"*.{kind}.{words:03}.*" for kind, words in tasks) or "none"
        remedy = "Copy the summaries of one task, with the table, into a folder."
        raise InputError(f"has summaries of {len(tasks)} tasks: {kinds}", path=found.folder, remedy=remedy)
    values: dict[tuple[str, str], list[float]] = {}
    rows: set[tuple[str, ...]] = set()

    def parse(cells: list[str]) -> tuple[str, str, float] | None:
        if tuple(cells) in rows:
            raise InputError("this row is there twice", remedy="Keep one of them.")
        rows.add(tuple(cells))
        return _judged_row(cells, tasks[0])

    for path in found.tables:
        for _, row in parts.each_parsed(path, _rows(path), parse, WHOLE):
            if row is not None:
                values.setdefault(row[:2], []).append(row[2])
    if not values:
        problem = f"has no row of the summaries' task, type {tasks[0][0]} of {tasks[0][1]} words"
        remedy = "Put the table of this task beside its summaries."
        raise InputError(problem, path=found.tables[0], remedy=remedy)
    keys = sorted(values, key=lambda key: (key[0], int(key[1])))
    means = {key: math.fsum(values[key]) / len(values[key]) for key in keys}
    return dict.fromkeys(Judgement(topic, system, COVERAGE, mean) for (topic, system), mean in means.items())


def read_see(found: SeeFiles) -> list[Topic]:
    """The topics with judgements, sorted; systems by number. The articles are not read."""
    folder, judgements = found.folder, see_judgements(found)
    topics = sorted({judgement.topic for judgement in judgements})
    summaries = _summaries(found, set(topics))
    humans = {key: one for key, one in summaries.items() if key[1].isalpha()}
    human_pairs = {("a human", topic) for (topic, _), summary in humans.items() if summary.sentences}
    check_complete(folder, human_pairs, ["a human"], topics, "has no summary by")
    systems = sorted({judgement.system for judgement in judgements}, key=int)
    check_complete(
        folder, {(author, topic) for topic, author in summaries}, systems, topics, "has no summary by"
    )
    check_complete_judgements(found.tables[0].parent, judgements)
    references = [
        Reference(topic, author, summary.sentences)
        for (topic, author), summary in sorted(humans.items(), key=lambda item: (not item[1].model, item[0]))
    ]
    return topics_of(
        [Source(topic, topic) for topic in topics],
        references,
        [
            Candidate(topic, author, summaries[topic, author].sentences)
            for topic in topics
            for author in systems
        ],
        judgements,
        documents={},
    )


def _topic(set_name: str, document: str | None) -> str:
    return f"{set_name.upper()}-{document}" if document else set_name.upper()


def _summaries(see_files: SeeFiles, topics: set[str]) -> dict[tuple[str, str], _Summary]:
    summaries: dict[tuple[str, str], _Summary] = {}
    for path, match in see_files.summaries.items():
        topic, author = (
            _topic(match["set"], match["document"]),
            system_number(match["by"]) or match["by"].upper(),
        )
        if topic not in topics:
            continue
        names.check("topic", topic, path=path)
        model = any("model" in part.lower() for part in path.relative_to(see_files.folder).parts[:-1])
        one = _Summary(_sentences(path), model)
        other = summaries.setdefault((topic, author), one)
        if other is not one and other.model == model:
            problem = f"is a second summary of {topic} by {author}"
            raise InputError(problem, path=path, remedy="Keep one of them, and one evaluation per folder.")
        if other is not one:  # of a model, the sentences of the peers
            summaries[topic, author] = _Summary((other if model else one).sentences, True)
    return summaries


def _sentences(path: Path) -> tuple[str, ...]:
    text = text_of(path)
    is_html = text.lstrip()[:200].lower().startswith(("<html", "<!doctype"))
    raw = _UNIT.findall(text) if is_html else text.split("\n")
    plain = (html.unescape(_MARKUP.sub(" ", line)) if is_html else line for line in raw)
    return tuple(sentence for line in plain if (sentence := " ".join(line.split())))


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with their lines; what is above the first row is passed over."""
    begun = False
    for line, text in enumerate(text_of(path).split("\n"), 1):
        cells = text.split()
        begun = begun or (len(cells) in _COLUMNS and cells[_TYPE] in ("M", "P"))
        if cells and begun:
            yield line, cells


def _judged_row(cells: list[str], task: tuple[str, int]) -> tuple[str, str, float] | None:
    """Topic, system and mean coverage; None for a row of a human or of another task."""
    if len(cells) not in _COLUMNS or cells[_TYPE] not in ("M", "P") or not cells[_WORDS].isdecimal():
        raise InputError(f"is not a row of SEE's table: it has {len(cells)} columns")
    author, text = (cells[column] for column in _COLUMNS[len(cells)])
    system = system_number(author)
    if system is None or (cells[_TYPE], int(cells[_WORDS])) != task:
        return None
    topic = _topic(cells[_SET], cells[_DOCUMENT] if task[0] == "P" else None)
    return topic, system, value_of(text, COVERAGE, _HIGHEST)
