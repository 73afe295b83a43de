"""Audit of printed rank correlations: the numbers of systems for which each pair of coefficients is possible.

For each row of a table with Spearman's rho and Kendall's tau-b, `audit` finds the hypotheses of
`study.published.attainable` under which one pair of rankings can have both printed values. `summary` counts
rows and computes how many would fit by chance; ``audit.md`` states the result for the paper's tables. A
printed value stands for all values within one unit of its last digit, so both rounding and truncation are
allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from typing import NamedTuple

import numpy as np
import pandas as pd

from sera.errors import Faults, InputError
from sera.evaluation.tables import UNDEFINED
from sera.io import tsv
from study.published.attainable import HYPOTHESES, SYSTEMS, TIES, grid

COMPARED = 9
"""The number of systems that the paper names (section 4.3); `summary` computes chance for it."""
NEAR = 0.1
"""The largest difference from a row's rho at which `summary` counts a pair as near to it."""
FINEST = 12
"""The most digits that are audited: floating-point numbers are not exact beyond."""

YES, NO = "yes", "no"
AUDITED = ("spearman", "kendall")
_NO_VALUE = ("", "nan", UNDEFINED)


class Pair(NamedTuple):
    """A row of a table: the two metrics that were compared, and the two coefficients as printed."""

    metric: str
    against: str
    spearman: str
    kendall: str


def read_pairs(path: str | PathLike[str]) -> list[Pair]:
    """Read the rows of a table with the columns spearman and kendall; comment lines begin with #.

    The columns metric and against name what was compared; without a column metric, the first column does. An
    empty cell, ``nan`` and ``undefined`` are undefined coefficients. InputError as of `sera.io.tsv.read`, for
    a table without rows, and, with up to ten lines, for values that are not numbers from -1 to 1.
    """
    table = tsv.read(path, AUDITED, comment="#").apply(lambda cells: cells.str.strip())
    if table.empty:
        raise InputError("has no rows", path=path, remedy="Add the rows below the header.")
    for column in AUDITED:
        table[column] = table[column].str.replace("\N{MINUS SIGN}", "-")
        values = tsv.numbers(table, column, path, undefined=_NO_VALUE, finite=False)
        wrong = table.loc[values.abs() > 1, column]
        remedy = "Give a number from -1 to 1, or leave the cell empty."
        Faults(
            InputError(f"{column} {text} is not between -1 and 1", path=path, line=line, remedy=remedy)
            for line, text in wrong.items()
        ).raise_all()
    first = table.columns[0]
    lines = [f"line {line}" for line in table.index]
    named = {"metric": lines if first in AUDITED else table[first], "against": ""} | dict(table.items())
    table = table.assign(**{name: named[name] for name in ("metric", "against")})
    tsv.check_names(table[table["against"] != ""], ["against"], path)
    tsv.check_names(table, ["metric"], path)
    return [Pair(*row) for row in table[[*Pair._fields]].itertuples(index=False)]


def printed_digits(pairs: Iterable[Pair]) -> int:
    """The number of decimals of a table: the largest of all values, since trailing zeros are often dropped.

    At most `FINEST`. InputError if no value has decimals.
    """
    digits = 0
    for text in (text.lower() for pair in pairs for text in (pair.spearman, pair.kendall)):
        if text not in _NO_VALUE:
            mantissa, _, exponent = text.partition("e")
            digits = max(digits, len(mantissa.partition(".")[2]) - int(exponent or 0))
    if digits == 0:
        raise InputError("no value has decimals", remedy="Give the number of printed decimals: --digits.")
    return min(digits, FINEST)


def audit(tables: Mapping[str, Sequence[Pair]], digits: int) -> pd.DataFrame:
    """Audit tables, given by name: a line per row with the printed values and whether each hypothesis fits.

    Columns: table, metric, against, spearman, kendall, and one per hypothesis (`Hypothesis.name`) with yes or
    no, or undefined if a coefficient is undefined. ``digits`` is the number of printed decimals.
    """
    table = pd.DataFrame(
        [{"table": name, **pair._asdict()} for name, pairs in tables.items() for pair in pairs]
    )
    values = table[[*AUDITED]].apply(pd.to_numeric, errors="coerce").to_numpy()
    defined = ~np.isnan(values).any(axis=1)
    for each in HYPOTHESES:
        fits = np.full(len(table), UNDEFINED, object)
        fits[defined] = np.where(each.holds(values[defined], 10.0**-digits), YES, NO)
        table[each.name] = fits
    return table


