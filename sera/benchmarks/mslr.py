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
direction or strength of the claim, otherwise 0. An answer outside the key (``Other``, ``N/A``) does
not count as a judgement, but two texts without an effect direction agree.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from sera import names
from sera.benchmarks import Topic, warn_of_unjudged
from sera.benchmarks import release as parts
from sera.errors import Faults, InputError
from sera.io.fields import Fields, Once, read_rows
from sera.io.records import Judgement, Preference

JUDGED = True
BRINGS = "preferences", "judges"
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
_ANNOTATED = ("ExpID", "ReviewID", "Target Summary", "Generated Summary")
_COMPARED = ("review_id", "target", "sys_a", "A", "sys_b", "B")
_SUBMITTED = ("ReviewID", "Generated")


def inputs(release: str | Path) -> list[Path]:
    """The tables of annotations and preferences and the submissions, sorted; InputError if some lack."""
    paths = []
    for number, (folder, ending) in enumerate(_FOLDERS):
        tables = _tables(release, number) if parts.is_folder(Path(release, folder)) else []
        if not tables:
            raise InputError(f"lacks {folder}/*{ending}", path=release, remedy=MSLR_FROM)
        paths += tables
    return sorted(map(parts.check_file, paths))


_FOLDERS = (
    ("data/Annotations", ".tsv"),
    ("data/Pairwise/annotated_samples", ".tsv"),
    ("submissions/Cochrane", ".csv"),
)


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The judged systems in order of name, and the judgements; InputError as in `read`."""
    rows = (row for path in _tables(release, 0) for row in read_rows(path, _ANNOTATED, MSLR_FROM))
    systems = {names.check("system", row.text("ExpID")[-6:], path=row.path) for row in rows}
    return sorted(systems), list(_QUALITIES)


def read(release: str | Path) -> list[Topic]:
    """The reviews with a facet or a preference, by id.

    A summary is that of the submission, or else of the annotated table, since one submission lacks a judged
    review. InputError as in `inputs`, and with file and line for a row of another form. What nobody judged is
    counted in a warning.
    """
    inputs(release=release)
    systems, _ = judged(release)
    texts = _submissions(release, systems)
    targets: dict[str, str] = {}
    judgements: dict[str, list[Judgement]] = {}
    preferences: dict[str, list[Preference]] = {}
    faults, once = Faults(), Once()
    for path in _tables(release, 0):
        for row in read_rows(path, _ANNOTATED, MSLR_FROM):
            row_judgements = faults.checked(_read_annotation, row, _judge(path), once, targets, texts)
            judgements.setdefault(row.text("ReviewID"), []).extend(row_judgements or ())
    for path in _tables(release, 1):
        for row in read_rows(path, _COMPARED, MSLR_FROM):
            if one := faults.checked(_read_preference, row, _judge(path), once, targets, texts):
                preferences.setdefault(one.topic, []).append(one)
    faults.raise_all()
    warn_of_unjudged(
        [each for review_judgements in judgements.values() for each in review_judgements], release
    )
    topics = sorted({*judgements, *preferences})
    return [
        parts.topic(
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
    match = re.search(r"\bA\d+\b", path.name)
    if not match:
        raise InputError("names no annotator, such as A1", path=path, remedy=MSLR_FROM)
    return match[0]


def _submissions(release: str | Path, systems: list[str]) -> dict[str, dict[str, str]]:
    """Each system's summaries by review."""
    once = Once()
    summaries: dict[str, dict[str, str]] = {system: {} for system in systems}
    for path in _tables(release, 2):
        if (system := path.stem[-6:]) in summaries:
            for row in read_rows(path, _SUBMITTED, MSLR_FROM):
                review = row.text("ReviewID")
                once.check((system, review), row, f"summary of {review} by {system}")
                summaries[system][review] = row.text("Generated")
    return summaries


def _read_annotation(
    row: Fields, judge: str, once: Once, targets: dict[str, str], texts: dict[str, dict[str, str]]
) -> list[Judgement]:
    review, system = row.text("ReviewID"), row.text("ExpID")[-6:]
    once.check((review, system, judge), row, f"annotation of {system} of {review} by {judge}")
    targets.setdefault(review, row.text("Target Summary"))
    texts[system].setdefault(review, row.text("Generated Summary"))
    return list(_read_judgements(review, system, row, judge))


def _read_preference(
    row: Fields, judge: str, once: Once, targets: dict[str, str], texts: dict[str, dict[str, str]]
) -> Preference | None:
    review, one, other = (row.text(name) for name in ("review_id", "sys_a", "sys_b"))
    once.check((review, frozenset((one, other)), judge), row, f"choice of {one} and {other} by {judge}")
    for system, column in ((one, "A"), (other, "B")):
        if system not in texts:
            raise row.fault(f"has the system {system[:40]!r}, which nobody annotated")
        texts[system].setdefault(review, row.text(column))
    choice = _answer(row, _PREFERENCE).split(" ")[0]
    if not choice:
        return None
    if choice not in _CHOICES:
        raise row.fault(f"has the answer {choice[:40]!r}, not one of {', '.join(_CHOICES)}")
    targets.setdefault(review, row.text("target"))
    return Preference(review, one, other, judge, _CHOICES[choice])


def _read_judgements(review: str, system: str, row: Fields, judge: str) -> Iterator[Judgement]:
    for name, question in _FACETS.items():
        if (answer := _answer(row, question))[:1] in ("0", "1", "2"):
            yield Judgement(review, system, name, float(answer[0]), judge)
    for name, question in _AGREEMENTS.items():
        target, output = (_key(name, _answer(row, question.format(side))) for side in ("target", "generated"))
        if target and output:
            yield Judgement(review, system, name, float(target == output), judge)


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
