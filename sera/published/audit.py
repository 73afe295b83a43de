"""Audit of printed rank correlations: over how many systems can each pair of coefficients have been taken?

For each row of a table with Spearman's rho and Kendall's tau-b, `audit` decides under which hypotheses of
`sera.published.attainable` the two printed values can be of one pair of rankings; `summary` counts rows and
tells how many would fit by chance; `paragraphs` says it in words. A printed value stands for all values that
are no further from it than one unit in its last digit, so that rounding and cutting off are both allowed.
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
from sera.published.attainable import HYPOTHESES, SYSTEMS, TIES, Hypothesis, grid

COMPARED = 9
"""The number of systems that the paper names (section 4.3); chance is told for it."""
NEAR = Fraction(1, 10)
"""How far rho may be from a row's for a pair to count as near to it, in `summary`."""
FINEST = 12
"""The most digits that are audited: floating-point numbers are not exact beyond."""

YES, NO = "yes", "no"
_COLUMNS = ("spearman", "kendall")
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
    for column in _COLUMNS:
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
    printed = [row[column].replace("\N{MINUS SIGN}", "-") for column in _COLUMNS]
    for column, text in zip(_COLUMNS, printed, strict=True):
        if text.lower() in _NO_VALUE:
            continue
        if len(text) > limits.NUMBER.value:
            raise limits.NUMBER.passed()
        if not _NUMBER.fullmatch(text):
            raise InputError(f"{column} {text!r} is no number")
        if abs(Fraction(text)) > 1:
            raise InputError(f"{column} {text} is not between -1 and 1")
    first = row[header[0]] if header[0] not in _COLUMNS else f"line {line}"
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
            values = _values(pair.spearman, pair.kendall)
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
    shown = table[[*columns, *_COLUMNS]].rename(columns={"spearman": "ρ", "kendall": "τ"})
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


def possible_ties(table: pd.DataFrame, systems: int) -> dict[str, set[bool]]:
    """Whether each metric's scores may have a tied pair, if so many systems were compared in every row.

    A metric has the same scores in all its rows, so their ties have to agree. Rows that do not fit the
    number of systems are left out. Gives for each metric what it may be over all ways to agree; empty if
    there is no such way.
    """
    rows = []
    for _, row in table.iterrows():
        sides = {
            number for number, ties in enumerate(("none", "one", "both")) if row[f"{systems}_{ties}"] == YES
        }
        if sides:
            rows.append((row["metric"], row["against"], sides))
    others = sorted({against for _, against, _ in rows})
    found: dict[str, set[bool]] = {}
    for states in product((False, True), repeat=len(others)):
        # with the second metrics given, each first metric is free of all others
        may = {name: {state} for name, state in zip(others, states, strict=True)}
        for metric, against, sides in rows:
            (state,) = may[against]
            own = may.setdefault(metric, {False, True})
            may[metric] = {tied for tied in own if tied + state in sides}
            if not may[metric]:
                break
        else:
            for name, own in may.items():
                found.setdefault(name, set()).update(own)
    return found


def paragraphs(table: pd.DataFrame, counts: pd.DataFrame, digits: int) -> str:
    """What the paper's tables imply, in two paragraphs of Markdown; every number is of the two tables."""
    by_name = counts.set_index("hypothesis")
    tables = list(dict.fromkeys(table["table"]))
    rows = int(by_name[[f"{name}_rows" for name in tables]].iloc[0].sum())
    fitting = {n: int(by_name.loc[f"{n}_any", [f"{name}_fit" for name in tables]].sum()) for n in SYSTEMS}
    best = max(SYSTEMS, key=lambda n: fitting[n])
    found = _found(table, by_name, tables, rows, fitting, best, digits)
    if best == COMPARED:
        meaning = [f"The values agree with {_word(COMPARED)} systems, and nothing here speaks for fewer."]
    else:
        meaning = _by_chance(by_name.loc[f"{best}_any"], rows, fitting[best], best)
    meaning.append(
        "What the audit cannot decide: which systems were compared, and why; whether a row that fits nothing "
        "is an error of print, of copying or of computing; and what it did not enumerate, namely more ties "
        "than one pair on a side, ties handled otherwise than by mid-ranks and τ-b, and coefficients that "
        "are means over topics. With such ties or means, other numbers of systems are not excluded. The "
        "tables may also be over different systems: what holds of one need not hold of the other. A number "
        "of systems that fits is possible, not proven."
    )
    return f"{' '.join(found)}\n\n{' '.join(meaning)}\n"


