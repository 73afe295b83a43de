"""The informativeness judgements of SciTLDR (Cachola et al. 2020): four systems on 51 papers.

``analysis/tldr_pred_nuggets.csv`` has a row for each paper and system: the summary, and for each of six kinds
of information whether people found it there (1) or not (0). Papers and references are those of
SciTLDR's test split.

The judgement is ``informativeness``, 0 to 6: the number of kinds that were found.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from sera import files, names
from sera.benchmarks import Topic, check_complete, scitldr
from sera.benchmarks import release as parts
from sera.errors import Faults, InputError, together
from sera.records import Candidate, Judgement

JUDGED = True
RELEASE = "SciTLDR's judged papers", 51
INFORMATIVENESS = "informativeness"
INFORMATION = (
    *("area_field_topic", "problem_motivation", "mode_of_contrib"),
    *("details_descrip", "results_findings", "value_signif"),
)
_COLUMNS = ("paper_id", "auth_pr", "tldr", *INFORMATION)


def inputs(*, release: str | Path, pyramids: str | Path | None = None) -> list[Path]:
    """The judgements and the splits, sorted; InputError for what is missing, or for a link."""
    path = _table(release)
    if not path.exists() and not path.is_symlink():
        raise InputError(
            f"lacks analysis/{path.name}",
            path=release,
            remedy=f"{scitldr.SCITLDR_FROM} It has analysis/ too.",
        )
    return sorted([parts.check_file(path), *scitldr.inputs(release=release)])


def collection(release: str | Path) -> Path | None:
    """None, since the benchmark has no documents but those of its topics."""
    return None


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The judged systems in order of name, and the one judgement; InputError as in `read`."""
    return sorted({candidate.system for candidate, _ in _rows(_table(release))}), [INFORMATIVENESS]


def has_nuggets(release: str | Path) -> bool:
    """False: only the kinds of information are marked, not the texts."""
    return False


def read(*, release: str | Path, pyramids: str | Path | None = None, cleaning: str = "full") -> list[Topic]:
    """The judged papers in SciTLDR's order, each with its references, summaries and judgements.

    ``pyramids`` and ``cleaning`` have no effect. InputError as in `inputs` and `scitldr.read`, and with file
    and line, up to ten, for a row of another form, a repeated one, and a paper that is not in the test split;
    with the file for a system without a row for a paper.
    """
    inputs(release=release)
    path = _table(release)
    rows = _rows(path)
    pairs = {(candidate.system, candidate.topic) for candidate, _ in rows}
    judged_papers = list(dict.fromkeys(topic for _, topic in pairs))
    check_complete(path, pairs, sorted({system for system, _ in pairs}), judged_papers, "has no summary by")
    papers = {topic.id: topic for topic in scitldr.read(release=release)}
    if absent := sorted({topic for _, topic in pairs} - set(papers)):
        raise InputError(
            f"has the paper {absent[0]}, which is not in SciTLDR's test split",
            path=path,
            remedy="Use the judgements and the papers of one release.",
        )
    return [
        replace(
            papers[id_],
            candidates=tuple(candidate for candidate, _ in rows if candidate.topic == id_),
            judgements=tuple(judgement for _, judgement in rows if judgement.topic == id_),
        )
        for id_ in papers
        if id_ in judged_papers
    ]


def _table(release: str | Path) -> Path:
    return Path(release, "analysis/tldr_pred_nuggets.csv")


def _rows(path: Path) -> list[tuple[Candidate, Judgement]]:
    found: dict[tuple[str, str], tuple[Candidate, Judgement]] = {}
    faults = Faults()
    for line, row in _cells(path):
        try:
            candidate, judgement = _row(row)
            if (
                found.setdefault((key := (candidate.topic, candidate.system)), (candidate, judgement))[0]
                is not candidate
            ):
                raise InputError(f"repeats {key[1]} of {key[0]}")
        except InputError as error:
            faults.append(InputError(error.problem, path=path, line=line, remedy=scitldr.SCITLDR_FROM))
    if fault := together(faults):
        raise fault
    if not found:
        raise InputError("holds no judgement", path=path, remedy=scitldr.SCITLDR_FROM)
    return list(found.values())


def _cells(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows by column, each with the number of its line; a byte order mark is left out."""
    reader = csv.DictReader((line + "\n" for _, line in files.lines(path)), strict=True)
    try:
        if missing := [name for name in _COLUMNS if name not in (reader.fieldnames or ())]:
            raise InputError(f"has no column {missing[0]}", path=path, remedy=scitldr.SCITLDR_FROM)
        for row in reader:
            yield reader.line_num, {name: row[name] or "" for name in _COLUMNS}
    except csv.Error as error:
        raise InputError(
            f"is not CSV: {error}", path=path, line=reader.line_num, remedy=scitldr.SCITLDR_FROM
        ) from None


def _row(row: dict[str, str]) -> tuple[Candidate, Judgement]:
    topic, system = names.check("topic", row["paper_id"]), names.check("system", row["auth_pr"])
    if wrong := [name for name in INFORMATION if row[name] not in ("0", "1")]:
        raise InputError(f"has {row[wrong[0]][:40]!r} in the column {wrong[0]}, which is neither 0 nor 1")
    if not (text := " ".join(row["tldr"].split())):
        raise InputError("has no summary")
    score = float(sum(row[name] == "1" for name in INFORMATION))
    return Candidate(topic, system, (text,)), Judgement(topic, system, INFORMATIVENESS, score)
