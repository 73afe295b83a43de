"""The page of `sera report`: metrics evaluated by judgements, from tables of scores alone."""

import importlib.metadata
import platform
import tempfile
from collections.abc import Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from sera import __version__
from sera.evaluation.correlate import Bootstrap, correlate_judged, why_lines
from sera.evaluation.evaluate import JudgedScores, judged_frames
from sera.evaluation.tables import caption
from sera.evaluation.versus import verdict_lines
from sera.io.checksums import checksums
from sera.metrics.notes import undefined_lines
from sera.names import check
from sera.reporting.figures import drawings, save
from sera.reporting.overview import describe_systems, describe_topics, shown_metrics
from sera.reporting.page import Part, list_judgements, picture, render, rows, system_means, write_page
from sera.settings import number

MOST_DRAWN = 33
"""The most metrics in a figure, as many as the paper's Table 2 has."""

_PACKAGES = ("numpy", "pandas", "scipy", "matplotlib")
_PARTS = [
    Part("headline", "In short"),
    Part("correlations", "Correlations", "Correlations"),
    Part("systems", "The systems", "Systems"),
    Part("metrics-compared", "Metrics beside each other", "Metrics", folded=True),
    Part("provenance", "Provenance", "Provenance", folded=True),
]


def report(
    scores: pd.DataFrame,
    judgements: pd.DataFrame,
    path: str | PathLike[str],
    *,
    name: str,
    missing: str = "stop",
    versus: str | None = None,
    resamples: int = 1000,
    confidence: float = 95.0,
    seed: int = 0,
) -> None:
    """Write a page on how well metrics follow human judgements, as ``sera report`` does, from data frames.

    ``name`` names the data on the page, ``versus`` the metric to compare all others with (by default the best
    of ROUGE); all other arguments and errors are those of `sera.evaluation.evaluate.evaluate`. The page is
    one file that needs no network. Its first judgement is foremost.
    """
    number("confidence", confidence, 0, 100, above=True)
    given: dict[str, Any] = {"versus": versus, "resamples": resamples, "confidence": confidence, "seed": seed}
    arguments = ", ".join(
        f"{key}={value!r}" for key, value in {"name": name, "missing": missing, **given}.items()
    )
    write_scores_report(
        path,
        judged_frames(scores, judgements, missing=missing),
        name=check("data's name", name),
        command=f"sera.report(scores, judgements, {str(path)!r}, {arguments})",
        **given,
    )


def write_scores_report(
    path: str | PathLike[str],
    judged: JudgedScores,
    *,
    name: str,
    command: str,
    files: Sequence[str | PathLike[str]] = (),
    notes: Sequence[str] | None = None,
    versus: str | None = None,
    resamples: int = 1000,
    confidence: float = 95.0,
    seed: int = 0,
) -> list[str]:
    """Evaluate metrics by judgements, write the page, and return its verdicts (`verdict_lines`).

    ``name`` names the data on the page, ``command`` is the command that made it, and ``files`` are the files
    of the scores and judgements. ``notes`` are the lines on the scores; by default, how many are undefined.
    Intervals are over topics, and in the page's detail over systems and topics.
    """
    both, judgements, metrics = judged.table, list(judged.judgements), judged.metrics
    if notes is None:
        notes = undefined_lines(both[both["metric"].isin(metrics)])
    against, values = judgements[0], judged.scores
    systems = list(values.keep_judged(against).systems)
    names = [name for name in values.metrics if name not in judgements]
    verdicts = verdict_lines(judged, versus, resamples=resamples, confidence=confidence, seed=seed)
    topic_table, both_table = (
        correlate_judged(values, judgements, names, Bootstrap(draws, resamples, seed), confidence)
        for draws in ("topics", "both")
    )
    first_rows = topic_table[topic_table["against"] == against]
    few = shown_metrics(topic_table, against)
    coverage = describe_topics(int(first_rows["topics"].max()), judged.topics, "the scores")
    versions = {"python": platform.python_version(), "sera": __version__}
    versions |= {package: importlib.metadata.version(package) for package in _PACKAGES}
    content = {
        "title": f"Automatic metrics against {against}: {name}",
        "heading": f"How well do automatic metrics follow {list_judgements(judgements)}?",
        "benchmark": name,
        "judgements": judgements,
        "judged_by": list_judgements(judgements),
        "command": command,
        "coverage": ". ".join([coverage, *judged.left_out]),
        "few_systems": describe_systems(int(first_rows["systems"].max())),
        "table": rows(topic_table),
        "notes": [*why_lines(topic_table), *notes],
        "over": "topics",
        "over_both": rows(both_table),
        "pictures": _pictures(topic_table, both, systems, against, name, confidence),
        "means": system_means(both, [against, *few], systems),
        "provenance": {"versions": versions, "inputs": [file._asdict() for file in checksums(files)]},
        "verdicts": verdicts,
        "metric_count": len(metrics),
        "systems_count": len(systems),
        "confidence": confidence,
    }
    write_page(path, render(_PARTS, content))
    return verdicts


def _pictures(
    correlations: pd.DataFrame,
    scores: pd.DataFrame,
    systems: Sequence[str],
    against: str,
    name: str,
    confidence: float,
) -> dict[str, Any]:
    best = shown_metrics(correlations, against, MOST_DRAWN)
    is_best = (correlations["against"] == against) & correlations["metric"].isin(best)
    table = correlations[is_best].reset_index(drop=True)
    count = correlations["metric"].nunique() - len(table)
    more = f"Left out: {count} metrics with lower or undefined correlations." if count else ""
    title = partial(caption, benchmark=name, judgement=against, compared=False)
    pictures = {}
    with tempfile.TemporaryDirectory() as folder:
        for item, drawing in drawings(
            table, correlations, scores, sorted(systems), against, title, confidence
        ).items():
            save(drawing.draw(), Path(folder, item), ["svg"])
            note, full = more if item != "scatter" else "", item == "metrics"
            pictures[item] = picture(Path(folder, f"{item}.svg"), drawing.caption, note, full=full)
    return pictures
