"""What `python -m study show multiverse` prints of the results of a multiverse, and the page that it
copies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from study.claims.multiverse import MOST
from study.multiverse.answers import read_answer
from study.multiverse.figures import QUESTION_WORDS
from study.multiverse.page import percent, verdict
from study.report.results import copy, located, result, with_rows

MULTIVERSE = "make multiverse"
"""The command that makes the results."""

_COLUMNS = (
    *(
        "question",
        "claim",
        "coefficient",
        "share",
        "low",
        "high",
        "undefined",
        "universes",
        "benchmark",
    ),
)


def multiverse_lines(study: Path) -> Iterator[str]:
    """In how many universes each claim holds, and where each result is.

    ``study`` is the folder of a study's results, which has the multiverse's in ``multiverse``. InputError as
    of `study_results.result`.
    """
    folder = study / "multiverse"
    claims = result(lambda path: with_rows(read_answer(path), _COLUMNS), folder, "claims.tsv", MULTIVERSE)
    yield ""
    yield f"In how many of {claims['universes'].max()} universes each of the paper's claims holds"
    benchmark = str(claims["benchmark"][0])
    if synthetic := "synthetic" in benchmark:
        yield f"Benchmark: {benchmark}; intervals over topics"
        yield "No verdict stands here: the paper's claims are about real summaries, and these are generated."
    else:
        yield f"Benchmark: {benchmark}; intervals over topics; {percent(MOST)} of the universes decide"
    for question, of in claims.groupby("question", sort=False):
        yield from ("", f"In {QUESTION_WORDS[str(question)]}:", *_aligned(of, verdicts=not synthetic))
    yield ""
    yield from located(
        folder,
        [
            ("In words:", "replication.md"),
            (
                "Figures:",
                "figures/specification_curve_*.svg, claims_*.svg, variance_*.svg, influence.svg "
                "(.png and .pdf beside)",
            ),
            ("Every universe:", "universes.tsv, its Table 2 in tables.tsv.gz"),
            (
                "Answers:",
                "claims.md, null.md, exchange.md, choices.md, variance.md, systems.md, outliers.md, "
                "agreement.md (.tsv and .tex beside)",
            ),
        ],
    )


def publish(study: Path, target: Path) -> tuple[Path, Path]:
    """Copy the multiverse's page and its figures as PNG to a folder: the page, and the folder of the figures.

    InputError as of `study_results.result` if there is no page.
    """
    folder = study / "multiverse"
    page = copy(result(lambda path: path, folder, "replication.md", MULTIVERSE), target / "replication.md")
    figures = target / "figures"
    for path in sorted((folder / "figures").glob("*.png")):
        copy(path, figures / path.name)
    return page, figures


def _aligned(claims: pd.DataFrame, *, verdicts: bool) -> Iterator[str]:
    """A line for each claim, and one above with the headings."""
    rows = [_cells(row, verdicts) for row in claims.to_dict("records")]
    widths = {key: max(len(key), *(len(row[key]) for row in rows)) for key in rows[0]}
    for row in [dict(zip(widths, widths, strict=True)), *rows]:
        yield "  ".join(row[key].ljust(width) for key, width in widths.items()).rstrip()


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
