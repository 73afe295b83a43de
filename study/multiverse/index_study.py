"""SERA's correlation with Pyramid by the number of articles in its index.

Each sample of the articles is an index of its own, in which the same summaries are searched for; all else
stays. A draw orders all articles by a hash of their ids, and a sample of n articles is the first n of that
order, so larger samples of a draw include smaller ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.correlate import complete_topics, correlation
from sera.io.records import Candidate, Reference
from sera.reporting.figures import BLUE, RED, plt, set_title, simplify_axes
from sera.retrieval.lucene import LuceneEngine
from study.claims.sentences import SERA
from study.multiverse.cells import name_of_queries, sera_cells
from study.multiverse.choices import SCORE_PARTS, title_label

LEVELS = {"system": "Does it rank systems?", "summary": "Does it rank the summaries of a topic?"}
MEANS = {"SERA": "SERA (mean)", "ROUGE": "ROUGE (mean)"}  # the names of the rows of means over variants
Sample = tuple[int, tuple[str, ...]]
"""The number of a draw, from 1 on, and the ids of its articles; the whole is draw 0."""


def shuffle(ids: Iterable[str], seed: int, draw: int) -> list[str]:
    """The ids in the order of a draw: of their hashes with the seed and the number of the draw."""
    return sorted(ids, key=lambda id: (hashlib.sha256(f"{seed} {draw} {id}".encode()).digest(), id))


def draw_samples(ids: Sequence[str], *, sizes: Iterable[int], draws: int, seed: int) -> Iterator[Sample]:
    """The whole, then ``draws`` samples of each of ``sizes`` that is below the number of articles."""
    yield 0, tuple(ids)
    orders = {draw: shuffle(ids, seed, draw) for draw in range(1, draws + 1)}
    for size in sorted({size for size in sizes if size < len(ids)}):
        yield from ((draw, tuple(order[:size])) for draw, order in orders.items())


def index_scores(
    engine: LuceneEngine,
    candidates: Sequence[Candidate],
    references: Sequence[Reference],
    queries: Mapping[str, dict[str, str]],
    settings: Mapping[str, Any],
) -> np.ndarray:
    """The scores by `SERA` on an index, (metric, topic, system); NaN for a missing summary.

    ``queries`` are those of ``plain`` and ``np``; ``settings`` are those of the family SERA in the study.
    """
    choices = {"scorer": "lucene", **settings, "query_stop": None, "noun_phrases": None}
    keys = [(part, *map(choices.get, SCORE_PARTS[part])) for part in ("plain", "np", "kw")]
    own_queries = {
        name_of_queries("plain", None): queries["plain"],
        name_of_queries("np", None, None): queries["np"],
    }
    rows: dict[str, np.ndarray] = {}
    for _, cell in sera_cells(keys, candidates, references, own_queries, engine):
        rows |= zip(cell.metrics, cell.values, strict=True)
    return np.stack([rows[name] for name in SERA])


def metric_coefficients(values: np.ndarray, judged: np.ndarray, level: str) -> np.ndarray:
    """r, rho and tau of metrics, (metric, topic, system), with the judgement: (metric, coefficient).

    At the system level, topics with an undefined score by any metric are left out.
    """
    complete = complete_topics(judged, *values) if level == "system" else np.ones(len(judged), bool)
    x, y = values[:, complete], judged[complete]
    return np.array([correlation(each, y, level)[: len(CORRELATIONS)] for each in x])


def draws_table(
    found: Sequence[tuple[Sample, np.ndarray]], rouge: np.ndarray, judged: np.ndarray
) -> pd.DataFrame:
    """A row for each sample, level and variant of SERA, and for the means of SERA and ROUGE.

    ``found`` has each sample with its scores, (metric, topic, system), and ``rouge`` those of ROUGE.
    """
    rows = []
    for level in LEVELS:
        constant = metric_coefficients(rouge, judged, level).mean(axis=0)
        for (draw, documents), values in found:
            coefficient_rows = metric_coefficients(values, judged, level)
            rows_by_name = dict(zip(SERA, coefficient_rows, strict=True))
            rows_by_name |= {MEANS["SERA"]: coefficient_rows.mean(axis=0), MEANS["ROUGE"]: constant}
            rows += [(len(documents), draw, level, name, *row) for name, row in rows_by_name.items()]
    return pd.DataFrame(rows, columns=["articles", "draw", "level", "metric", *CORRELATIONS])


def sizes_table(draws: pd.DataFrame) -> pd.DataFrame:
    """The mean and the standard deviation over the draws of `draws_table`, by level, articles and metric."""
    groups = draws.groupby(["level", "articles", "metric"], sort=False)
    table = {"draws": groups.size()}
    for name in CORRELATIONS:
        table |= {name: groups[name].mean(skipna=False), f"{name}_sd": groups[name].std(skipna=False)}
    return pd.DataFrame(table).reset_index()


def index_figure(draws: pd.DataFrame, benchmark: str) -> Figure:
    """Draw the mean rho of SERA's variants by the number of articles, a panel for each of `LEVELS`."""
    figure, panels = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
    for axes, (level, question) in zip(panels, LEVELS.items(), strict=True):
        here = draws[draws["level"] == level]
        sera, rouge = (here[here["metric"] == MEANS[name]] for name in ("SERA", "ROUGE"))
        samples, whole = sera[sera["draw"] > 0], sera[sera["draw"] == 0]
        means = sera.groupby("articles")["spearman"].mean()
        axes.plot(samples["articles"], samples["spearman"], ".", color="0.55", label="SERA, a random sample")
        axes.plot(means.index, means, "-", color=BLUE, linewidth=1.6, label="SERA, mean")
        axes.plot(whole["articles"], whole["spearman"], "D", color=BLUE, label="SERA, all articles")
        axes.axhline(rouge["spearman"].iloc[0], color=RED, linewidth=1.2, label="ROUGE, mean")
        axes.set_xscale("log")
        axes.minorticks_off()
        axes.set_xticks(means.index, [f"{articles:,}" for articles in means.index])
        axes.set_ylim(min(-0.1, draws["spearman"].min() - 0.05), 1.05)
        simplify_axes(axes)
        axes.set_title(question, fontsize=9.5)
        axes.set_xlabel("articles in the index", fontsize=8.5)
    panels[0].set_ylabel("Spearman's ρ with Pyramid, mean of the variants", fontsize=9)
    legend = panels[0].get_legend_handles_labels()
    figure.legend(*legend, frameon=False, fontsize=8, loc="outside lower center", ncols=4)
    set_title(
        figure, f"SERA's correlation with Pyramid by the articles in its index ({title_label(benchmark)})"
    )
    return figure
