"""NIST's evaluations of summaries of news: DUC 2005 to 2007 and TAC 2008 to 2011 (update and guided tasks).

NIST gives the data under an agreement, as archives to be unpacked into one folder; read are, wherever in it:

- ``ROUGE/models/<topic>.M.<words>.<selector>.<letter>``: summaries by humans, the references. Annotators
  are the letters
- ``ROUGE/peers/<topic>.M.<words>.<selector>.<number>``: summaries by systems, which are named by their
  numbers; those that bear a letter are the humans' again and are passed over
- the tables of scores (`TABLES`). Rows of humans are passed over: a human wrote some topics alone, and a
  system that is judged has to be judged on every topic
- ``docs/``, if it is there: the articles, SGML, in folders named after the topics; those of other topics are
  passed over

A topic is a set of documents: ``D0601``, or ``D0801-A`` and ``D0801-B`` where sets follow each other. Letter
case, a missing D (``311``) and a selector's letter (``D0801A-A``, ``d301i``) make no difference.

In NIST's files of DUC and of TAC 2008 a line is a sentence; those of TAC 2009 to 2011, which are told by
their tables (``manual.peer.A``), are taken as running text and split by `sera.text.sentences`.

A summary that was annotated by several (some Pyramids of DUC 2005 and 2006) has the mean of their scores.
"""

from __future__ import annotations

import html
import logging
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from sera import limits, names
from sera.benchmarks import Topic, complete, complete_judgements, warn_of_equal
from sera.benchmarks import release as parts
from sera.errors import MOST, InputError, together
from sera.records import Candidate, Document, Judgement, Passage, Reference, Section, Source
from sera.text.sentences import sentences

log = logging.getLogger(__name__)

JUDGED = True

FROM = (
    "The data is NIST's: see https://duc.nist.gov/data.html and https://tac.nist.gov/data/; "
    "docs/data.md tells what is expected."
)


@dataclass(frozen=True)
class Table:
    """Where in a row what stands, columns counted from 0, parted by white space.

    ``scores`` are the columns of the judgements; more columns may follow. ``annotator`` is the column that
    tells who judged, if there is one, and ``question`` that which tells, by number, which of `QUESTIONS` was
    answered. ``headed`` tables begin with lines that are no rows.
    """

    scores: dict[str, int]
    system: int = 1
    annotator: int | None = None
    question: int | None = None
    headed: bool = False

    @property
    def columns(self) -> int:
        """How many a row has at least."""
        return max(self.system, self.annotator or 0, *self.scores.values()) + 1


RESPONSIVENESS, CONTENT, LINGUISTIC = "responsiveness", "content_responsiveness", "linguistic_quality"
PYRAMID, MODIFIED = "pyramid", "modified_pyramid"
QUESTIONS = ("grammaticality", "non_redundancy", "referential_clarity", "focus", "structure_and_coherence")
"""What the five questions of linguistic quality are, DUC 2005 to 2007."""

_GRADES = (RESPONSIVENESS, CONTENT, LINGUISTIC)
_HIGHEST = 10  # TAC 2009 graded from 1 to 10, the others from 1 to 5


def _asked(name: str) -> Table:
    return Table({name: 4}, system=3, annotator=2, headed=True)


_SPLIT = "manual.peer.[a-z]"
TABLES = {
    "manual.peer": Table({MODIFIED: 2, LINGUISTIC: 7, RESPONSIVENESS: 8}, annotator=5),  # TAC 2008
    _SPLIT: Table({MODIFIED: 2, LINGUISTIC: 8, RESPONSIVENESS: 9}, annotator=5),  # 2009 to 2011
    "responsiveness.table": _asked(RESPONSIVENESS),  # DUC 2005
    "overall.table": _asked(RESPONSIVENESS),  # 2006
    "content.table": _asked(CONTENT),  # 2006, 2007
    "linguistic_quality.table": Table({LINGUISTIC: 5}, system=3, annotator=2, question=4, headed=True),
    "processed_pans.txt": Table({PYRAMID: 2, MODIFIED: 3}, annotator=6),  # 2005
    "2006_modified_scores.txt": Table({MODIFIED: 2}, annotator=5),
    "2007_modified_scores.txt": Table({MODIFIED: 2}),
}
"""The tables that are read, by a file's name in small letters."""


