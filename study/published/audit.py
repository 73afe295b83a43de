"""Audit of printed rank correlations: the numbers of systems for which each pair of coefficients is possible.

For each row of a table with Spearman's rho and Kendall's tau-b, `audit` finds the hypotheses of
`study.published.attainable` under which one pair of rankings can have both printed values. `summary` counts
rows and computes how many would fit by chance; `study.published.audit_text` writes the result as text. A
printed value stands for all values within one unit of its last digit, so both rounding and truncation are
allowed.
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

from sera import names
from sera.errors import Faults, InputError, together
from sera.evaluation.tables import UNDEFINED
from sera.io import limits
from sera.io.files import lines
from study.published.attainable import HYPOTHESES, SYSTEMS, TIES, grid

COMPARED = 9
"""The number of systems that the paper names (section 4.3); `summary` computes chance for it."""
NEAR = Fraction(1, 10)
"""The largest difference from a row's rho at which `summary` counts a pair as near to it."""
FINEST = 12
"""The most digits that are audited: floating-point numbers are not exact beyond."""

YES, NO = "yes", "no"
AUDITED = ("spearman", "kendall")
# the exponent is limited, since a fraction with a large one has that many digits
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?", re.IGNORECASE | re.ASCII)
_NO_VALUE = ("", "nan", UNDEFINED)


@dataclass(frozen=True)
class Pair:
    """A row of a table: the two metrics that were compared, and the two coefficients as printed."""

    metric: str
    against: str
    spearman: str
    kendall: str


def read_pairs(path: str | PathLike[str]) -> list[Pair]:
    """Read the rows of a TSV table with columns spearman and kendall; lines that begin with # are comments.

    The columns metric and against name what was compared; without a column metric, the first column does. An
    empty cell, ``nan`` and ``undefined`` are undefined coefficients. InputError names up to ten lines with a
    value that is not a number from -1 to 1, and is raised for a table without these columns or without rows.
    """
    rows: list[tuple[int, list[str]]] = []
    for number, text in lines(path):
        if text.strip() and not text.startswith("#"):
            rows.append((number, text.split("\t")))
    if not rows:
        raise InputError("is empty", path=path, remedy=_FORM)
    line, header = rows[0]
    header = [cell.strip() for cell in header]
    for column in AUDITED:
        if header.count(column) != 1:
            many = "no" if column not in header else "more than one"
            raise InputError(f"has {many} column {column}", path=path, line=line, remedy=_FORM)
    if len(rows) == 1:
        raise InputError("has no rows", path=path, remedy="Add the rows below the header.")
    pairs: list[Pair] = []
    faults = Faults()
    for line, cells in rows[1:]:
        try:
            pairs.append(_pair(header, cells, line))
        except InputError as error:
            faults.append(InputError(error.problem, path=path, line=line, remedy=error.remedy))
    if fault := together(faults):
        raise fault
    return pairs


_FORM = "Give the table the columns spearman and kendall, separated by tabs."
_VALUE = "Give a number from -1 to 1, or leave the cell empty."


def _pair(header: Sequence[str], cells: Sequence[str], line: int) -> Pair:
    if len(cells) != len(header):
        raise InputError(
            f"has {len(cells)} cells, not {len(header)}", remedy="Give every row as many cells as the header."
        )
    row = {name: cell.strip() for name, cell in zip(header, cells, strict=True)}
    printed = [row[column].replace("\N{MINUS SIGN}", "-") for column in AUDITED]
    for column, text in zip(AUDITED, printed, strict=True):
        if text.lower() in _NO_VALUE:
            continue
        if len(text) > limits.NUMBER.value:
            raise limits.NUMBER.passed()
        if not _NUMBER.fullmatch(text):
            raise InputError(f"{column} {text!r} is no number", remedy=_VALUE)
        if abs(Fraction(text)) > 1:
            raise InputError(f"{column} {text} is not between -1 and 1", remedy=_VALUE)
    first = row[header[0]] if header[0] not in AUDITED else f"line {line}"
    metric, against = row.get("metric", first), row.get("against", "")
    for name in filter(None, (metric, against)):
        names.check("name", name)
    return Pair(metric, against, *printed)


