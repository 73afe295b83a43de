"""A benchmark of the user's own: a folder of records.

=================  ==========================================================================
candidates.jsonl   ``topic``, ``system``, ``sentences``: a summary of every topic by every system
references.jsonl   ``topic``, ``annotator``, ``sentences``
sources.jsonl      ``topic``, ``id``, ``title``, ``sentences`` or ``sections``
judgements.tsv     ``topic``, ``system``, ``judgement``, ``score``
nuggets.jsonl      if there are any: ``topic``, ``annotator``, ``text``; Pyramid needs them
documents.jsonl    if there is one: the collection that SERA searches, ``id``, ``text``
=================  ==========================================================================

Any file may be compressed (``.jsonl.gz``, ``.tsv.gz``). A judgement may leave out whole topics and whole
systems, but it must cover each of its systems on each of its topics. Systems without judgements are scored,
and correlations leave them out. Without ``documents.jsonl`` SERA searches the sources themselves, unless
packages of articles are named (the setting ``pmc_oa``). ``human.tsv``, the former name of
``judgements.tsv``, is read if that is absent.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from sera.benchmarks import Topic, as_document, check_complete, check_complete_judgements, warn_of_equal
from sera.errors import MOST_FAULTS, InputError, together
from sera.metrics import family_of, is_metric
from sera.metrics.scoring import read_judgements
from sera.records import Candidate, Judgement, Nugget, Reference, Source, numbered

log = logging.getLogger(__name__)

JUDGED = True
NEEDED = {
    "candidates.jsonl": "topic, system, sentences",
    "references.jsonl": "topic, annotator, sentences",
    "sources.jsonl": "topic, id, sentences",
    "judgements.tsv": "topic, system, judgement, score",
}
FORMER = {"judgements.tsv": "human.tsv"}
"""Names that files had, by their names now."""

_Record = TypeVar("_Record", Candidate, Reference, Source, Nugget)


def inputs(*, release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
    """All files that `read` reads, in order of name.

    InputError names all missing files, or a file that exists twice: plain and compressed, or under its former
    name too.
    """
    folder = Path(release)
    found = {name: _file(folder, name) for name in (*NEEDED, "nuggets.jsonl")}
    if missing := [f"{name} ({fields})" for name, fields in NEEDED.items() if not found[name]]:
        raise InputError(
            f"lacks {', '.join(missing)}",
            path=folder,
            remedy="Add them as docs/own-data.md describes.",
        )
    return sorted(path for path in found.values() if path)


def collection(release: str | Path) -> Path | None:
    """The file of the documents that SERA searches; None if the folder has none."""
    return _file(Path(release), "documents.jsonl")


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The judged systems, and the names of the judgements.

    InputError as in `read_judgements`, and if a judgement has the name of a metric that is scored.
    """
    inputs(release=release)
    path = _path(Path(release), "judgements.tsv")
    table = read_judgements(path)
    names = list(table["judgement"].unique())
    scored = [name for name in names if is_metric(name)]
    if taken := [name for name in scored if family_of(name) != "Pyramid" or has_nuggets(release)]:
        raise InputError(
            f"the judgement {taken[0]} has the name of a metric", path=path, remedy="Rename the judgement."
        )
    return list(table["system"].unique()), names


def has_nuggets(release: str | Path) -> bool:
    """Whether the content units of the references are marked."""
    return _file(Path(release), "nuggets.jsonl") is not None


