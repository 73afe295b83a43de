"""The page of `sera report`: metrics evaluated by judgements, from tables of scores alone."""

from __future__ import annotations

import importlib.metadata
import platform
import tempfile
from collections.abc import Collection, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from sera import __version__
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.correlation import Bootstrap, Scores, correlate, why_lines
from sera.evaluation.gaps import same_summaries
from sera.metrics.notes import undefined_lines
from sera.metrics.scoring import read_all_scores, with_judgements
from sera.published.paper import caption
from sera.reporting import picture_texts
from sera.reporting.coverage import topics_in_words
from sera.reporting.drawings import drawings
from sera.reporting.figures import save_both
from sera.reporting.headline import headline
from sera.reporting.overview import between_metrics, shown_metrics
from sera.reporting.page import picture, render, rows, system_means, write_page
from sera.reporting.provenance import checksums

MOST_DRAWN = 33
"""The most metrics in a figure, as many as the paper's Table 2 has."""

_PACKAGES = ("numpy", "pandas", "scipy", "matplotlib")


def write_scores_report(
    path: str | PathLike[str],
    scores: Sequence[str | PathLike[str]],
    judgements: str | PathLike[str],
    *,
    name: str,
    command: str,
    resamples: int = 1000,
    confidence: float = 95.0,
    seed: int = 0,
    missing: str = "stop",
) -> dict[str, Any]:
    """Evaluate the metrics of score tables by a table of judgements and write the page: its headline.

    ``name`` names the data on the page, ``command`` is the command that made it. Intervals are over topics,
    and in the page's detail over systems and topics. InputError for tables that `read_all_scores` or
    `with_judgements` refuses, and as of `same_summaries`, which has ``missing``.
    """
    scored = read_all_scores(scores)
    both = with_judgements(scored, judgements)
    judged = both[len(scored) :]
    both, left_out = same_summaries(scored, judged, Path(judgements), missing=missing)
    by = list(dict.fromkeys(judged["metric"]))
    against = by[0]
    values = Scores.of(both)
    systems = list(values.judged_by(against).systems)
    over_topics, over_both = (
        _correlations(values, by, Bootstrap(draws, resamples, seed), confidence)
        for draws in ("topics", "both")
    )
    table = over_topics.assign(
        **{f"{of}_{part}": np.nan for of in CORRELATIONS for part in ("paper", "difference")}
    )
    found = headline(table, over_topics, against)
    metrics = [metric for metric in dict.fromkeys(scored["metric"])]
    few = shown_metrics(over_topics, against)
    content = {
        "benchmark": name,
        "against": against,
        "judgements": by,
        "command": command,
        "headline": found,
        "coverage": ". ".join(
            [topics_in_words(found["topics"], scored["topic"].nunique(), "the scores"), *left_out]
        ),
        "table": rows(over_topics),
        "notes": [*why_lines(over_topics), *undefined_lines(scored)],
        "wider": {"over": "systems and topics", "rows": rows(over_both)},
        "pictures": _pictures(table, over_topics, both, systems, against, name),
        "means": system_means(both, [against, *few], systems),
        "provenance": {
            "code": {"commit": None, "modified": None},
            "versions": _versions(),
            "inputs": [file._asdict() for file in checksums([*scores, judgements])],
            "results": [],
        },
        "metric_count": len(metrics),
        "systems_count": len(systems),
        "confidence": confidence,
    }
    write_page(path, render(content))
    return found


def _correlations(values: Scores, by: Sequence[str], bootstrap: Bootstrap, confidence: float) -> pd.DataFrame:
    """The correlation of every metric with every judgement, over the systems that the judgement has."""
    return pd.concat(
        [
            correlate(
                values.judged_by(judgement),
                [(name, judgement) for name in values.metrics if name not in by],
                bootstrap=bootstrap,
                confidence=confidence,
            )
            for judgement in by
        ],
        ignore_index=True,
    )


def _pictures(
    table: pd.DataFrame,
    correlations: pd.DataFrame,
    scores: pd.DataFrame,
    systems: Collection[str],
    against: str,
    name: str,
) -> dict[str, Any]:
    """The figures of the page, by name; ``figure1`` and others that need a search are absent."""
    systems = sorted(systems)
    best = shown_metrics(correlations, against, MOST_DRAWN)
    drawn = table[(table["against"] == against) & table["metric"].isin(best)].reset_index(drop=True)

    def titled(item: str) -> str:
        return caption(item, name, against, compared=False)

    matrix = between_metrics(scores, systems, [against, *drawn["metric"]], against)
    means = system_means(scores, [against], systems)["rows"]
    judged = pd.Series({row["system"]: row["values"][0] for row in means if row["counts"]}, dtype=float)
    texts = {
        "comparison": picture_texts.of_comparison(drawn, against),
        "scatter": picture_texts.of_scatter(
            correlations, judged, against, shown_metrics(correlations, against)
        ),
        "metrics": picture_texts.of_metrics(matrix),
    }
    left = table["metric"].nunique() - len(drawn)
    more = f"The {left} metrics with lower correlations are left out." if left else ""
    pictures: dict[str, Any] = dict.fromkeys(("figure1", "moulin_rouge", "truth", "sensitivity"))
    with tempfile.TemporaryDirectory() as folder:
        for item, draw in drawings(drawn, correlations, scores, systems, against, titled).items():
            save_both(draw, Path(folder, item))
            note = more if item != "scatter" else ""
            pictures[item] = picture(Path(folder, f"{item}.svg"), texts[item], note, full=item == "metrics")
    return pictures


def _versions() -> dict[str, str]:
    packages = {name: importlib.metadata.version(name) for name in _PACKAGES}
    return {"python": platform.python_version(), "sera": __version__, **packages}