def digits_of(pairs: Iterable[Pair]) -> int:
    """The number of decimals of a table: the largest of all values, since trailing zeros are often dropped.

    At most `FINEST`. InputError if no value has decimals.
    """
    digits = 0
    for pair in pairs:
        for text in (pair.spearman, pair.kendall):
            if text.lower() not in _NO_VALUE:
                mantissa, _, exponent = text.lower().partition("e")
                digits = max(digits, len(mantissa.partition(".")[2]) - int(exponent or 0))
    if digits == 0:
        raise InputError("no value has decimals", remedy="Give the number of printed decimals: --digits.")
    return min(digits, FINEST)


def audit(tables: Mapping[str, Sequence[Pair]], digits: int) -> pd.DataFrame:
    """Audit tables, given by name: a line per row with the printed values and whether each hypothesis fits.

    Columns: table, metric, against, spearman, kendall, and one per hypothesis (`Hypothesis.name`) with yes or
    no, or undefined if a coefficient is undefined. ``digits`` is the number of printed decimals.
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
    """Count for each hypothesis the pairs it allows and the rows that fit it, with the share by chance.

    ``table`` is the result of `audit`. Columns: hypothesis, systems, ties, pairs; for each table
    ``<name>_fit``, the number of rows that fit, and ``<name>_rows``, the number whose values are defined. The
    others are shares, 0 to 1, of the arrangements of nine systems, all equally likely, whose rounded pair
    fits the hypothesis: ``chance`` without ties, ``chance_one`` and ``chance_both`` with a tied pair on one
    side or both. ``chance_near`` is the share without ties among the arrangements whose rho is within 0.1 of
    a row's, as a mean over the rows; it is the better guide if metrics agree more than at random. All are
    counted, not sampled.
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


def unfit(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of a table of `audit` that fit no hypothesis."""
    return table[(table[[each.name for each in HYPOTHESES]] == NO).all(axis=1)]


def undefined(table: pd.DataFrame) -> int:
    """The number of rows of a table of `audit` with an undefined coefficient."""
    return int((table[HYPOTHESES[0].name] == UNDEFINED).sum())


TITLE = "How many systems can the published rank correlations have been taken over?"
LEGEND = (
    "Under each number of systems: on how many of the two sides a pair of systems has to be tied "
    "for the printed values to be possible (0, 1, 2); · not at all."
)


def readable(table: pd.DataFrame) -> pd.DataFrame:
    """A table of `audit` as text, with one column per number of systems; `LEGEND` explains it."""

    def cell(row: pd.Series, systems: int) -> str:
        fits = [row[f"{systems}_{ties}"] for ties in TIES if len(TIES[ties]) == 1]
        if UNDEFINED in fits:
            return UNDEFINED
        return " ".join(str(sides) for sides, fit in enumerate(fits) if fit == YES) or "·"

    columns = [name for name in ("table", "metric", "against") if table[name].nunique() > 1]
    shown = table[[*columns, *AUDITED]].rename(columns={"spearman": "ρ", "kendall": "τ"})
    return shown.assign(
        **{str(n): [cell(row, n) for _, row in table.iterrows()] for n in SYSTEMS},
    )


def readable_summary(counts: pd.DataFrame) -> pd.DataFrame:
    """A table of `summary` as text, in words and percent."""
    tables = [name.removesuffix("_fit") for name in counts.columns if name.endswith("_fit")]
    found = {
        "systems": counts["systems"],
        "tied pair": counts["ties"].map(TIED),
        "pairs": counts["pairs"],
    }
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
    f"near: of those alone whose ρ is within {float(NEAR)} of a row's."
)


def percent(share: float) -> str:
    """A share, 0 to 1, in percent to one decimal; only exact 0 and 1 become 0% and 100%."""
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
