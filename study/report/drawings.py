"""The figures of a study's page, each with its caption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from os import PathLike
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation.tables import UNDEFINED, caption, has_published, read_tsv
from sera.io import tsv
from sera.io.scores import add_judgements, read_scores
from sera.metrics.sera import PAPER_CUTOFFS
from sera.reporting.drawings import Drawing, drawings
from sera.reporting.overview import means_by_system
from study.published import FIGURE1
from study.published.tables import read_published
from study.report import figures

SENSITIVE = ("ROUGE-2-F", "ROUGE-L-F", "SERA-5", "SERA-NP-5", "SERA-KW-5")
"""The metrics for which the effect of a choice is shown."""

EFFECT = "sera_above_rouge_spearman_effect"
"""The column of the multiverse's universes with SERA's mean rho less ROUGE's."""

SHOWN_DIMENSIONS = {
    "mu": "smoothing μ",
    "index_size": "share of the articles in the index",
    "length": "words in a summary",
}
"""The choices that only the multiverse varies, by their columns there."""

VARIANTS = ("SERA", "SERA-DIS", "SERA-NP", "SERA-DIS-NP", "SERA-KW", "SERA-DIS-KW")


def study_drawings(
    files: Mapping[str, Any],
    *,
    benchmark: str,
    judgement: str,
    systems: Sequence[str],
    cutoffs: Sequence[int],
    confidence: float,
    over: str,
    beta: float,
) -> dict[str, Drawing]:
    """The figures of a study with judgements, by name.

    ``files`` has the paths of ``correlations``, ``scores`` and ``table2``, and where there are any, of
    ``judgements``, ``published``, ``thresholds`` and ``universes``. ``over`` names what
    intervals resample, ``beta`` is MOULIN ROUGE's.
    """
    correlations, table = read_tsv(files["correlations"]), read_tsv(files["table2"])
    table = table[table["against"] == judgement].reset_index(drop=True)
    scores = add_judgements(read_scores(files["scores"]), files.get("judgements"))
    compared = has_published(table)

    def title(name: str) -> str:
        return caption(name, benchmark, judgement, compared=compared, over=over)

    varied = {name: files.get(name) for name in ("thresholds", "universes")}
    panels = sensitivity(correlations, judgement, cutoffs=cutoffs, **varied)
    means = means_by_system(scores)[[figures.CONTENT_SCORE, figures.ABSTRACTION_SCORE, "MOULIN-ROUGE"]]
    plane_title = caption("moulin_rouge", benchmark)
    plane = partial(figures.content_and_abstraction, means, beta=beta, title=plane_title)
    multiples = partial(figures.small_multiples, panels, title=title("sensitivity"))
    return {
        **_by_cutoff(correlations, files.get("published"), benchmark, judgement, cutoffs),
        "moulin_rouge": Drawing(plane, plane_title),
        **drawings(table, correlations, scores, systems, judgement, title, confidence, over),
        "sensitivity": Drawing(multiples, title("sensitivity")),
    }


def _by_cutoff(
    correlations: pd.DataFrame, published: str | None, benchmark: str, judgement: str, cutoffs: Sequence[int]
) -> dict[str, Drawing]:
    """Figure 1 of the paper and its twins for the other coefficients."""
    own = correlations[correlations["against"] == judgement]
    printed = read_published(published) if published else None
    made = {}
    for figure, coefficient in FIGURE1.items():
        ours = _by_variant(own, cutoffs, coefficient)
        papers = None if printed is None else _by_variant(printed, PAPER_CUTOFFS, coefficient).to_dict()
        title = caption(figure, benchmark, judgement, compared=papers is not None)
        draw = partial(
            figures.correlation_by_cutoff,
            ours.to_dict("list"),
            cutoffs,
            title=title,
            judgement=judgement,
            coefficient=coefficient,
            published=papers,
        )
        made[figure] = Drawing(draw, title)
    return made


def _by_variant(table: pd.DataFrame, cutoffs: Sequence[int], coefficient: str) -> pd.DataFrame:
    """A row per cut-off, a column per variant of SERA that was scored."""
    found = table.set_index("metric")[coefficient]
    known = [name for name in VARIANTS if any(f"{name}-{n}" in found for n in cutoffs)]
    shown = {name: [found.get(f"{name}-{n}", np.nan) for n in cutoffs] for name in known}
    return pd.DataFrame(shown, index=list(cutoffs), dtype=float)


def sensitivity(
    correlations: pd.DataFrame,
    against: str,
    *,
    cutoffs: Sequence[int],
    thresholds: str | PathLike[str] | None = None,
    universes: str | PathLike[str] | None = None,
) -> dict[str, figures.Panel]:
    """Spearman's rho with the judgement by choice, the panels of `figures.small_multiples`.

    There is always a panel for the cut-off. ``thresholds``, a table by threshold of Pyramid, adds one.
    ``universes``, those of the multiverse, add panels with the median and quartiles of SERA's rho less
    ROUGE's.
    """
    own = correlations[correlations["against"] == against]
    by_cutoff = _by_variant(own, cutoffs, "spearman")
    by_cutoff = by_cutoff[[name for name in ("SERA", "SERA-NP", "SERA-KW") if name in by_cutoff]]
    panels = {"rank cut-off of SERA": figures.Panel(by_cutoff, "Spearman's ρ", against)}
    if thresholds is not None:
        table = read_tsv(thresholds)
        wide = table.pivot(index="threshold", columns="metric", values="spearman")
        panels["share of a nugget to be there (Pyramid)"] = figures.Panel(
            wide[[name for name in SENSITIVE if name in wide]], "Spearman's ρ", against
        )
    if universes is not None:
        cells = tsv.read(universes, ["question", "weight", EFFECT, *SHOWN_DIMENSIONS])
        in_words = cells["length"].str.endswith(" words")
        cells["length"] = cells["length"].str.removesuffix(" words").where(in_words, UNDEFINED)
        columns = ("weight", EFFECT, *SHOWN_DIMENSIONS)
        numbers = {name: tsv.numbers(cells, name, universes, undefined=[UNDEFINED]) for name in columns}
        table = pd.DataFrame(numbers)
        first = cells["question"].iloc[0]  # the paper's question, if it is asked
        table = table[(table["weight"] > 0) & (cells["question"] == first)]
        for column, words in SHOWN_DIMENSIONS.items():
            if table[column].nunique() > 1:
                quartiles = {value: _quartiles(group) for value, group in table.groupby(column)}
                panels[words] = figures.Panel(
                    pd.DataFrame(quartiles, index=["median", "low", "high"]).T, "ρ of SERA less ρ of ROUGE"
                )
    return panels


def _quartiles(universes: pd.DataFrame) -> np.ndarray:
    """The weighted median and quartiles of `EFFECT`, (3,); NaN if no universe defines it."""
    defined = universes.dropna(subset=[EFFECT])
    if defined.empty:
        return np.full(3, np.nan)
    return np.quantile(defined[EFFECT], (0.5, 0.25, 0.75), weights=defined["weight"], method="inverted_cdf")
