"""How SERA's correlation with Pyramid depends on the index: by the number and by the kind of its articles.

`study.multiverse.index_samples` draws the samples. Each sample is an index of its own
(`sera.retrieval.engines.index_parts`): the same summaries are searched for in each, and all else stays.

`extrapolated` continues the curve of the random samples to a number of articles that nobody here has. It does
so by two models, which are assumptions and no findings: along a ``line`` in the logarithm of the number,
a + b log10 n, as if each tenfold changed as much as the last one, and ``levelling off``, a + b / sqrt n. The
intervals resample topics and draws under each model. They do not contain the doubt between the models, nor
that articles of another kind would come.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.evaluation.correlation.correlate import (
    complete_topics,
    correlation,
    interval_columns,
    resample_counts,
)
from sera.io.records import Candidate, Reference
from sera.metrics.configure import FamilySettings, Resources, equip
from sera.metrics.scoring import comparisons
from sera.metrics.sera import PAPER_CUTOFFS, RunRankings, Sera
from sera.retrieval.queries import texts_of
from sera.retrieval.search import documents, formulated, ranked
from study.multiverse.index_samples import FAR, JOURNAL, JOURNALS, NEAREST, RANDOM, WHOLE, Sample

CURVE_LEVELS = ("system", "summary")
"""The two questions: does the metric rank systems, does it rank the summaries of a topic?"""
VARIANTS = tuple(Sera.names())
CURVE_MODELS: dict[str, Callable[[Any], Any]] = {
    "line": np.log10,
    "levelling off": lambda articles: 1 / np.sqrt(articles),
}
MEANS = {"SERA": "SERA (mean)", "ROUGE": "ROUGE (mean)"}
"""The names of the rows of means over variants."""


# One index
# ---------


class Searches:
    """The summaries with all that does not depend on the index.

    ``queries`` are by formulation (``plain`` and ``np``) and by name of the query; ``settings`` are those of
    the family SERA in the study.
    """

    def __init__(
        self,
        candidates: Sequence[Candidate],
        references: Sequence[Reference],
        queries: Mapping[str, Mapping[str, str]],
        settings: Mapping[str, Any],
    ) -> None:
        self.texts = texts_of(candidates, references)
        self.queries = {name: {id: of[id] for id in self.texts} for name, of in queries.items()}
        self.settings = dict(settings)
        self.pairs = list(comparisons(candidates, references))
        self.topics = sorted({each.topic for each in candidates})
        self.systems = sorted({each.system for each in candidates})

    def scores(self, engine: Any) -> np.ndarray:
        """The scores by `VARIANTS` on an index, (metric, topic, system); NaN for a missing summary."""
        keywords = formulated("kw", self.texts, engine, threshold=self.settings["keyword_threshold"])
        runs = {
            name: documents(ranked(queries, engine, max(PAPER_CUTOFFS), mu=self.settings["mu"]))
            for name, queries in {**self.queries, "kw": keywords}.items()
        }
        settings: FamilySettings = {"SERA": self.settings}
        metrics = equip(VARIANTS, settings, Resources(rankings=RunRankings(runs)))
        values = np.full((len(VARIANTS), len(self.topics), len(self.systems)), np.nan)
        for candidate, against in self.pairs:
            place = self.topics.index(candidate.topic), self.systems.index(candidate.system)
            values[:, *place] = Sera.score_together(metrics, candidate, against)
        return values


def coefficients_of(
    values: np.ndarray, judged: np.ndarray, level: str, topics: np.ndarray | None = None
) -> np.ndarray:
    """r, rho and tau of metrics with the judgement at a level: (metric, coefficient).

    ``values`` are (metric, topic, system), ``judged`` (topic, system). With ``topics``, (resample, topic),
    which hold how often each topic is drawn, the result is (metric, resample, coefficient). At the system
    level, topics with an undefined score by any metric are left out.
    """
    complete = complete_topics(judged, *values) if level == "system" else np.ones(len(judged), bool)
    x, y = values[:, complete], judged[complete]
    kinds = len(CORRELATIONS)
    if topics is None:
        return np.array([correlation(each, y, level)[:kinds] for each in x])
    systems = np.ones((len(topics), judged.shape[1]), np.int64)
    drawn = topics[:, complete]
    return np.array([correlation(each, y, level, topics=drawn, systems=systems)[:, :kinds] for each in x])


def scores_of(table: pd.DataFrame, metrics: Sequence[str], searches: Searches) -> np.ndarray:
    """The scores of metrics in a table of scores, (metric, topic, system), in the order of `Searches`.

    NaN where the table has none.
    """
    scores = table.set_index(["metric", "topic", "system"])["score"]
    axes = [list(metrics), searches.topics, searches.systems]
    values = scores.reindex(pd.MultiIndex.from_product(axes)).to_numpy(float)
    return values.reshape([len(axis) for axis in axes])


# Tables
# ------


def draws_table(
    found: Sequence[tuple[Sample, np.ndarray]],
    rouge: np.ndarray,
    judged: np.ndarray,
    subject: set[str],
) -> pd.DataFrame:
    """A row for each sample, level and variant of SERA, and for the means of SERA and ROUGE.

    ``found`` has each sample with its scores, (metric, topic, system); ``rouge`` are those of ROUGE and
    ``judged`` of Pyramid. ``subject`` are the articles on the subject. Columns: collection, articles, draw,
    on_subject (share of the sample), level, metric, pearson, spearman, kendall. A mean over variants is
    undefined if that of one variant is.
    """
    rows = []
    for level in CURVE_LEVELS:
        constant = coefficients_of(rouge, judged, level).mean(axis=0)
        for sample, values in found:
            head = {
                "collection": sample.collection,
                "articles": len(sample.documents),
                "draw": sample.draw,
                "on_subject": len(subject.intersection(sample.documents)) / max(1, len(sample.documents)),
                "level": level,
            }
            of_each = coefficients_of(values, judged, level)
            named = [
                *zip(VARIANTS, of_each),
                (MEANS["SERA"], of_each.mean(axis=0)),
                (MEANS["ROUGE"], constant),
            ]
            rows += [{**head, "metric": name, **dict(zip(CORRELATIONS, row))} for name, row in named]
    return pd.DataFrame(rows)


def sizes_table(draws: pd.DataFrame) -> pd.DataFrame:
    """The mean and the standard deviation over draws, by level, collection, articles and metric.

    ``draws`` is a result of `draws_table`. ``<coefficient>_sd`` is NaN for a single draw.
    """
    by = ["level", "collection", "articles", "metric"]
    groups = draws.groupby(by, sort=False)
    table = groups.agg(draws=("draw", "size"), on_subject=("on_subject", "mean"))
    for name in CORRELATIONS:
        table[name] = groups[name].agg(lambda of: of.mean(skipna=False))
        table[f"{name}_sd"] = groups[name].agg(lambda of: of.std(skipna=False))
    return table.reset_index()


# The curve
# ---------


def extrapolated(
    sizes: Sequence[int], means: np.ndarray, model: str, at: float
) -> tuple[np.ndarray, np.ndarray]:
    """The model's value at ``at`` articles, and how much it changes from the largest size to there.

    ``means`` are (..., size), fitted by least squares with the same weight for each of two or more
    ``sizes``.
    """
    shape = CURVE_MODELS[model]
    design = np.stack([np.ones(len(sizes)), shape(np.array(sizes, float))], axis=1)
    fitted = means @ np.linalg.pinv(design).T  # (..., 2)
    value = fitted @ np.array([1.0, shape(float(at))])
    return value, value - fitted @ np.array([1.0, shape(float(max(sizes)))])


def means_of_draws(values: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """The mean of the drawn draws, (resample, size), of ``values``, (resample, size, draw).

    ``drawn``, (resample, draw), holds how often each is drawn.
    """
    return np.einsum("rsd,rd->rs", values, drawn) / drawn.sum(axis=1)[:, None]


def resampled(number: int, resamples: int, seed: int | list[int]) -> np.ndarray:
    """How often each of a number of items is drawn, (1 + resample, item); the first row has each once."""
    return np.concatenate([np.ones((1, number), np.int64), resample_counts(number, resamples, seed)])


CURVE_COLUMNS = [
    *("level", "coefficient", "model", "articles", "whole", "rouge"),
    *(f"{name}{end}" for name in ("fitted", "value", "change", "ahead") for end in ("", "_low", "_high")),
    "undefined_draws",
]


def curve_table(
    found: Sequence[tuple[Sample, np.ndarray]],
    rouge: np.ndarray,
    judged: np.ndarray,
    *,
    toward: int,
    resamples: int,
    confidence: float,
    seed: int,
) -> pd.DataFrame:
    """The mean correlation of SERA's variants, continued to ``toward`` articles; inputs as of `draws_table`.

    A row for each level, coefficient and model. ``whole`` is the mean on all articles, ``fitted`` what the
    model says of it, ``value`` that at ``toward``, ``change`` the model's change from all articles to
    ``toward``, ``ahead`` the value less the mean of ROUGE's variants. The percentile intervals of
    ``confidence`` percent resample topics (the same for SERA, ROUGE and all indexes) and draws, and leave out
    resamples with an undefined correlation, which ``undefined_draws`` counts. No rows without two sizes.
    """
    curve = [(sample, values) for sample, values in found if sample.collection in (WHOLE, RANDOM)]
    sizes = sorted({len(sample.documents) for sample, _ in curve})
    if len(sizes) < 2:
        return pd.DataFrame(columns=CURVE_COLUMNS)
    topics = resampled(len(judged), resamples, seed)
    number = max(sample.draw for sample, _ in curve)
    draws = resampled(number, resamples, [seed, 1])
    rows = []
    for level in CURVE_LEVELS:
        of_rouge = coefficients_of(rouge, judged, level, topics).mean(axis=0)
        values = np.empty((len(topics), len(CORRELATIONS), len(sizes), number))
        for sample, scores in curve:
            place = sizes.index(len(sample.documents))
            # all articles are one sample, the same in each draw
            which = slice(None) if sample.collection == WHOLE else sample.draw - 1
            mean = coefficients_of(scores, judged, level, topics).mean(axis=0)
            values[:, :, place, which] = mean[..., None] if sample.collection == WHOLE else mean
        for place, coefficient in enumerate(CORRELATIONS):
            means = means_of_draws(values[:, place], draws)
            for model in CURVE_MODELS:
                value, change = extrapolated(sizes, means, model, toward)
                ahead = value - of_rouge[:, place]
                defined = ~np.isnan(ahead)
                row = {"level": level, "coefficient": coefficient, "model": model, "articles": toward}
                row |= {"whole": means[0, -1], "rouge": of_rouge[0, place]}
                of_each = {"fitted": value - change, "value": value, "change": change, "ahead": ahead}
                for name, of in of_each.items():
                    row |= {name: of[0], **interval_columns(name, of[1:][defined[1:]], confidence)}
                rows.append({**row, "undefined_draws": int((~defined[1:]).sum())})
    return pd.DataFrame(rows, columns=CURVE_COLUMNS)


KINDS = ((JOURNAL, JOURNALS), (NEAREST, FAR))
KINDS_COLUMNS = [
    *("level", "coefficient", "articles", "collection", "other"),
    *("difference", "difference_low", "difference_high", "undefined_draws"),
]


def kinds_table(
    found: Sequence[tuple[Sample, np.ndarray]],
    judged: np.ndarray,
    *,
    resamples: int,
    confidence: float,
    seed: int,
) -> pd.DataFrame:
    """The mean correlation of SERA's variants in one kind of articles less that in another, at equal size.

    A row for each level, coefficient, number of articles and pair of `KINDS` with the same draws; inputs and
    intervals are those of `curve_table`.
    """
    of_kind: dict[tuple[int, str], dict[int, np.ndarray]] = {}
    for sample, values in found:
        of_kind.setdefault((len(sample.documents), sample.collection), {})[sample.draw] = values
    topics = resampled(len(judged), resamples, seed)
    rows = []
    for level in CURVE_LEVELS:
        for articles in sorted({size for size, _ in of_kind}):
            for kinds in KINDS:
                sides = [of_kind.get((articles, kind), {}) for kind in kinds]
                if not sides[0] or set(sides[0]) != set(sides[1]):
                    continue
                means = [
                    np.array(
                        [
                            coefficients_of(side[draw], judged, level, topics).mean(axis=0)
                            for draw in sorted(side)
                        ]
                    )
                    for side in sides
                ]  # (draw, resample, coefficient)
                apart = (means[0] - means[1]).transpose(1, 2, 0)
                apart = means_of_draws(apart, resampled(len(sides[0]), resamples, [seed, 1]))
                for coefficient, of in zip(CORRELATIONS, apart.T, strict=True):
                    row = {"level": level, "coefficient": coefficient, "articles": articles}
                    row |= {"collection": kinds[0], "other": kinds[1], "difference": of[0]}
                    row |= interval_columns("difference", of[1:], confidence)
                    rows.append({**row, "undefined_draws": int(np.isnan(of[1:]).sum())})
    return pd.DataFrame(rows, columns=KINDS_COLUMNS)
