"""The page that describes the answers of the universes; all its numbers come from the result tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
import pandas as pd

from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.evaluation.tables import SYMBOLS, printed
from sera.io.files import writing
from study.claims.multiverse import HEADLINE, METRICS, MOST
from study.multiverse.choices import DIMENSIONS
from study.multiverse.figures import QUESTION_WORDS, readable_name
from study.published.comparison import Expected
from study.recognition.errors import CASES


def write_page(
    path: str | PathLike[str],
    template: str | PathLike[str],
    *,
    tables: Mapping[str, pd.DataFrame],
    facts: Mapping[str, Any],
) -> None:
    """Fill the template and write the page.

    ``tables`` has the tables of `study.multiverse.answers` by the names of their files. ``facts`` has
    ``benchmark``, ``name``, ``synthetic``, ``confidence`` (percent), ``combinations`` (by question),
    ``draws`` (of misread nuggets), ``topics``, ``systems`` (names), ``articles`` and ``by_summarizers``
    (see `means_by_summarizers`; empty if nothing was recorded).
    """
    environment = jinja2.Environment(undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {
        "percent": percent,
        "number": two_decimals,
        "p": p_value,
        "whole": "{:,}".format,
        "words": readable_name,
    }
    page = environment.from_string(Path(template).read_text(encoding="utf-8")).render(
        **facts,
        questions=[
            {"name": name, "words": QUESTION_WORDS[name], **_of_question(rows_of_question(tables, name))}
            for name in dict.fromkeys(tables["claims"]["question"])
        ],
        carriers=_carriers(tables["systems"], facts["systems"]),
        outliers=_outliers(tables["outliers"]),
        agreement=_agreement(tables["agreement"]),
        symbols=SYMBOLS,
        most=percent(MOST),
        rest=percent(1 - MOST),
    )
    with writing(path) as stream:
        stream.write(page)


def means_by_summarizers(expected: Iterable[Expected]) -> dict[str, dict[str, float]]:
    """The mean ρ of SERA's and of ROUGE's variants in recorded runs, by their setting ``summarizers``."""
    return {
        run.settings["summarizers"]: {
            family: run.table.loc[run.table["metric"].str.startswith(family), "spearman"].mean()
            for family in ("SERA", "ROUGE")
        }
        for run in expected
    }


_OF_QUESTIONS = ("universes", "claims", "null", "exchange", "choices", "variance")
"""The tables that have rows for each question."""


def rows_of_question(tables: Mapping[str, pd.DataFrame], question: str) -> dict[str, pd.DataFrame]:
    """The rows of one question in each table that has questions."""
    return {name: tables[name][tables[name]["question"] == question] for name in _OF_QUESTIONS}


def _of_question(tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """The values of one question."""
    null = tables["null"].drop(columns=["question", "benchmark", "share", "universes"], errors="ignore")
    claims = tables["claims"].merge(null, on=["claim", "coefficient"], how="left")
    claims["verdict"] = [verdict(row) for row in claims.to_dict("records")]
    halves = claims[["share_first", "share_second"]]
    torn = (halves.min(axis=1) <= 1 - MOST) & (halves.max(axis=1) >= MOST)  # decided in contrary ways
    headline = claims[claims["claim"] == HEADLINE]
    universes = tables["universes"][tables["universes"]["weight"] > 0]
    recovered = claims.get("recovered")
    return {
        "claims": _by_claim(claims),
        "headline": {row["coefficient"]: row for row in headline.to_dict("records")},
        "difference": _difference(tables["exchange"]),
        "compared": _by_systems(tables["choices"]),
        "misread": _misread(headline),
        "verdicts": claims["verdict"].value_counts().to_dict(),
        "surviving": claims[claims["holm_median"] <= SIGNIFICANT].to_dict("records"),
        "permutations": int(claims["permutations"].max()),
        "permuted": int(tables["null"]["universes"].max()),
        "count": len(universes),
        "with_undefined": int((universes["undefined"] > 0).sum()),
        "coefficients": int(universes["undefined"].sum()),
        "all_coefficients": len(universes) * len(METRICS) * len(CORRELATIONS),
        "undefined_by": _undefined_by(universes),
        "movers": _movers(tables["variance"], tables["choices"]),
        "halves_differ": claims[torn].to_dict("records"),
        "near_half": int(
            ((claims["verdict"] == "open") & (claims["low"] <= 0.5) & (claims["high"] >= 0.5)).sum()
        ),
        "recovered": None if recovered is None else recovered.value_counts().to_dict(),
        "missed": [] if recovered is None else claims[recovered == "no"].to_dict("records"),
    }


def _by_claim(claims: pd.DataFrame) -> list[dict[str, Any]]:
    """The claims, each with its rows by coefficient."""
    return [
        {"name": name, **of.iloc[0][["words", "compared", "section"]], "rows": of.to_dict("records")}
        for name, of in claims.groupby("claim", sort=False)
    ]


SIGNIFICANT = 0.05
"""The level of the tests; a test in both directions has half of it in each."""


def _difference(exchange: pd.DataFrame) -> dict[str, Any]:
    """The test of the difference between SERA and ROUGE: its rows, and the family that is ahead in each.

    A family is ahead if the difference is larger than by chance, by Holm's p of its direction. ``ahead`` has
    the coefficients of each family that is ahead by some.
    """
    ahead = {
        family: exchange.loc[exchange[f"holm_{side}"] <= SIGNIFICANT / 2, "coefficient"].tolist()
        for family, side in (("SERA", "median"), ("ROUGE", "contrary"))
    }
    return {
        "rows": exchange.to_dict("records"),
        "ahead": {family: of for family, of in ahead.items() if of},
        "exchanges": int(exchange["exchanges"].max()),
        "universes": int(exchange["universes"].max()),
        "undefined": int(exchange["undefined"].max()),
    }


def verdict(row: Mapping[str, Any]) -> str:
    """The verdict on a row of `answers.claim_table`: ``holds``, ``fails``, ``open``, or ``undefined``.

    A claim holds if its share is at least `MOST` and the interval of the share is above one half: then most
    ways to redo the study agree, and would agree with other topics of the same kind. It fails if the same is
    true of its contrary.
    """
    if np.isnan(row["share"]):
        return "undefined"
    if row["share"] >= MOST and row["low"] > 0.5:
        return "holds"
    if row["share"] <= 1 - MOST and row["high"] < 0.5:
        return "fails"
    return "open"


def _by_systems(choices: pd.DataFrame) -> dict[str, dict[str, float]]:
    """The shares in which SERA is ahead: by the systems that are compared, then by coefficient."""
    shares = choices[(choices["claim"] == HEADLINE) & (choices["dimension"] == "systems")]
    by_value = shares.set_index("coefficient").groupby("value", sort=False)["share"]
    return {str(value): of.to_dict() for value, of in by_value}


_MISREAD_WORDS = {
    "all_units": "all nuggets are misread as often as measured",
    "longer_units": "nuggets of one stem are recognised without error, and the others as measured",
}


def _misread(claims: pd.DataFrame) -> list[dict[str, Any]]:
    """For each case of errors of recognition, its words and the headline's shares by each coefficient."""
    return [
        {
            "words": _MISREAD_WORDS[case],
            "rows": [
                {
                    "coefficient": row["coefficient"],
                    **{name: row[f"{name}_misread_{case}"] for name in ("share", "low", "high")},
                }
                for row in claims.to_dict("records")
            ],
            "defined": claims[f"defined_misread_{case}"].min(),
        }
        for case in CASES
    ]


