"""Audit of printed rank correlations: over how many systems can each pair of coefficients have been taken?

For each row of a table with Spearman's rho and Kendall's tau-b, `audit` decides under which hypotheses of
`sera.published.attainable` the two printed values can be of one pair of rankings; `summary` counts rows and
tells how many would fit by chance; `sera.published.audit_text` says it in words. A printed value stands for
all values that are no further from it than one unit in its last digit, so that rounding and cutting off are
both allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from os import PathLike

import numpy as np
import pandas as pd

from sera import limits, names
from sera.errors import MOST, InputError, together
from sera.evaluation.tables import UNDEFINED
from sera.files import lines
from sera.published.attainable import HYPOTHESES, SYSTEMS, TIES, grid

COMPARED = 9
"""The number of systems that the paper names (section 4.3); chance is told for it."""
NEAR = Fraction(1, 10)
"""How far rho may be from a row's for a pair to count as near to it, in `summary`."""
FINEST = 12
"""The most digits that are audited: floating-point numbers are not exact beyond."""

YES, NO = "yes", "no"
COLUMNS = ("spearman", "kendall")
# an exponent of many digits would be a number of as many digits as it says
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?", re.IGNORECASE | re.ASCII)
_NO_VALUE = ("", "nan", UNDEFINED)


@dataclass(frozen=True)
class Pair:
    """A row of a table: whose scores were compared with whose, and the two coefficients as printed."""

    metric: str
    against: str
    spearman: str
    kendall: str


def read_pairs(path: str | PathLike[str]) -> list[Pair]:
    """The rows of a TSV table with columns spearman and kendall; lines that begin with # are comments.

    What was compared is in the columns metric and against; where there is no metric, in the first column.
    An empty cell, ``nan`` and ``undefined`` are coefficients that do not exist. InputError names up to ten
    lines of what is no number or outside -1 to 1, and tells of a table without the columns or without rows.
    """
    rows: list[tuple[int, list[str]]] = []
    for number, text in lines(path):
        if text.strip() and not text.startswith("#"):
            rows.append((number, text.removeprefix("\ufeff").split("\t")))
    if not rows:
        raise InputError("is empty", path=path, remedy="Expected columns spearman and kendall, tabs between.")
    line, header = rows[0]
    header = [cell.strip() for cell in header]
    for column in COLUMNS:
        if header.count(column) != 1:
            raise InputError(
                f"has {'no' if column not in header else 'more than one'} column {column}",
                path=path,
                line=line,
                remedy="Expected columns spearman and kendall, tabs between.",
            )
    if len(rows) == 1:
        raise InputError("has no rows", path=path)
    pairs: list[Pair] = []
    faults: list[InputError] = []
    for line, cells in rows[1:]:
        try:
            pairs.append(_pair(header, cells, line))
        except InputError as error:
            faults.append(InputError(error.problem, path=path, line=line, remedy=error.remedy))
        if len(faults) > MOST:
            break
    if fault := together(faults):
        raise fault
    return pairs


def _pair(header: Sequence[str], cells: Sequence[str], line: int) -> Pair:
    if len(cells) != len(header):
        raise InputError(f"has {len(cells)} cells, not {len(header)}")
    row = {name: cell.strip() for name, cell in zip(header, cells, strict=True)}
    printed = [row[column].replace("\N{MINUS SIGN}", "-") for column in COLUMNS]
    for column, text in zip(COLUMNS, printed, strict=True):
        if text.lower() in _NO_VALUE:
            continue
        if len(text) > limits.NUMBER.value:
            raise limits.NUMBER.passed()
        if not _NUMBER.fullmatch(text):
            raise InputError(f"{column} {text!r} is no number")
        if abs(Fraction(text)) > 1:
            raise InputError(f"{column} {text} is not between -1 and 1")
    first = row[header[0]] if header[0] not in COLUMNS else f"line {line}"
    metric, against = row.get("metric", first), row.get("against", "")
    for name in filter(None, (metric, against)):
        names.check("name", name)
    return Pair(metric, against, *printed)


def digits_of(pairs: Iterable[Pair]) -> int:
    """How many decimals a table has: the most of any value, as zeros at the end are often left off.

    Twelve at most. Raises InputError where no value has decimals, or none is a number.
    """
    digits = 0
    for pair in pairs:
        for text in (pair.spearman, pair.kendall):
            if text.lower() not in _NO_VALUE:
                mantissa, _, exponent = text.lower().partition("e")
                digits = max(digits, len(mantissa.partition(".")[2]) - int(exponent or 0))
    if digits == 0:
        raise InputError("no value has decimals", remedy="Say how many were printed (--digits).")
    return min(digits, FINEST)


def audit(tables: Mapping[str, Sequence[Pair]], digits: int) -> pd.DataFrame:
    """One line a row of the tables, by name: what was printed, and of each hypothesis whether it fits.

    Columns: table, metric, against, spearman, kendall, and one a hypothesis (`Hypothesis.name`) that reads
    yes or no, or undefined where a coefficient is.
    """
    tolerance = Fraction(1, 10**digits)
    rows = []
    for name, pairs in tables.items():
        for pair in pairs:
            values = exact_values(pair.spearman, pair.kendall)
            fits = {
                each.name: UNDEFINED if values is None else YES if each.holds(*values, tolerance) else NO
                for each in HYPOTHESES
            }
            rows.append({"table": name, **vars(pair), **fits})
    return pd.DataFrame(rows)


