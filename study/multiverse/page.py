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
from study.claims.multiverse import HEADLINE, MOST, OUTCOMES
from study.multiverse.answers import variance_table
from study.multiverse.choices import QUESTION_WORDS, readable_name

_ANSWER = Path(__file__).parents[1] / "report"  # the folder of answer.j2


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
    return environment(path.parent).get_template(path.name).render(content)


def environment(*folders: Path) -> jinja2.Environment:
    """The environment of templates in Markdown: those of the folders, and ``answer.j2``."""
    loader, policy = jinja2.FileSystemLoader([*folders, _ANSWER]), jinja2.StrictUndefined
    made = jinja2.Environment(loader=loader, undefined=policy, trim_blocks=True, lstrip_blocks=True)
    made.filters |= {"percent": percent, "number": number, "words": readable_name}
    made.filters |= {"whole": "{:,}".format, "markdown": markdown}
    made.filters["signed"] = partial(number, digits=2, sign="+")
    return made


def question_rows(tables: Mapping[str, pd.DataFrame], question: str) -> dict[str, pd.DataFrame]:
    """The rows of one question in each table."""
    return {name: table[table["question"] == question] for name, table in tables.items()}


def _question_values(tables: Mapping[str, pd.DataFrame]) -> dict[str, Any]:
    """The values of one question."""
    columns = ["claim", "coefficient", "null_share"]
    claims = tables["claims"].merge(tables["null"][columns], on=["claim", "coefficient"], how="left")
    rho_first = claims.sort_values("coefficient", key=lambda name: name != "spearman", kind="stable")
    shown = rho_first.drop_duplicates("claim").sort_index()
    universes = tables["universes"]
    weighted_universes = universes[universes["weight"] > 0]
    recovered = claims.get("recovered")
    return {
        "claims": shown.to_dict("records"),
        "most": int((shown["share"] >= MOST).sum()),
        "few": int((shown["share"] <= 1 - MOST).sum()),
        "headline": shown[shown["claim"] == HEADLINE].to_dict("records")[0],
        "count": len(weighted_universes),
        "with_undefined": int((weighted_universes["undefined"] > 0).sum()),
        "explained": _main_dimensions(universes),
        "recovered": None if recovered is None else recovered.value_counts().to_dict(),
        "missed": [] if recovered is None else claims[recovered == "no"].to_dict("records"),
    }


def percent(value: float) -> str:
    """A share, 0 to 1, in whole percent."""
    return "undefined" if np.isnan(value) else f"{value:.0%}"


def _main_dimensions(universes: pd.DataFrame) -> dict[str, float]:
    """The two dimensions that explain most of the headline's variance, and what choices explain together."""
    variance = variance_table(universes, [outcome for outcome in OUTCOMES if outcome[0].name == HEADLINE])
    groups = variance.groupby("dimension", sort=False)
    means = groups["adjusted"].mean()
    constants = means.index[groups["values"].max() == 1]
    order = means.drop(["interplay", *constants]).dropna().sort_values(ascending=False, kind="stable")
    return {**order[:2], "interplay": means["interplay"]}
