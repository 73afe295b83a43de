"""A universe: its scores, assembled from cells, its Table 2, and the bootstrap of both.

Two *yardsticks* show what a share of universes would be if SERA were perfect, and if it were useless. Both
have the noise of the study. A score by a metric is a mean, plus the topic's part, plus the system's part,
plus a residual. The residuals are drawn anew, with replacement, from those of the same system on all topics,
so a system's mean has an error as large as its own. A *perfect* metric has the judgement of each summary in
place of the system's part, as far spread between systems as the metric's own part. A *useless* one has its
own systems' parts, shuffled over the systems. Each universe has draws of its own, so a share is that expected
of such a metric, without a spread.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import NamedTuple

import numpy as np

from sera.evaluation.bootstrap import Bootstrap, percentile_intervals
from sera.evaluation.coefficients import COEFFICIENTS, CORRELATIONS, coefficients
from sera.evaluation.correlate import Scores, average_defined, complete_topics, correlation
from sera.evaluation.ties import mean_scores
from sera.io.records import HUMAN
from sera.progress import progress
from study.claims.multiverse import METRICS, SERA, effects
from study.multiverse.cells import Key, read_arrays
from study.multiverse.choices import (
    MISREAD,
    SCORE_PARTS,
    TRUTH,
    WITH_BASELINES,
    WITH_HUMANS,
    Universe,
    cell_key,
)

AGAINST = "Pyramid"
YARDSTICKS = ("perfect", "useless")
UNDEFINED_OUTCOME = 2
Cells = Mapping[Key, Scores]


# Scores and Table 2


def universe_scores(universe: Universe, cells: Cells, *, members: Sequence[str] | None = None) -> Scores:
    """The scores of a universe by Table 2's metrics and Pyramid, for its systems in order of name.

    ``random`` is the mean of its draws, ``human`` the mean of a topic's gold summaries, each against the
    others. ``members`` replaces the universe's own.
    """
    metrics: list[str] = []
    values = []
    for part in (part for part in SCORE_PARTS if part not in (MISREAD, TRUTH)):
        cell = cells[cell_key(universe, part)]
        systems, part_values = _system_values(universe, cell, members)
        metrics += cell.metrics
        values.append(part_values)
    return Scores(tuple(metrics), cell.topics, systems, np.concatenate(values))


def _system_values(
    universe: Universe, cell: Scores, members: Sequence[str] | None = None
) -> tuple[tuple[str, ...], np.ndarray]:
    """The universe's systems in order of name, and their values in a cell, (metric, topic, system)."""
    names = set(universe["members"] if members is None else members)
    groups: dict[str, list[int]] = {}
    for place, name in enumerate(cell.systems):
        system, extra = name, None
        if name.startswith(HUMAN):
            system, extra = "human", WITH_HUMANS
        elif name not in universe["members"]:
            system, extra = re.sub(r"^random_\d+$", "random", name), WITH_BASELINES
        if system in names or (members is None and extra == universe["systems"]):
            groups.setdefault(system, []).append(place)
    groups = dict(sorted(groups.items()))
    values = [cell.values[:, :, places] for places in groups.values()]
    means = [
        group_values[..., 0] if group_values.shape[2] == 1 else average_defined(group_values, axis=2)
        for group_values in values
    ]
    return tuple(groups), np.stack(means, axis=2)


def table2(
    scores: Scores,
    level: str,
    *,
    against: str = AGAINST,
    topics: np.ndarray | None = None,
    systems: np.ndarray | None = None,
) -> np.ndarray:
    """Table 2: the correlations with a judgement, (metric, coefficient); NaN where undefined.

    With how often topics are drawn, (resample, topic), or systems, it is (resample, metric, coefficient).
    """
    x, y = scores.stack(METRICS), scores.metric(against)
    once = topics is None and systems is None
    draws = next((len(part) for part in (topics, systems) if part is not None), 1)
    topics = np.ones((draws, len(y)), np.int64) if topics is None else topics
    systems = np.ones((draws, x.shape[-1]), np.int64) if systems is None else systems
    every = np.ones(len(y), bool), list(range(len(x)))
    result = np.empty((draws, len(x), len(CORRELATIONS)))
    for mask, places in _topic_sets(x, y) if level == "system" else [every]:
        part = correlation(x[places][:, mask], y[mask], level, topics=topics[:, mask], systems=systems)
        result[:, places] = part[..., : len(CORRELATIONS)]
    return result[0] if once else result


