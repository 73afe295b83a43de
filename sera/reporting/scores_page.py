"""The page of `sera report`: metrics evaluated by judgements, from tables of scores alone."""

import importlib.metadata
import platform
import tempfile
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from sera import __version__
from sera.defaults import CONFIDENCE, MISSING, RESAMPLES, SEED
from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.correlate import correlate_judged, why_lines
from sera.evaluation.evaluate import JudgedScores, judged_frames
from sera.evaluation.tables import caption
from sera.evaluation.versus import rating_lines
from sera.io.checksums import checksums
from sera.io.scores import reverse_scales
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
    missing: str = MISSING,
    falling: Collection[str] = (),
    versus: str | None = None,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
    columns: Mapping[str, str] | None = None,
) -> None:
    """Write a page on how well metrics follow human judgements, as ``sera report`` does, from data frames.

    ``name`` names the data on the page; all other arguments and errors are those of
    `sera.evaluation.evaluate.evaluate`. The page is one file that needs no network. It compares the metrics
    by each judgement.
    """
    number("confidence", confidence, 0, 100, above=True)
    given: dict[str, Any] = {"versus": versus, "resamples": resamples, "confidence": confidence, "seed": seed}
    choices: dict[str, Any] = {"missing": missing, "falling": list(falling)}
    shown = {"name": name, **choices, **given, **({"columns": dict(columns)} if columns else {})}
    arguments = ", ".join(f"{key}={value!r}" for key, value in shown.items())
    write_scores_report(
        path,
        judged_frames(scores, judgements, columns=columns, **choices),
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
    resamples: int,
    confidence: float,
    seed: int,
) -> list[str]:
    """Evaluate metrics by judgements, write the page, and return its verdicts (`rating_lines`).

    ``name`` names the data on the page, ``command`` is the command that made it, and ``files`` are the files
    of the scores and judgements. ``notes`` are the lines on the scores; by default, how many are undefined.
    Intervals are over systems, and in the page's detail over systems and topics.
    """
    table, judgements, metrics = judged.table, list(judged.judgements), judged.metrics
    if notes is None:
        notes = undefined_lines(table[table["metric"].isin(metrics)])
    values = judged.scores
    names = [name for name in values.metrics if name not in judgements]
    bootstrap = Bootstrap("systems", resamples, seed)
    drawn: dict[str, Any] = {"bootstrap": bootstrap, "confidence": confidence}
    system_table, both_table = (
        correlate_judged(values, judgements, names, draws, confidence)
        for draws in (bootstrap, Bootstrap("both", resamples, seed))
    )
    by_judgement = system_table.groupby("against", sort=False)
    topic_counts, system_counts = by_judgement["topics"].max(), by_judgement["systems"].max()
    coverage = _name_differing(
        {key: describe_topics(int(count), judged.topics, "the scores") for key, count in topic_counts.items()}
    )
    few_systems = _name_differing({key: describe_systems(int(count)) for key, count in system_counts.items()})
    given_scores = reverse_scales(table, judged.reversed)
    ratings, verdicts = [], rating_lines(judged, versus, **drawn)
    for against in judgements:
        systems = list(values.keep_judged(against).systems)
        few = shown_metrics(system_table, against, falls=judged.falling)
        ratings.append(
            {
                "name": against,
                "verdicts": verdicts[against],
                "pictures": _pictures(system_table, judged, systems, against, name, confidence),
                "means": system_means(
                    given_scores, [against, *few], systems, lowest=against in judged.reversed
                ),
            }
        )
    packages = {package: importlib.metadata.version(package) for package in _PACKAGES}
    versions = {"python": platform.python_version(), "sera": __version__, **packages}
    content = {
        "title": f"Automatic metrics against {list_judgements(judgements)}: {name}",
        "heading": f"How well do automatic metrics follow {list_judgements(judgements)}?",
        "benchmark": name,
        "judgements": judgements,
        "judged_by": list_judgements(judgements),
        "command": command,
        "coverage": ". ".join([coverage, *judged.left_out]),
        "few_systems": few_systems,
        "table": rows(system_table),
        "notes": [*why_lines(system_table), *judged.reversal_notes, *notes],
        "over": "systems",
        "over_both": rows(both_table),
        "ratings": ratings,
        "provenance": {"versions": versions, "inputs": [file._asdict() for file in checksums(files)]},
        "metric_count": len(metrics),
        "systems_count": table.loc[table["metric"].isin(judgements), "system"].nunique(),
        "confidence": confidence,
    }
    write_page(path, render(_PARTS, content))
    return [line for lines in verdicts.values() for line in lines]


def _name_differing(texts: Mapping[str, str]) -> str:
    """The texts by judgement, or the one text if all are the same."""
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return "; ".join(f"{name}: {text}" for name, text in texts.items())


def _pictures(
    correlations: pd.DataFrame,
    judged: JudgedScores,
    systems: Sequence[str],
    against: str,
    name: str,
    confidence: float,
) -> dict[str, Any]:
    scores, falls = judged.table, judged.falling
    best = shown_metrics(correlations, against, MOST_DRAWN, falls=falls)
    is_best = (correlations["against"] == against) & correlations["metric"].isin(best)
    table = correlations[is_best].reset_index(drop=True)
    count = correlations["metric"].nunique() - len(table)
    more = f"Left out: {count} metrics with lower or undefined correlations." if count else ""
    title = partial(caption, benchmark=name, judgement=against, compared=False)
    pictures = {}
    with tempfile.TemporaryDirectory() as folder:
        for item, drawing in drawings(
            table, correlations, scores, sorted(systems), against, title, confidence, falls=falls
        ).items():
            save(drawing.draw(), Path(folder, item), ["svg"])
            path, note = Path(folder, f"{item}.svg"), more if item != "scatter" else ""
            pictures[item] = picture(path, drawing.caption, note)
    return pictures
