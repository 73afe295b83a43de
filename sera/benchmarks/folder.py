"""A benchmark of the user's own: a folder of records.

=================  ==========================================================================
references.jsonl   ``topic``, ``annotator``, ``sentences``
sources.jsonl      ``topic``, ``id``, ``title``, ``sentences`` or ``sections``
candidates.jsonl   if there are any: ``topic``, ``system``, ``sentences``: a summary of every
                   topic by every system
judgements.tsv     if there are any: ``topic``, ``system``, ``judgement``, ``score``; and ``judge``
                   if the judges are known
preferences.tsv    if there are any: ``topic``, ``system_a``, ``system_b``, ``judge``, ``preference``
given.tsv          if there are scores by other metrics: ``topic``, ``system``, ``metric``, ``score``
falling.txt        if for some judgements or given metrics lower is better: their names, one a line
nuggets.jsonl      if there are any: ``topic``, ``annotator``, ``text``; Pyramid needs them
documents.jsonl    if there is one: the collection that SERA searches, ``id``, ``text``
=================  ==========================================================================

Any file may be compressed (``.jsonl.gz``, ``.tsv.gz``). A judgement may leave out whole topics and whole
systems, but it must cover each of its systems on each of its topics, unless the file names the judges: then
not each judge need have judged all, and what no judge judged is counted in a warning. Systems without
judgements are scored, and correlations leave them out.

Without ``judgements.tsv``, Pyramid judges if there are nuggets, and otherwise nothing is correlated. Without
``candidates.jsonl``, the summarizers of the settings write the summaries. Without ``documents.jsonl``, SERA
searches the sources themselves, unless articles are named (the setting ``pmc_oa``).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from itertools import islice
from math import nan
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sera.benchmarks import (
    Topic,
    check_complete,
    check_complete_judgements,
    topics_of,
    turned,
    warn_of_equal,
    warn_of_unjudged,
)
from sera.errors import Faults, InputError, together
from sera.io import tsv
from sera.io.files import lines
from sera.io.records import (
    Candidate,
    Document,
    GivenScore,
    Judgement,
    Nugget,
    Preference,
    Reference,
    Source,
    each_line,
)
from sera.io.scores import (
    JUDGE,
    JUDGEMENT_COLUMNS,
    read_choices,
    read_given,
    read_judgements,
    read_judges,
)

if TYPE_CHECKING:
    import pandas as pd

log = logging.getLogger(__name__)

JUDGED = True
LACKS = ("citances",)
NEEDED = {
    "references.jsonl": "topic, annotator, sentences",
    "sources.jsonl": "topic, id, sentences",
}
OF_SYSTEMS = {
    "candidates.jsonl": "topic, system, sentences",
    "judgements.tsv": "topic, system, judgement, score",
}
"""Files that may be absent; with the second, the first is needed."""
BESIDE = {"preferences": "preferences.tsv", "given": "given.tsv"}
"""What the topics may have besides judgements, and its file."""
FALLING_NAMES = "falling.txt"

_OTHERS: tuple[tuple[str, Callable[[Path], pd.DataFrame], type], ...] = (
    (BESIDE["preferences"], read_choices, Preference),
    (BESIDE["given"], read_given, GivenScore),
)
"""The tables that may be there besides judgements, with their readers and records."""

_Record = TypeVar("_Record", Candidate, Reference, Source, Nugget)
_Found = TypeVar("_Found")


def inputs(*, release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
    """All files that `read` reads, in order of name.

    One InputError names all missing files, and each file that is there both plain and compressed.
    """
    folder = Path(release)
    known = (*NEEDED, *OF_SYSTEMS, "nuggets.jsonl", *BESIDE.values(), FALLING_NAMES)
    found = {name: _files(folder, name) for name in known}
    faults = Faults()
    for name in found:
        faults.checked(_file, folder, name)
    of_systems = any(found[name] for name in ("judgements.tsv", *BESIDE.values()))
    needed = NEEDED | ({"candidates.jsonl": OF_SYSTEMS["candidates.jsonl"]} if of_systems else {})
    read = {path for paths in found.values() for path in paths}
    others = sorted(path.name for path in folder.glob("*.tsv*") if path not in read)
    if not found["judgements.tsv"] and others:
        fault = InputError(
            f"lacks judgements.tsv, but holds {others[0]}",
            path=folder,
            remedy="Rename it, or take it out of the folder if there are no judgements.",
        )
        faults.append(fault)
    if missing := [_missing(folder, name, fields) for name, fields in needed.items() if not found[name]]:
        fault = InputError(
            f"lacks {', '.join(missing)}",
            path=folder,
            remedy="Add them as docs/own-data.md describes.",
        )
        faults.append(fault)
    faults.raise_all()
    return sorted(path for paths in found.values() for path in paths)


def _missing(folder: Path, name: str, fields: str) -> str:
    """A missing file with its fields, and the file that may be it under another ending."""
    start = name.partition(".")[0] + "."
    others = sorted(path.name for path in folder.iterdir() if path.name.startswith(start))
    return f"{name} ({fields}{f'; {others[0]} is there' if others else ''})"


def collection(release: str | Path) -> Path | None:
    """The file of the documents that SERA searches; None if the folder has none."""
    return _file(Path(release), "documents.jsonl")


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The judged systems, and the names of the judgements.

    Without judgements these are all systems of the candidates, if there are any, and no name. InputError as
    in `read_judgements`, and if a judgement has the name of a metric that is scored.
    """
    inputs(release=release)
    return judged_systems(Path(release))