def _topic_sets(x: np.ndarray, *judgements: np.ndarray) -> Iterator[tuple[np.ndarray, list[int]]]:
    """The sets of complete topics, as masks, each with the places of its metrics in ``x``."""
    places: dict[bytes, list[int]] = {}
    for place, scores in enumerate(x):
        places.setdefault(complete_topics(scores, *judgements).tobytes(), []).append(place)
    for mask, mask_places in places.items():
        yield np.frombuffer(mask, bool), mask_places


def judgement_tables(x: np.ndarray, y: np.ndarray, level: str) -> np.ndarray:
    """The correlations at a level with several judgements, (metric, judgement, coefficient); NaN as above.

    ``x`` has the metrics' scores, (metric, topic, system), ``y`` the judgements, (topic, judgement, system).
    """
    if level == "system":
        result = np.full((len(x), y.shape[1], len(COEFFICIENTS)), np.nan)
        for mask, places in _topic_sets(x, y.sum(axis=1)):
            if mask.any():
                means = mean_scores(x[places][:, mask])
                targets = mean_scores(y[mask].swapaxes(0, 1))
                result[places] = coefficients(means[:, None], targets)
    elif level == "summary":
        topic_tables = [coefficients(x[:, t, None], y[None, t]) for t in range(x.shape[1])]
        result = average_defined(np.stack(topic_tables))
    else:
        flat = y.swapaxes(0, 1).reshape(y.shape[1], -1)
        result = coefficients(x.reshape(len(x), 1, -1), flat)
    return result[..., : len(CORRELATIONS)]


def outcomes(values: np.ndarray) -> np.ndarray:
    """The outcomes of effects: 1 if the claim holds, 0 if it fails, else `UNDEFINED_OUTCOME`."""
    return np.where(np.isnan(values), UNDEFINED_OUTCOME, np.nan_to_num(values) > 0).astype(np.uint8)


def topic_halves(topics: int) -> np.ndarray:
    """The first and the second half of the topics in order of name, (2, topic); an odd one is in the first.

    Of the twenty topics of TAC 2014, the first half was known while this project was written.
    """
    first = np.arange(topics) < (topics + 1) // 2
    return np.stack([first, ~first]).astype(np.int64)


def simulate_metrics(
    scores: Scores, metrics: Sequence[str], against: str, kind: str, random: np.random.Generator
) -> Scores:
    """The scores with these metrics made ``perfect`` or ``useless``, all by the same draws.

    Topics that are undefined for a metric or the judgement stay so.
    """
    values, judgements = scores.values.copy(), scores.metric(against)
    draws, order = random.random(judgements.shape), random.permutation(len(scores.systems))
    for number in map(scores.metrics.index, metrics):
        values[number] = _simulate(values[number], judgements, kind, draws, order)
    return replace(scores, values=values)


def _simulate(x: np.ndarray, y: np.ndarray, kind: str, draws: np.ndarray, order: np.ndarray) -> np.ndarray:
    mask = complete_topics(x, y)
    result = np.full_like(x, np.nan)
    count = int(mask.sum())
    if count < 2:
        return result
    x, y = x[mask], y[mask]
    topic_means, system_effects = x.mean(axis=1, keepdims=True), x.mean(axis=0) - x.mean()
    residual = x - topic_means - system_effects
    rows = (draws[mask] * count).astype(int)
    # residuals around the topics' and systems' means are smaller than the errors by this factor
    noise = np.take_along_axis(residual, rows, axis=0) * np.sqrt(count / (count - 1))
    if kind == "useless":
        result[mask] = topic_means + system_effects[order] + noise
    else:
        spread = y.mean(axis=0).std()
        slope = system_effects.std() / spread if spread > 0 else 0.0
        result[mask] = topic_means + slope * (y - y.mean(axis=1, keepdims=True)) + noise
    return result


# The results of universes


