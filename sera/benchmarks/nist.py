"""NIST's evaluations of summaries of news: DUC 2001 to 2007 and TAC 2008 to 2011 (update and guided tasks).

docs/data.md has the files, which are read wherever they are in the folder. One with the table of an
evaluation with SEE (DUC 2001 to 2003) is read by `sera.benchmarks.nist_see`. Among the peers, files with a
letter are the humans' summaries again and are ignored. So are the rows of humans in the tables: each wrote
summaries of some topics only, and a judged system must be judged on every topic.

A topic is a set of documents: ``D0601``, or ``D0801-A`` and ``D0801-B`` where sets follow each other. Letter
case, a missing D (``311``) and a selector's letter (``D0801A-A``, ``d301i``) make no difference.

In NIST's files of DUC and TAC 2008 a line is a sentence. Those of TAC 2009 to 2011, recognised by their
tables (``manual.peer.A``), are running text, split by `sera.text.sentences`.
"""

from __future__ import annotations

import html
import math
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from sera import names
from sera.benchmarks import Benchmark, Topic, check_complete, check_complete_judgements, nist_see, topics_of
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
    systems = {judgement.system for judgement in judgements}
    return sorted(systems, key=int), list(dict.fromkeys(judgement.judgement for judgement in judgements))


def read(release: str | Path) -> list[Topic]:
    """The topics of the models, sorted; systems by number.

    A topic's source has a section for each of its articles, in order of the files' names. Its documents are
    these articles, with ids like ``D0801-A-APW_ENG_20050325.1244``. Without ``docs`` the source has no
    section and there are no documents.
    """
    if see := nist_see.find(release):
        return nist_see.read_see(see)
    files = _find(release)
    is_running_text = TABLES[SPLIT] in files.tables.values()
    faults = Faults()
    models = faults.checked(_summaries, files.models, is_running_text) or {}
    peers = faults.checked(_summaries, files.peers, is_running_text) or {}
    judgements = faults.checked(_judgements, files) or {}
    faults.raise_all()
    peers = {key: summary for key, summary in peers.items() if key[1].isdecimal()}
    topics = sorted({topic for topic, _ in [*models, *peers]})
    systems = sorted({system for _, system in peers}, key=int)
    models_there = {("model", topic) for topic, _ in models}
    check_complete(files.models[0].parent, models_there, ["model"], topics, "has no")
    peers_there = {(system, topic) for topic, system in peers}
    check_complete(files.peers[0].parent, peers_there, systems, topics, "has no summary by")
    for judgement, (path, line) in sorted(judgements.items(), key=lambda item: item[1]):
        if (judgement.topic, judgement.system) not in peers:
            problem = f"system {judgement.system} has no summary of topic {judgement.topic} among the peers"
            faults.append(InputError(problem, path=path, line=line, remedy="Add it, or remove the row."))
    faults.raise_all()
    check_complete_judgements(release, judgements)
    articles: dict[str, list[Section]] = {}
    documents: dict[str, list[Document]] = {}
    for path, topic in files.documents:
        article = _article(path)
        text = (Passage("", (" ".join(article.sentences),)),)
        articles.setdefault(topic, []).append(article)
        document = Document(f"{topic}-{path.name}", title=article.title, sections=text)
        documents.setdefault(topic, []).append(document)
    if articles:
        there = {("article", topic) for topic in articles}
        check_complete(Path(release) / _DOCS, there, ["article"], topics, "has no")
    return topics_of(
        [Source(topic, topic, sections=tuple(articles.get(topic, ()))) for topic in topics],
        [Reference(topic, letter, summary) for (topic, letter), summary in models.items()],
        [Candidate(topic, peer, peers[topic, peer]) for topic in topics for peer in systems],
        judgements,
        documents=documents,
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
    files = _NistFiles([], [], {}, [])
    for path in parts.walk(folder):
        steps = path.relative_to(folder).parts
        place = "/".join(steps[-3:-1]).lower()
        if steps[0] == _DOCS:
            if topics := [topic for part in steps[1:-1] if (topic := topic_id(part))]:
                files.documents.append((path, topics[-1]))
        elif place in ("rouge/models", "rouge/peers"):
            (files.models if place == "rouge/models" else files.peers).append(path)
        elif name := next((name for name in TABLES if fnmatchcase(path.name.lower(), name)), None):
            files.tables[path] = TABLES[name]
    model_topics = {topic_id(path.name.partition(".")[0]) for path in files.models}
    files.documents[:] = [(path, topic) for path, topic in files.documents if topic in model_topics]
    for path in files.all:
        parts.check_file(path)
    contents = {
        "ROUGE/models": files.models,
        "ROUGE/peers": files.peers,
        f"a table of scores ({', '.join(TABLES)})": files.tables,
        f"{_DOCS}/<topic>/<article>": files.documents or not (folder / _DOCS).is_dir(),
    }
    if absent := [name for name, there in contents.items() if not there]:
        raise InputError(f"lacks {', '.join(absent)}", path=folder, remedy=NIST_FROM)
    return files


def _summaries(paths: list[Path], is_running_text: bool) -> dict[tuple[str, str], tuple[str, ...]]:
    summaries: dict[tuple[str, str], tuple[str, ...]] = {}

    def add(path: Path) -> None:
        match = _NAME.fullmatch(path.name)
        topic = topic_id(match[1]) if match else None
        if match is None or topic is None:
            problem = "is not named as a summary, <topic>.M.<words>.<selector>.<summarizer>"
            raise InputError(problem, path=path, remedy="Remove it from the folder if it is not a summary.")
        text = text_of(path)
        summary = tuple(sentences(text) if is_running_text else parts.lines_of(text))
        author = system_number(match[2]) or match[2].upper()
        if not summary and author.isalpha():
            raise InputError("is empty", path=path, remedy="Unpack it again from NIST's archive.")
        if summaries.setdefault((topic, author), summary) is not summary:
            problem = f"is a second summary of {topic} by {author}"
            raise InputError(problem, path=path, remedy="Keep one of them, and one evaluation per folder.")

    checked_each(add, paths)
    return summaries


def _judgements(files: _NistFiles) -> dict[Judgement, tuple[Path, int]]:
    """The judgements of systems, sorted by name, topic and system, with file and line of the first score."""
    scores: dict[tuple[str, str, str], dict[str, NistScore]] = {}
    for path, table in files.tables.items():
        for score in scores_of(path, table):
            judges = scores.setdefault((score.judgement, score.topic, score.system), {})
            if first := judges.get(score.annotator):
                problem = f"{score.judgement} of {score.system} for {score.topic} is there twice"
                problem += f", first in line {first.line} of {first.path.name}"
                remedy = "Keep one of them, and one evaluation per folder."
                raise InputError(problem, path=path, line=score.line, remedy=remedy)
            judges[score.annotator] = score
    judgements = {}
    for name, topic, system in sorted(
        scores, key=lambda key: (JUDGEMENTS.index(key[0]), key[1], int(key[2]))
    ):
        topic_scores = list(scores[name, topic, system].values())
        mean = math.fsum(score.value for score in topic_scores) / len(topic_scores)
        judgements[Judgement(topic, system, name, mean)] = topic_scores[0].path, topic_scores[0].line
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


NIST = Benchmark(inputs=inputs, judged=judged, read=read, JUDGED=True)
