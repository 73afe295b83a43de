"""MSLR's judged summaries of Cochrane reviews (Wang et al. 2023): six systems, facets and preferences.

A file of annotations or of preferences is of one annotator. A system is the last six letters of a
submission's name. A topic is a review with a facet or a preference; its reference is the review's own
conclusion (``target``). The reviewed studies are not in the release, so that sources are empty.

The judgements follow the release's key: ``population``, ``intervention``, ``outcome`` and ``fluency`` are 0,
1 or 2; ``direction`` and ``strength`` are 1 if the annotator gives the summary and the target the same effect
direction or strength of the claim, otherwise 0. An answer outside the key (``Other``, ``N/A``) does not count
as a judgement, but two texts without an effect direction agree.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from sera import names
from sera.benchmarks import Benchmark, Topic, warn_of_unjudged, with_records
from sera.benchmarks import release as parts
from sera.errors import Faults, InputError
from sera.io.fields import Fields, Once, read_rows
from sera.io.records import Judgement, Preference

ORIGIN = "Get https://github.com/allenai/mslr-annotated-dataset: sera datasets get mslr."
_ANNOTATIONS = "data/Annotations", ".tsv"
_CHOSEN = "data/Pairwise/annotated_samples", ".tsv"
_SUBMISSIONS = "submissions/Cochrane", ".csv"

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
_ANNOTATED = ("ExpID", "ReviewID", "Target Summary", "Generated Summary")
_COMPARED = ("review_id", "target", "sys_a", "A", "sys_b", "B")
_SUBMITTED = ("ReviewID", "Generated")


class Mslr(Benchmark):
    """The judged reviews."""

    JUDGED = True
    BRINGS = "preferences", "judges"
    RELEASE = "MSLR's judged Cochrane reviews", 358

    def inputs(self, release: str | Path) -> list[Path]:
        paths = []
        for folder, ending in (_ANNOTATIONS, _CHOSEN, _SUBMISSIONS):
            tables = _tables(release, folder, ending) if parts.is_folder(Path(release, folder)) else []
            if not tables:
                raise InputError(f"lacks {folder}/*{ending}", path=release, remedy=ORIGIN)
            paths += tables
        return sorted(map(parts.check_file, paths))

    def judged(self, release: str | Path) -> tuple[list[str], list[str]]:
        rows = (
            row for path in _tables(release, *_ANNOTATIONS) for row in read_rows(path, _ANNOTATED, ORIGIN)
        )
        systems = {names.check("system", row.text("ExpID")[-6:], path=row.path) for row in rows}
        return sorted(systems), ["population", "intervention", "outcome", "direction", "strength", "fluency"]

    def read(self, release: str | Path) -> list[Topic]:
        """The reviews with a facet or a preference, by id.

        A summary is that of the submission, or else of the annotated table, since one submission lacks a
        judged review. What nobody judged is counted in a warning.
        """
        self.inputs(release=release)
        systems, _ = self.judged(release)
        reader, faults = _Reader(release, systems), Faults()
        judgements: list[Judgement] = []
        preferences: list[Preference] = []
        for path in _tables(release, *_ANNOTATIONS):
            for row in read_rows(path, _ANNOTATED, ORIGIN):
                judgements += faults.checked(reader.read_annotation, row) or ()
        for path in _tables(release, *_CHOSEN):
            for row in read_rows(path, _COMPARED, ORIGIN):
                preferences += faults.checked(reader.read_preference, row) or ()
        faults.raise_all()
        warn_of_unjudged(judgements, release)
        topics = [
            parts.topic(
                names.check("topic", review),
                (),
                {"review": target},
                {system: texts[review] for system, texts in reader.texts.items() if review in texts},
            )
            for review, target in sorted(reader.targets.items())
        ]
        return with_records(topics, judgements, preferences)


class _Reader:
    """Reads the rows of judges, and keeps the texts in them: a review's target, and systems' summaries."""

    def __init__(self, release: str | Path, systems: list[str]) -> None:
        self.once = Once()
        self.targets: dict[str, str] = {}
        self.texts: dict[str, dict[str, str]] = {system: {} for system in systems}
        for path in _tables(release, *_SUBMISSIONS):
            if (system := path.stem[-6:]) in self.texts:
                for row in read_rows(path, _SUBMITTED, ORIGIN):
                    review = row.text("ReviewID")
                    self.once.check((system, review), row, f"summary of {review} by {system}")
                    self.texts[system][review] = row.text("Generated")

    def read_annotation(self, row: Fields) -> list[Judgement]:
        """The judgements in a row."""
        review, system, judge = row.text("ReviewID"), row.text("ExpID")[-6:], _judge(row)
        self.once.check((review, system, judge), row, f"annotation of {system} of {review} by {judge}")
        self.targets.setdefault(review, row.text("Target Summary"))
        self.texts[system].setdefault(review, row.text("Generated Summary"))
        return [Judgement(review, system, name, score, judge) for name, score in _answers(row)]

    def read_preference(self, row: Fields) -> list[Preference]:
        """The preference in a row, if it has an answer."""
        review, pair = row.text("review_id"), (row.text("sys_a"), row.text("sys_b"))
        judge = _judge(row)
        what = f"choice of {pair[0]} and {pair[1]} by {judge}"
        self.once.check((review, frozenset(pair), judge), row, what)
        for system, column in zip(pair, "AB", strict=True):
            if system not in self.texts:
                raise row.fault(f"has the system {system[:40]!r}, which nobody annotated")
            self.texts[system].setdefault(review, row.text(column))
        choice = _answer(row, _PREFERENCE).split(" ")[0]
        if not choice:
            return []
        if choice not in _CHOICES:
            raise row.fault(f"has the answer {choice[:40]!r}, not one of {', '.join(_CHOICES)}")
        self.targets.setdefault(review, row.text("target"))
        return [Preference(review, *pair, judge, _CHOICES[choice])]


def _tables(release: str | Path, folder: str, ending: str) -> list[Path]:
    return [path for path in parts.entries(Path(release, folder)) if path.suffix == ending]


def _judge(row: Fields) -> str:
    """The annotator in the name of the row's file, such as A3 in "sample2 - A3 - Sheet1.tsv"."""
    match = re.search(r"\bA\d+\b", Path(row.path).name)
    if not match:
        raise InputError("names no annotator, such as A1", path=row.path, remedy=ORIGIN)
    return match[0]


def _answers(row: Fields) -> Iterator[tuple[str, float]]:
    """The judgements with their scores."""
    for name, question in _FACETS.items():
        if (answer := _answer(row, question))[:1] in ("0", "1", "2"):
            yield name, float(answer[0])
    for name, question in _AGREEMENTS.items():
        target, output = (_key(name, _answer(row, question.format(side))) for side in ("target", "generated"))
        if target and output:
            yield name, float(target == output)


def _key(name: str, answer: str) -> str:
    """The value of an answer on direction or strength in the key; empty if it has none."""
    if name == "direction" and answer.startswith(_NO_DIRECTION):
        return "none"
    value = answer.partition(":")[0]
    return value if value in ("(+1)", "(-1)", "0", "1", "2", "3") else ""


def _answer(row: Fields, question: str) -> str:
    for column in row.values:
        if column.startswith(question):
            return row.text(column).strip()
    raise row.fault(f"has no column that begins with {question!r}")


MSLR = Mslr()