def judged_systems(folder: Path) -> tuple[list[str], list[str]]:
    """As `judged`, for a folder that has the other records in another form."""
    if path := _file(folder, "judgements.tsv"):
        table = read_judgements(path)
        return list(table["system"].unique()), list(table["judgement"].unique())
    if _file(folder, "candidates.jsonl") is None:
        return [], []
    summaries = _records(folder, "candidates", Candidate, ("topic", "system"), None)
    return list(dict.fromkeys(each.system for each in summaries)), []


def judged_summaries(folder: Path, topics: Mapping[str, Any]) -> tuple[list[Candidate], list[Judgement]]:
    """The candidates of these topics and their judgements, if there are any; InputError as in `read`."""
    if _file(folder, "candidates.jsonl") is None:
        return [], []
    faults = Faults()
    candidates = faults.checked(_records, folder, "candidates", Candidate, ("topic", "system"), topics) or []
    faults.checked(_check_candidates, folder, candidates, topics)
    judgements = (faults.checked(_judgements, folder) or []) if _file(folder, "judgements.tsv") else []
    if judgements:
        faults.checked(_check_judged, folder, judgements, candidates)
    faults.raise_all()
    return candidates, [each for _, each in judgements]


def has_nuggets(release: str | Path) -> bool:
    """Whether the content units of the references are marked."""
    return _file(Path(release), "nuggets.jsonl") is not None


def brings(release: str | Path) -> tuple[str, ...]:
    """Which of preferences, given scores and the names of several judges the folder has."""
    found = [kind for kind, name in BESIDE.items() if _file(Path(release), name)]
    if path := _file(Path(release), "judgements.tsv"):
        named = read_judges(path).query("judge != ''")
        if (named.groupby("judgement")["judge"].nunique() > 1).any():
            found.append("judges")
    return tuple(found)


def check(release: str | Path) -> None:
    """InputError as of `read`, and for a wrong record among the first thousand of ``documents.jsonl``."""
    faults = Faults()
    faults.checked(read, release=release)
    if path := faults.checked(collection, release):
        lines = islice(each_line(path, Document), _LOOKED_AT)
        wrong = together(each for _, each in lines if isinstance(each, InputError))
        if wrong:
            faults.append(wrong)
    faults.raise_all()


_LOOKED_AT = 1000  # documents: there may be millions, and the index's job reads them all


