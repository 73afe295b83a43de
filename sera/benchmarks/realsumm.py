"""REALSumm (Bhandari et al. 2020): 100 articles of CNN and Daily Mail, 25 systems, human judgements.

The data is as released with Lite2-3Pyramid (Zhang & Bansal 2021), as is PyrXSum's (docs/data.md): parallel
files, where line i is document i. ``references.txt`` marks sentences by ``<t>``; documents and summaries are
tokenised, and a sentence ends at a full stop that is a token. The human judgement is ``litepyramid_recall``,
0 to 1: the share of the content units that are found in the summary.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from sera import names
from sera.benchmarks import Benchmark, Topic, topics_of
from sera.benchmarks import release as parts
from sera.benchmarks.plain_pickle import read_plain
from sera.benchmarks.released_metrics import released_metrics
from sera.errors import Faults, InputError
from sera.io import files
from sera.io.fields import Fields
from sera.io.records import Candidate, GivenScore, Judgement, Nugget, Reference, Section, Source

_Part = TypeVar("_Part")

JUDGEMENT = "litepyramid_recall"
ANNOTATOR = "ref"  # a document has one reference

REALSUMM_FROM = (
    "Get REALSumm with its content units (public, CC BY 4.0): the folder data/REALSumm of "
    "https://github.com/ZhangShiyue/Lite2-3Pyramid."
)
_SCORES = "realsumm_scores/scores_dicts"
_SPLITS = ("abs", "ext")  # abstractive and extractive systems


@dataclass(frozen=True)
class RealSumm(Benchmark):
    """A release in these parallel files; ``RELEASE`` as in `Benchmark`."""

    RELEASE: tuple[str, int]
    JUDGED = True

    def inputs(self, release: str | Path) -> list[Path]:
        folder = Path(release)
        file_names = ["ids.txt", "documents.txt", "references.txt", "SCUs.txt"]
        for system in _systems(folder) or ["*"]:
            file_names += [f"summaries/{system}.summary", f"labels/{system}.label"]
        file_names += [f"{_SCORES}/{split}.pkl" for split in _SPLITS if self.brings(folder)]
        return sorted(parts.required(folder, file_names, REALSUMM_FROM))

    def judged(self, release: str | Path) -> tuple[list[str], list[str]]:
        return _systems(Path(release)), [JUDGEMENT]

    def has_nuggets(self, release: str | Path) -> bool:
        return True

    def brings(self, release: str | Path) -> tuple[str, ...]:
        return ("given",) if Path(release, _SCORES).is_dir() else ()

    def read(self, release: str | Path) -> list[Topic]:
        """The documents in order: a topic's id is its line, from 0, an article's id that of ``ids.txt``.

        InputError for files that are not parallel, and as in `inputs`.
        """
        self.inputs(release)
        folder, faults = Path(release), Faults()
        ids = _ids(folder / "ids.txt")

        def parse_file(name: str, parse: Callable[[str], _Part]) -> list[_Part]:
            return faults.checked(_parse_file, folder / name, parse, len(ids)) or []

        documents = parse_file("documents.txt", _sentences)
        references = parse_file("references.txt", _reference_sentences)
        units = parse_file("SCUs.txt", _units)
        texts = {system: parse_file(f"summaries/{system}.summary", _sentences) for system in _systems(folder)}
        labels = {system: faults.checked(_labels, folder, system, units) or [] for system in texts if units}
        faults.raise_all()
        topics = [*map(str, range(len(ids)))]
        return topics_of(
            [
                Source(topic, id_, "", (Section("", text),))
                for topic, id_, text in zip(topics, ids, documents, strict=True)
            ],
            [Reference(topic, ANNOTATOR, text) for topic, text in zip(topics, references, strict=True)],
            [
                Nugget(topic, ANNOTATOR, unit)
                for topic, own in zip(topics, units, strict=True)
                for unit in own
            ],
            [
                Candidate(topic, system, text)
                for system, own in texts.items()
                for topic, text in zip(topics, own, strict=True)
            ],
            [
                Judgement(topic, system, JUDGEMENT, sum(present) / len(present))
                for system, own in labels.items()
                for topic, present in zip(topics, own, strict=True)
            ],
            read_given(folder) if self.brings(folder) else (),
        )


def read_given(release: str | Path) -> Iterator[GivenScore]:
    """The released scores; a document has the same number as its line in the other files."""
    for split in _SPLITS:
        path = Path(release, _SCORES, f"{split}.pkl")
        for number, document in Fields(read_plain(path), path).values.items():
            summaries = Fields(document, path, within=f"document {number}").nested("system_summaries")
            for file in summaries.values:
                scores = summaries.nested(file).nested("scores")
                for metric in released_metrics("realsumm"):
                    system = f"{split}_{file.removesuffix('.txt')}"
                    yield GivenScore(str(number), system, metric.metric, scores.number(metric.field))


def read_labels(release: str | Path) -> dict[tuple[str, str], tuple[bool, ...]]:
    """Which units are in which summary by the annotators, by (topic, system), in the order of the nuggets."""
    REALSUMM.inputs(release)
    folder = Path(release)
    units = _parse_file(folder / "SCUs.txt", _units)
    return {
        (str(topic), system): present
        for system in _systems(folder)
        for topic, present in enumerate(_labels(folder, system, units))
    }


def _systems(folder: Path) -> list[str]:
    systems = set()
    for kind, suffix in (("summaries", ".summary"), ("labels", ".label")):
        for path in parts.entries(folder / kind) if parts.is_folder(folder / kind) else ():
            if path.suffix == suffix:
                systems.add(names.check("system", path.stem, path=path))
    return sorted(systems)


def _ids(path: Path) -> list[str]:
    numbers: dict[str, int] = {}
    for number, line in _lines(path):
        if numbers.setdefault(names.check("id", line, path=path, line=number), number) != number:
            raise InputError(f"repeats the id {line}", path=path, line=number, remedy=REALSUMM_FROM)
    return list(numbers)


def _lines(path: Path, line_count: int | None = None) -> list[tuple[int, str]]:
    """A file's lines with their numbers; InputError for an empty line and for another number of lines."""
    lines = [(number, line.strip("\r")) for number, line in files.lines(path)]
    if empty := [number for number, line in lines if not line.strip()]:
        raise InputError("is an empty line", path=path, line=empty[0], remedy=REALSUMM_FROM)
    if line_count is not None and len(lines) != line_count:
        problem = f"has {len(lines)} lines where ids.txt has {line_count}"
        raise InputError(problem, path=path, remedy="Make the files parallel: line i is document i.")
    return lines