def inputs(*, release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
    """Every file that `read` reads, sorted.

    InputError names what is missing or still packed, and what is a link or a pipe in the place of a file.
    """
    found = _find(release)
    return sorted([*found.models, *found.peers, *found.tables, *(path for path, _ in found.documents)])


def collection(release: str | Path) -> Path | None:
    """None: it brings no documents but its topics'."""
    return None


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The systems that were judged, and the judgements' names; InputError as of `read` for the tables."""
    judgements = _judgements(_find(release))
    systems = {each.system for each in judgements}
    return sorted(systems, key=int), list(dict.fromkeys(each.judgement for each in judgements))


def has_nuggets(release: str | Path) -> bool:
    """Content units are not read: the Pyramid scores are NIST's."""
    return False


def read(*, release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full") -> list[Topic]:
    """The topics of the models, sorted; systems by number. ``pyramids`` and ``cleaning`` have no effect.

    A topic's source has a section for each of its articles, in order of the files' names, and its documents
    are these articles, with ids such as ``D0801-A-APW_ENG_20050325.1244``. Without ``docs`` the source has no
    section and there are no documents.

    Raises InputError as `inputs` does, and with file and line, up to ten of a file, for a row or a name that
    is not of its kind, a summary or a row that is there twice, a row of a topic or system without summary;
    and with the folder for a topic without model or, if there are any, articles, and for a system without a
    summary of some topic or left out of a judgement.
    """
    found = _find(release)
    running = TABLES[_SPLIT] in found.tables.values()
    models = _summaries(found.models, running, letters=True)
    peers = _summaries(found.peers, running, letters=False)
    of_models, of_peers = found.models[0].parent, found.peers[0].parent
    for (topic, letter), (path, summary) in models.items():
        if not summary:
            raise InputError(f"is empty: the model {letter} of {topic}", path=path)
    warn_of_equal(
        (Reference(topic, letter, summary) for (topic, letter), (_, summary) in models.items()), of_models
    )
    topics = sorted({topic for topic, _ in [*models, *peers]})
    complete(of_models, {("model", topic) for topic, _ in models}, ["model"], topics, "has no")
    systems = sorted({system for _, system in peers}, key=int)
    complete(of_peers, {(system, topic) for topic, system in peers}, systems, topics, "has no summary by")
    judgements = _judgements(found)
    strangers: dict[Path, dict[int, InputError]] = {}
    for each, (path, line) in sorted(judgements.items(), key=lambda item: item[1]):
        if (each.topic, each.system) not in peers:
            problem = f"system {each.system} has no summary of topic {each.topic} among the peers"
            remedy = f"They are in {of_peers}."
            strangers.setdefault(path, {})[line] = InputError(problem, path=path, line=line, remedy=remedy)
    for faults in strangers.values():
        if fault := together(faults.values()):
            raise fault
    for name, table in {each.judgement: path for each, (path, _) in judgements.items()}.items():
        complete_judgements(table.parent, (each for each in judgements if each.judgement == name))
    articles = {
        topic: [_article(path) for path in paths] for topic, paths in _by_topic(found.documents).items()
    }
    if articles:
        complete(
            Path(release) / _DOCS, {("article", topic) for topic in articles}, ["article"], topics, "has no"
        )
    return [
        Topic(
            id=topic,
            source=Source(
                topic, topic, sections=tuple(article.section for article in articles.get(topic, []))
            ),
            references=tuple(
                Reference(topic, letter, summary)
                for (of, letter), (_, summary) in models.items()
                if of == topic
            ),
            documents=tuple(
                Document(
                    id=f"{topic}-{article.name}",
                    title=article.section.title,
                    sections=(Passage("", (" ".join(article.section.sentences),)),),
                )
                for article in articles.get(topic, [])
            ),
            candidates=tuple(Candidate(topic, system, peers[topic, system][1]) for system in systems),
            judgements=tuple(each for each in judgements if each.topic == topic),
        )
        for topic in topics
    ]


# --- files ----------------------------------------------------------------------------------------

_DOCS = "docs"
_PACKED = re.compile(r".*\.(?:tar|tgz|tar\.(?:gz|bz2|xz)|zip)", re.IGNORECASE)
_TOPIC = re.compile(r"d?(\d{3,4})[a-z]?(-[a-z])?", re.IGNORECASE | re.ASCII)
_NAME = re.compile(r"([^.]+)\.M\.\d+\.[^.]+\.([A-Za-z]+|[0-9]{1,6})", re.ASCII)


@dataclass(frozen=True)
class _Found:
    """Files, each kind sorted; the documents with their topics."""

    models: list[Path]
    peers: list[Path]
    tables: dict[Path, Table]
    documents: list[tuple[Path, str]]


def _find(release: str | Path) -> _Found:
    folder = Path(release)
    found = _Found([], [], {}, [])
    packed = []
    if not folder.is_dir():
        raise InputError(
            "there is no such folder; expected an evaluation of NIST's", path=folder, remedy=FROM
        )
    for path in parts.walk(folder):
        inside = path.relative_to(folder).parts
        if _PACKED.fullmatch(path.name):
            packed.append("/".join(inside))
        elif inside[0] == _DOCS:
            if topics := [topic for part in inside[1:-1] if (topic := _topic(part))]:
                found.documents.append((path, topics[-1]))
        elif [part.lower() for part in inside[-3:-1]] == ["rouge", "models"]:
            found.models.append(path)
        elif [part.lower() for part in inside[-3:-1]] == ["rouge", "peers"]:
            found.peers.append(path)
        elif name := next((name for name in TABLES if fnmatchcase(path.name.lower(), name)), None):
            found.tables[path] = TABLES[name]
    if found.models:
        summarised = {_topic(path.name.partition(".")[0]) for path in found.models}
        found.documents[:] = [(path, topic) for path, topic in found.documents if topic in summarised]
    for path in [*found.models, *found.peers, *found.tables, *(path for path, _ in found.documents)]:
        parts.check_file(path)
    needed = {
        "ROUGE/models": found.models,
        "ROUGE/peers": found.peers,
        f"a table of scores ({', '.join(TABLES)})": found.tables,
        f"{_DOCS}/<topic>/<article>": found.documents or not (folder / _DOCS).is_dir(),
    }
    if missing := [name for name, there in needed.items() if not there]:
        raise InputError(
            f"lacks {', '.join(missing)}" + (f", but holds {', '.join(packed)}" if packed else ""),
            path=folder,
            remedy="Unpack what NIST packed: tar xf <file>." if packed else FROM,
        )
    return found


def _topic(name: str) -> str | None:
    """The id of a set of documents that is named in one of NIST's ways; None for another name."""
    match = _TOPIC.fullmatch(name)
    return f"D{match[1]}{match[2] or ''}".upper() if match else None


def _by_topic(documents: Iterable[tuple[Path, str]]) -> dict[str, list[Path]]:
    paths: dict[str, list[Path]] = {}
    for path, topic in documents:
        paths.setdefault(topic, []).append(path)
    return paths


def _text(path: Path) -> str:
    """A file's text, line ends ``\\n``: UTF-8, or Latin-1 where it is not that."""
    return parts.text(path, "latin-1").replace("\r\n", "\n").replace("\r", "\n")


# --- summaries ------------------------------------------------------------------------------------

_Summaries = dict[tuple[str, str], tuple[Path, tuple[str, ...]]]


def _summaries(paths: Iterable[Path], running: bool, *, letters: bool) -> _Summaries:
    """File and sentences by topic and summarizer: humans, who have letters, or systems."""
    summaries: _Summaries = {}
    for path in paths:
        match = _NAME.fullmatch(path.name)
        topic = _topic(match[1]) if match else None
        if match is None or topic is None:
            raise InputError(
                "is not named as a summary, <topic>.M.<words>.<selector>.<summarizer>",
                path=path,
                remedy="Take it out of the folder if it is none.",
            )
        summarizer = _number(match[2])
        if letters and summarizer is not None:
            raise InputError("has a system's number, and models are by humans, who have letters", path=path)
        if not letters and summarizer is None:
            continue
        summary = tuple(sentences(_text(path)) if running else _lines(_text(path)))
        other = summaries.setdefault((topic, summarizer or match[2].upper()), (path, summary))
        if other[1] != summary:
            raise InputError(
                f"differs from {other[0]}, which is the same summarizer's of the same topic",
                path=path,
                remedy="Keep one of them, and one evaluation a folder.",
            )
        if other[0] != path:
            log.warning("%s is passed over: it is equal to %s", path, other[0])
    return summaries


def _number(summarizer: str) -> str | None:
    """A system's number (in DUC 2006's table 01 is 1), or None for a human's letter."""
    return str(int(summarizer)) if re.fullmatch("[0-9]{1,6}", summarizer) else None


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


# --- tables ---------------------------------------------------------------------------------------


def _judgements(found: _Found) -> dict[Judgement, tuple[Path, int]]:
    """The judgements of systems, sorted by name, topic and system, and the line of each one's first score."""
    folders: dict[str, Path] = {}
    scores: dict[tuple[str, str, str], list[_Score]] = {}
    for path, table in found.tables.items():
        for name in table.scores:
            other = folders.setdefault(name, path)
            if other.parent != path.parent:
                raise InputError(
                    f"gives {name}, and so does {other}",
                    path=path,
                    remedy="Name the folder of one evaluation.",
                )
        for score in _rows(path, table):
            before = scores.setdefault((score.judgement, score.topic, score.system), [])
            if twice := [one for one in before if one.annotator == score.annotator]:
                raise InputError(
                    f"{score.judgement} of {score.system} for {score.topic} stands twice, first in line "
                    f"{twice[0].line}" + (f" of {twice[0].path}" if twice[0].path != path else ""),
                    path=path,
                    line=score.line,
                )
            before.append(score)
    ordered = sorted(scores, key=lambda key: (_NAMES.index(key[0]), key[1], int(key[2])))
    judgements = {}
    for name, topic, system in ordered:
        given = scores[name, topic, system]
        mean = math.fsum(one.value for one in given) / len(given)
        judgements[Judgement(topic, system, name, mean)] = (given[0].path, given[0].line)
    return judgements


_NAMES = (PYRAMID, MODIFIED, RESPONSIVENESS, CONTENT, LINGUISTIC, *QUESTIONS)


class _Score(NamedTuple):
    path: Path
    line: int
    topic: str
    system: str
    annotator: str | None
    judgement: str
    value: float


def _rows(path: Path, table: Table) -> Iterator[_Score]:
    """The scores of systems in a table; InputError with the lines, up to ten, for what is no row."""
    begun = False
    faults: list[InputError] = []
    for line, text in enumerate(_text(path).split("\n"), 1):
        cells = text.split()
        if not cells or (table.headed and not begun and not _is_row(cells, table)):
            continue
        begun = True
        try:
            yield from _scores(cells, table, path, line)
        except InputError as error:
            faults.append(error)
            if len(faults) > MOST:
                break
    if fault := together(faults):
        raise fault
    if not begun:
        raise InputError("holds no row", path=path)


def _scores(cells: list[str], table: Table, path: Path, line: int) -> list[_Score]:
    """The scores of a row; none of a human's. InputError for what is no row."""
    topic = _topic(cells[0])
    if topic is None or len(cells) < table.columns:
        raise InputError(
            f"is no row: it does not begin with a topic, or has {len(cells)} columns of {table.columns}",
            path=path,
            line=line,
        )
    summarizer = cells[table.system]
    system = _number(summarizer)
    if system is None and not summarizer.isalpha():
        raise InputError(
            f"summarizer {summarizer[:60]!r} is neither a number nor a letter", path=path, line=line
        )
    if system is None:
        return []
    annotator = None if table.annotator is None else cells[table.annotator]
    question = None if table.question is None else _question(cells[table.question], path, line)
    return [
        _Score(
            path, line, topic, system, annotator, question or name, _value(cells[column], name, path, line)
        )
        for name, column in table.scores.items()
    ]


def _is_row(cells: list[str], table: Table) -> bool:
    """Whether a line is a row of scores and not one of those above the first row."""
    fits = _topic(cells[0]) is not None and len(cells) >= table.columns
    return fits and all(cells[column].isdigit() for column in table.scores.values())


def _value(text: str, name: str, path: Path, line: int) -> float:
    """A grade is a whole number, a Pyramid score any; both are from 0 to `_HIGHEST`."""
    if len(text) > limits.NUMBER.value:
        raise limits.NUMBER.passed(path=path, line=line)
    value = float(text) if _DECIMAL.fullmatch(text) else math.nan
    graded = name in _GRADES
    if not (0 <= value <= _HIGHEST) or (graded and value != int(value)):
        kind = "whole number" if graded else "number"
        raise InputError(f"{name} {text[:60]!r} is no {kind} from 0 to {_HIGHEST}", path=path, line=line)
    return value


_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,6})?")


