"""For which data and settings expected numbers hold, and why a run cannot be compared with them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from sera.reporting.coverage import topics_in_words
from study.published.comparison import Expected


def data_in_words(table: pd.DataFrame, documents: int | None, release: Sequence[object] | None = None) -> str:
    """The data of a run: its topics, the documents that SERA searches if they are known, and its systems.

    ``table`` is Table 2, and ``release`` the title of the benchmark's release and its number of topics.
    """
    topics, systems = (int(table[name].max()) for name in ("topics", "systems"))
    words = [topics_in_words(topics, topics, "", release) if release else f"{topics} topics"]
    words += [] if documents is None else [f"{documents:,} documents"]
    return ", ".join([*words, f"{systems} systems"])


def why_not_compared(expected: Expected, made: Mapping[str, Any], data: str) -> str:
    """Why a run is not compared with the expected numbers, as a clause; empty if it is.

    ``made`` is a result of `study.published.comparison.settings_of`, and ``data`` describes the run's data. A
    run is compared if no setting differs and its inputs have the same content.
    """
    if not (differing := expected.differing(made)):
        return ""
    theirs, ours = (
        ", ".join(_setting(name, values[side]) for name, values in differing.items()) for side in (0, 1)
    )
    return f"they are for {expected.data or 'other data'}, with {theirs}; this run has {data}, with {ours}"


def _setting(name: str, value: Any) -> str:
    if name == "inputs":
        return f"input files of the checksum {value}"
    return f"{name} {json.dumps(value, ensure_ascii=False)}"
