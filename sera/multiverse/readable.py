"""The tables of answers in readable form: the columns that a reader compares, in words."""

from __future__ import annotations

import pandas as pd

from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import SYMBOLS, printed
from sera.multiverse.curves import readable_name

ANSWER_COLUMNS = {
    "claims": ["question", "claim", "coefficient", "paper", "own", "share", "low", "high"]
    + ["share_first", "share_second", "undefined", "true_share", "recovered"],
    "null": ["question", "claim", "coefficient", "median", "p_median", "holm_median", "share"]
    + ["null_share", "p_share", "holm_share"],
    "exchange": ["question", "claim", "coefficient", "median", "exchanged_median", "p_median", "p_contrary"]
    + ["holm_median", "holm_contrary", "share", "p_share", "undefined"],
    "choices": ["question", "dimension", "value", "claim", "coefficient", "universes", "share", "effect"],
    "variance": ["question", "claim", "coefficient", "dimension", "adjusted"],
    "systems": ["system", "coefficient"]
    + [f"{family}_{what}" for family in ("ROUGE", "SERA") for what in ("with", "change", "carried")]
    + ["decided_otherwise"],
    "outliers": [
        "metric",
        *(f"{name}{without}" for name in CORRELATIONS for without in ("", "_without")),
        "undefined",
    ],
    "agreement": ["metric", "dimension", "pairs", "undefined", "kendall", "kendall_5", "same_best"],
}
"""The tables of `sera.multiverse.answers` for readers, each with its columns to show."""

_HEADINGS = {"coefficient": "by", "low": "share_low", "high": "share_high", "adjusted": "explained"}


def readable_answer(name: str, table: pd.DataFrame) -> pd.DataFrame:
    """A table of answers as text, with the `ANSWER_COLUMNS` of its name that it has."""
    of_paper = (
        {"paper", "own"} if "paper" not in table else set()
    )  # no decision of claims without the paper's
    shown = table[[column for column in ANSWER_COLUMNS[name] if column in table and column not in of_paper]]
    shown = shown.replace({"dimension": {"all": "one or more of these"}, "coefficient": SYMBOLS})
    for column in shown.columns.intersection(["claim", "dimension", "value"]):
        shown[column] = shown[column].map(readable_name)
    if "system" in shown:
        shown["system"] = shown["system"].str.replace("_", " ")
    return printed(shown.rename(columns=_HEADINGS))
