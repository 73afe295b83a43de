"""A benchmark of the user's own: a folder of records.

docs/own-data.md lists its files, which may be compressed (``.jsonl.gz``, ``.tsv.gz``), and what replaces a
missing one. Where ``judgements.tsv`` names the judges, not each of them need have judged all, and
what no judge judged is counted in a warning. Systems without judgements are scored, and correlations leave
them out.
"""

import logging
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import astuple
from itertools import islice
from pathlib import Path
from typing import Any

from sera.benchmarks import (
    Benchmark,
    Topic,
    as_document,
    check_complete,
    check_complete_judgements,
    reverse_scores,
    topics_of,
    warn_of_equal,
    warn_of_unjudged,
)
from sera.errors import Faults, InputError, together
from sera.io import records, scores
from sera.io.files import lines
from sera.io.folders import writing_folder
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
from sera.io.scores import JUDGE, read_choices, read_given, read_judgements, read_judges
from sera.names import check_forms

log = logging.getLogger(__name__)

_RECORDS: dict[str, tuple[Any, tuple[str, ...]]] = {
    "sources.jsonl": (Source, ("topic",)),
    "references.jsonl": (Reference, ("topic", "annotator")),
    "candidates.jsonl": (Candidate, ("topic", "system")),
    "nuggets.jsonl": (Nugget, ()),
}
"""The files of records, with the fields that together occur once."""
_TABLES: dict[str, tuple[Any, Any]] = {
    "judgements.tsv": (read_judges, Judgement),
    "preferences.tsv": (read_choices, Preference),
    "given.tsv": (read_given, GivenScore),
}
"""The tables, with their readers and records."""


def inputs(release: str | Path) -> list[Path]:
    """All files that `read` reads, in order of name.

    InputError names all missing files, and a file that is there both plain and compressed.
    """
    paths = _files(release)
    names = ["references.jsonl", "sources.jsonl", *(["candidates.jsonl"] if _TABLES.keys() & paths else [])]
    faults = Faults()
    others = {path.name for path in Path(release).glob("*.tsv*")} - {path.name for path in paths.values()}
    if "judgements.tsv" not in paths and others:
        problem = f"lacks judgements.tsv, but holds {min(others)}"
        remedy = "Rename it, or take it out of the folder if there are no judgements."
        faults.append(InputError(problem, path=release, remedy=remedy))
    if absent := [name for name in names if name not in paths]:
        remedy = "Add them as docs/own-data.md describes."
        faults.append(InputError(f"lacks {', '.join(absent)}", path=release, remedy=remedy))
    faults.raise_all()
    return sorted(paths.values())


def _files(release: str | Path) -> dict[str, Path]:
    """The files by name, plain or compressed; InputError for one that is there in both forms."""
    paths: dict[str, Path] = {}
    for name in (*_RECORDS, *_TABLES, "documents.jsonl", "falling.txt"):
        for path in (Path(release, name), Path(release, f"{name}.gz")):
            if path.is_file() and paths.setdefault(name, path) != path:
                raise InputError(f"is there, and so is {path.name}", path=paths[name], remedy="Keep one.")
    return paths