def summary(table: pd.DataFrame, digits: int) -> pd.DataFrame:
    """Count for each hypothesis the pairs it allows and the rows that fit it, with the share by chance.

    ``table`` is the result of `audit`. Columns: hypothesis, systems, ties, pairs; for each table
    ``<name>_fit``, the number of rows that fit, and ``<name>_rows``, the number whose values are defined. The
    others are shares, 0 to 1, of the arrangements of nine systems, all equally likely, whose rounded pair
    fits the hypothesis: ``chance`` without ties, ``chance_one`` and ``chance_both`` with a tied pair on one
    side or both. ``chance_near`` is the share without ties among the arrangements whose rho is within 0.1 of
    a row's, as a mean over the rows; it is the better guide if metrics agree more than at random. All are
    counted, not sampled.
    """
    likely = {ties: grid(COMPARED, *TIES[ties]) for ties in ("none", "one", "both")}
    rounded = {ties: round_printed(of.values, digits) for ties, of in likely.items()}
    arrangements = {ties: np.array(list(of.counts.values())) for ties, of in likely.items()}
    defined = table[table[HYPOTHESES[0].name] != UNDEFINED]
    printed = defined["spearman"].to_numpy(float)
    near = np.abs(rounded["none"][:, 0] - printed[:, None]) <= NEAR + 1e-9  # (row, pair of nine systems)
    rows = []
    for each in HYPOTHESES:
        fits = {ties: each.holds(pairs, 10.0**-digits) for ties, pairs in rounded.items()}
        share = {ties: number @ fits[ties] / number.sum() for ties, number in arrangements.items()}
        of_near = (near @ (arrangements["none"] * fits["none"])) / (near @ arrangements["none"])
        counted = {}
        for name, rows_of in table.groupby("table", sort=False):
            counted[f"{name}_fit"] = (rows_of[each.name] == YES).sum()
            counted[f"{name}_rows"] = (rows_of[each.name] != UNDEFINED).sum()
        rows.append(
            {
                "hypothesis": each.name,
                "systems": each.systems,
                "ties": each.ties,
                "pairs": each.pairs,
                **counted,
                "chance": share["none"],
                "chance_one": share["one"],
                "chance_both": share["both"],
                "chance_near": float(of_near.mean()) if len(of_near) else np.nan,
            }
        )
    return pd.DataFrame(rows)


def round_printed(values: np.ndarray, digits: int) -> np.ndarray:
    """Values rounded to ``digits`` decimals; a half is rounded away from zero."""
    return np.copysign(np.floor(np.abs(values) * 10**digits + 0.5 + 1e-9), values) / 10**digits


def count_fits(table: pd.DataFrame) -> tuple[int, int, int]:
    """The rows of a table of `audit` that fit some hypothesis, that fit none, and that are undefined."""
    fits = table[[each.name for each in HYPOTHESES]]
    undefined, unfit = (int((fits == value).all(axis=1).sum()) for value in (UNDEFINED, NO))
    return len(table) - undefined - unfit, unfit, undefined


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
    shown = table[[*columns, *AUDITED]].rename(columns={"spearman": "ρ", "kendall": "τ"})
    return shown.assign(**{str(n): [cell(row, n) for _, row in table.iterrows()] for n in SYSTEMS})


def format_summary(counts: pd.DataFrame) -> pd.DataFrame:
    """A table of `summary` as text, in words and percent."""
    tables = [name.removesuffix("_fit") for name in counts.columns if name.endswith("_fit")]
    found = {"systems": counts["systems"], "tied pair": counts["ties"].map(TIED), "pairs": counts["pairs"]}
    for name in tables:
        pairs = zip(counts[f"{name}_fit"], counts[f"{name}_rows"], strict=True)
        found[name if len(tables) > 1 else "rows"] = [f"{fit} of {of}" for fit, of in pairs]
    shares = {"chance": counts["chance"].map(percent), "near": counts["chance_near"].map(percent)}
    return pd.DataFrame(found | shares).astype(str)


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
