"""REALSumm (Bhandari et al. 2020): 100 articles of CNN and Daily Mail, 25 systems, human judgements.

The data is as released with Lite2-3Pyramid (Zhang & Bansal 2021): parallel files, where line i is document i.
``references.txt`` marks sentences by ``<t>``; documents and summaries are tokenised, and a sentence ends at a
full stop that is a token. ``SCUs.txt`` holds the content units of each reference, and
``labels/<system>.label`` says which of them are in the system's summary.

The human judgement is ``litepyramid_recall``, 0 to 1: the share of the units found in the summary.

``realsumm_scores/scores_dicts``, if it is there, has the scores of other metrics as released with REALSumm.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TypeVar

from sera import names
from sera.benchmarks import Topic, topics_of
from sera.benchmarks import release as parts
from sera.benchmarks.plain_pickle import read_plain
from sera.benchmarks.released_metrics import released_metrics
from sera.errors import Faults, InputError
from sera.io import files
from sera.io.fields import Fields
from sera.io.records import Candidate, GivenScore, Judgement, Nugget, Reference, Section, Source

log = logging.getLogger(__name__)

_Part = TypeVar("_Part")

JUDGED = True
RELEASE = "REALSumm", 100
JUDGEMENT = "litepyramid_recall"
ANNOTATOR = "ref"  # a document has one reference

REALSUMM_FROM = (
    "Get REALSumm with its content units (public, CC BY 4.0): the folder data/REALSumm of "
    "https://github.com/ZhangShiyue/Lite2-3Pyramid."
)
_PARALLEL = ("documents.txt", "references.txt", "SCUs.txt")
_SCORES = "realsumm_scores/scores_dicts"
_SPLITS = ("abs", "ext")  # abstractive and extractive systems


def inputs(release: str | Path) -> list[Path]:
    """All files that `read` reads, sorted.

    InputError names all missing files, a link, folder or pipe in place of a file, and a system with an
    invalid name.
    """
    folder = Path(release)
    systems = _systems(folder)
    of_systems = [str(path.relative_to(folder)) for each in systems for path in _of_system(folder, each)]
    if not systems:
        of_systems = ["summaries/*.summary"]
    scores = [f"{_SCORES}/{split}.pkl" for split in _SPLITS if brings(folder)]
    return sorted(parts.required(folder, ["ids.txt", *_PARALLEL, *of_systems, *scores], REALSUMM_FROM))


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The judged systems, and the names of the judgements."""
    return _systems(Path(release)), [JUDGEMENT]


def has_nuggets(release: str | Path) -> bool:
    """True, since the content units of the references are marked."""
    return True


def brings(release: str | Path) -> tuple[str, ...]:
    """Scores by other metrics, where their folder is."""
    return ("given",) if Path(release, _SCORES).is_dir() else ()


def read(release: str | Path) -> list[Topic]:
    """Read the documents in order: a topic's id is its line, from 0, an article's id that of ``ids.txt``.

    InputError as in `inputs`, and with file and line, up to ten
    in all, for files of different lengths, an empty line, an invalid or repeated id, a reference with text
    outside its marks, and labels that are not one 0 or 1 per content unit. A content unit that is repeated in
    a line is logged as a warning.
    """
    inputs(release=release)
    folder = Path(release)
    ids = _ids(folder / "ids.txt")
    faults = Faults()
    documents, references, units = (faults.checked(_lines, folder / name, len(ids)) for name in _PARALLEL)
    marked = faults.checked(_each, folder / "references.txt", references or [], _marked)
    contents = [[unit for unit in line.split("\t") if unit] for line in units or []]
    _warn_of_repeated(folder / "SCUs.txt", contents)
    texts: dict[str, list[str]] = {}
    scores: dict[str, list[float]] = {}
    for system in _systems(folder):
        summaries, labels = _of_system(folder, system)
        texts[system] = faults.checked(_lines, summaries, len(ids)) or []
        lines = faults.checked(_lines, labels, len(ids))
        if lines is not None and units is not None:
            presences = faults.checked(_presences_of, labels, lines, contents) or []
            scores[system] = [sum(found) / len(found) for found in presences]
    faults.raise_all()
    topics = [*map(str, range(len(ids)))]
    return topics_of(
        (
            Source(topic, id_, "", (Section("", _sentences(text)),))
            for topic, id_, text in zip(topics, ids, documents or [], strict=True)
        ),
        references=(
            Reference(topic, ANNOTATOR, text) for topic, text in zip(topics, marked or [], strict=True)
        ),
        nuggets=(
            Nugget(topic, ANNOTATOR, unit)
            for topic, units in zip(topics, contents, strict=True)
            for unit in units
        ),
        candidates=(
            Candidate(topic, system, _sentences(line))
            for system, lines in texts.items()
            for topic, line in zip(topics, lines, strict=True)
        ),
        judgements=(
            Judgement(topic, system, JUDGEMENT, share)
            for system, shares in scores.items()
            for topic, share in zip(topics, shares, strict=True)
        ),
        given=_given(folder) if brings(folder) else (),
    )


