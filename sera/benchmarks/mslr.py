"""MSLR's judged summaries of Cochrane reviews (Wang et al. 2023): six systems, facets and preferences.

======================================  ==============================================================
``data/Annotations/*.tsv``              a file per annotator: the facets of a system's summary
``data/Pairwise/annotated_samples/*``   a file per annotator: which of two summaries is more accurate
``submissions/Cochrane/<id>.csv``       each submission's summaries; a system is its last six letters
======================================  ==============================================================

A topic is a review with a facet or a preference; its reference is the review's own conclusion (``target``).
Not every annotator judged every summary, and all six systems are judged on few of the reviews: where nobody
judged there is a gap. The reviewed studies are not in the release, so that sources are empty.

The judgements follow the release's key: ``population``, ``intervention``, ``outcome`` and ``fluency`` are 0,
1 or 2; ``direction`` and ``strength`` are 1 if the annotator gives the summary and the target the same effect
direction or strength of the claim, otherwise 0. An answer outside the key (``Other``, ``N/A``) is no
judgement, but no effect direction in both texts is the same one.
"""

from __future__ import annotations

import csv
import logging
import re
from collections.abc import Iterator
from pathlib import Path

from sera import files, names
from sera.benchmarks import Topic, plain_texts, warn_of_unjudged
from sera.benchmarks import release as parts
from sera.errors import Faults, InputError
from sera.records import Judgement, Preference

log = logging.getLogger(__name__)

JUDGED = True
RELEASE = "MSLR's judged Cochrane reviews", 358
MSLR_FROM = "Get https://github.com/allenai/mslr-annotated-dataset: sera datasets get mslr."
_QUALITIES = ("population", "intervention", "outcome", "direction", "strength", "fluency")

_FACETS = {
    "population": "Is the *population* in the generated summary the same",
    "intervention": "Is the *intervention* in the generated summary the same",
    "outcome": "Is the *outcome* in the generated summary the same",
    "fluency": "Is the generated summary fluent?",
}
_AGREEMENTS = {
    "direction": "What is the effect direction in the *{}* summary?",
    "strength": "What is the strength of the claim made in the *{}* summary?",
}
_NO_DIRECTION = "N/A: no effect direction is specified"
_PREFERENCE = "Which of A or B"
_CHOICES = {"A": "A", "B": "B", "Neither": "tie"}