def read(*, release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full") -> list[Topic]:
    """Read the topics, in the order of the sources; ``pyramids`` and ``cleaning`` have no effect.

    One InputError names the faults of all files, with file and line, up to ten per file: a repeated record, a
    candidate, reference or nugget whose topic has no source, a reference without words, and a judgement
    without a candidate. It names the file for a topic without a reference, a system without a summary of a
    topic, and a summary that a judgement left out. Empty summaries and articles, equal references and
    repeated nuggets are logged as warnings.
    """
    folder = Path(release)
    faults = Faults()
    checked = faults.checked
    checked(inputs, release=release)

    def there(name: str) -> bool:
        return len(_files(folder, name)) == 1  # `inputs` refuses the others

    def records(kind: str, *arguments: Any) -> Any:
        return checked(_records, folder, kind, *arguments) if there(f"{kind}.jsonl") else []

    articles = records("sources", Source, ("topic",), None) or None
    sources = None if articles is None else {source.topic: source for source in articles}
    candidates = records("candidates", Candidate, ("topic", "system"), sources)
    references = records("references", Reference, ("topic", "annotator"), sources)
    nuggets = records("nuggets", Nugget, (), sources)
    judgements = checked(_judgements, folder) if there("judgements.tsv") else []
    beside: dict[str, list[tuple[int, Any]]] = {}
    for name, read_table, record in _OTHERS:
        if there(name) and (table := checked(read_table, _path(folder, name))) is not None:
            beside[name] = _numbered(table, record)
    if references:
        checked(_check_references, folder, references, sources)
    if candidates:
        checked(_check_candidates, folder, candidates, sources)
    if judgements:
        checked(_check_judged, folder, judgements, candidates or ())
    elif judgements is None:  # its names may be right where its scores are not
        checked(_check_known, _path(folder, "judgements.tsv"), _judged_names(folder), candidates or ())
    for name, numbered in beside.items():
        checked(_check_known, _path(folder, name), numbered, candidates or ())
    given = [each for _, each in beside.get(BESIDE["given"], ())]
    all_of = [each for _, each in judgements or ()]
    falling = checked(_falling, folder, {each.judgement for each in all_of} | {each.metric for each in given})
    faults.raise_all()
    assert sources and references
    assert candidates is not None and nuggets is not None and falling is not None
    return topics_of(
        sources.values(),
        references=references,
        nuggets=nuggets,
        candidates=candidates,
        judgements=turned(all_of, falling),
        preferences=(each for _, each in beside.get(BESIDE["preferences"], ())),
        given=turned(given, falling),
    )


def _check_references(
    folder: Path, references: list[Reference], sources: Mapping[str, Source] | None
) -> None:
    path = _path(folder, "references.jsonl")
    warn_of_equal(references, path)
    if sources is not None:
        there = {("reference", each.topic) for each in references}
        check_complete(path, there, ["reference"], list(sources), "has no")


def _check_candidates(folder: Path, candidates: list[Candidate], sources: Mapping[str, Any] | None) -> None:
    topics = dict.fromkeys(each.topic for each in candidates) if sources is None else sources
    systems = dict.fromkeys(each.system for each in candidates)
    there = {(each.system, each.topic) for each in candidates}
    check_complete(_path(folder, "candidates.jsonl"), there, systems, list(topics), "has no summary by")


def _judgements(folder: Path) -> list[tuple[int, Judgement]]:
    """The judgements, each with the number of its line; InputError as of `judged`."""
    path = _path(folder, "judgements.tsv")
    return _numbered(read_judges(path)[["topic", "system", "judgement", "score", JUDGE]], Judgement)


def _falling(folder: Path, known: Container[str]) -> set[str]:
    """The judgements and given metrics for which lower is better; InputError for a name that is neither."""
    path = _file(folder, FALLING_NAMES)
    if path is None:
        return set()
    named = {line.strip(): number for number, line in lines(path) if line.strip()}
    for name, number in named.items():
        if name not in known:
            problem = f"{name!r} is neither a judgement nor a given metric"
            remedy = "Write the names of the tables, one a line."
            raise InputError(problem, path=path, line=number, remedy=remedy)
    log.info("%s: turned, so that higher is better: %s", path, ", ".join(named))
    return set(named)


def _numbered(table: pd.DataFrame, record: type[_Found]) -> list[tuple[int, _Found]]:
    """The rows of a table as records, each with the number of its line."""
    return [(int(line), record(*row)) for line, *row in table.itertuples(name=None)]


def _check_judged(
    folder: Path, judgements: list[tuple[int, Judgement]], candidates: Iterable[Candidate]
) -> None:
    """InputError for judgements of a system or a topic without a candidate, or else for missing ones."""
    path = _path(folder, "judgements.tsv")
    _check_known(path, judgements, candidates)
    all_of = [each for _, each in judgements]
    if any(each.judge for each in all_of):
        warn_of_unjudged(all_of, path)
    else:
        check_complete_judgements(path, all_of)


def _judged_names(folder: Path) -> list[tuple[int, Judgement]]:
    """The judgements without their scores, each with the number of its line; none if they cannot be read."""
    try:
        table = tsv.read(_path(folder, "judgements.tsv"), JUDGEMENT_COLUMNS)
    except InputError:  # `_judgements` has raised it
        return []
    return _numbered(table[JUDGEMENT_COLUMNS[:-1]].assign(score=nan), Judgement)


def _check_known(path: Path, numbered: Iterable[tuple[int, Any]], candidates: Iterable[Candidate]) -> None:
    """InputError for records of a system or a topic without a candidate."""
    known = {name: {getattr(each, name) for each in candidates} for name in ("system", "topic")}
    faults = Faults(
        InputError(
            f"{field.partition('_')[0]} {getattr(each, field)!r} is in none of the candidates",
            path=path,
            line=line,
            remedy=f"Add its summaries, or remove its {path.name.partition('.')[0]}.",
        )
        for line, each in numbered
        for field in ("system", "system_a", "system_b", "topic")
        if field in vars(each)
        and (names := known[field.partition("_")[0]])
        and getattr(each, field) not in names
    )
    faults.raise_all()


def _file(folder: Path, name: str) -> Path | None:
    """The file of a name, plain or compressed; InputError if both are there."""
    found = _files(folder, name)
    if len(found) > 1:
        raise InputError(f"is there, and so is {found[1].name}", path=found[0], remedy="Keep one of them.")
    return found[0] if found else None


def _files(folder: Path, name: str) -> list[Path]:
    """The files of a name, plain and compressed."""
    return [path for ending in ("", ".gz") if (path := folder / f"{name}{ending}").is_file()]


def _path(folder: Path, name: str) -> Path:
    found = _file(folder, name)
    assert found is not None
    return found


def _records(
    folder: Path, kind: str, record: type[_Record], key: tuple[str, ...], among: Collection[str] | None
) -> list[_Record]:
    """The records of a file, each key once and all topics in ``among``.

    Without a key, a record that repeats another is kept, with a warning. InputError for other faults, with up
    to ten lines.
    """
    path = _path(folder, f"{kind}.jsonl")
    first: dict[Any, int] = {}
    records: list[_Record] = []
    faults = Faults()
    for line, each in each_line(path, record):
        if isinstance(each, InputError):
            faults.append(each)
            continue
        values = tuple(getattr(each, name) for name in key)
        before = first.setdefault(values or each, line)
        problem = ""
        if among is not None and each.topic not in among:
            problem = f"topic {each.topic!r} has no source"
        elif before != line and values:
            problem = f"{' of '.join(map(repr, reversed(values)))} is there twice, first in line {before}"
        elif isinstance(each, Reference) and _is_empty(each):
            problem = f"the reference of topic {each.topic!r} by {each.annotator!r} is empty"
        elif before != line:
            log.warning("%s, line %d: is there twice, first in line %d", path, line, before)
        elif not isinstance(each, Nugget) and _is_empty(each):
            log.warning("%s, line %d: has no word", path, line)
        if problem:
            remedy = "Correct the record, or remove it."
            faults.append(InputError(problem, path=path, line=line, remedy=remedy))
        else:
            records.append(each)
    faults.raise_all()
    if not records and record is not Nugget:
        raise InputError("holds no record", path=path, remedy="Add the records, one JSON object a line.")
    return records


def _is_empty(each: Candidate | Reference | Source) -> bool:
    return not any(map(str.strip, each.sentences))
