"""Results of the targets `multiverse`, `truth` and `audit`, which the page of a study shows if they exist."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from study.multiverse.choices import asked
from study.report.curves import stale_lines


def beside_the_study(
    out: str | PathLike[str], audit: str | PathLike[str] | None, settings: Mapping[str, Any]
) -> dict[str, str]:
    """The paths of these results by name, of those that fit the study in the folder ``out``.

    A multiverse fits if its own universe has the study's settings. The truth fits if it is newer than the
    articles. The audit depends on the published tables alone: ``audit`` is its folder, or None for a study
    that is not the paper's.
    """
    groups = []
    multiverse, truth = Path(out, "multiverse"), Path(out, "truth")
    universes = multiverse / "universes.tsv"
    if universes.is_file() and not stale_lines(universes, settings):
        curves = asked(settings["multiverse"]["dimensions"])
        figures = {f"curve_{name}": f"figures/specification_curve_{name}.svg" for name in curves}
        answers = {"claims": "claims.tsv", "null": "null.tsv"}
        groups.append((multiverse, {"universes": "universes.tsv", **answers, **figures}))
    made, sources = truth / "truth.tsv", Path(out, "sources.jsonl")
    if made.is_file() and sources.is_file() and made.stat().st_mtime > sources.stat().st_mtime:
        pictures = {"truth": "truth.svg", "truth_narrow": "truth_narrow.svg"}
        groups.append((truth, {"truth_table": "truth.tsv", **pictures}))
    if audit:
        files = {"audit": "audit.svg", "counts": "summary.tsv", "paragraphs": "paragraphs.md"}
        groups.append((Path(audit), files))
    return other_answers(out) | {
        name: str(folder / file)
        for folder, files in groups
        if all((folder / file).is_file() for file in files.values())
        for name, file in files.items()
    }


def other_answers(out: str | PathLike[str]) -> dict[str, str]:
    """The paths of the answers with more systems and on other benchmarks, of those that exist."""
    paths = {
        "more_systems": Path(out, "more_systems/answer.tsv"),
        "more_systems_figure": Path(out, "more_systems/more_systems.png"),
        "meta": Path(out).parent / "matrix/meta.tsv",
    }
    return {name: str(path) for name, path in paths.items() if path.is_file()}
