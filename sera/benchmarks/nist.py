"""NIST's evaluations of summaries of news: DUC 2001 to 2007 and TAC 2008 to 2011 (update and guided tasks).

NIST gives the data under an agreement, as archives to unpack into one folder. A folder with the table of an
evaluation with SEE (DUC 2001 to 2003) is read by `sera.benchmarks.nist_see`. From 2005 on, these files are
read, wherever they are in the folder:

- ``ROUGE/models/<topic>.M.<words>.<selector>.<letter>``: summaries by humans, the references. The letter is
  the annotator.
- ``ROUGE/peers/<topic>.M.<words>.<selector>.<number>``: summaries by systems. The number is the system; files
  with a letter are the humans' summaries again and are ignored.
- The tables of scores (`TABLES`). Rows of humans are ignored: each human wrote summaries of some topics only,
  and a judged system must be judged on every topic.
- ``docs/``, if it exists: the articles, SGML, in folders named after the topics. Other topics are ignored.

A topic is a set of documents: ``D0601``, or ``D0801-A`` and ``D0801-B`` where sets follow each other. Letter
case, a missing D (``311``) and a selector's letter (``D0801A-A``, ``d301i``) make no difference.

In NIST's files of DUC and TAC 2008 a line is a sentence. Those of TAC 2009 to 2011, recognised by their
tables (``manual.peer.A``), are running text, split by `sera.text.sentences`.

A summary with several annotators (some Pyramids of DUC 2005 and 2006) has the mean of their scores.
"""

from __future__ import annotations

import html
import logging
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from sera import names
from sera.benchmarks import (
    Topic,
    check_complete,
    check_complete_judgements,
    nist_see,
    topics_of,
    warn_of_equal,
)
from sera.benchmarks import release as parts
from sera.benchmarks.nist_tables import (
    CONTENT,
    LINGUISTIC,
    MODIFIED,
    NIST_QUESTIONS,
    PYRAMID,
    RESPONSIVENESS,
    SPLIT,
    TABLES,
    NistScore,
    Table,
    scores_of,
    system_number,
    text_of,
    topic_id,
)
from sera.errors import Faults, InputError, checked_each
from sera.io.records import Candidate, Document, Judgement, Passage, Reference, Section, Source
from sera.text.sentences import sentences

log = logging.getLogger(__name__)

JUDGED = True

NIST_FROM = (
    "Get the data from NIST, as docs/data.md describes: https://duc.nist.gov/data.html and "
    "https://tac.nist.gov/data/."
)


