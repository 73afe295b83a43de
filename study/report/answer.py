"""The answer of a study: SERA less ROUGE on its own articles and over all releases, and a verdict a question.

This module has the numbers and the codes, ``answer.j2`` the words, which the page of a study,
docs/replication.md and README share.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import TEXTS, read_tsv
from study.claims.multiverse import METRICS
from study.multiverse.more_systems import LEVELS_OF_ANSWER, WHOLE, answer_numbers
from study.multiverse.page import environment
from study.published.tables import read_published

_SPEARMAN = "spearman"
PRIMARY = "means"  # the contrast that answers the questions; the others of ``pooled.tsv`` are for sensitivity

_QUESTIONS = {
    "systems": ("systems", "effect", 0.0),
    "summaries": ("summaries", "effect", 0.0),
    "rouge": ("systems", "rouge", 0.512),
    "sera": ("systems", "sera", 0.618),
}
"""Each question's ranking, its number in `answer_table`, and what it is compared with.

The last two are the highest mean rho that the paper calls weak and the lowest that it calls high (section 5).
"""


def printed_table(path: str | PathLike[str]) -> np.ndarray:
    """The paper's Table 2, (metric, coefficient), in the order of `METRICS`."""
    table = read_published(path).set_index("metric").loc[list(METRICS)]
    return table.drop(columns="against").to_numpy(float)


def verdict(low: float, high: float, limit: float = 0.0) -> str:
    """Whether a number is above a limit: yes or no if all of its interval is on that side, else open."""
    return "yes" if low > limit else "no" if high < limit else "open"


def answer(own: pd.DataFrame, *, paper: np.ndarray | None, files: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of the answer, for the macros of ``answer.j2``.

    ``own`` is the `answer_table` of a study's own systems. ``paper`` is the printed Table 2, (metric,
    coefficient); None for data that the paper does not describe, which have no verdict. ``files`` has the
    paths of the results that exist (`study.report.optional_results`).

    ``rows`` has a row for each question, with the paper's number, the ``sources`` on the study's own articles
    (few systems, then more), the ``pooled`` row, whose ``sensitivity`` has other contrasts, and the
    ``verdict``; ``levels`` the same of ROUGE-1 and -L and of SERA, decided by the most systems.
    """
    texts = [*TEXTS, "question", "judgement"]
    more = [read_tsv(files["more_systems"], texts=texts)] if "more_systems" in files else []
    numbers = pd.concat([own, *more]).query("coefficient == @_SPEARMAN")
    by_whole = numbers[numbers["judgement"] == WHOLE].set_index("question").to_dict("index")
    numbers = numbers[numbers["judgement"] != WHOLE].drop_duplicates(["question", "systems"])
    sources = {name: rows.to_dict("records") for name, rows in numbers.groupby("question", sort=False)}
    printed = {}
    if paper is not None:
        place = CORRELATIONS.index(_SPEARMAN)
        printed = {name: float(value[place]) for name, value in answer_numbers(paper).items()}
    pooled = _pooled_rows(files["pooled"]) if printed and "pooled" in files else {}
    rows = []
    for name, (question, number, limit) in _QUESTIONS.items():
        values = [_number(each, number) for each in sources[question]]
        decides = pooled.get(name) or (values[-1] if printed and limit else None)
        row = {
            "question": name,
            "paper": printed.get(number) if question == "systems" else None,
            "sources": values,
            "whole": _number(by_whole[question], number) if question in by_whole else None,
            "pooled": pooled.get(name),
            "verdict": verdict(decides["low"], decides["high"], limit) if decides else None,
        }
        rows.append(row)
    return {"rows": rows[:2], "levels": rows[2:], "has_paper": bool(printed), "is_pooled": bool(pooled)}


def _number(row: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A number of a row of `answer_table` with its interval, and the number of systems."""
    ends = {end: row[f"{name}_{end}"] for end in ("low", "high")}
    return {"effect": row[name], **ends, "systems": int(row["systems"]), "topics": int(row["topics"])}


def _pooled_rows(path: str | PathLike[str]) -> dict[str, dict[str, Any]]:
    """The pooled row of each question, with the range of effects without one release, and other contrasts."""
    table = read_tsv(path, texts=[*TEXTS, "contrast", "left_out"])
    found = {}
    for question, level in LEVELS_OF_ANSWER.items():
        rows = table[table["level"] == level]
        whole = rows[rows["left_out"] == ""].set_index("contrast").to_dict("index")
        without = rows[rows["left_out"] != ""]["effect"]  # of the primary contrast alone
        ends = {"least": without.min(), "most": without.max()}
        found[question] = {**whole.pop(PRIMARY), **ends, "sensitivity": whole}
    return found


def say(macro: str, *given: Any) -> str:
    """The words of a macro of ``answer.j2``, as Markdown."""
    template = environment().get_template("answer.j2")
    return str(getattr(template.module, macro)(*given))