class Results(NamedTuple):
    """The results of some universes; metrics are `claims.METRICS`, outcomes `claims.OUTCOMES`.

    - ``tables`` (universe, metric, coefficient): Table 2
    - ``bounds`` (universe, outcome, 2): percentile interval of the effect over the resamples that define it
    - ``resampled`` (universe, resample, outcome): whether the claim holds, 1, 0 or `UNDEFINED_OUTCOME`
    - ``resampled_both``: the same if systems are resampled too
    - ``halves`` (universe, half, outcome): the effects on the first and on the second half of the topics
    - ``yardsticks`` (universe, yardstick, outcome): the effects if SERA were perfect, and if it were useless
    - ``true`` (universe, metric, coefficient): Table 2 by the true Pyramid score; NaN if it is not known
    - ``misread`` (universe, draw, outcome): the effects if recognition errs as measured
    """

    tables: np.ndarray
    bounds: np.ndarray
    resampled: np.ndarray
    resampled_both: np.ndarray
    halves: np.ndarray
    yardsticks: np.ndarray
    true: np.ndarray
    misread: np.ndarray


def compute(
    universes: Sequence[Universe],
    cells: Cells,
    systems: Sequence[str],
    bootstrap: Bootstrap,
    *,
    summarizers: Sequence[str] | None = None,
    confidence: float = 95.0,
) -> Results:
    """Compute the results of universes.

    ``systems`` lists all that may occur. ``bootstrap`` draws topics, and of the systems the ``summarizers``
    (all if not given), the same in all universes.
    """
    places = [place for place, name in enumerate(systems) if summarizers is None or name in summarizers]
    draws = np.ones((bootstrap.resamples, len(systems)), np.int64)
    draws[:, places] = bootstrap.draw_systems(len(places))
    results = []
    for universe in progress(universes, "universes"):
        scores, level = universe_scores(universe, cells), universe["level"]
        columns = [systems.index(name) for name in scores.systems]
        result = _resample(universe, scores, bootstrap, draws[:, columns], confidence)
        result["true"] = np.full_like(result["tables"], np.nan)
        if cell := cells.get(cell_key(universe, TRUTH)):
            values = scores.values.copy()
            _, (values[scores.metrics.index(AGAINST)],) = _system_values(universe, cell)
            result["true"] = table2(replace(scores, values=values), level)
        _, misread_values = _system_values(universe, cells[cell_key(universe, MISREAD)])
        tables = judgement_tables(scores.stack(METRICS), misread_values.swapaxes(0, 1), level).swapaxes(0, 1)
        result["misread"] = effects(tables, universe["rouge_side"]).astype(np.float32)
        results.append(result)
    return Results(**{name: np.stack([each[name] for each in results]) for name in results[0]})


def _resample(
    universe: Universe, scores: Scores, bootstrap: Bootstrap, systems: np.ndarray, confidence: float
) -> dict[str, np.ndarray]:
    """Table 2 of a universe, and its claims on resamples, halves and yardsticks."""
    level, topics = universe["level"], bootstrap.draw_topics(len(scores.topics))
    choices = {name: value for name, value in universe.items() if name != "weight"}
    digest = hashlib.sha256(json.dumps(choices, sort_keys=True).encode()).digest()
    number = int.from_bytes(digest[:6], "big")  # so that a universe's draws do not depend on its block
    yardsticks = [
        simulate_metrics(scores, SERA, AGAINST, kind, np.random.default_rng([bootstrap.seed, 3, row, number]))
        for row, kind in enumerate(YARDSTICKS)
    ]
    tables = [
        table2(scores, level, topics=topics),
        table2(scores, level, topics=topics, systems=systems),
        table2(scores, level, topics=topic_halves(len(scores.topics))),
        np.stack([table2(each, level) for each in yardsticks]),
    ]
    ends = np.cumsum(list(map(len, tables)))[:-1]  # the effects of all together, which is faster
    table_effects = effects(np.concatenate(tables), universe["rouge_side"])
    topic_effects, both_effects, half_effects, yardstick_effects = np.split(table_effects, ends)
    return {
        "tables": table2(scores, level),
        "bounds": percentile_intervals(topic_effects, confidence),
        "resampled": outcomes(topic_effects),
        "resampled_both": outcomes(both_effects),
        "halves": half_effects,
        "yardsticks": yardstick_effects,
    }


def read_results(paths: Sequence[str | PathLike[str]]) -> Results:
    """Read the results of blocks of universes (`cells.write_arrays`), joined in the given order."""
    blocks = [read_arrays(path) for path in paths]
    return Results(*(np.concatenate([block[name] for block in blocks]) for name in Results._fields))