def summary(table: pd.DataFrame, digits: int) -> pd.DataFrame:
    """One line a hypothesis: how many pairs it allows, how many rows fit it, and how many would by chance.

    ``table`` is `audit`'s. Columns: hypothesis, systems, ties, pairs; of each table ``<name>_fit``, the rows
    that fit, and ``<name>_rows``, those whose values are defined. Then shares, from 0 to 1, of the
    arrangements of nine systems, all equally likely, whose rounded pair fits the hypothesis: ``chance``,
    without ties; ``chance_one`` and ``chance_both``, with a tied pair on one side or on both. And
    ``chance_near``: without ties, of those arrangements alone whose rho is within 0.1 of a row's, as a mean
    over the rows; where metrics agree more than at random, this is the better guide. All are counted, not
    sampled.
    """
    tolerance = Fraction(1, 10**digits)
    likely = {ties: grid(COMPARED, *TIES[ties]).printed(digits) for ties in ("none", "one", "both")}
    rhos = np.array([float(rho) for rho, _ in likely["none"]])
    arrangements = {ties: np.array(list(pairs.values())) for ties, pairs in likely.items()}
    fits = {
        (systems, sides): {
            ties: np.array([grid(systems, sides).holds(*pair, tolerance) for pair in pairs])
            for ties, pairs in likely.items()
        }
        for systems, sides in product(SYSTEMS, TIES["any"])
    }
    defined = table[table[HYPOTHESES[0].name] != UNDEFINED]
    printed = np.array([float(Fraction(text)) for text in defined["spearman"]])
    near = np.abs(rhos - printed[:, None]) <= float(NEAR) + 1e-9  # (row, pair of nine systems)
    rows = []
    for each in HYPOTHESES:
        own = {
            ties: np.any([fits[each.systems, sides][ties] for sides in TIES[each.ties]], axis=0)
            for ties in likely
        }
        share = {
            ties: int(number[own[ties]].sum()) / int(number.sum()) for ties, number in arrangements.items()
        }
        of_near = (near @ (arrangements["none"] * own["none"])) / (near @ arrangements["none"])
        rows.append(
            {
                "hypothesis": each.name,
                "systems": each.systems,
                "ties": each.ties,
                "pairs": each.pairs,
                **{
                    column: number
                    for name, rows_of in table.groupby("table", sort=False)
                    for column, number in (
                        (f"{name}_fit", (rows_of[each.name] == YES).sum()),
                        (f"{name}_rows", (rows_of[each.name] != UNDEFINED).sum()),
                    )
                },
                "chance": share["none"],
                "chance_one": share["one"],
                "chance_both": share["both"],
                "chance_near": float(of_near.mean()) if len(of_near) else np.nan,
            }
        )
    return pd.DataFrame(rows)


def unfit(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of `audit`'s table that fit no hypothesis."""
    return table[(table[[each.name for each in HYPOTHESES]] == NO).all(axis=1)]


def undefined(table: pd.DataFrame) -> int:
    """How many rows of `audit`'s table have no pair of values."""
    return int((table[HYPOTHESES[0].name] == UNDEFINED).sum())


TITLE = "How many systems can the published rank correlations have been taken over?"
LEGEND = (
    "Under each number of systems: on how many of the two sides a pair of systems has to be tied "
    "for the printed values to be possible (0, 1, 2); · not at all."
)


def readable(table: pd.DataFrame) -> pd.DataFrame:
    """`audit`'s table with one column a number of systems, as `LEGEND` tells."""

    def cell(row: pd.Series, systems: int) -> str:
        fits = [row[f"{systems}_{ties}"] for ties in TIES if len(TIES[ties]) == 1]
        if UNDEFINED in fits:
            return UNDEFINED
        return " ".join(str(sides) for sides, fit in enumerate(fits) if fit == YES) or "·"

    columns = [name for name in ("table", "metric", "against") if table[name].nunique() > 1]
    shown = table[[*columns, *COLUMNS]].rename(columns={"spearman": "ρ", "kendall": "τ"})
    return shown.assign(
        **{str(n): [cell(row, n) for _, row in table.iterrows()] for n in SYSTEMS},
    )


def readable_summary(counts: pd.DataFrame) -> pd.DataFrame:
    """`summary`'s table as text, in words and percent."""
    tables = [name.removesuffix("_fit") for name in counts.columns if name.endswith("_fit")]
    return pd.DataFrame(
        {
            "systems": counts["systems"],
            "tied pair": counts["ties"].map(TIED),
            "pairs": counts["pairs"],
            **{
                name if len(tables) > 1 else "rows": [
                    f"{fit} of {of}"
                    for fit, of in zip(counts[f"{name}_fit"], counts[f"{name}_rows"], strict=True)
                ]
                for name in tables
            },
            "chance": counts["chance"].map(percent),
            "near": counts["chance_near"].map(percent),
        }
    ).astype(str)


TIED = {"none": "none", "one": "on one side", "both": "on both sides", "any": "any of these"}
"""The patterns of ties in words."""
SUMMARY_TITLE = "Rows of the paper that so many systems can give, by where a pair of systems is tied."
SUMMARY_LEGEND = (
    "pairs: different pairs of coefficients that are possible. "
    f"chance: of all rankings of {COMPARED} systems without ties, the share whose pair fits; "
    f"near: of those alone whose ρ is within {float(NEAR)} of a row's."
)


def percent(share: float) -> str:
    """A share from 0 to 1 as percent to one decimal; only none and all read as 0% and 100%."""
    if np.isnan(share):
        return UNDEFINED
    if share in (0, 1):
        return f"{share:.0%}"
    return "<0.1%" if share < 0.0005 else ">99.9%" if share > 0.9995 else f"{100 * share:.1f}%"


def exact_values(spearman: str, kendall: str) -> tuple[Fraction, Fraction] | None:
    """Two printed coefficients as exact numbers; None if one is undefined."""
    if any(text.lower() in _NO_VALUE for text in (spearman, kendall)):
        return None
    return Fraction(spearman), Fraction(kendall)