def _parse_file(path: Path, parse: Callable[[str], _Part], length: int | None = None) -> list[_Part]:
    lines = _lines(path, length)
    return [part for _, part in parts.each_parsed(path, lines, parse, REALSUMM_FROM)]


def _units(line: str) -> list[str]:
    return [unit for unit in line.split("\t") if unit]


def _labels(folder: Path, system: str, units: Sequence[list[str]]) -> list[tuple[bool, ...]]:
    """Which of the content units of each line the labels of a system say are there."""
    lengths = map(len, units)

    def parse(line: str) -> tuple[bool, ...]:
        values, number = _units(line), next(lengths)
        if len(values) != number or not set(values) <= {"0", "1"}:
            problem = f"has {len(values)} labels where SCUs.txt has {number} units"
            raise InputError(f"{problem}, or one that is neither 0 nor 1")
        return tuple(value == "1" for value in values)

    return _parse_file(folder / f"labels/{system}.label", parse, len(units))


def _sentences(text: str) -> tuple[str, ...]:
    """The sentences of tokenised text, cut after each full stop that is a token; white space collapsed."""
    return tuple(part for part in re.split(r"(?<= \.) ", " ".join(text.split())) if part)


def _reference_sentences(text: str) -> tuple[str, ...]:
    """The sentences of a reference: marked by ``<t>`` and ``</t>``, or else cut as those of a summary."""
    if "<t>" not in text and "</t>" not in text:
        return _sentences(text)
    head, *pieces = text.split("<t>")
    pieces_and_rest = [piece.partition("</t>") for piece in pieces]
    if head.strip() or any(not end or rest.strip() for _, end, rest in pieces_and_rest):
        raise InputError("has text outside of <t> and </t>, or one of them without the other")
    return tuple(" ".join(sentence.split()) for sentence, _, _ in pieces_and_rest)


REALSUMM, PYRXSUM = RealSumm(("REALSumm", 100)), RealSumm(("PyrXSum", 100))
