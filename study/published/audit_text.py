"""The result of the audit of the paper's rank correlations, in two paragraphs of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import pandas as pd

from study.published.attainable import SYSTEMS, Hypothesis
from study.published.audit import AUDITED, COMPARED, NEAR, YES, exact_values, percent, undefined, unfit


def possible_ties(table: pd.DataFrame, systems: int) -> dict[str, set[bool]]:
    """Whether each metric's scores may have a tied pair, if all rows compare the same number of systems.

    A metric has the same scores in all its rows, so the ties of its rows must agree. Rows that do not fit the
    number of systems are left out. Returns for each metric its possible states, tied or not, over all
    consistent assignments; empty if there is none.
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
        # given the states of the second metrics, the first metrics are independent of each other
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
    """What the paper's tables imply, in two paragraphs of Markdown.

    ``table`` is the result of `audit`, ``counts`` that of `summary`, and all numbers come from these.
    """
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
    """The sentences of the first paragraph: what is possible, what is not, and rows that fit nothing."""

    def in_tables(hypothesis: str) -> str:
        of = by_name.loc[hypothesis]
        return _listed(
            f"{of[f'{name}_fit']} of {of[f'{name}_rows']} rows of {_title(name)}" for name in tables
        )

    different = {exact_values(*printed) for printed in table[list(AUDITED)].to_numpy()} - {None}
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
        values = exact_values(row["spearman"], row["kendall"])
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
    """The sentences of the second paragraph on chance; ``shares`` is the best-fitting line of `summary`."""
    expected = rows * shares[["chance", "chance_one", "chance_both", "chance_near"]].max()
    hardly = expected < fitting / 3
    return [
        f"Chance alone would {'hardly' if hardly else 'perhaps'} do that.",
        f"Among all rankings of {_word(COMPARED)} systems without ties, each as likely as any other, "
        f"{percent(shares['chance'])} have a pair that {_word(best)} systems can give too; with a tied pair "
        f"on one side {percent(shares['chance_one'])}, on both sides {percent(shares['chance_both'])} "
        "(counted, not sampled).",
        "Metrics agree more than rankings at random: of untied rankings whose ρ is within "
        f"{float(NEAR)} of a published value, {percent(shares['chance_near'])} do, as a mean over the rows.",
        f"By the largest of these shares {expected:.1f} of {rows} rows would be expected to fit "
        f"{_word(best)} systems, and {fitting} do.",
        "The rows share systems, scores and often values, so their probabilities must not be multiplied; "
        "whatever the dependence, by Markov's inequality this number of rows would fit with a probability of "
        f"at most {percent(min(1, expected / fitting))}, before one allows for {_word(best)} being the best "
        "of the numbers tried.",
        f"The values therefore look like correlations over {_word(best)} systems."
        if hardly
        else "The values do not show how many systems there were.",
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
    parts = [own[0] if len(own) == 1 else f"{len(own)} variants of {name}" for name, own in families.items()]
    return _listed(parts) if parts else ""