def inputs(*, release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
    """All files that `read` reads, sorted.

    InputError names what is missing or still packed, and a link or pipe in place of a file.
    """
    if see := nist_see.find(release):
        nist_see.see_judgements(see)
        return sorted([*see.summaries, *see.tables])
    return sorted(_find(release).all)


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The judged systems, and the names of the judgements; InputError as in `read` for the tables."""
    see = nist_see.find(release)
    judgements = nist_see.see_judgements(see) if see else _judgements(_find(release))
    systems = {each.system for each in judgements}
    return sorted(systems, key=int), list(dict.fromkeys(each.judgement for each in judgements))


def read(*, release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full") -> list[Topic]:
    """Read the topics of the models, sorted; systems by number. ``pyramids`` and ``cleaning`` have no effect.

    A topic's source has a section for each of its articles, in order of the files' names. Its documents are
    these articles, with ids like ``D0801-A-APW_ENG_20050325.1244``. Without ``docs`` the source has no
    section and there are no documents.

    InputError as in `inputs`; with file and line, up to ten per file, for a malformed row or name, a repeated
    summary or row, and a row whose topic or system has no summary; with the folder for a topic without a
    model, a topic without articles if others have some, and a system without a summary of a topic or left out
    of a judgement.
    """
    if see := nist_see.find(release):
        return nist_see.read_see(see)
    found = _find(release)
    running = TABLES[SPLIT] in found.tables.values()
    faults = Faults()
    models = faults.checked(_summaries, found.models, running, letters=True)
    peers = faults.checked(_summaries, found.peers, running, letters=False)
    judgements = faults.checked(_judgements, found)
    faults.raise_all()
    assert models is not None and peers is not None and judgements is not None
    of_models, of_peers = found.models[0].parent, found.peers[0].parent
    for (topic, letter), (path, summary) in models.items():
        if not summary:
            problem = f"is empty: the model {letter} of {topic}"
            raise InputError(problem, path=path, remedy="Unpack it again from NIST's archive.")
    references = [Reference(topic, letter, summary) for (topic, letter), (_, summary) in models.items()]
    warn_of_equal(references, of_models)
    topics = sorted({topic for topic, _ in [*models, *peers]})
    check_complete(of_models, {("model", topic) for topic, _ in models}, ["model"], topics, "has no")
    systems = sorted({system for _, system in peers}, key=int)
    check_complete(
        of_peers, {(system, topic) for topic, system in peers}, systems, topics, "has no summary by"
    )
    strangers = {
        (path, line): InputError(
            f"system {each.system} has no summary of topic {each.topic} among the peers",
            path=path,
            line=line,
            remedy=f"Add it to {of_peers}, or remove the row.",
        )
        for each, (path, line) in sorted(judgements.items(), key=lambda item: item[1])
        if (each.topic, each.system) not in peers
    }
    Faults(strangers.values()).raise_all()
    for name, table in {each.judgement: path for each, (path, _) in judgements.items()}.items():
        check_complete_judgements(table.parent, (each for each in judgements if each.judgement == name))
    articles: dict[str, list[tuple[str, Section]]] = {}
    for path, topic in found.documents:
        articles.setdefault(topic, []).append((path.name, _article(path)))
    if articles:
        check_complete(
            Path(release) / _DOCS, {("article", topic) for topic in articles}, ["article"], topics, "has no"
        )
    documents = {
        topic: [
            Document(
                f"{topic}-{name}",
                title=section.title,
                sections=(Passage("", (" ".join(section.sentences),)),),
            )
            for name, section in of_topic
        ]
        for topic, of_topic in articles.items()
    }
    return topics_of(
        (Source(of, of, sections=tuple(part for _, part in articles.get(of, ()))) for of in topics),
        documents,
        references=references,
        candidates=[Candidate(topic, by, peers[topic, by][1]) for topic in topics for by in systems],
        judgements=judgements,
    )


# --- files ----------------------------------------------------------------------------------------

_DOCS = "docs"
_PACKED = re.compile(r".*\.(?:tar|tgz|tar\.(?:gz|bz2|xz)|zip)", re.IGNORECASE)
_NAME = re.compile(r"([^.]+)\.M\.\d+\.[^.]+\.([A-Za-z]+|[0-9]{1,6})", re.ASCII)


@dataclass(frozen=True)
class _NistFiles:
    """The files of a folder, each kind sorted; the documents with their topics."""

    models: list[Path]
    peers: list[Path]
    tables: dict[Path, Table]
    documents: list[tuple[Path, str]]

    @property
    def all(self) -> list[Path]:
        return [*self.models, *self.peers, *self.tables, *(path for path, _ in self.documents)]


def _find(release: str | Path) -> _NistFiles:
    folder = Path(release)
    found = _NistFiles([], [], {}, [])
    packed = []
    if not folder.is_dir():
        problem = "there is no such folder; expected an evaluation of NIST's"
        raise InputError(problem, path=folder, remedy=NIST_FROM)
    for path in parts.walk(folder):
        inside = path.relative_to(folder).parts
        if _PACKED.fullmatch(path.name):
            packed.append("/".join(inside))
        elif inside[0] == _DOCS:
            if topics := [topic for part in inside[1:-1] if (topic := topic_id(part))]:
                found.documents.append((path, topics[-1]))
        elif [part.lower() for part in inside[-3:-1]] == ["rouge", "models"]:
            found.models.append(path)
        elif [part.lower() for part in inside[-3:-1]] == ["rouge", "peers"]:
            found.peers.append(path)
        elif name := next((name for name in TABLES if fnmatchcase(path.name.lower(), name)), None):
            found.tables[path] = TABLES[name]
    if found.models:
        summarised = {topic_id(path.name.partition(".")[0]) for path in found.models}
        found.documents[:] = [(path, topic) for path, topic in found.documents if topic in summarised]
    for path in found.all:
        parts.check_file(path)
    needed = {
        "ROUGE/models": found.models,
        "ROUGE/peers": found.peers,
        f"a table of scores ({', '.join(TABLES)})": found.tables,
        f"{_DOCS}/<topic>/<article>": found.documents or not (folder / _DOCS).is_dir(),
    }
    if missing := [name for name, there in needed.items() if not there]:
        problem = f"lacks {', '.join(missing)}" + (f", but holds {', '.join(packed)}" if packed else "")
        remedy = "Unpack what NIST packed: tar xf <file>." if packed else NIST_FROM
        raise InputError(problem, path=folder, remedy=remedy)
    return found


# --- summaries ------------------------------------------------------------------------------------

_Summaries = dict[tuple[str, str], tuple[Path, tuple[str, ...]]]


def _summaries(paths: Iterable[Path], running: bool, *, letters: bool) -> _Summaries:
    """File and sentences by topic and summarizer: humans (``letters``), or systems."""
    summaries: _Summaries = {}
    checked_each(lambda path: _add_summary(summaries, path, running, letters), paths)
    return summaries


def _add_summary(summaries: _Summaries, path: Path, running: bool, letters: bool) -> None:
    """Add the summary in a file. InputError for a wrong name, and for a second one that differs."""
    match = _NAME.fullmatch(path.name)
    topic = topic_id(match[1]) if match else None
    if match is None or topic is None:
        problem = "is not named as a summary, <topic>.M.<words>.<selector>.<summarizer>"
        raise InputError(problem, path=path, remedy="Remove it from the folder if it is not a summary.")
    summarizer = system_number(match[2])
    if letters and summarizer is not None:
        problem = "has a system's number, but models are by humans, who have letters"
        raise InputError(problem, path=path, remedy="Move it to ROUGE/peers.")
    if not letters and summarizer is None:
        return
    summary = tuple(sentences(text_of(path)) if running else _lines(text_of(path)))
    other = summaries.setdefault((topic, summarizer or match[2].upper()), (path, summary))
    if other[1] != summary:
        problem = f"differs from {other[0]}, which has the same summarizer and topic"
        raise InputError(problem, path=path, remedy="Keep one of them, and one evaluation per folder.")
    if other[0] != path:
        log.warning("%s is ignored: it is equal to %s", path, other[0])


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.split("\n") if line.strip()]


# --- tables ---------------------------------------------------------------------------------------


def _judgements(found: _NistFiles) -> dict[Judgement, tuple[Path, int]]:
    """The judgements of systems, sorted by name, topic and system, with file and line of the first score."""
    folders: dict[str, Path] = {}
    scores: dict[tuple[str, str, str], list[NistScore]] = {}
    for path, table in found.tables.items():
        for name in table.scores:
            other = folders.setdefault(name, path)
            if other.parent != path.parent:
                problem = f"has {name}, and so has {other}"
                raise InputError(problem, path=path, remedy="Name the folder of one evaluation.")
        for score in scores_of(path, table):
            before = scores.setdefault((score.judgement, score.topic, score.system), [])
            if twice := [one for one in before if one.annotator == score.annotator]:
                raise InputError(
                    f"{score.judgement} of {score.system} for {score.topic} is there twice, first in line "
                    f"{twice[0].line}" + (f" of {twice[0].path}" if twice[0].path != path else ""),
                    path=path,
                    line=score.line,
                    remedy="Keep one of them.",
                )
            before.append(score)
    ordered = sorted(scores, key=lambda key: (_NAMES.index(key[0]), key[1], int(key[2])))
    judgements = {}
    for name, topic, system in ordered:
        given = scores[name, topic, system]
        mean = math.fsum(one.value for one in given) / len(given)
        judgements[Judgement(topic, system, name, mean)] = (given[0].path, given[0].line)
    return judgements


_NAMES = (PYRAMID, MODIFIED, RESPONSIVENESS, CONTENT, LINGUISTIC, *NIST_QUESTIONS)


# --- articles -------------------------------------------------------------------------------------

_TAG = re.compile(r"<(/?)(headline|text|graphic|p)\b[^<>]*>", re.IGNORECASE)
_OTHER_TAG = re.compile(r"</?[A-Za-z][^<>]*>")

_NO_CHARACTER = re.compile(r"&#(?:[0-9]{1000,}|[xX][0-9a-fA-F]{1000,});?")  # too large for a character


def _article(path: Path) -> Section:
    """The headline and sentences of an article: from ``<TEXT>``, or else from ``<GRAPHIC>`` (a caption).

    Entities are neither declared nor expanded, but names of characters (``&amp;``) are decoded. InputError
    for an unclosed element, or if both are missing.
    """
    names.check("document", path.name, path=path)
    markup = text_of(path)
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
        problem = f"<{inside.upper()}> has no end"
        remedy = "Unpack it again from NIST's archive."
        raise InputError(problem, path=path, line=markup.count("\n", 0, begun) + 1, remedy=remedy)
    if not texts["text"] and not texts["graphic"]:
        remedy = f"Remove it from {_DOCS} if it is not an article of NIST's."
        raise InputError("has no <TEXT>", path=path, remedy=remedy)
    title = " ".join(_plain(texts["headline"]).split())
    section = Section(title, tuple(sentences(_plain(texts["text"] or texts["graphic"]))))
    if not section.sentences:
        log.warning("%s is empty", path)
    return section


def _plain(pieces: list[str]) -> str:
    text = _OTHER_TAG.sub(" ", "".join(pieces))
    return html.unescape(_NO_CHARACTER.sub("\ufffd", text))
