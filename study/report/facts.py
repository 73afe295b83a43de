"""The facts of a study's page: its headline, whose judgement it is, and what was not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import UNDEFINED, has_published, read_tsv
from sera.io import tsv
from study.published.comparison import HIGHER, LOWER, SAME, WITHIN, verdicts

_FAMILIES = ("ROUGE", "SERA")


def study_headline(table: pd.DataFrame, against: str) -> dict[str, Any]:
    """The numbers of the page's first section, of a table of `tables.join_published` for a judgement.

    ``systems`` and ``topics`` are numbers; ``means`` has the families' mean rho. If there are published
    numbers, ``means_paper`` is the same of these, ``verdicts`` counts the ``cells`` by verdict, and
    ``distance`` is the median absolute difference of the defined cells.
    """
    table = table[table["against"] == against]
    headline: dict[str, Any] = {name: int(table[name].max()) for name in ("systems", "topics")}
    is_published = has_published(table)
    for end in ("", "_paper")[: 1 + is_published]:
        headline[f"means{end}"] = {
            name: float(table.loc[table["metric"].str.startswith(name), f"spearman{end}"].mean())
            for name in _FAMILIES
        }
    if is_published:
        cells = verdicts(table)
        counts = cells.stack().value_counts()
        headline["cells"] = int(cells.size)
        kinds = (SAME, WITHIN, HIGHER, LOWER, UNDEFINED)
        headline["verdicts"] = {kind: int(counts.get(kind, 0)) for kind in kinds}
        distances = table[[f"{name}_difference" for name in CORRELATIONS]].abs()
        headline["distance"] = float(distances.stack().median())
    return headline


def recognised_judgement(
    judgement: str, signatures: Mapping[str, str], quality: str | Path | None, *, people: bool
) -> dict[str, Any] | None:
    """What ``answer.j2`` says of a judgement that a program made; None of any other.

    A program computed what has one of the ``signatures``, by metric; human judgements have none. ``people``:
    the paper's data, whose nuggets people marked. The table ``quality`` has how the default recogniser agrees
    with people on REALSumm, which counts for no other one.

    >>> recognised_judgement("relevance", {"ROUGE-1-F": "ROUGE-1-F|stem:yes"}, None, people=False)
    """
    if judgement not in signatures:
        return None
    found = {}
    if quality is not None and {*_MEASURED} <= {*signatures[judgement].split("|")}:
        rows = read_tsv(quality, texts=("systems", "recogniser")).to_dict("records")
        found = {(row["systems"], row["recogniser"]): row for row in rows}
    return {"name": judgement, "people": people, "quality": found}


_MEASURED = ("threshold:0.75", "recogniser:sentence")


def unreadable_reasons(table: str | Path) -> dict[str, int]:
    """How often each reason, without its details, occurs in a table of articles that were not read."""
    reasons = tsv.read(table, ("part", "file", "reason"))["reason"]
    return dict(sorted(Counter(reason.split(":")[0] for reason in reasons).items()))
