"""The published correlations beside the reproduced ones.

The numbers of the paper are in ``resources/published/*.tsv``, one row a pair of metrics, as printed.
"""

from __future__ import annotations

from os import PathLike

import pandas as pd

from sera.correlation import COEFFICIENTS
from sera.errors import InputError


def read_published(path: str | PathLike[str]) -> pd.DataFrame:
    """A published table: metric, against, pearson, spearman, kendall; in the order of the paper."""
    table = pd.read_csv(path, sep="\t", comment="#")
    expected = ["metric", "against", *COEFFICIENTS]
    if list(table.columns) != expected:
        raise InputError(
            f"has the columns {', '.join(table.columns)}",
            path=path,
            remedy=f"Expected: {', '.join(expected)}.",
        )
    return table


CAPTIONS = {
    "table2": "Table 2. Correlation of ROUGE and SERA with Pyramid scores over systems: reproduced, "
    "as published, and the difference.",
    "table3": "Table 3. Correlation of SERA with ROUGE-2-F and ROUGE-3-F over systems: reproduced, as "
    "published, and the difference.",
    "figure1": "Figure 1. Spearman correlation of SERA with Pyramid by rank cut-off.",
    "comparison": "Correlation of ROUGE and SERA with Pyramid over systems: what was reproduced with its "
    "interval over topics, and what was published.",
    "scatter": "Systems by Pyramid and by other metrics, means over topics; each number is a system.",
    "metrics": "How far metrics rank the systems alike: Spearman correlation between any two of them.",
    "sensitivity": "What choices do to Spearman's correlation with Pyramid.",
}


def caption(item: str, benchmark: str) -> str:
    """What stands above a table or figure; ``benchmark`` says what it was made from."""
    warning = "SYNTHETIC data, not comparable with the paper. " if "synthetic" in benchmark else ""
    return f"{warning}{CAPTIONS[item]} Benchmark: {benchmark}."


def beside(published: pd.DataFrame, reproduced: pd.DataFrame) -> pd.DataFrame:
    """The rows of the published table with what was reproduced, what was published, and the difference.

    ``reproduced`` is a table of `sera.correlation.correlate`. A coefficient that is undefined stays NaN,
    and so does its difference.
    """
    published = published.rename(columns={name: f"{name}_paper" for name in COEFFICIENTS})
    table = published.merge(reproduced, on=["metric", "against"], how="left", validate="one_to_one")
    counts = ["systems", "topics", "undefined"]
    table[counts] = table[counts].astype("Int64")  # missing where a metric was not computed
    for name in COEFFICIENTS:
        table[f"{name}_difference"] = table[name] - table[f"{name}_paper"]
    return table[
        ["metric", *COEFFICIENTS, *(f"{name}_paper" for name in COEFFICIENTS), "systems", "against"]
        + [f"{name}_difference" for name in COEFFICIENTS]
        + [f"{name}_{end}" for name in COEFFICIENTS for end in ("low", "high")]
        + ["topics", "undefined"]
    ]
