"""SciTLDR (Cachola et al. 2020): papers with summaries of one sentence, and no human judgements.

The data is as released: ``SciTLDR-Data/SciTLDR-A/<split>.jsonl`` has one paper a line, with ``paper_id``,
``title``, ``source`` (the sentences of the abstract) and ``target`` (the summaries: the first by an author,
the others from reviews). ``SciTLDR-AIC`` has abstract, introduction and conclusion as ``source``, and
``SciTLDR-FullText`` the whole paper. The topics are the papers of the test split, on which Cachola et al.
and ROUGE-K's paper evaluate; `splits` has those of the other splits too.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sera import names
from sera.benchmarks import Topic, as_document
from sera.benchmarks import release as parts
from sera.errors import Faults, InputError
from sera.io import files
from sera.io.records import Reference, Section, Source
from sera.settings import shown

JUDGED = False
LACKS = "nuggets", "citances"
RELEASE = "SciTLDR's test split", 618
SPLITS = ("train", "dev", "test")
STUDIED_SPLIT = "test"  # whose papers are the topics

SCITLDR_FROM = (
    "Get SciTLDR (public, Apache-2.0): https://github.com/allenai/scitldr, and name its folder, which has "
    "SciTLDR-Data/SciTLDR-A in it."
)


def inputs(*, release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
    """The files of the splits, sorted; InputError if that of the test split is missing, or for a link."""
    found = {split: path for split in SPLITS if (path := _file(release, split)).exists() or path.is_symlink()}
    if STUDIED_SPLIT not in found:
        raise InputError(f"lacks SciTLDR's {STUDIED_SPLIT}.jsonl", path=release, remedy=SCITLDR_FROM)
    return sorted(map(parts.check_file, found.values()))


def read(*, release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full") -> list[Topic]:
    """The papers of the test split in the order of the file: a topic's and an article's id is ``paper_id``.

    ``pyramids`` and ``cleaning`` have no effect. The annotators are ``author``, ``review_1`` and so on.
    InputError as in `inputs`, and with file and line, up to ten, for a line that is no paper of this
    form, a repeated paper, and a paper without a sentence or a summary.
    """
    inputs(release=release)
    return _papers(_file(release, STUDIED_SPLIT))


def splits(*, release: str | Path) -> Iterator[tuple[str, list[Topic]]]:
    """The name and the papers of each split whose file is there; InputError as in `read`."""
    there = inputs(release=release)
    for split in SPLITS:
        if (path := _file(release, split)) in there:
            yield split, _papers(path)


def of_input(release: str | Path, kind: str = "A") -> Path:
    """The folder of the input ``A``, ``AIC`` or ``FullText``: in the release, or the one in its place."""
    inside = Path(release, "SciTLDR-Data")
    return inside / f"SciTLDR-{kind}" if inside.is_dir() else Path(release)


def _file(release: str | Path, split: str) -> Path:
    return of_input(release) / f"{split}.jsonl"


def _papers(path: Path) -> list[Topic]:
    papers: list[Topic] = []
    faults = Faults()
    first: dict[str, int] = {}
    for number, line in files.lines(path):
        try:
            paper = _paper(files.parse_json(line))
            if first.setdefault(paper.id, number) != number:
                raise InputError(f"repeats the paper of line {first[paper.id]}", remedy=SCITLDR_FROM)
            papers.append(paper)
        except InputError as error:
            faults.append(InputError(error.problem, path=path, line=number, remedy=error.remedy))
    faults.raise_all()
    if not papers:
        raise InputError("holds no paper", path=path, remedy=SCITLDR_FROM)
    return papers


def _paper(entry: Any) -> Topic:
    entry = entry if isinstance(entry, dict) else {}
    for name, kind in (("paper_id", str), ("title", str), ("source", list), ("target", list)):
        value = entry.get(name)
        texts = value if isinstance(value, list) else [value]
        if not isinstance(value, kind) or not all(isinstance(text, str) for text in texts):
            wanted = "a text" if kind is str else "a list of texts"
            raise InputError(f"has {shown(value)} as {name}, not {wanted}", remedy=SCITLDR_FROM)
    id_ = names.check("topic", entry["paper_id"])
    sentences, summaries = (
        tuple(" ".join(text.split()) for text in entry[name]) for name in ("source", "target")
    )
    if not any(sentences) or not summaries or not all(summaries):
        raise InputError("has no sentence in source, or an empty summary in target", remedy=SCITLDR_FROM)
    source = Source(id_, id_, entry["title"], (Section("", tuple(filter(None, sentences))),))
    annotators = ["author", *(f"review_{number}" for number in range(1, len(summaries)))]
    return Topic(
        id=id_,
        source=source,
        references=tuple(
            Reference(id_, annotator, (summary,))
            for annotator, summary in zip(annotators, summaries, strict=True)
        ),
        documents=(as_document(source),),
    )