def _question(text: str, path: Path, line: int) -> str:
    if not re.fullmatch(f"[1-{len(QUESTIONS)}]", text):
        raise InputError(f"{text[:60]!r} is none of the {len(QUESTIONS)} questions", path=path, line=line)
    return QUESTIONS[int(text) - 1]


# --- articles -------------------------------------------------------------------------------------

_TAG = re.compile(r"<(/?)(headline|text|graphic|p)\b[^<>]*>", re.IGNORECASE)
_OTHER_TAG = re.compile(r"</?[A-Za-z][^<>]*>")

_NO_CHARACTER = re.compile(r"&#(?:[0-9]{1000,}|[xX][0-9a-fA-F]{1000,});?")  # the number of none, if so long


class _Article(NamedTuple):
    name: str
    section: Section


def _article(path: Path) -> _Article:
    """Headline and sentences of an article: of its ``<TEXT>``, or its ``<GRAPHIC>`` (a caption) without one.

    No entity is declared or expanded; names of characters (``&amp;``) are put right in the text.
    """
    names.check("document", path.name, path=path)
    markup = _text(path)
    texts: dict[str, list[str]] = {"headline": [], "text": [], "graphic": []}
    inside, begun, place = None, 0, 0
    for tag in _TAG.finditer(markup):
        if inside:
            texts[inside].append(markup[place : tag.start()])
        place, name = tag.end(), tag[2].lower()
        if name == "p":
            if inside:
                texts[inside].append("\n\n")
        else:
            inside, begun = (None if tag[1] else name), tag.start()
    if inside:
        raise InputError(f"<{inside.upper()}> has no end", path=path, line=markup.count("\n", 0, begun) + 1)
    if not texts["text"] and not texts["graphic"]:
        raise InputError(
            "has no <TEXT>", path=path, remedy=f"Take it out of {_DOCS} if it is no article of NIST's."
        )
    title = " ".join(_plain(texts["headline"]).split())
    section = Section(title, tuple(sentences(_plain(texts["text"] or texts["graphic"]))))
    if not section.sentences:
        log.warning("%s is empty", path)
    return _Article(path.name, section)


def _plain(pieces: list[str]) -> str:
    text = _OTHER_TAG.sub(" ", "".join(pieces))
    return html.unescape(_NO_CHARACTER.sub("\ufffd", text))
