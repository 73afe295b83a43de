"""The page that describes the answers of the universes; all its numbers come from the result tables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
import pandas as pd

from sera.evaluation.tables import SYMBOLS, markdown
from sera.io.files import writing
from sera.reporting.page import number
from study.claims.multiverse import HEADLINE
from study.multiverse.choices import QUESTION_WORDS, readable_name


def write_page(
    path: str | PathLike[str],
    template: str | PathLike[str],
    *,
    tables: Mapping[str, pd.DataFrame],
    facts: Mapping[str, Any],
) -> None:
    """Fill the template with facts and with what tables of `study.multiverse.answers` say, by file name."""
    questions = [
        {"name": name, "words": QUESTION_WORDS[name], **_question_values(question_rows(tables, name))}
        for name in tables["claims"]["question"].unique()
    ]
    with writing(path) as stream:
        stream.write(fill_template(template, **facts, questions=questions, symbols=SYMBOLS))


def fill_template(template: str | PathLike[str], **content: Any) -> str:
    """A text in Markdown from a template."""
    path = Path(template)
    loader, policy = jinja2.FileSystemLoader(path.parent), jinja2.StrictUndefined
    environment = jinja2.Environment(loader=loader, undefined=policy, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"percent": percent, "number": two_decimals, "p": p_value, "words": readable_name}
    environment.filters |= {"whole": "{:,}".format, "markdown": markdown}
    environment.filters["signed"] = partial(number, digits=2, sign="+")
    return environment.get_template(path.name).render(content)


def two_decimals(value: float, sign: bool = False) -> str:
    """A number with a true minus and, with a ``sign``, a plus, also before what rounds to zero."""
    return "undefined" if np.isnan(value) else number(value, 2, "+" if sign else "")


def question_rows(tables: Mapping[str, pd.DataFrame], question: str) -> dict[str, pd.DataFrame]:
    """The rows of one question in each table."""
    return {name: table[table["question"] == question] for name, table in tables.items()}


def _question_values(tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """The values of one question."""
    null = tables["null"].drop(columns=["question", "benchmark", "share", "universes"], errors="ignore")
    claims = tables["claims"].merge(null, on=["claim", "coefficient"], how="left")
    claims["verdict"] = verdicts(claims, tables["universes"])
    headline = claims[claims["claim"] == HEADLINE]
    choices = tables["choices"]
    shares = choices[(choices["claim"] == HEADLINE) & (choices["coefficient"] == "spearman")]
    is_systems = shares["dimension"] == "systems"
    universes = tables["universes"]
    weighted_universes = universes[universes["weight"] > 0]
    truth_verdicts = claims.get("recovered")
    rho_first = claims.sort_values("coefficient", key=lambda name: name != "spearman", kind="stable")
    return {
        "claims": rho_first.drop_duplicates("claim").sort_index().to_dict("records"),
        "readings": len(claims),
        "headline": {row["coefficient"]: row for row in headline.to_dict("records")},
        "difference": _difference(tables["exchange"]),
        "compared": shares[is_systems].set_index("value")["share"].to_dict(),
        "verdicts": claims["verdict"].value_counts().to_dict(),
        "permutations": int(claims["permutations"].max()),
        "permuted": int(tables["null"]["universes"].max()),
        "count": len(weighted_universes),
        "checks": len(universes) - 1 - len(weighted_universes),
        "with_undefined": int((weighted_universes["undefined"] > 0).sum()),
        "explained": _main_dimensions(tables["variance"]),
        "recovered": None if truth_verdicts is None else truth_verdicts.value_counts().to_dict(),
        "missed": [] if truth_verdicts is None else claims[truth_verdicts == "no"].to_dict("records"),
    }


SIGNIFICANT = 0.05  # the level of the tests; a test in both directions has half of it in each


def _difference(exchange: pd.DataFrame) -> dict[str, Any]:
    """The test of the difference between SERA and ROUGE: its rows, and the family that is ahead in each."""
    ahead = {
        family: exchange.loc[exchange[f"holm_{side}"] <= SIGNIFICANT / 2, "coefficient"].tolist()
        for family, side in (("SERA", "median"), ("ROUGE", "contrary"))
    }
    return {
        "rows": exchange.to_dict("records"),
        "ahead": {family: coefficients for family, coefficients in ahead.items() if coefficients},
        "exchanges": int(exchange["exchanges"].max()),
    }


ABSOLUTE = ("rouge_weak", "sera_high", "sera_consistently_high")
"""The claims that compare a correlation with a number, not with another metric."""


def verdict(row: Mapping[str, Any], own: tuple[float, float] | None = None) -> str:
    """The verdict on a claim, from its row of `null_table`; docs/multiverse.md defines verdicts.

    ``own`` is the interval of its effect in the study's own settings, which decides claims of `ABSOLUTE`.
    """
    if np.isnan(row["p_share"]):
        return "undefined"
    if row["claim"] in ABSOLUTE:
        holds, fails = (own[0] > 0, own[1] < 0) if own else (False, False)
    else:
        holds = row["p_share"] <= SIGNIFICANT / 2
        fails = row["p_share_contrary"] <= SIGNIFICANT / 2
    if holds and row["share"] > 0.5:
        return "confirmed"
    return "fails" if fails and row["share"] < 0.5 else "undecided"


def verdicts(claims: pd.DataFrame, universes: pd.DataFrame) -> list[str]:
    """The verdicts on the claims of a question, with the columns of their null; the first universe is own."""
    own = universes.iloc[0]
    return [
        verdict(row, tuple(own[[f"{row['claim']}_{row['coefficient']}_{end}" for end in ("low", "high")]]))
        for row in claims.to_dict("records")
    ]


def percent(value: float) -> str:
    """A share, 0 to 1, in whole percent."""
    return "undefined" if np.isnan(value) else f"{value:.0%}"


def p_value(value: float, draws: int) -> str:
    """A p to three decimals; with ≤ where it is the lowest that this number of draws can give."""
    if np.isnan(value):
        return "undefined"
    return f"{'≤ ' if value * (draws + 1) < 1.5 else ''}{f'{value:.3f}'.removeprefix('0')}"


def _main_dimensions(variance: pd.DataFrame) -> dict[str, float]:
    """The two dimensions that explain most of the headline's variance, and what choices explain together."""
    groups = variance[variance["claim"] == HEADLINE].groupby("dimension", sort=False)
    means = groups["adjusted"].mean()
    constants = means.index[groups["values"].max() == 1]
    order = means.drop(["interplay", *constants]).dropna().sort_values(ascending=False, kind="stable")
    return {**order[:2], "interplay": means["interplay"]}
