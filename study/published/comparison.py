"""Verdicts on correlations: comparisons of a reproduced one with the published and with the expected one.

``resources/expected/<benchmark>.tsv`` holds the expected numbers of a benchmark, from one run. Comment lines
at its head describe the data of this run and hold its settings.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from os import PathLike
from typing import Any

import pandas as pd

from sera.errors import InputError
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import UNDEFINED, read_tsv
from sera.io import tsv
from sera.io.files import lines, parse_json, writing
from sera.reporting.overview import describe_topics

PRINTED_DIGITS = 3  # the decimals that the paper prints

SAME, WITHIN, HIGHER, LOWER = "same", "in the interval", "higher", "lower"
"""Comparison with the paper: equal as printed; its number in the interval; the interval above or below it."""

OK, MOVED_WITHIN, MOVED = MOVES = ("OK", "moved, within the interval", "moved")
"""Comparison with the expected number: equal as printed; else inside the interval, or outside."""

MARKS = {SAME: "=", WITHIN: "≈", HIGHER: "▲", LOWER: "▼", UNDEFINED: "–"}
MARKS |= {OK: "✓", MOVED_WITHIN: "≈", MOVED: "✗"}
"""The sign of each verdict on the page."""

_DATA, _SETTINGS = "# data: ", "# settings: "

_LEFT_OUT = (
    *("results", "study", "studies", "matrix", "datasets", "split_jobs", "tac2014", "pyramids", "pmc_oa"),
    *("data", "input", "score", "multiverse", "index_curve", "bootstrap", "compare", "baselines"),
    *("candidates", "resamples"),
    *("confidence", "vectors", "framenet", "encoder", "frequent_words", "spectrum", "tables", "pictures"),
)
"""Settings that are paths, and settings that no correlation of Table 2 depends on."""


def against_published(value: float, low: float, high: float, published: float) -> str:
    """The verdict on a reproduced value with its interval beside the published one; undefined if one is."""
    if pd.isna(value) or pd.isna(published):
        return UNDEFINED
    if round(value - published, PRINTED_DIGITS) == 0:
        return SAME
    if pd.isna(low) or low <= published <= high:
        return WITHIN
    return HIGHER if low > published else LOWER


def against_expected(value: float, low: float, high: float, expected: float) -> str:
    """The verdict on a value with its interval beside the expected one; both undefined is OK."""
    if pd.isna(value) or pd.isna(expected):
        return OK if pd.isna(value) and pd.isna(expected) else MOVED
    if round(value - expected, PRINTED_DIGITS) == 0:
        return OK
    return MOVED_WITHIN if low <= expected <= high else MOVED


def verdicts(comparison: pd.DataFrame) -> pd.DataFrame:
    """The verdicts on a table of `tables.join_published`: the same rows, one column per coefficient."""
    columns = {}
    for name in CORRELATIONS:
        cells = comparison[[name, f"{name}_low", f"{name}_high", f"{name}_paper"]]
        columns[name] = [against_published(*row) for row in cells.itertuples(index=False)]
    return pd.DataFrame(columns, index=comparison.index)


@dataclass(frozen=True)
class Expected:
    """Expected correlations (metric, against, and the coefficients), and the run that they are from."""

    table: pd.DataFrame
    settings: Mapping[str, Any]
    data: str = ""

    def differing(self, settings: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
        """The settings whose values differ: the expected run's value and that of ``settings``, by name.

        A setting in a group has the group's name and a dot before its own. A setting that one side lacks is
        ignored; in a group it counts as null.
        """
        pairs: dict[str, tuple[Any, Any]] = {}
        for name in sorted(self.settings.keys() & settings.keys()):
            one, other = self.settings[name], settings[name]
            if isinstance(one, dict) and isinstance(other, dict):
                pairs |= {f"{name}.{key}": (one.get(key), other.get(key)) for key in sorted(one | other)}
            else:
                pairs[name] = one, other
        return {name: (one, other) for name, (one, other) in pairs.items() if one != other}

    def movements(self, table: pd.DataFrame) -> pd.DataFrame:
        """All expected cells beside those of ``table``, one row per cell, with the verdict.

        ``table`` has metric, against, the coefficients and their ``_low`` and ``_high``. Rows that it lacks
        count as undefined.
        """
        table_pairs = self.table.merge(
            table, on=["metric", "against"], how="left", suffixes=("_expected", "")
        )
        rows = []
        for row in table_pairs.to_dict("records"):
            for name in CORRELATIONS:
                value, old_value = row[name], row[f"{name}_expected"]
                verdict = against_expected(value, row[f"{name}_low"], row[f"{name}_high"], old_value)
                cells = {"coefficient": name, "expected": old_value, "found": value, "verdict": verdict}
                rows.append({"metric": row["metric"], "against": row["against"], **cells})
        return pd.DataFrame(rows)


def table2_settings(record: Mapping[str, Any]) -> dict[str, Any]:
    """What Table 2 of a run depends on: its settings in ``provenance.json``, and a hash of its inputs.

    The hash is independent of the inputs' names; of articles, it is over their texts.
    """
    settings = {name: value for name, value in record["settings"].items() if name not in _LEFT_OUT}
    if settings.get("benchmark") != "demo":
        settings.pop("demo", None)
        articles = f"{str(record['settings'].get('pmc_oa')).rstrip('/')}/"
        sums = sorted(each["sha256"] for each in record["inputs"] if not each["file"].startswith(articles))
        sums += filter(None, [record.get("texts")])
        settings["inputs"] = hashlib.sha256("".join(sums).encode()).hexdigest()[:16]
    return settings


def write_expected(
    path: str | PathLike[str], table: pd.DataFrame, settings: Mapping[str, Any], data: str
) -> None:
    """Write expected numbers, to six decimals, with the settings that made them and their data in a line."""
    with writing(path) as stream:
        stream.write("# Table 2 of this benchmark as a run gave it; see docs/README.md.\n")
        stream.write(f"{_DATA}{data}\n")
        stream.write(f"{_SETTINGS}{json.dumps(dict(settings), sort_keys=True, ensure_ascii=False)}\n")
        tsv.write_to(stream, table[["metric", "against", *CORRELATIONS]], undefined=UNDEFINED, decimals=6)


def read_expected(path: str | PathLike[str]) -> Expected:
    """Read what `write_expected` wrote; InputError for a file of another form."""
    head = list(takewhile(lambda line: line.startswith("#"), (line for _, line in lines(path))))
    table = read_tsv(path, comment="#")
    data, settings = (
        [line.removeprefix(start) for line in head if line.startswith(start)] for start in (_DATA, _SETTINGS)
    )
    if list(table.columns) != ["metric", "against", *CORRELATIONS] or len(settings) != 1:
        remedy = "Write it again: python -m study publish expected."
        raise InputError("is not a table of expected numbers", path=path, remedy=remedy)
    return Expected(table, parse_json(settings[0], path=path), *data[:1])


def describe_data(table: pd.DataFrame, documents: int | None, release: Sequence[object] | None = None) -> str:
    """The data of a run with this Table 2; ``release``: the title of the release and its number of topics."""
    topics, systems = (int(table[name].max()) for name in ("topics", "systems"))
    words = [describe_topics(topics, topics, "", release) if release else f"{topics} topics"]
    words += [] if documents is None else [f"{documents:,} documents"]
    return ", ".join([*words, f"{systems} systems"])


def why_not_compared(expected: Expected, made: Mapping[str, Any], data: str) -> str:
    """Why a run with these `table2_settings` is not compared with the expected numbers; empty if it is."""
    if not (differences := expected.differing(made)):
        return ""
    theirs, ours = (
        ", ".join(f"{name} {json.dumps(values[side])}" for name, values in differences.items())
        for side in (0, 1)
    )
    return f"they are for {expected.data or 'other data'}, with {theirs}; this run has {data}, with {ours}"


def compare_expected(
    path: str | PathLike[str], table: pd.DataFrame, made: Mapping[str, Any], data: str
) -> dict[str, Any]:
    """How Table 2 of a run compares with the expected numbers in a file, or `why_not_compared`.

    ``counts`` has the number of cells by verdict of `MOVES`, and ``moved`` the cells that moved.
    """
    reference = read_expected(path)
    if why := why_not_compared(reference, made, data):
        return {"not_compared": why, "counts": {}, "moved": pd.DataFrame()}
    moves = reference.movements(table)
    counts = {name: int((moves["verdict"] == name).sum()) for name in MOVES}
    return {"not_compared": "", "counts": counts, "moved": moves[moves["verdict"] != OK]}
