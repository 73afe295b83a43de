"""How SERA's correlation with Pyramid depends on the index: by the number and by the kind of its articles.

Each sample of the articles is an index of its own (`sera.retrieval.lucene.LuceneEngine.part`): the same
summaries are searched for in each, and all else stays.

==================  ================================================================================
collection          articles
==================  ================================================================================
whole               all
random              drawn from all
one journal         drawn from the journal with the most articles
many journals       drawn from all, but few of any one journal
on the subject      drawn from the third nearest to the topics' articles
off the subject     drawn from the third farthest from them
==================  ================================================================================

A draw orders all articles by a hash of their ids. A sample of n articles is the first n in that order that
the collection allows, so larger samples of a draw include smaller ones (of many journals too, because a
larger sample may only have more of each journal).

`extrapolated` continues the curve of the random samples to a number of articles that nobody here has. It does
so by two models, which are assumptions, not findings: along a ``line`` in the logarithm of the number,
a + b log10 n, as if each tenfold changed as much as the last one, and ``levelling off``, a + b / sqrt n. The
intervals resample topics and draws under each model. They do not contain the doubt between the models, nor
that articles of another kind would come.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.evaluation.correlation.correlate import (
    complete_topics,
    correlation,
    interval_columns,
    resample_counts,
)
from sera.metrics.sera import Sera
from study.multiverse.cells import Summaries, sera_cells
from study.multiverse.choices import INDEXES, SETS

WHOLE, RANDOM, JOURNAL, JOURNALS, NEAREST, FAR = COLLECTIONS = (
    "whole",
    "random",
    "one journal",
    "many journals",
    "on the subject",
    "off the subject",
)
_NEAREST = 3  # the nearest and the farthest third of the articles are on and off the subject
_ROOM = 2  # a kind of article has at least twice as many as a sample, so that draws differ

CURVE_LEVELS = ("system", "summary")
"""The two questions: does the metric rank systems, does it rank the summaries of a topic?"""
VARIANTS = tuple(Sera.names())
CURVE_MODELS: dict[str, Callable[[Any], Any]] = {
    "line": np.log10,
    "levelling off": lambda articles: 1 / np.sqrt(articles),
}
MEANS = {"SERA": "SERA (mean)", "ROUGE": "ROUGE (mean)"}
"""The names of the rows of means over variants."""
CURVE_COLUMNS = [
    *("level", "coefficient", "model", "articles", "whole", "rouge"),
    *(f"{name}{end}" for name in ("fitted", "value", "change", "ahead") for end in ("", "_low", "_high")),
    "undefined_draws",
]
KINDS = ((JOURNAL, JOURNALS), (NEAREST, FAR))
KINDS_COLUMNS = [
    *("level", "coefficient", "articles", "collection", "other"),
    *("difference", "difference_low", "difference_high", "undefined_draws"),
]


# Samples
# -------


class Sample(NamedTuple):
    """The ids of the articles of one sample; draws are counted from 1, and the whole is draw 0."""

    collection: str
    draw: int
    documents: tuple[str, ...]


def in_order(ids: Iterable[str], seed: int, draw: int) -> list[str]:
    """The ids in the order of a draw: of their hashes with the seed and the number of the draw."""
    return sorted(ids, key=lambda id: (hashlib.sha256(f"{seed} {draw} {id}".encode()).digest(), id))


def of_many_journals(
    order: Iterable[str], journal_of: Mapping[str, str], size: int, share: float
) -> tuple[str, ...] | None:
    """The first ``size`` articles of an order, with at most a share, above 0 and up to 1, from one journal.

    Further articles of a journal are skipped. A journal may always have one. None if there are too few.
    """
    most = max(1, math.floor(share * size))
    taken: Counter[str] = Counter()
    found: list[str] = []
    for id in order:
        if len(found) < size and taken[journal_of[id]] < most:
            taken[journal_of[id]] += 1
            found.append(id)
    return tuple(found) if len(found) == size else None


def by_nearness(ids: Sequence[str], rankings: Iterable[Sequence[str]]) -> list[str]:
    """The articles from the nearest to the farthest of the topics' articles.

    ``rankings`` hold the ids that each topic's article retrieves, best first. An article is as near as its
    best rank in any of them, since one topic is enough to be on the subject; ties are decided by the mean of
    its ranks, then by the order of ``ids``. What a ranking lacks comes after all that it has.
    """
    last = len(ids)
    best, total = dict.fromkeys(ids, last), dict.fromkeys(ids, 0)
    for ranking in rankings:
        ranks = {id: rank for rank, id in enumerate(ranking)}
        for id in ids:
            rank = ranks.get(id, last)
            best[id], total[id] = min(best[id], rank), total[id] + rank
    return sorted(ids, key=lambda id: (best[id], total[id]))


def on_subject(nearness: Sequence[str]) -> Sequence[str]:
    """The nearest third of the articles, which are in order from the nearest to the farthest."""
    return nearness[: len(nearness) // _NEAREST]


def largest_journal(ids: Iterable[str], journal_of: Mapping[str, str]) -> tuple[str, ...]:
    """The articles of the largest journal, the first by name in a tie; empty names do not count."""
    counts = Counter(journal_of[id] for id in ids if journal_of[id])
    if not counts:
        return ()
    journal = min(counts, key=lambda name: (-counts[name], name))
    return tuple(id for id in ids if journal_of[id] == journal)


def samples(
    ids: Sequence[str],
    journal_of: Mapping[str, str],
    nearness: Sequence[str],
    *,
    sizes: Iterable[int],
    draws: int,
    seed: int,
    share: float,
) -> Iterator[Sample]:
    """The samples, first the whole.

    ids:         the articles
    journal_of:  the journal of each; empty if it is unknown, and then a journal of its own
    nearness:    the articles as from `by_nearness`
    sizes:       numbers of articles; those that are not below the number of articles are left out, and for
                 a kind of articles those above half their number
    draws:       random samples of each size
    share:       the most that one of many journals may have of a sample, above 0 and up to 1
    """
    yield Sample(WHOLE, 0, tuple(ids))
    third = len(ids) // _NEAREST
    pools = {
        RANDOM: set(ids),
        JOURNAL: set(largest_journal(ids, journal_of)),
        NEAREST: set(on_subject(nearness)),
        FAR: set(nearness[len(ids) - third :]),
    }
    named = {id: journal_of[id] or f"{id}\0" for id in ids}  # no title of a journal has a null
    orders = {draw: in_order(ids, seed, draw) for draw in range(1, draws + 1)}
    for size in sorted({size for size in sizes if size < len(ids)}):
        for collection, pool in pools.items():
            if collection == RANDOM or size * _ROOM <= len(pool):
                for draw, order in orders.items():
                    yield Sample(collection, draw, tuple([id for id in order if id in pool][:size]))
        if size * _ROOM <= len(ids):
            found = {draw: of_many_journals(order, named, size, share) for draw, order in orders.items()}
            yield from (Sample(JOURNALS, draw, chosen) for draw, chosen in found.items() if chosen)


# Scores
# ------


def scores_on(engine: Any, summaries: Summaries, settings: Mapping[str, Any]) -> np.ndarray:
    """The scores by `VARIANTS` on an index, (metric, topic, system); NaN for a missing summary.

    ``summaries`` have their queries by the names ``plain`` and ``np``; ``settings`` are those of the family
    SERA in the study.
    """
    search = (*[None] * len((*SETS, *INDEXES)), settings["mu"], "lucene")
    how = {"plain": (), "np": (), "kw": (settings["keyword_threshold"],)}
    rows: dict[str, np.ndarray] = {}
    for _, _, cell in sera_cells([(part, (*search, *of)) for part, of in how.items()], summaries, engine):
        rows |= zip(cell["metrics"], cell["values"], strict=True)
    return np.stack([rows[name] for name in VARIANTS])


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
    drawn = {}
    if topics is not None:
        drawn = {"topics": topics[:, complete], "systems": np.ones((len(topics), y.shape[1]), np.int64)}
    return np.array([correlation(each, y, level, **drawn)[..., : len(CORRELATIONS)] for each in x])


# Tables
# ------


def draws_table(
    found: Sequence[tuple[Sample, np.ndarray]], rouge: np.ndarray, judged: np.ndarray, subject: set[str]
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
            means = [(MEANS["SERA"], of_each.mean(axis=0)), (MEANS["ROUGE"], constant)]
            named = [*zip(VARIANTS, of_each), *means]
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
                one, other = (  # (draw, variant, resample, coefficient)
                    np.array([coefficients_of(of[draw], judged, level, topics) for draw in sorted(of)])
                    for of in sides
                )
                apart = (one.mean(axis=1) - other.mean(axis=1)).transpose(1, 2, 0)
                apart = means_of_draws(apart, resampled(len(sides[0]), resamples, [seed, 1]))
                for coefficient, of in zip(CORRELATIONS, apart.T, strict=True):
                    row = {"level": level, "coefficient": coefficient, "articles": articles}
                    row |= {"collection": kinds[0], "other": kinds[1], "difference": of[0]}
                    row |= interval_columns("difference", of[1:], confidence)
                    rows.append({**row, "undefined_draws": int(np.isnan(of[1:]).sum())})
    return pd.DataFrame(rows, columns=KINDS_COLUMNS)
