"""The facts of a study's page: its headline, the searched documents, and what was not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import UNDEFINED, has_published
from sera.io import tsv
from sera.metrics.sera import large_cutoff
from study.published.comparison import HIGHER, LOWER, SAME, WITHIN, verdicts

_SAME = 1e-6  # the last digit of the tables: means that are equal on paper differ by round-off


def study_headline(table: pd.DataFrame, against: str) -> dict[str, Any]:
    """The numbers of the page's first section, of a table of `tables.join_published` for a judgement.

    ``systems`` and ``topics`` are numbers; ``best`` has the metrics of ROUGE and of SERA with the highest
    Spearman's rho (`best_metrics`), ``means`` the families' mean rho. If there are published numbers,
    ``paper`` and ``means_paper`` are the same of these, ``medians`` and ``medians_paper`` the median
    rho. ``verdicts`` counts the ``cells`` by verdict, and ``distance`` is the median absolute difference of
    the defined cells.
    """
    table = table[table["against"] == against]
    families = {family: table[table["metric"].str.startswith(family)] for family in ("ROUGE", "SERA")}
    found: dict[str, Any] = {name: int(table[name].max()) for name in ("systems", "topics")}
    compared = has_published(table)
    for best, end in (("best", ""), ("paper", "_paper"))[: 1 + compared]:
        of = {family: rows[f"spearman{end}"] for family, rows in families.items()}
        found[best] = {family: best_metrics(rows, f"spearman{end}") for family, rows in families.items()}
        found[f"means{end}"] = {family: float(rho.mean()) for family, rho in of.items()}
        found[f"medians{end}"] = {family: float(rho.median()) for family, rho in of.items()}
    if compared:
        cells = verdicts(table)
        counts = cells.stack().value_counts()
        found["cells"] = int(cells.size)
        kinds = (SAME, WITHIN, HIGHER, LOWER, UNDEFINED)
        found["verdicts"] = {kind: int(counts.get(kind, 0)) for kind in kinds}
        distances = table[[f"{name}_difference" for name in CORRELATIONS]].abs()
        found["distance"] = float(distances.stack().median())
    return found


def best_metrics(rows: pd.DataFrame, column: str) -> dict[str, Any] | None:
    """The names of the ``metrics`` that tie at the highest ``value`` of a column; None if none is defined."""
    highest = rows[column].max()
    if np.isnan(highest):
        return None
    return {"metrics": list(rows["metric"][rows[column] >= highest - _SAME]), "value": float(highest)}


_COLLECTIONS = {
    "generated": "all generated",
    "open-access": "of PubMed Central's Open Access subset, which had about a million in the paper's time",
    "packages": "of PubMed Central, in the folder pmc_oa",
    "documents": "all of the benchmark's own collection",
    "sources": "only the articles of the topics, since the benchmark has no collection",
}


def describe_collection(kind: str, documents: int, left_out: int = 0) -> str:
    """The documents that SERA searches; ``kind`` is a key of `_COLLECTIONS`, ``left_out`` were not read."""
    words = f"{documents:,} documents, {_COLLECTIONS[kind]}"
    return f"{words}; {left_out:,} more could not be read" if left_out else words


def unreadable_reasons(table: str | Path) -> dict[str, int]:
    """How often each reason, without its details, occurs in a table of articles that were not read."""
    reasons = tsv.read(table, ("part", "file", "reason"))["reason"]
    return dict(sorted(Counter(reason.split(":")[0] for reason in reasons).items()))


def warn_of_cutoffs(documents: int, cutoffs: Sequence[int]) -> str:
    """A warning of cut-offs that are large for the index; empty if there are none.

    Two unrelated rankings of N documents share on average n / N of their first n, so a score at a large
    cut-off (`sera.metrics.sera.large_cutoff`) is high by chance.
    """
    large = [cutoff for cutoff in sorted(cutoffs) if large_cutoff(cutoff, documents)]
    if not large:
        return ""
    return (
        f"The index has only {documents:,} documents. Two unrelated summaries share "
        f"{min(1, large[0] / documents):.0%} of the first {large[0]} by chance. From this cut-off on, SERA's "
        "scores and correlations mean little: index more documents, or lower the cut-off."
    )