def collection(release: str | Path) -> Path | None:
    """The file of the documents that SERA searches; None if the folder has none."""
    return _files(release).get("documents.jsonl")


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The judged systems, and the names of the judgements; InputError as in `read_judgements`.

    Without judgements these are all systems of the candidates, if there are any, and no name.
    """
    paths = _files(release)
    if "judgements.tsv" in paths:
        table = read_judgements(paths["judgements.tsv"])
        return list(table["system"].unique()), list(table["judgement"].unique())
    candidates = _records(paths, "candidates.jsonl", None)
    return list(dict.fromkeys(candidate.system for candidate in candidates)), []


def has_nuggets(release: str | Path) -> bool:
    """Whether the content units of the references are marked."""
    return "nuggets.jsonl" in _files(release)


def brings(release: str | Path) -> tuple[str, ...]:
    """Which of preferences, given scores and the names of several judges the folder has."""
    files = _files(release)
    kinds = [kind for kind in ("preferences", "given") if f"{kind}.tsv" in files]
    if "judgements.tsv" in files:
        judges = read_judges(files["judgements.tsv"]).query("judge != ''")
        if (judges.groupby("judgement")[JUDGE].nunique() > 1).any():
            kinds.append("judges")
    return tuple(kinds)


def check(release: str | Path) -> None:
    """InputError as of `read`, and for a wrong record among the first thousand of ``documents.jsonl``."""
    faults = Faults()
    faults.checked(read, release)
    if path := collection(release):  # there may be millions, and the index's job reads them all
        records = islice(each_line(path, Document), 1000)
        if wrong := together(each for _, each in records if isinstance(each, InputError)):
            faults.append(wrong)
    faults.raise_all()


def read(release: str | Path) -> list[Topic]:
    """Read the topics, in the order of the sources.

    One InputError names the faults of all files, with file and line, up to ten per file: a repeated record, a
    candidate, reference or nugget whose topic has no source, a reference without words, and a judgement
    without a candidate. It names the file for a topic without a reference, a system without a summary of a
    topic, and a summary that a judgement left out. Empty summaries and articles, equal references and
    repeated nuggets are logged as warnings.
    """
    paths, faults = _files(release), Faults()
    verify = faults.checked
    verify(inputs, release)
    sources = verify(_records, paths, "sources.jsonl", None) or []
    topics = [source.topic for source in sources] or None
    references = verify(_records, paths, "references.jsonl", topics) or []
    if references and topics:
        there = {("reference", reference.topic) for reference in references}
        verify(check_complete, paths["references.jsonl"], there, ["reference"], topics, "has no")
        warn_of_equal(references, paths["references.jsonl"])
    nuggets = verify(_records, paths, "nuggets.jsonl", topics) or []
    candidates, judgements = verify(judged_summaries, release, topics) or ([], [])
    preferences, given_scores = (
        verify(_rows, paths, f"{kind}.tsv", candidates) or [] for kind in ("preferences", "given")
    )
    scales = {judgement.judgement for judgement in judgements} | {score.metric for score in given_scores}
    lower_is_better = verify(_read_falling, paths, scales) or ()
    faults.raise_all()
    return topics_of(
        sources,
        references,
        nuggets,
        candidates,
        reverse_scores(judgements, lower_is_better),
        preferences,
        reverse_scores(given_scores, lower_is_better),
    )


def write(folder: str | Path, topics: Sequence[Topic]) -> None:
    """Write topics as a folder that `read` reads, complete or not at all; it must be new or empty.

    Documents are written if they are more than the articles.
    """
    import pandas as pd  # slow to import

    content: dict[str, list[Any]] = {
        kind: [record for topic in topics for record in getattr(topic, kind)]
        for kind in ("references", "candidates", "nuggets", "judgements", "preferences", "given", "documents")
    }
    content["sources"] = [topic.source for topic in topics]
    if content["documents"] == [as_document(source) for source in content["sources"]]:
        del content["documents"]
    with writing_folder(folder, replaces="benchmark") as target:
        for kind, each in content.items():
            if f"{kind}.tsv" not in _TABLES and each:
                records.write(target / f"{kind}.jsonl", each)
        if content["judgements"]:
            scores.write_judgements(target / "judgements.tsv", content["judgements"])
        if content["preferences"]:
            scores.write_choices(target / "preferences.tsv", content["preferences"])
        if content["given"]:
            table = pd.DataFrame(map(astuple, content["given"]), columns=scores.SCORE_COLUMNS)
            scores.write_scores(target / "given.tsv", table)


def judged_summaries(
    release: str | Path, topics: Collection[str] | None
) -> tuple[list[Candidate], list[Judgement]]:
    """The candidates of these topics and their judgements, if there are any; InputError as in `read`."""
    paths, faults = _files(release), Faults()
    candidates = faults.checked(_records, paths, "candidates.jsonl", topics) or []
    if candidates:
        there = {(candidate.system, candidate.topic) for candidate in candidates}
        systems, all_topics = (list(dict.fromkeys(pair[part] for pair in sorted(there))) for part in (0, 1))
        path = paths["candidates.jsonl"]
        faults.checked(check_complete, path, there, systems, list(topics or all_topics), "has no summary by")
    judgements = faults.checked(_rows, paths, "judgements.tsv", candidates) or []
    if any(judgement.judge for judgement in judgements):
        warn_of_unjudged(judgements, paths["judgements.tsv"])
    elif judgements:
        faults.checked(check_complete_judgements, paths["judgements.tsv"], judgements)
    faults.raise_all()
    return candidates, judgements


def _read_falling(paths: dict[str, Path], scales: Container[str]) -> set[str]:
    """The judgements and given metrics for which lower is better; InputError for a name that is neither."""
    path = paths.get("falling.txt")
    numbers = {line.strip(): number for number, line in lines(path) if line.strip()} if path else {}
    for name, number in numbers.items():
        if name not in scales:
            problem = f"{name!r} is neither a judgement nor a given metric"
            remedy = "Write the names of the tables, one a line."
            raise InputError(problem, path=path, line=number, remedy=remedy)
    if numbers:
        log.info("%s: turned, so that higher is better: %s", path, ", ".join(numbers))
    return set(numbers)


def _rows(paths: dict[str, Path], name: str, candidates: Iterable[Candidate]) -> list[Any]:
    """The records of a table, if it is there; InputError for a system or a topic without a candidate."""
    if name not in paths:
        return []
    read_table, record = _TABLES[name]
    table = read_table(paths[name])
    if name == "judgements.tsv":
        table = table[["topic", "system", "judgement", "score", JUDGE]]
    faults = Faults()
    for column in table.columns.intersection(["topic", "system", "system_a", "system_b"]):
        kind = column.partition("_")[0]
        known = {getattr(candidate, kind) for candidate in candidates}
        check_forms(kind, table[column].unique(), known, path=paths[name])
        unknown = table.loc[~table[column].isin(known), column] if known else table[column][:0]
        for line, value in unknown.items():
            remedy = f"Add its summaries, or remove its {name.partition('.')[0]}."
            problem = f"{kind} {value!r} is in none of the candidates"
            faults.append(InputError(problem, path=paths[name], line=line, remedy=remedy))
    faults.raise_all()
    return [record(*row) for row in table.itertuples(index=False, name=None)]


def _records(paths: dict[str, Path], name: str, topics: Collection[str] | None) -> list[Any]:
    """The records of a file, if it is there: each key once, and all of ``topics``.

    Without a key, a record that repeats another is kept, with a warning. InputError for other faults, with up
    to ten lines.
    """
    if name not in paths:
        return []
    path, (record, key) = paths[name], _RECORDS[name]
    topic_set = None if topics is None else set(topics)
    first: dict[Any, int] = {}
    records: list[Any] = []
    faults = Faults()
    for line, found in each_line(path, record):
        if isinstance(found, InputError):
            faults.append(found)
            continue
        values = tuple(getattr(found, field) for field in key)
        first_line = first.setdefault(values or found, line)
        is_empty = not isinstance(found, Nugget) and not any(map(str.strip, found.sentences))
        problem = ""
        if topic_set is not None and found.topic not in topic_set:
            problem = f"topic {found.topic!r} has no source"
        elif first_line != line and values:
            problem = f"{' of '.join(map(repr, reversed(values)))} is there twice, first in line {first_line}"
        elif is_empty and isinstance(found, Reference):
            problem = f"the reference of topic {found.topic!r} by {found.annotator!r} is empty"
        elif first_line != line:
            log.warning("%s, line %d: is there twice, first in line %d", path, line, first_line)
        elif is_empty:
            log.warning("%s, line %d: has no word", path, line)
        if problem:
            faults.append(
                InputError(problem, path=path, line=line, remedy="Correct the record, or remove it.")
            )
        records.append(found)
    check_forms("topic", (found.topic for found in records), topics or (), path=path)
    faults.raise_all()
    if not records and record is not Nugget:
        raise InputError("holds no record", path=path, remedy="Add the records, one JSON object a line.")
    return records


FOLDER = Benchmark(
    inputs=inputs,
    collection=collection,
    judged=judged,
    has_nuggets=has_nuggets,
    brings=brings,
    check=check,
    read=read,
    JUDGED=True,
    LACKS=("citances",),
)
