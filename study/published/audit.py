"""Audit of printed rank correlations: the numbers of systems for which each pair of coefficients is possible.

For each row of a table with Spearman's rho and Kendall's tau-b, `audit` finds the hypotheses of
`study.published.attainable` under which one pair of rankings can have both printed values. `summary` counts
rows and computes how many would fit by chance; ``audit.md`` states the result for the paper's tables. A
printed value stands for all values within one unit of its last digit, so both rounding and truncation are
allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike

import numpy as np
import pandas as pd

from sera.errors import Faults, InputError
from sera.evaluation.tables import UNDEFINED
from sera.io import tsv
from study.published.attainable import HYPOTHESES, SYSTEMS, TIES, grid
from study.published.comparison import PRINTED_DIGITS

COMPARED = 9  # the number of systems that the paper names (section 4.3); `summary` computes chance for it
NEAR = 0.1  # the largest difference from a row's rho at which `summary` counts a pair as near to it
YES, NO = "yes", "no"
AUDITED = ("spearman", "kendall")


def read_pairs(path: str | PathLike[str]) -> pd.DataFrame:
    """Read metric, against, spearman and kendall of a table, as text; comment lines begin with #.

    ``against`` is empty if the table has no such column. An empty cell, ``nan`` and ``undefined`` are
    undefined coefficients. InputError as of `sera.io.tsv.read`, for a table without rows, and, with up to ten
    lines, for values that are not numbers from -1 to 1.
    """
    table = tsv.read(path, ["metric", *AUDITED], comment="#").apply(lambda cells: cells.str.strip())
    if table.empty:
        raise InputError("has no rows", path=path, remedy="Add the rows below the header.")
    for column in AUDITED:
        table[column] = table[column].str.replace("\N{MINUS SIGN}", "-")
        values = tsv.numbers(table, column, path, undefined=("", "nan", UNDEFINED), finite=False)
        wrong = table.loc[values.abs() > 1, column]
        remedy = "Give a number from -1 to 1, or leave the cell empty."
        Faults(
            InputError(f"{column} {text} is not between -1 and 1", path=path, line=line, remedy=remedy)
            for line, text in wrong.items()
        ).raise_all()
    tsv.check_names(table, ["metric"], path)
    return table.reindex(columns=["metric", "against", *AUDITED], fill_value="").reset_index(drop=True)


def audit(tables: Mapping[str, pd.DataFrame], digits: int = PRINTED_DIGITS) -> pd.DataFrame:
    """Audit tables of `read_pairs`, given by name: each row with whether each hypothesis fits.

    Columns: table, metric, against, spearman, kendall, and one per hypothesis (`Hypothesis.name`) with yes or
    no, or undefined if a coefficient is undefined. ``digits`` is the number of printed decimals.
    """
    table = pd.concat(tables, names=["table"]).reset_index("table").reset_index(drop=True)
    values = table[[*AUDITED]].apply(pd.to_numeric, errors="coerce").to_numpy()
    mask = ~np.isnan(values).any(axis=1)
    for each in HYPOTHESES:
        fits = np.full(len(table), UNDEFINED, object)
        fits[mask] = np.where(each.holds(values[mask], 10.0**-digits), YES, NO)
        table[each.name] = fits
    return table


def summary(table: pd.DataFrame, digits: int = PRINTED_DIGITS) -> pd.DataFrame:
    """Count for each hypothesis the pairs it allows and the rows that fit it, with the share by chance.

    ``table`` is the result of `audit`. Columns: hypothesis, systems, ties, pairs; for each table
    ``<name>_fit``, the number of rows that fit, and ``<name>_rows``, the number whose values are defined. The
    others are shares of the arrangements of nine systems whose rounded pair fits the hypothesis: ``chance``
    without ties, ``chance_one`` and ``chance_both`` with a tied pair on one side or both. ``chance_near`` is
    ``chance`` among the arrangements whose rho is `NEAR` a row's, as a mean over the rows.
    """
    likely = {ties: grid(COMPARED, *TIES[ties]) for ties in ("none", "one", "both")}
    values = {ties: round_printed(own.values, digits) for ties, own in likely.items()}
    arrangements = {ties: np.array(list(own.counts.values())) for ties, own in likely.items()}
    defined_rows = table[table[HYPOTHESES[0].name] != UNDEFINED]
    correlations = defined_rows["spearman"].to_numpy(float)
    is_near = (
        np.abs(values["none"][:, 0] - correlations[:, None]) <= NEAR + 1e-9
    )  # (row, pair of nine systems)
    rows = []
    for each in HYPOTHESES:
        fits = {ties: each.holds(pairs, 10.0**-digits) for ties, pairs in values.items()}
        share = {ties: number @ fits[ties] / number.sum() for ties, number in arrangements.items()}
        near_shares = (is_near @ (arrangements["none"] * fits["none"])) / (is_near @ arrangements["none"])
        row = {"hypothesis": each.name, "systems": each.systems, "ties": each.ties, "pairs": each.pairs}
        for name, table_rows in table.groupby("table", sort=False):
            row[f"{name}_fit"] = (table_rows[each.name] == YES).sum()
            row[f"{name}_rows"] = (table_rows[each.name] != UNDEFINED).sum()
        row |= {"chance": share["none"], "chance_one": share["one"], "chance_both": share["both"]}
        rows.append({**row, "chance_near": float(near_shares.mean()) if len(near_shares) else np.nan})
    return pd.DataFrame(rows)


def round_printed(values: np.ndarray, digits: int) -> np.ndarray:
    """Values rounded to ``digits`` decimals; a half is rounded away from zero."""
    return np.copysign(np.floor(np.abs(values) * 10**digits + 0.5 + 1e-9), values) / 10**digits


TITLE = "How many systems can the published rank correlations have been taken over?"
LEGEND = (
    "Under each number of systems: on how many of the two sides a pair of systems has to be tied "
    "for the printed values to be possible (0, 1, 2); · not at all."
)


def format_audit(table: pd.DataFrame) -> pd.DataFrame:
    """A table of `audit` as text, with one column per number of systems; `LEGEND` explains it."""

    def cell(row: pd.Series, systems: int) -> str:
        fits = [row[f"{systems}_{ties}"] for ties in TIES if len(TIES[ties]) == 1]
        if UNDEFINED in fits:
            return UNDEFINED
        return " ".join(str(sides) for sides, fit in enumerate(fits) if fit == YES) or "·"

    columns = [name for name in ("table", "metric", "against") if table[name].nunique() > 1]
    text_table = table[[*columns, *AUDITED]].rename(columns={"spearman": "ρ", "kendall": "τ"})
    return text_table.assign(**{str(n): [cell(row, n) for _, row in table.iterrows()] for n in SYSTEMS})


def format_summary(counts: pd.DataFrame) -> pd.DataFrame:
    """A table of `summary` as text, in words and percent."""
    tables = [name.removesuffix("_fit") for name in counts.columns if name.endswith("_fit")]
    columns = {"systems": counts["systems"], "tied pair": counts["ties"].map(TIED), "pairs": counts["pairs"]}
    for name in tables:
        pairs = zip(counts[f"{name}_fit"], counts[f"{name}_rows"], strict=True)
        columns[name if len(tables) > 1 else "rows"] = [f"{fit} of {total}" for fit, total in pairs]
    shares = {"chance": counts["chance"].map(percent), "near": counts["chance_near"].map(percent)}
    return pd.DataFrame(columns | shares).astype(str)


TIED = {"none": "none", "one": "on one side", "both": "on both sides", "any": "any of these"}
"""The patterns of ties in words."""
SUMMARY_TITLE = "Rows of the paper that a number of systems can give, by the place of a tied pair."
SUMMARY_LEGEND = (
    "pairs: different pairs of coefficients that are possible. "
    f"chance: of all rankings of {COMPARED} systems without ties, the share whose pair fits; "
    f"near: of those alone whose ρ is within {NEAR} of a row's."
)


def percent(share: float) -> str:
    """A share, 0 to 1, in percent to one decimal; only exact 0 and 1 become 0% and 100%."""
    if np.isnan(share):
        return UNDEFINED
    if share in (0, 1):
        return f"{share:.0%}"
    return "<0.1%" if share < 0.0005 else ">99.9%" if share > 0.9995 else f"{100 * share:.1f}%"