def inputs(*, release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
    """The tables of annotations and preferences and the submissions, sorted; InputError if some lack."""
    found = []
    for folder, ending in _FOLDERS:
        there = parts.entries(Path(release, folder)) if parts.is_folder(Path(release, folder)) else []
        tables = [parts.check_file(path) for path in there if path.suffix == ending]
        if not tables:
            raise InputError(f"lacks {folder}/*{ending}", path=release, remedy=MSLR_FROM)
        found += tables
    return sorted(found)


_FOLDERS = (
    ("data/Annotations", ".tsv"),
    ("data/Pairwise/annotated_samples", ".tsv"),
    ("submissions/Cochrane", ".csv"),
)


def collection(release: str | Path) -> Path | None:
    """None, since the release has no reviewed studies."""
    return None


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The judged systems in order of name, and the judgements; InputError as in `read`."""
    rows = [row for path in _tables(release, 0) for _, row in _rows(path)]
    return sorted({row["ExpID"][-6:] for row in rows}), list(_QUALITIES)


def has_nuggets(release: str | Path) -> bool:
    """False: no content units are marked."""
    return False


def brings(release: str | Path) -> tuple[str, ...]:
    """Preferences, and the names of the judges."""
    return ("preferences", "judges")


def read(*, release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full") -> list[Topic]:
    """The reviews with a facet or a preference, by id.

    ``pyramids`` and ``cleaning`` have no effect. A summary is that of the submission, or else of the
    annotated table, since one submission lacks a judged review. InputError as in `inputs`, and with file and
    line for a row of another form, and for an annotated text that is not the submission's. What nobody judged
    is counted in a warning, as is a system without a summary of a topic.
    """
    inputs(release=release)
    systems, _ = judged(release)
    texts = _submissions(release, systems)
    targets: dict[str, str] = {}
    judgements: dict[str, list[Judgement]] = {}
    preferences: dict[str, list[Preference]] = {}
    faults = Faults()
    for path in _tables(release, 0):
        for line, row in _rows(path):
            try:
                review, system = row["ReviewID"], row["ExpID"][-6:]
                _same(targets, review, row["Target Summary"], "target")
                _same(texts[system], review, row["Generated Summary"], "summary")
                judgements.setdefault(review, []).extend(_judged(review, system, row, _judge(path)))
            except (KeyError, InputError) as error:
                faults.append(_wrong(path, line, error))
    for path in _tables(release, 1):
        for line, row in _rows(path):
            try:
                review = row["review_id"]
                for side in ("a", "b"):
                    _same(texts[row[f"sys_{side}"]], review, row[side.upper()], "summary")
                choice = _answer(row, _PREFERENCE).split(" ")[0]
                if choice:
                    _same(targets, review, row["target"], "target")
                    one = Preference(review, row["sys_a"], row["sys_b"], _judge(path), _CHOICES[choice])
                    preferences.setdefault(review, []).append(one)
            except (KeyError, InputError) as error:
                faults.append(_wrong(path, line, error))
    faults.raise_all()
    all_judged = [each for of in judgements.values() for each in of]
    warn_of_unjudged(all_judged, release)
    topics = sorted({*judgements, *preferences})
    for system in systems:
        if lacking := [topic for topic in topics if topic not in texts[system]]:
            log.warning(
                "%s: %s has no summary of %d of %d reviews", release, system, len(lacking), len(topics)
            )
    return [
        plain_texts.topic(
            names.check("topic", topic),
            (),
            {"review": targets[topic]},
            {system: texts[system][topic] for system in systems if topic in texts[system]},
            judgements=judgements.get(topic, ()),
            preferences=preferences.get(topic, ()),
        )
        for topic in topics
    ]


def _tables(release: str | Path, number: int) -> list[Path]:
    folder, ending = _FOLDERS[number]
    return [path for path in parts.entries(Path(release, folder)) if path.suffix == ending]


def _judge(path: Path) -> str:
    """The annotator in a file's name, such as A3 in "sample2 - A3 - Sheet1.tsv"."""
    found = re.search(r"\bA\d+\b", path.name)
    if not found:
        raise InputError("names no annotator, such as A1", path=path, remedy=MSLR_FROM)
    return found[0]


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table by column, each with the number of its last line."""
    lines = (line + "\n" for _, line in files.lines(path))
    reader = csv.DictReader(lines, delimiter="," if path.suffix == ".csv" else "\t")
    try:
        for row in reader:
            yield reader.line_num, {str(name): text or "" for name, text in row.items() if name is not None}
    except csv.Error as error:
        raise InputError(f"is no table: {error}", path=path, line=reader.line_num, remedy=MSLR_FROM) from None


def _submissions(release: str | Path, systems: list[str]) -> dict[str, dict[str, str]]:
    """Each system's summaries by review."""
    found: dict[str, dict[str, str]] = {system: {} for system in systems}
    for path in _tables(release, 2):
        if path.stem[-6:] in found:
            for line, row in _rows(path):
                try:
                    found[path.stem[-6:]][row["ReviewID"]] = row["Generated"]
                except KeyError as error:
                    raise _wrong(path, line, error) from None
    return found


def _same(texts: dict[str, str], review: str, text: str, what: str) -> None:
    """Keep a review's text; InputError if another one is there. White space does not count."""
    if texts.setdefault(review, text).split() != text.split():
        raise InputError(f"has another {what} of {review} than the files before it")


def _judged(review: str, system: str, row: dict[str, str], judge: str) -> Iterator[Judgement]:
    for name, question in _FACETS.items():
        if (answer := _answer(row, question))[:1] in ("0", "1", "2"):
            yield Judgement(review, system, name, float(answer[0]), judge)
    for name, question in _AGREEMENTS.items():
        target, generated = (
            _key(name, _answer(row, question.format(side))) for side in ("target", "generated")
        )
        if target and generated:
            yield Judgement(review, system, name, float(target == generated), judge)


def _key(name: str, answer: str) -> str:
    """The value of an answer on direction or strength in the key; empty if it has none."""
    if name == "direction" and answer.startswith(_NO_DIRECTION):
        return "none"
    value = answer.partition(":")[0]
    return value if value in ("(+1)", "(-1)", "0", "1", "2", "3") else ""


def _answer(row: dict[str, str], question: str) -> str:
    """The answer to the question that begins so; KeyError if there is none."""
    for column, answer in row.items():
        if column.startswith(question):
            return answer.strip()
    raise KeyError(question)


def _wrong(path: Path, line: int, error: Exception) -> InputError:
    problem = error.problem if isinstance(error, InputError) else f"has no usable {error}"
    return InputError(problem, path=path, line=line, remedy=MSLR_FROM)
