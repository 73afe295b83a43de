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
import math
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from sera import names
from sera.benchmarks import Topic, check_complete, check_complete_judgements, nist_see, topics_of
from sera.benchmarks import release as parts
from sera.benchmarks.nist_tables import (
    JUDGEMENTS,
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

JUDGED = True

NIST_FROM = (
    "Get the data from NIST, as docs/data.md describes, and unpack it: https://duc.nist.gov/data.html and "
    "https://tac.nist.gov/data/."
)
_DOCS = "docs"
_NAME = re.compile(r"([^.]+)\.M\.\d+\.[^.]+\.([A-Za-z]+|[0-9]+)", re.ASCII)


def inputs(release: str | Path) -> list[Path]:
    """All files that `read` reads, sorted; InputError names what is missing, and a link."""
    if see := nist_see.find(release):
        return sorted([*see.summaries, *see.tables])
    return sorted(_find(release).all)


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The judged systems, and the names of the judgements; InputError as in `read` for the tables."""
    see = nist_see.find(release)
    judgements = nist_see.see_judgements(see) if see else _judgements(_find(release))
    systems = {each.system for each in judgements}
    return sorted(systems, key=int), list(dict.fromkeys(each.judgement for each in judgements))


def read(release: str | Path) -> list[Topic]:
    """Read the topics of the models, sorted; systems by number.

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
    models = faults.checked(_summaries, found.models, running) or {}
    peers = faults.checked(_summaries, found.peers, running) or {}
    judgements = faults.checked(_judgements, found) or {}
    faults.raise_all()
    peers = {key: summary for key, summary in peers.items() if key[1].isdecimal()}
    topics = sorted({topic for topic, _ in [*models, *peers]})
    systems = sorted({system for _, system in peers}, key=int)
    modelled = {("model", topic) for topic, _ in models}
    check_complete(found.models[0].parent, modelled, ["model"], topics, "has no")
    summarised = {(system, topic) for topic, system in peers}
    check_complete(found.peers[0].parent, summarised, systems, topics, "has no summary by")
    strangers = {place: one for one, place in judgements.items() if (one.topic, one.system) not in peers}
    for (path, line), one in sorted(strangers.items()):
        problem = f"system {one.system} has no summary of topic {one.topic} among the peers"
        faults.append(InputError(problem, path=path, line=line, remedy="Add it, or remove the row."))
    faults.raise_all()
    check_complete_judgements(release, judgements)
    articles: dict[str, list[tuple[str, Section]]] = {}
    for path, topic in found.documents:
        articles.setdefault(topic, []).append((path.name, _article(path)))
    if articles:
        there = {("article", topic) for topic in articles}
        check_complete(Path(release) / _DOCS, there, ["article"], topics, "has no")
    documents = {
        topic: [
            Document(f"{topic}-{name}", title=one.title, sections=(Passage("", (" ".join(one.sentences),)),))
            for name, one in of_topic
        ]
        for topic, of_topic in articles.items()
    }
    return topics_of(
        (Source(of, of, sections=tuple(part for _, part in articles.get(of, ()))) for of in topics),
        documents,
        references=[Reference(topic, letter, summary) for (topic, letter), summary in models.items()],
        candidates=[Candidate(topic, by, peers[topic, by]) for topic in topics for by in systems],
        judgements=judgements,
    )


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
    for path in parts.walk(folder):
        inside = path.relative_to(folder).parts
        place = "/".join(inside[-3:-1]).lower()
        if inside[0] == _DOCS:
            if topics := [topic for part in inside[1:-1] if (topic := topic_id(part))]:
                found.documents.append((path, topics[-1]))
        elif place in ("rouge/models", "rouge/peers"):
            (found.models if place == "rouge/models" else found.peers).append(path)
        elif name := next((name for name in TABLES if fnmatchcase(path.name.lower(), name)), None):
            found.tables[path] = TABLES[name]
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
        raise InputError(f"lacks {', '.join(missing)}", path=folder, remedy=NIST_FROM)
    return found


def _summaries(paths: list[Path], running: bool) -> dict[tuple[str, str], tuple[str, ...]]:
    summaries: dict[tuple[str, str], tuple[str, ...]] = {}

    def add(path: Path) -> None:
        match = _NAME.fullmatch(path.name)
        topic = topic_id(match[1]) if match else None
        if match is None or topic is None:
            problem = "is not named as a summary, <topic>.M.<words>.<selector>.<summarizer>"
            raise InputError(problem, path=path, remedy="Remove it from the folder if it is not a summary.")
        text = text_of(path)
        summary = tuple(sentences(text) if running else parts.lines_of(text))
        by = system_number(match[2]) or match[2].upper()
        if not summary and by.isalpha():
            raise InputError("is empty", path=path, remedy="Unpack it again from NIST's archive.")
        if summaries.setdefault((topic, by), summary) is not summary:
            problem = f"is a second summary of {topic} by {by}"
            raise InputError(problem, path=path, remedy="Keep one of them, and one evaluation per folder.")

    checked_each(add, paths)
    return summaries


def _judgements(found: _NistFiles) -> dict[Judgement, tuple[Path, int]]:
    """The judgements of systems, sorted by name, topic and system, with file and line of the first score."""
    scores: dict[tuple[str, str, str], dict[str, NistScore]] = {}
    for path, table in found.tables.items():
        for score in scores_of(path, table):
            before = scores.setdefault((score.judgement, score.topic, score.system), {})
            if first := before.get(score.annotator):
                problem = f"{score.judgement} of {score.system} for {score.topic} is there twice"
                problem += f", first in line {first.line} of {first.path.name}"
                remedy = "Keep one of them, and one evaluation per folder."
                raise InputError(problem, path=path, line=score.line, remedy=remedy)
            before[score.annotator] = score
    judgements = {}
    for name, topic, system in sorted(
        scores, key=lambda key: (JUDGEMENTS.index(key[0]), key[1], int(key[2]))
    ):
        given = list(scores[name, topic, system].values())
        mean = math.fsum(one.value for one in given) / len(given)
        judgements[Judgement(topic, system, name, mean)] = given[0].path, given[0].line
    return judgements


_PARTS = re.compile(r"<(headline|text|graphic)\b[^<>]*>(.*?)</\1\s*>", re.IGNORECASE | re.DOTALL)
_PARAGRAPH = re.compile(r"</?p\b[^<>]*>", re.IGNORECASE)
_OTHER_TAG = re.compile(r"</?[A-Za-z][^<>]*>")


def _article(path: Path) -> Section:
    """The headline and sentences of an article: from ``<TEXT>``, or else from ``<GRAPHIC>`` (a caption).

    Entities are neither declared nor expanded, but names of characters (``&amp;``) are decoded. InputError
    for an article without either, or without its end.
    """
    names.check("document", path.name, path=path)
    texts: dict[str, str] = {}
    for name, markup in _PARTS.findall(text_of(path)):
        texts[name.lower()] = texts.get(name.lower(), "") + _OTHER_TAG.sub(
            " ", _PARAGRAPH.sub("\n\n", markup)
        )
    text = texts.get("text", texts.get("graphic"))
    if text is None:
        remedy = f"Unpack it again, or remove it from {_DOCS} if it is not an article of NIST's."
        raise InputError("has no <TEXT> that ends", path=path, remedy=remedy)
    title = html.unescape(texts.get("headline", ""))
    return Section(" ".join(title.split()), tuple(sentences(html.unescape(text))))
