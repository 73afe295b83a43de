"""REALSumm (Bhandari et al. 2020): 100 articles of CNN and Daily Mail, 25 systems, human judgements.

The data is as released with Lite2-3Pyramid (Zhang & Bansal 2021): parallel files, whose line i is document i.
``references.txt`` marks sentences by ``<t>``; documents and summaries are tokenised, and a sentence
ends at a full stop that stands alone. ``SCUs.txt`` holds the content units of each reference, and
``labels/<system>.label`` whether each is in the system's summary.

The human judgement is ``litepyramid_recall``: the share of the units that were found in the summary.
"""

from __future__ import annotations

import re
from pathlib import Path

from sera.benchmarks import Topic, as_document
from sera.errors import InputError
from sera.records import Candidate, Judgement, Nugget, Reference, Section, Source

JUDGED = True
JUDGEMENT = "litepyramid_recall"
ANNOTATOR = "ref"  # there is one reference a document

FROM = (
    "REALSumm's files with content units are public (CC BY 4.0): the folder data/REALSumm of "
    "https://github.com/ZhangShiyue/Lite2-3Pyramid."
)
_PARALLEL = ("documents.txt", "references.txt", "SCUs.txt")


def inputs(*, release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
    """Every file that `read` reads, sorted. InputError names every file that is missing."""
    folder = Path(release)
    paths = [folder / name for name in ("ids.txt", *_PARALLEL)]
    systems = _systems(folder)
    paths += [path for system in systems for path in _of_system(folder, system)]
    if missing := [str(path.relative_to(folder)) for path in paths if not path.is_file()]:
        raise InputError(f"lacks {', '.join(missing)}", path=folder, remedy=FROM)
    if not systems:
        raise InputError("lacks summaries/*.summary", path=folder, remedy=FROM)
    if blanks := [name for name in systems if name.split() != [name]]:
        raise InputError(
            f"system {blanks[0]!r} has white space in it", path=folder, remedy="Rename its files."
        )
    return sorted(paths)


def collection(release: str | Path) -> Path | None:
    """None: it brings no documents but its own."""
    return None


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The systems that were judged, and the judgements' names."""
    return _systems(Path(release)), [JUDGEMENT]


def has_nuggets(release: str | Path) -> bool:
    """Its references' content units are marked."""
    return True


def read(*, release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full") -> list[Topic]:
    """The documents in order; a topic's id is its line, counted from 0, and an article's that of ``ids.txt``.

    ``pyramids`` and ``cleaning`` have no effect. Raises InputError as `inputs` does, and with file and line
    for files of different lengths, an empty line, and labels that are not one 0 or 1 a content unit.
    """
    inputs(release=release)
    folder = Path(release)
    ids = _lines(folder / "ids.txt")
    for number, id_ in enumerate(ids):
        if id_ in ids[:number]:
            raise InputError(f"repeats {id_}", path=folder / "ids.txt", line=number + 1)
    documents, references, units = (_lines(folder / name, len(ids)) for name in _PARALLEL)
    files = {system: _of_system(folder, system) for system in _systems(folder)}
    texts = {system: _lines(summaries, len(ids)) for system, (summaries, _) in files.items()}
    labels = {system: _lines(path, len(ids)) for system, (_, path) in files.items()}
    topics = []
    for number, id_ in enumerate(ids):
        topic = str(number)
        contents = [unit for unit in units[number].split("\t") if unit]
        source = Source(topic, id_, "", (Section("", _sentences(documents[number])),))
        topics.append(
            Topic(
                id=topic,
                source=source,
                references=(Reference(topic, ANNOTATOR, _marked(references[number])),),
                nuggets=tuple(Nugget(topic, ANNOTATOR, unit) for unit in contents),
                documents=(as_document(source),),
                candidates=tuple(
                    Candidate(topic, system, _sentences(lines[number])) for system, lines in texts.items()
                ),
                judgements=tuple(
                    Judgement(
                        topic,
                        system,
                        JUDGEMENT,
                        _share(lines[number], len(contents), files[system][1], number + 1),
                    )
                    for system, lines in labels.items()
                ),
            )
        )
    return topics


def _systems(folder: Path) -> list[str]:
    named = {path.stem for path in folder.glob("summaries/*.summary")}
    return sorted(named | {path.stem for path in folder.glob("labels/*.label")})


def _of_system(folder: Path, system: str) -> tuple[Path, Path]:
    return folder / f"summaries/{system}.summary", folder / f"labels/{system}.label"


def _lines(path: Path, expected: int | None = None) -> list[str]:
    """A file's lines; the last may lack its end."""
    lines = []
    with open(path, "rb") as stream:
        for number, line in enumerate(stream, 1):
            if not line.strip():
                raise InputError("is an empty line", path=path, line=number)
            try:
                lines.append(line.decode().strip("\r\n"))
            except UnicodeDecodeError:
                raise InputError("is not UTF-8 text", path=path, line=number) from None
    if expected is not None and len(lines) != expected:
        raise InputError(
            f"has {len(lines)} lines where ids.txt has {expected}",
            path=path,
            line=min(len(lines), expected) + 1,
            remedy="The files are parallel: line i is document i.",
        )
    return lines


def _share(labels: str, units: int, path: Path, line: int) -> float:
    values = [label for label in labels.split("\t") if label]
    if len(values) != units or not set(values) <= {"0", "1"}:
        raise InputError(
            f"has {len(values)} labels where SCUs.txt has {units} units, or one that is neither 0 nor 1",
            path=path,
            line=line,
        )
    return sum(map(int, values)) / units


def _sentences(text: str) -> tuple[str, ...]:
    """Tokenised text, cut after each full stop that is a token; white space collapsed."""
    parts = re.split(r"(?<= \.) ", " ".join(text.split()))
    return tuple(part for part in parts if part)


def _marked(text: str) -> tuple[str, ...]:
    marked = re.findall(r"<t>(.*?)</t>", text)
    return tuple(" ".join(sentence.split()) for sentence in marked) or _sentences(text)