def read(*, release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full") -> list[Topic]:
    """Read the topics, in the order of the sources; ``pyramids`` and ``cleaning`` have no effect.

    InputError names file and line, up to ten per file, of a repeated record, a candidate, reference or nugget
    whose topic has no source, a reference without words, and a judgement without a candidate. It names the
    file for a topic without a reference, a system without a summary of a topic, and a summary that a
    judgement left out. Empty summaries and articles, equal references and repeated nuggets are logged as
    warnings.
    """
    inputs(release=release)
    folder = Path(release)
    sources = {source.topic: source for source in _unique(folder, "sources", Source, "topic")}
    topics = list(sources)
    candidates = list(_unique(folder, "candidates", Candidate, "topic", "system", among=sources))
    references = list(_unique(folder, "references", Reference, "topic", "annotator", among=sources))
    nuggets = list(_unique(folder, "nuggets", Nugget, among=sources)) if has_nuggets(folder) else []
    warn_of_equal(references, _path(folder, "references.jsonl"))
    check_complete(
        _path(folder, "references.jsonl"),
        {("reference", r.topic) for r in references},
        ["reference"],
        topics,
        "has no",
    )
    systems = list(dict.fromkeys(candidate.system for candidate in candidates))
    check_complete(
        _path(folder, "candidates.jsonl"),
        {(candidate.system, candidate.topic) for candidate in candidates},
        systems,
        topics,
        "has no summary by",
    )
    judged_in = _path(folder, "judgements.tsv")
    if judged_in.name.startswith(FORMER["judgements.tsv"]):
        log.warning("%s: judgements are now read from judgements.tsv; rename the file", judged_in)
    judgements = _judgements(judged_in, systems, topics)
    parts = {
        "references": _by_topic(references),
        "nuggets": _by_topic(nuggets),
        "candidates": _by_topic(candidates),
        "judgements": _by_topic(judgements),
    }
    return [
        Topic(
            id=topic,
            source=sources[topic],
            documents=(as_document(sources[topic]),),
            **{name: by_topic.get(topic, ()) for name, by_topic in parts.items()},
        )
        for topic in topics
    ]


def _judgements(path: Path, systems: list[str], topics: list[str]) -> list[Judgement]:
    table = read_judgements(path)
    for column, known in (("system", systems), ("topic", topics)):
        strangers = table[~table[column].isin(known)][column]
        if fault := together(
            InputError(
                f"{column} {name!r} is in none of the candidates",
                path=path,
                line=int(line),
                remedy="Add its summaries, or remove its judgements.",
            )
            for line, name in strangers[: MOST_FAULTS + 1].items()
        ):
            raise fault
    judgements = [
        Judgement(*row) for row in table[["topic", "system", "judgement", "score"]].itertuples(index=False)
    ]
    check_complete_judgements(path, judgements)
    return judgements


def _file(folder: Path, name: str) -> Path | None:
    """The file of a name, plain or compressed, or of its former name; InputError if several are there."""
    names = [name, FORMER[name]] if name in FORMER else [name]
    paths = [folder / f"{each}{ending}" for each in names for ending in ("", ".gz")]
    found = [path for path in paths if path.is_file()]
    if len(found) > 1:
        raise InputError(f"is there, and so is {found[1].name}", path=found[0], remedy="Keep one of them.")
    return found[0] if found else None


def _path(folder: Path, name: str) -> Path:
    found = _file(folder, name)
    assert found is not None
    return found


def _unique(
    folder: Path, kind: str, record: type[_Record], *key: str, among: Iterable[str] | None = None
) -> Iterable[_Record]:
    """The records of a file, each key once and all topics in ``among``.

    Without a key, a record that repeats another is kept, with a warning. InputError for other faults, with up
    to ten lines.
    """
    path = _path(folder, f"{kind}.jsonl")
    first: dict[Any, int] = {}
    faults: list[InputError] = []
    for line, each in numbered(path, record):
        values = tuple(getattr(each, name) for name in key)
        before = first.setdefault(values or each, line)
        problem = ""
        if among is not None and each.topic not in among:
            problem = f"topic {each.topic!r} has no source"
        elif before != line and values:
            problem = f"{' of '.join(map(repr, reversed(values)))} stands twice, first in line {before}"
        elif isinstance(each, Reference) and _is_empty(each):
            problem = f"the reference of topic {each.topic!r} by {each.annotator!r} is empty"
        elif before != line:
            log.warning("%s, line %d: stands twice, first in line %d", path, line, before)
        elif not isinstance(each, Nugget) and _is_empty(each):
            log.warning("%s, line %d: has no word", path, line)
        if not problem:
            yield each
            continue
        faults.append(InputError(problem, path=path, line=line, remedy="Correct the record, or remove it."))
        if len(faults) > MOST_FAULTS:
            break
    if fault := together(faults):
        raise fault


def _is_empty(each: Candidate | Reference | Source) -> bool:
    return not any(map(str.strip, each.sentences))


def _by_topic(things: Iterable[Any]) -> dict[str, tuple[Any, ...]]:
    grouped: dict[str, list[Any]] = {}
    for thing in things:
        grouped.setdefault(thing.topic, []).append(thing)
    return {topic: tuple(group) for topic, group in grouped.items()}
