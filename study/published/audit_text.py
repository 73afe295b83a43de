"""The result of the audit of the paper's rank correlations, in three paragraphs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import pandas as pd

from study.published.attainable import SYSTEMS, Hypothesis
from study.published.audit import COMPARED, NEAR, YES, Pair, exact_values, percent, unfit
from study.published.joint import JOINT_SYSTEMS


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
    """What the paper's Tables 2 and 3 imply, in two paragraphs of Markdown.

    ``table`` is the result of `audit` for them, ``counts`` that of `summary`, and all numbers come from
    these. The wording is for these tables: most rows fit one number of systems, which is not `COMPARED`.
    """
    by_name = counts.set_index("hypothesis")
    tables = list(dict.fromkeys(table["table"]))
    rows = int(by_name[[f"{name}_rows" for name in tables]].iloc[0].sum())
    fitting = {n: int(by_name.loc[f"{n}_any", [f"{name}_fit" for name in tables]].sum()) for n in SYSTEMS}
    best = max(SYSTEMS, key=lambda n: fitting[n])
    rest = max(fitting[n] for n in SYSTEMS if n not in (best, COMPARED))
    pairs = [Pair(*row) for row in table[[*Pair._fields]].itertuples(index=False)]
    misfits = [Pair(*row) for row in unfit(table)[[*Pair._fields]].itertuples(index=False)]
    ties = possible_ties(table, best)
    tied, untied = (_families([name for name in ties if ties[name] == {state}]) for state in (True, False))
    shares = by_name.loc[f"{best}_any"]
    expected = rows * shares[["chance", "chance_one", "chance_both", "chance_near"]].max()
    few, many = _word(best), _word(COMPARED)

    def in_tables(hypothesis: str) -> str:
        of = by_name.loc[hypothesis]
        return _listed(
            f"{of[f'{name}_fit']} of {of[f'{name}_rows']} rows of {name.replace('table', 'Table ')}"
            for name in tables
        )

    def with_nearest(pair: Pair) -> str:
        values = exact_values(pair)
        assert values is not None
        rho, tau = Hypothesis(best, "any").nearest(*values)
        return (
            f"{pair.metric} with {pair.against} ({pair.spearman}, {pair.kendall}; nearest "
            f"{rho:.{digits}f}, {tau:.{digits}f})"
        )

    return (
        f"Each of the {rows} published pairs of Spearman's ρ and Kendall's τ-b "
        f"({len({*map(exact_values, pairs)})} of them different) was compared with all that rankings of "
        f"{SYSTEMS[0]} to {SYSTEMS[-1]} systems can give, where none or one pair of systems is tied on "
        "either side; a printed value may be one unit of its last digit away from what it stands for. "
        f"{few.capitalize()} systems can give {in_tables(f'{best}_any')}. "
        f"{many.capitalize()} systems, the number that the paper names, can give "
        f"{in_tables(f'{COMPARED}_any')}; without ties, {in_tables(f'{COMPARED}_none')}. So "
        f"{rows - fitting[COMPARED]} of the {rows} pairs are impossible for {many} systems with at most one "
        f"tied pair a side. Each other number of systems can give at most {rest} of all {rows}. "
        f"The ties agree from row to row: what {few} systems can give needs a tied pair in the scores of "
        f"{tied}, and no tie in those of {untied}. "
        f"{_count(len(misfits), 'row')} fit no hypothesis; with ρ and τ-b as printed and, nearest to them, "
        f"as {few} systems can give: {'; '.join(map(with_nearest, misfits))}.\n\n"
        f"Chance alone would hardly do that. Among all rankings of {many} systems without ties, each as "
        f"likely as any other, {percent(shares['chance'])} have a pair that {few} systems can give too; with "
        f"a tied pair on one side {percent(shares['chance_one'])}, on both sides "
        f"{percent(shares['chance_both'])} (counted, not sampled). "
        "Metrics agree more than rankings at random: of untied rankings whose ρ is within "
        f"{float(NEAR)} of a published value, {percent(shares['chance_near'])} do, as a mean over the rows. "
        f"By the largest of these shares {expected:.1f} of {rows} rows would be expected to fit {few} "
        f"systems, and {fitting[best]} do. "
        "The rows share systems, scores and often values, so their probabilities must not be multiplied; "
        "whatever the dependence, by Markov's inequality this number of rows would fit with a probability of "
        f"at most {percent(min(1, expected / fitting[best]))}, before one allows for {few} being the best of "
        f"the numbers tried. The values therefore look like correlations over {few} systems. "
        "What the audit cannot decide: which systems were compared, and why; whether a row that fits nothing "
        "is an error of print, of copying or of computing; and what it did not enumerate, namely more ties "
        "than one pair on a side, ties handled otherwise than by mid-ranks and τ-b, and coefficients that "
        "are means over topics. With such ties or means, other numbers of systems are not excluded. The "
        "tables may also be over different systems: what holds of one need not hold of the other. A number "
        "of systems that fits is possible, not proven.\n"
    )


def joint_paragraph(solutions: pd.DataFrame, left_out: Sequence[str], orders: int) -> str:
    """What the joint search found, suggests and does not prove, in one paragraph of Markdown.

    ``solutions`` and ``left_out`` are the result of `study.published.joint.joint` for the paper's tables, and
    ``orders`` is the number of weak orders that it tried, with the one that ties all systems. The wording is
    for these tables, in which each SERA ties the systems that Pyramid ties.
    """
    tied = solutions.pivot(index="solution", columns="metric", values="tied")[solutions["metric"].unique()]
    first, *others = tied.columns
    same = [name for name in others if (tied[name] == tied[first]).all()]
    apart = [name for name in others if name not in same]
    places = {f"{ord(pair[0]) - ord('A') + 1}–{ord(pair[-1]) - ord('A') + 1}" for pair in tied[first]}
    rankings = len(tied) * len(same)
    systems = _word(JOINT_SYSTEMS)
    return (
        "In a joint search each metric has one ranking in all its rows, with any ties: all "
        f"{orders:,} weak orders of {systems} systems were tried; the coefficients of {orders - 1:,} are "
        "defined, since one ties all systems. No two of these orders give the values of some row of "
        f"{_listed(left_out)}, so these metrics are left out. "
        f"{_count(len(tied), 'assignment')} of a ranking to each of {_listed([first, *apart])} and "
        f"{_families(same)} give all their rows (table `joint`); those that differ in the names of the "
        "systems alone count once, and reversing every ranking turns one into another. "
        f"In each of them {first} has one tie, at ranks {' or '.join(sorted(places))}, counted from either "
        f"end; SERA ties the same two systems and no others, in {rankings} of {rankings} rankings, and "
        f"{_listed(apart)} separate them. "
        f"This suggests that what {first} and SERA saw of these two systems was the same, for example the "
        "same nuggets and the same search results, from texts whose words differ. "
        "It does not prove that, nor which systems they were: the tie can be chance or rounding, and the "
        f"search assumes {systems} systems, the same in both tables, mid-ranks, τ-b and one ranking per "
        "metric.\n"
    )


_WORDS = dict(zip(range(1, 10), "one two three four five six seven eight nine".split(), strict=True))


def _word(number: int) -> str:
    return _WORDS.get(number, str(number))


def _count(number: int, noun: str) -> str:
    return f"{_word(number).capitalize()} {noun}s"


def _listed(parts: Iterable[str]) -> str:
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def _families(names: Sequence[str]) -> str:
    """Metrics by family: ``Pyramid`` and ``12 variants of SERA``."""
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(name.partition("-")[0], []).append(name)
    parts = [own[0] if len(own) == 1 else f"{len(own)} variants of {name}" for name, own in families.items()]
    return _listed(parts)
