"""The informativeness judgements of SciTLDR (Cachola et al. 2020): four systems on 51 papers.

``analysis/tldr_pred_nuggets.csv`` has a row for each paper and system: the summary, and for each of six kinds
of information whether people found it there (1) or not (0). Papers and references are those of
SciTLDR's test split.

The judgement is ``informativeness``, 0 to 6: the number of kinds that were found.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sera.benchmarks import Topic, check_complete, scitldr
from sera.benchmarks import release as parts
from sera.errors import Faults, InputError
from sera.io.fields import Fields, Once, of_table
from sera.io.records import Candidate, Judgement

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


def judged(release: str | Path) -> tuple[list[str], list[str]]:
    """The judged systems in order of name, and the one judgement; InputError as in `read`."""
    return sorted({candidate.system for candidate, _ in _rows(_table(release))}), [INFORMATIVENESS]


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
    once, faults = Once(), Faults()
    rows = of_table(path, _COLUMNS, scitldr.SCITLDR_FROM)
    found = [one for row in rows if (one := faults.checked(_row, row, once))]
    faults.raise_all()
    return found


def _row(row: Fields, once: Once) -> tuple[Candidate, Judgement]:
    topic, system = row.text("paper_id", "topic"), row.text("auth_pr", "system")
    once.check((topic, system), row, f"summary of {topic} by {system}")
    if wrong := [name for name in INFORMATION if row.text(name) not in ("0", "1")]:
        raise row.fault(f"has {row.text(wrong[0])[:40]!r} in the column {wrong[0]}, which is neither 0 nor 1")
    if not (text := " ".join(row.text("tldr").split())):
        raise row.fault("has no summary")
    score = float(sum(row.text(name) == "1" for name in INFORMATION))
    return Candidate(topic, system, (text,)), Judgement(topic, system, INFORMATIVENESS, score)
