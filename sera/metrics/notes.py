"""Notes on scores: why some are undefined, which say little, and which settings are not the defaults.

A score table may have a column ``note``, so that a note goes where the scores go. A study, whose tables have
the metrics' names alone, has its notes in ``signatures.tsv``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from sera.errors import MOST_FAULTS
from sera.io import tsv
from sera.io.records import HUMAN
from sera.io.scores import NOTE
from sera.metrics import FAMILIES, family_of, is_metric
from sera.metrics.base import Metric
from sera.registry import listed

if TYPE_CHECKING:
    import pandas as pd

NO_ARTICLE = "the article has no sentence"


def settings_text(one: Metric) -> str:
    """The settings of a metric that are not the defaults, as in its selector: ``stem=true,stop=true``."""
    return one.selector.removeprefix(one.name).removeprefix("(").removesuffix(")")


def note_lines(metrics: Iterable[str], notes: Iterable[str]) -> list[str]:
    """The notes of a score table's rows, one line for each, with its metrics and the number of its scores."""
    metrics = list(metrics)
    scores = Counter(metrics)
    names_by_note: dict[str, list[str]] = {}
    for (note, name), count in Counter(zip(notes, metrics, strict=True)).items():
        number = f" ({count} of {scores[name]})" if note.startswith(("undefined", "no word")) else ""
        names_by_note.setdefault(note, []).append(f"{name}{number}")
    return [f"{', '.join(names)}: {note}" for note, names in names_by_note.items() if note]


def missing_lines(summaries: Collection[tuple[str, str]], topics: Iterable[str]) -> list[str]:
    """The summaries that are not there: of topics with references, by systems that have other topics.

    ``summaries``: the topic and the system of each; ``topics``: those of the references. The systems of
    annotators, such as human_A, need no summary of each topic.
    """
    there, known = set(summaries), dict.fromkeys(topic for topic, _ in summaries)
    systems = [each for each in dict.fromkeys(name for _, name in summaries) if not each.startswith(HUMAN)]
    empty_topics = [f"topic {topic!r} by any system" for topic in dict.fromkeys(topics) if topic not in known]
    gaps = [
        f"topic {topic!r} by system {system!r}"
        for system in systems
        for topic in known
        if (topic, system) not in there
    ]
    return [f"No summary of {listed(each, MOST_FAULTS)}" for each in (empty_topics, gaps) if each]


def undefined_lines(table: pd.DataFrame) -> list[str]:
    """The undefined scores of a table without notes: how many by each metric, and why these can be."""
    lines = []
    for name, scores in table.groupby("metric", sort=False)["score"]:
        if (count := int(scores.isna().sum())) and is_metric(str(name)):
            family = FAMILIES.load(family_of(str(name)))
            reasons = [family.undefined, *([NO_ARTICLE] if family.needs_source else [])]
            why = " or ".join(filter(None, reasons))
            lines.append(f"{name} ({count} of {len(scores)}): undefined: {why}")
    return lines


def table_lines(table: pd.DataFrame) -> list[str]:
    """The notes in a score table, if it has any."""
    return note_lines(table["metric"], table[NOTE]) if NOTE in table else []


MOST_NAMES = 12
"""The most metrics that a caution names one by one."""


def signature_lines(path: str | PathLike[str], metrics: Iterable[str] | None = None) -> list[str]:
    """The notes in a table of signatures: settings that are not the defaults, and cautions."""
    table = tsv.read(path, ["metric", "settings", "caution"])
    if metrics is not None:
        table = table[table["metric"].isin(set(metrics))]
    families = np.array([family_of(name) if is_metric(name) else "" for name in table["metric"]])
    parts = []
    for family in FAMILIES:
        rows = table[families == family]
        for text, group in rows[rows["settings"] != ""].groupby("settings", sort=False)["metric"]:
            every = len(group) == len(rows)  # all metrics of the family have the same settings
            parts.append(f"{family if every else ', '.join(group)} ({text})")
    lines = [f"Settings that are not the library's defaults: {'; '.join(parts)}"] if parts else []
    for text, names in table[table["caution"] != ""].groupby("caution", sort=False)["metric"]:
        lines.append(f"{listed(names, MOST_NAMES)}: {text}")
    return lines