def _given(folder: Path) -> Iterator[GivenScore]:
    """The released scores; a document has the same number as its line in the other files."""
    for split in _SPLITS:
        path = folder / _SCORES / f"{split}.pkl"
        for number, document in read_plain(path).items():
            summaries = Fields(document, path, within=f"document {number}").nested("system_summaries")
            for file in summaries.values:
                scores = summaries.nested(file).nested("scores")
                for each in released_metrics("realsumm"):
                    system = f"{split}_{file.removesuffix('.txt')}"
                    yield GivenScore(str(number), system, each.metric, scores.number(each.field))


def read_labels(release: str | Path) -> dict[tuple[str, str], tuple[bool, ...]]:
    """Which units are in which summary by the annotators, by (topic, system), in the order of the nuggets.

    Raises InputError as `read` does.
    """
    inputs(release=release)
    folder = Path(release)
    contents = [[unit for unit in line.split("\t") if unit] for line in _lines(folder / "SCUs.txt")]
    found: dict[tuple[str, str], tuple[bool, ...]] = {}
    for system in _systems(folder):
        path = _of_system(folder, system)[1]
        of_topics = _presences_of(path, _lines(path, len(contents)), contents)
        found |= {(str(topic), system): presences for topic, presences in enumerate(of_topics)}
    return found


def _systems(folder: Path) -> list[str]:
    """The systems with summaries or labels, in order of name; InputError for an invalid name."""
    found = set()
    for kind, suffix in (("summaries", ".summary"), ("labels", ".label")):
        for path in parts.entries(folder / kind) if parts.is_folder(folder / kind) else ():
            if path.suffix == suffix:
                found.add(names.check("system", path.stem, path=path))
    return sorted(found)


def _of_system(folder: Path, system: str) -> tuple[Path, Path]:
    return folder / f"summaries/{system}.summary", folder / f"labels/{system}.label"


def _ids(path: Path) -> list[str]:
    ids = _lines(path)
    first: dict[str, int] = {}
    for number, id_ in enumerate(ids, 1):
        names.check("id", id_, path=path, line=number)
        if first.setdefault(id_, number) != number:
            raise InputError(f"repeats the id {id_}", path=path, line=number, remedy=REALSUMM_FROM)
    return ids


def _lines(path: Path, expected: int | None = None) -> list[str]:
    """A file's lines, without a byte order mark; the last may lack its line end."""
    lines = []
    for number, line in files.lines(path):
        line = line.strip("\r")
        if number == 1:
            line = line.removeprefix("\ufeff")
        if not line.strip():
            raise InputError("is an empty line", path=path, line=number, remedy=REALSUMM_FROM)
        lines.append(line)
    if expected is not None and len(lines) != expected:
        problem = f"has {len(lines)} lines where ids.txt has {expected}"
        remedy = "Make the files parallel: line i is document i."
        raise InputError(problem, path=path, line=min(len(lines), expected) + 1, remedy=remedy)
    return lines


def _each(path: Path, lines: list[str], parse: Callable[[str], _Part]) -> list[_Part]:
    return [part for _, part in parts.each_parsed(path, enumerate(lines, 1), parse, REALSUMM_FROM)]


def _warn_of_repeated(path: Path, contents: list[list[str]]) -> None:
    for number, units in enumerate(contents, 1):
        if len(set(units)) < len(units):
            twice = next(unit for place, unit in enumerate(units) if unit in units[:place])
            log.warning("%s, line %d: the content unit %r is there twice", path, number, twice[:60])


def _presences_of(path: Path, lines: list[str], contents: list[list[str]]) -> list[tuple[bool, ...]]:
    """Which of the content units of each line its labels say are there."""
    units = map(len, contents)

    def presences(labels: str) -> tuple[bool, ...]:
        values, wanted = [label for label in labels.split("\t") if label], next(units)
        if len(values) != wanted or not set(values) <= {"0", "1"}:
            problem = f"has {len(values)} labels where SCUs.txt has {wanted} units"
            raise InputError(f"{problem}, or one that is neither 0 nor 1")
        return tuple(value == "1" for value in values)

    return _each(path, lines, presences)


def _sentences(text: str) -> tuple[str, ...]:
    """The sentences of tokenised text, cut after each full stop that is a token; white space collapsed."""
    return tuple(part for part in re.split(r"(?<= \.) ", " ".join(text.split())) if part)


def _marked(text: str) -> tuple[str, ...]:
    """The sentences of a reference: marked by ``<t>`` and ``</t>``, or else cut as those of a summary."""
    if "<t>" not in text and "</t>" not in text:
        return _sentences(text)
    before, *pieces = text.split("<t>")
    marked = [piece.partition("</t>") for piece in pieces]
    if before.strip() or any(not end or rest.strip() for _, end, rest in marked):
        raise InputError("has text outside of <t> and </t>, or one of them without the other")
    return tuple(" ".join(sentence.split()) for sentence, _, _ in marked)


# PyrXSum, of the same authors, has the same files for 100 articles of the BBC and ten systems.
PYRXSUM = SimpleNamespace(
    **{"JUDGED": JUDGED, "RELEASE": ("PyrXSum", 100), "inputs": inputs, "judged": judged},
    **{"has_nuggets": has_nuggets, "brings": brings, "read": read},
)