def percent(value: float) -> str:
    """A share, 0 to 1, in whole percent."""
    return "undefined" if np.isnan(value) else f"{value:.0%}"


def p_value(value: float) -> str:
    """A p to three decimals."""
    return "undefined" if np.isnan(value) else "< .001" if value < 0.001 else f"{value:.3f}".lstrip("0")


def two_decimals(value: float, sign: bool = False) -> str:
    """A number to two decimals, with a true minus; a value that rounds to zero has no sign."""
    return "undefined" if np.isnan(value) else f"{value:{'+z' if sign else 'z'}.2f}".replace("-", "−")


def _undefined_by(universes: pd.DataFrame) -> list[dict[str, Any]]:
    """Up to three values of dimensions with the largest shares of universes with undefined coefficients."""
    rows: list[dict[str, Any]] = []
    for name in DIMENSIONS:
        for value, of in universes.groupby(name, sort=True):
            lacking = (of["undefined"] > 0).mean()
            if lacking > 0 and universes[name].nunique() > 1:
                rows.append({"dimension": name, "value": str(value), "share": float(lacking)})
    return sorted(rows, key=lambda row: -row["share"])[:3]


def _movers(variance: pd.DataFrame, choices: pd.DataFrame) -> dict[str, Any]:
    """The share of the headline's variance that each dimension explains.

    ``rows`` has the dimensions that explain most, with the shares of their values, ``others`` the other
    varied dimensions, and ``fixed`` those with a single value.
    """
    of = variance[variance["claim"] == HEADLINE].groupby("dimension", sort=False)
    means = of["adjusted"].mean()
    fixed = means.index[of["values"].max() == 1]
    order = means.drop(["interplay", *fixed]).dropna().sort_values(ascending=False, kind="stable")
    rows = []
    for name in order.index[:5]:
        of_name = (choices["claim"] == HEADLINE) & (choices["dimension"] == name)
        here = choices[of_name & (choices["coefficient"] == "spearman")]
        values = [{"value": str(v), "share": s} for v, s in here[["value", "share"]].itertuples(index=False)]
        rows.append({"dimension": name, "explained": float(order[name]), "values": values})
    return {
        "rows": rows,
        "interplay": float(means["interplay"]),
        "others": order[5:].to_dict(),
        "fixed": {name: str(choices.loc[choices["dimension"] == name, "value"].iloc[0]) for name in fixed},
    }


