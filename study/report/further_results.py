"""What `python -m study` prints and copies of the audit, of a multiverse, and of the matrix."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sera.evaluation.tables import aligned, printed, read_tsv
from study.claims.multiverse import MOST
from study.matrix.answers import answer
from study.multiverse.answers import read_answer
from study.multiverse.figures import QUESTION_WORDS
from study.multiverse.page import percent, verdict
from study.published.audit import SUMMARY_LEGEND, SUMMARY_TITLE, readable_summary
from study.report.results import copy, located, result, with_rows

AUDIT, MULTIVERSE, MATRIX = ".venv/bin/snakemake --cores 1 audit", "make multiverse", "make matrix"
"""The commands that make the results."""

_OF_AUDIT = ("systems", "ties", "pairs", "chance", "chance_near")
_FIGURES = "specification_curve_*.svg, claims_*.svg, variance_*.svg, influence.svg"
_ANSWERS = ("claims", "null", "exchange", "choices", "variance", "systems", "outliers", "agreement")
_OF_CLAIMS = (
    *("question", "claim", "coefficient", "share", "low", "high", "undefined", "universes", "benchmark"),
)


def audit_lines(results: Path) -> Iterator[str]:
    """The audit's summary, and where each of its results is."""
    folder = results / "audit"
    counts = result(lambda path: with_rows(read_tsv(path), _OF_AUDIT), folder, "summary.tsv", AUDIT)
    yield from ("", SUMMARY_TITLE, "")
    yield readable_summary(counts).to_string(index=False)
    yield from (SUMMARY_LEGEND, "")
    yield from located(
        folder,
        [
            ("Every row:", "audit.md (.tsv and .tex beside)"),
            ("This table:", "summary.md (.tsv and .tex beside)"),
            ("Figure:", "audit.svg (.png and .pdf beside)"),
            ("What it implies:", "paragraphs.md"),
        ],
    )


def multiverse_lines(study: Path) -> Iterator[str]:
    """In how many universes each claim holds, and where each result is.

    ``study`` is the folder of a study's results, which has the multiverse's in ``multiverse``. InputError as
    of `result`.
    """
    folder = study / "multiverse"
    claims = result(lambda path: with_rows(read_answer(path), _OF_CLAIMS), folder, "claims.tsv", MULTIVERSE)
    yield ""
    yield f"In how many of {claims['universes'].max()} universes each of the paper's claims holds"
    benchmark = str(claims["benchmark"][0])
    if synthetic := "synthetic" in benchmark:
        yield f"Benchmark: {benchmark}; intervals over topics"
        yield "No verdict stands here: the paper's claims are about real summaries, and these are generated."
    else:
        yield f"Benchmark: {benchmark}; intervals over topics; {percent(MOST)} of the universes decide"
    for question, of in claims.groupby("question", sort=False):
        yield from ("", f"In {QUESTION_WORDS[str(question)]}:")
        rows = [_cells(row, verdicts=not synthetic) for row in of.to_dict("records")]
        widths = {key: max(len(key), *(len(row[key]) for row in rows)) for key in rows[0]}
        for row in [dict(zip(widths, widths, strict=True)), *rows]:
            yield "  ".join(row[key].ljust(width) for key, width in widths.items()).rstrip()
    yield ""
    yield from located(
        folder,
        [
            ("In words:", "replication.md"),
            ("Figures:", f"figures/{_FIGURES} (.png and .pdf beside)"),
            ("Every universe:", "universes.tsv, its Table 2 in tables.tsv.gz"),
            ("Answers:", f"{', '.join(f'{name}.md' for name in _ANSWERS)} (.tsv and .tex beside)"),
        ],
    )


def matrix_lines(results: Path) -> Iterator[str]:
    """The overview, the answer and the paths of the matrix; InputError as of `result`."""
    folder = results / "matrix"
    overview = result(read_tsv, folder, "overview.tsv", MATRIX)
    yield aligned(printed(overview.drop(columns="benchmark")))
    yield ""
    yield textwrap.fill(answer(result(read_tsv, folder, "claims.tsv", MATRIX)), 100)
    yield ""
    yield from located(
        folder,
        [
            ("page", "matrix.html"),
            ("all numbers", "cells.tsv"),
            ("claims", "claims.tsv"),
            ("overview", "overview.md"),
            ("figure", "figures/matrix.png"),
        ],
    )


def publish_multiverse(study: Path, target: Path) -> tuple[Path, Path]:
    """Copy the multiverse's page and its figures as PNG to a folder: the page, and the folder of the figures.

    InputError as of `result` if there is no page.
    """
    folder = study / "multiverse"
    page = copy(result(lambda path: path, folder, "replication.md", MULTIVERSE), target / "replication.md")
    for path in sorted((folder / "figures").glob("*.png")):
        copy(path, target / "figures" / path.name)
    return page, target / "figures"


def publish_matrix(results: Path, target: Path) -> Iterator[Path]:
    """Copy the page matrix.md and its figure to a folder; yields the files. InputError as of `result`."""
    for name in ("matrix.md", "figures/matrix.svg"):
        yield copy(result(lambda path: path, results / "matrix", name, MATRIX), target / name)


def _cells(row: dict[str, Any], verdicts: bool) -> dict[str, str]:
    return {
        "claim": row["claim"].replace("_", " "),
        "by": row["coefficient"],
        **({"paper": str(row["paper"])} if verdicts else {}),
        "share": percent(row["share"]),
        "interval": f"{percent(row['low'])} to {percent(row['high'])}",
        "undefined in": str(row["undefined"]),
        **({"verdict": verdict(row)} if verdicts else {}),
    }
