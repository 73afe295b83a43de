"""The figures of a study's page, each with its caption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation.tables import caption, has_published, read_tsv
from sera.io.scores import add_judgements, read_scores
from sera.metrics.sera import PAPER_CUTOFFS
from sera.reporting.figures import Drawing, drawings
from sera.reporting.overview import means_by_system
from study.published import FIGURE1
from study.published.tables import read_published
from study.report import figures

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
) -> dict[str, Drawing]:
    """The figures of a study with judgements, by name.

    ``files`` has the paths of ``correlations``, ``scores`` and ``table2``, and where there are any, of
    ``judgements`` and ``published``. ``over`` names what intervals resample.
    """
    correlations, table = read_tsv(files["correlations"]), read_tsv(files["table2"])
    table = table[table["against"] == judgement].reset_index(drop=True)
    scores = add_judgements(read_scores(files["scores"]), files.get("judgements"))
    compared = has_published(table)

    def title(name: str) -> str:
        return caption(name, benchmark, judgement, compared=compared, over=over)

    means = means_by_system(scores)[[figures.CONTENT_SCORE, figures.ABSTRACTION_SCORE]]
    of_means = caption("moulin_rouge", benchmark)
    draw_means = partial(figures.content_and_abstraction, means, title=of_means)
    return {
        **_by_cutoff(correlations, files.get("published"), benchmark, judgement, cutoffs),
        "moulin_rouge": Drawing(draw_means, of_means),
        **drawings(table, correlations, scores, systems, judgement, title, confidence, over),
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