def _carriers(table: pd.DataFrame, systems: Sequence[str]) -> dict[str, Any]:
    """The study's systems whose removal lowers and raises the mean r of each family most."""
    of = table[(table["coefficient"] == "pearson") & (table["universes"] > 0)].set_index("system")
    of = of[of.index.isin(systems)]
    found: dict[str, Any] = {}
    for family in ("ROUGE", "SERA"):
        change = of[f"{family}_change"].dropna()
        if len(change):
            found[family] = {
                kind: {
                    "system": name.replace("_", " "),
                    "change": change[name],
                    "carried": of.loc[name, f"{family}_carried"],
                }
                for kind, name in (("lowers", change.idxmin()), ("raises", change.idxmax()))
            }
    otherwise = of["decided_otherwise"].dropna()
    most: dict[str, Any] = {}
    if len(otherwise):
        most = {"system": otherwise.idxmax().replace("_", " "), "share": otherwise.max()}
    return {"families": found, "otherwise": most}


def _outliers(table: pd.DataFrame) -> dict[str, Any]:
    first = table.iloc[0]
    outlying = first["outlying"].split() if isinstance(first["outlying"], str) else []
    named = [each.rpartition(":") for each in outlying]
    means = {
        family: [
            table[table["metric"].str.startswith(family)][column].mean()
            for column in ("pearson", "pearson_without")
        ]
        for family in ("ROUGE", "SERA")
    }
    return {
        "universes": int(first["universes"]),
        "with": int(first["with_outliers"]),
        "systems": [{"system": name.replace("_", " "), "count": int(count)} for name, _, count in named],
        "means": means,
    }


def _agreement(table: pd.DataFrame) -> list[dict[str, Any]]:
    """The mean tau-b by dimension and family; NaN if a family does not depend on the dimension."""
    rows = []
    for name in (*DIMENSIONS, "all"):
        of = table[(table["dimension"] == name) & (table["pairs"] > 0)]
        if len(of):
            families = {
                family: of[of["metric"].str.startswith(family)]["kendall"].mean()
                for family in ("Pyramid", "ROUGE", "SERA")
            }
            rows.append({"dimension": name, **families})
    return rows


# The tables
# ----------

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
"""The tables of `study.multiverse.answers` for readers, each with its columns to show."""

_HEADINGS = {"coefficient": "by", "low": "share_low", "high": "share_high", "adjusted": "explained"}


def readable_answer(name: str, table: pd.DataFrame) -> pd.DataFrame:
    """A table of answers as text, with the `ANSWER_COLUMNS` of its name that it has."""
    of_paper = set() if "paper" in table else {"paper", "own"}  # no decision of claims without the paper's
    shown = table[[column for column in ANSWER_COLUMNS[name] if column in table and column not in of_paper]]
    shown = shown.replace({"dimension": {"all": "one or more of these"}, "coefficient": SYMBOLS})
    for column in shown.columns.intersection(["claim", "dimension", "value"]):
        shown[column] = shown[column].map(readable_name)
    if "system" in shown:
        shown["system"] = shown["system"].str.replace("_", " ")
    return printed(shown.rename(columns=_HEADINGS))