def _found(
    table: pd.DataFrame,
    by_name: pd.DataFrame,
    tables: Sequence[str],
    rows: int,
    fitting: Mapping[int, int],
    best: int,
    digits: int,
) -> list[str]:
    """The sentences of the first paragraph: what is possible, what is not, and what fits nothing."""

    def in_tables(hypothesis: str) -> str:
        of = by_name.loc[hypothesis]
        return _listed(
            f"{of[f'{name}_fit']} of {of[f'{name}_rows']} rows of {_title(name)}" for name in tables
        )

    different = {_values(*printed) for printed in table[list(_COLUMNS)].to_numpy()} - {None}
    rest = max(fitting[n] for n in SYSTEMS if n not in (best, COMPARED))
    sentences = [
        f"Each of the {rows} published pairs of Spearman's ρ and Kendall's τ-b ({len(different)} of them "
        f"different) was compared with all that rankings of {SYSTEMS[0]} to {SYSTEMS[-1]} systems can give, "
        "where none or one pair of systems is tied on either side; a printed value may be one unit of its "
        "last digit away from what it stands for.",
        f"{_word(best).capitalize()} systems can give {in_tables(f'{best}_any')}.",
    ]
    if best != COMPARED:
        sentences.append(
            f"{_word(COMPARED).capitalize()} systems, the number that the paper names, can give "
            f"{in_tables(f'{COMPARED}_any')}; without ties, {in_tables(f'{COMPARED}_none')}. So "
            f"{rows - fitting[COMPARED]} of the {rows} pairs are impossible for {_word(COMPARED)} systems "
            "with at most one tied pair a side."
        )
    sentences.append(f"Each other number of systems can give at most {rest} of all {rows}.")
    ties = possible_ties(table, best)
    if ties:
        tied, untied = ([name for name in ties if ties[name] == {state}] for state in (True, False))
        sentences.append(
            f"The ties agree from row to row: what {_word(best)} systems can give needs a tied pair in the "
            f"scores of {_families(tied) or 'no metric'}, and no tie in those of "
            f"{_families(untied) or 'no metric'}."
        )
    else:
        sentences.append(
            "The ties do not agree from row to row: whichever metrics have a tied pair, some row that "
            f"{_word(best)} systems can give by itself is left out."
        )
    misfits = []
    for _, row in unfit(table).iterrows():
        values = _values(row["spearman"], row["kendall"])
        assert values is not None
        rho, tau = Hypothesis(best, "any").nearest(*values)
        misfits.append(
            f"{row['metric']} with {row['against']} ({row['spearman']}, {row['kendall']}; nearest "
            f"{rho:.{digits}f}, {tau:.{digits}f})"
        )
    if misfits:
        verb = "fits" if len(misfits) == 1 else "fit"
        sentences.append(
            f"{_count(len(misfits), 'row')} {verb} no hypothesis; with ρ and τ-b as printed and, nearest to "
            f"them, as {_word(best)} systems can give: {'; '.join(misfits)}."
        )
    if lacking := undefined(table):
        sentences.append(
            f"{_count(lacking, 'more row')} cannot be audited, having no defined pair of values."
        )
    return sentences


def _by_chance(shares: pd.Series, rows: int, fitting: int, best: int) -> list[str]:
    """The sentences of the second paragraph on chance; ``shares`` is the line of `summary` that fits best."""
    expected = rows * shares[["chance", "chance_one", "chance_both", "chance_near"]].max()
    hardly = expected < fitting / 3
    return [
        f"Chance alone would {'hardly' if hardly else 'perhaps'} do that.",
        f"Of all rankings of {_word(COMPARED)} systems without ties, each as likely as any other, "
        f"{percent(shares['chance'])} have a pair that {_word(best)} systems can give too; with a tied pair "
        f"on one side {percent(shares['chance_one'])}, on both sides {percent(shares['chance_both'])} "
        "(counted, not sampled).",
        "Metrics agree more than rankings at random: of untied rankings whose ρ is within "
        f"{float(NEAR)} of a published value, {percent(shares['chance_near'])} do, as a mean over the rows.",
        f"By the largest of these shares {expected:.1f} of {rows} rows would be expected to fit "
        f"{_word(best)} systems, and {fitting} do.",
        "The rows share systems, scores and often values, so their probabilities must not be multiplied; "
        "whatever the dependence, by Markov's inequality so many rows would fit with a probability of at "
        f"most {percent(min(1, expected / fitting))}, before one allows for {_word(best)} being the best of "
        "the numbers tried.",
        f"The values therefore look like correlations over {_word(best)} systems."
        if hardly
        else "So the values do not tell how many systems there were.",
    ]


_WORDS = dict(zip(range(1, 10), "one two three four five six seven eight nine".split(), strict=True))


def _word(number: int) -> str:
    return _WORDS.get(number, str(number))


def _count(number: int, noun: str) -> str:
    return f"{_word(number).capitalize()} {noun}{'' if number == 1 else 's'}"


def _title(table: str) -> str:
    """``table2`` as the paper names it."""
    return re.sub(r"^table(\d+)$", r"Table \1", table)


def _listed(parts: Iterable[str]) -> str:
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def _families(names: Sequence[str]) -> str:
    """Metrics by family: ``Pyramid`` and ``12 variants of SERA``."""
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(name.partition("-")[0], []).append(name)
    return (
        _listed(
            own[0] if len(own) == 1 else f"{len(own)} variants of {family}"
            for family, own in families.items()
        )
        if names
        else ""
    )


def _values(spearman: str, kendall: str) -> tuple[Fraction, Fraction] | None:
    """Two printed coefficients as exact numbers; None if one is undefined."""
    if any(text.lower() in _NO_VALUE for text in (spearman, kendall)):
        return None
    return Fraction(spearman), Fraction(kendall)
