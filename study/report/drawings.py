"""The figures of a study's page, each with the text that states what it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation.tables import caption, has_published, read_tsv
from sera.io.scores import read_scores, with_judgements
from sera.metrics.sera import PAPER_CUTOFFS
from sera.reporting.drawings import Drawing, drawings
from sera.reporting.overview import RHO, means_by_system, two_decimals
from study.published.tables import FIGURE1, read_published
from study.report.figures import (
    ABSTRACTION_SCORE,
    COEFFICIENTS,
    CONTENT_SCORE,
    content_and_abstraction,
    correlation_by_cutoff,
    small_multiples,
)
from study.report.sensitivity import Panel, sensitivity

VARIANTS = ("SERA", "SERA-DIS", "SERA-NP", "SERA-DIS-NP", "SERA-KW", "SERA-DIS-KW")


def study_drawings(
    files: Mapping[str, Any],
    *,
    benchmark: str,
    judgement: str,
    systems: Sequence[str],
    cutoffs: Sequence[int],
    confidence: float,
    beta: float,
) -> dict[str, Drawing]:
    """The figures of a study with judgements, by name.

    ``files`` has the paths of ``correlations``, ``scores`` and ``table2``, and where there are any, of
    ``judgements``, ``published``, ``thresholds`` and ``universes``. ``beta`` is MOULIN ROUGE's.
    """
    correlations, table = read_tsv(files["correlations"]), read_tsv(files["table2"])
    table = table[table["against"] == judgement].reset_index(drop=True)
    scores = with_judgements(read_scores(files["scores"]), files.get("judgements"))
    compared = has_published(table)

    def title(name: str) -> str:
        return caption(name, benchmark, judgement, compared=compared)

    panels = sensitivity(
        correlations,
        judgement,
        cutoffs=cutoffs,
        thresholds=files.get("thresholds"),
        universes=files.get("universes"),
    )
    means = means_by_system(scores)[[CONTENT_SCORE, ABSTRACTION_SCORE, "MOULIN-ROUGE"]]
    plane = partial(content_and_abstraction, means, beta=beta, title=caption("moulin_rouge", benchmark))
    return {
        **_by_cutoff(correlations, files.get("published"), benchmark, judgement, cutoffs),
        "moulin_rouge": Drawing(plane, of_plane(means)),
        **drawings(table, correlations, scores, systems, judgement, title, confidence),
        "sensitivity": Drawing(
            partial(small_multiples, panels, title=title("sensitivity")), of_sensitivity(panels)
        ),
    }


def _by_cutoff(
    correlations: pd.DataFrame,
    published: str | None,
    benchmark: str,
    judgement: str,
    cutoffs: Sequence[int],
) -> dict[str, Drawing]:
    """Figure 1 of the paper and its twins for the other coefficients."""

    def lines(table: pd.DataFrame, cutoffs: Sequence[int], coefficient: str) -> pd.DataFrame:
        """A row per cut-off, a column per variant that was scored."""
        found = table.set_index("metric")[coefficient]
        shown = {name: [found.get(f"{name}-{n}", np.nan) for n in cutoffs] for name in VARIANTS}
        known = [name for name in VARIANTS if any(f"{name}-{n}" in found for n in cutoffs)]
        return pd.DataFrame(shown, index=list(cutoffs), dtype=float)[known]

    own = correlations[correlations["against"] == judgement]
    printed = read_published(published) if published else None
    made = {}
    for figure, coefficient in FIGURE1.items():
        ours = lines(own, cutoffs, coefficient)
        papers = lines(printed, PAPER_CUTOFFS, coefficient).to_dict() if printed is not None else None
        draw = partial(
            correlation_by_cutoff,
            ours.to_dict("list"),
            cutoffs,
            title=caption(figure, benchmark, judgement, compared=papers is not None),
            judgement=judgement,
            coefficient=coefficient,
            published=papers,
        )
        made[figure] = Drawing(draw, of_cutoffs(ours, judgement, coefficient))
    return made


def of_cutoffs(lines: pd.DataFrame, against: str, coefficient: str = "spearman") -> str:
    """Text of `figures.correlation_by_cutoff`; ``lines``: a row per cut-off, a column per variant."""
    known = lines.stack().dropna()
    symbol = COEFFICIENTS[coefficient]
    if known.empty:
        return f"{symbol} of SERA with {against} is undefined at every cut-off."
    (high_at, high), (low_at, low) = known.idxmax(), known.idxmin()
    first, last = lines.index[0], lines.index[-1]
    ends = lines.loc[[first, last]].dropna(axis=1)
    rising = int((ends.loc[last] > ends.loc[first]).sum())
    return (
        f"{symbol} of SERA with {against} is highest for {high} at cut-off {high_at} "
        f"({two_decimals(known.max())}) and lowest for {low} at {low_at} ({two_decimals(known.min())}). "
        f"From {first} to {last} it rises for {rising} of {ends.shape[1]} variants."
    )


def of_plane(means: pd.DataFrame) -> str:
    """Text of `figures.content_and_abstraction`: the systems at the ends, and those that only copy.

    The columns of ``means`` are content, abstraction and MOULIN ROUGE.
    """
    content, abstraction, whole = (means.iloc[:, place].dropna() for place in range(3))
    if content.empty or abstraction.empty:
        return "Content and abstraction are undefined for every system."
    copied = int((abstraction == 0).sum())
    text = (
        f"Content is highest for {content.idxmax()} ({two_decimals(content.max())}), abstraction for "
        f"{abstraction.idxmax()} ({two_decimals(abstraction.max())})"
    )
    if len(whole):
        text += f", MOULIN ROUGE for {whole.idxmax()} ({two_decimals(whole.max())})"
    return f"{text}. Systems without abstraction, which copy the article: {copied} of {len(abstraction)}."


def of_sensitivity(panels: Mapping[str, Panel]) -> str:
    """Text of `figures.small_multiples`: the range of the number in each panel."""
    parts = []
    for name, panel in panels.items():
        table = panel.table[["median"]] if "median" in panel.table else panel.table
        values = table.to_numpy(dtype=float)
        values = values[~np.isnan(values)]
        what = "the median of SERA's ρ less ROUGE's" if "median" in panel.table else RHO
        low, high = (two_decimals(end(values)) if len(values) else "" for end in (np.min, np.max))
        parts.append(f"by {name}, {what} is {f'from {low} to {high}' if low else 'undefined'}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}."
