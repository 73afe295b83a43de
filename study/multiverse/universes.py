"""A universe: its scores, assembled from cells, its Table 2, and the bootstrap of both."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import numpy as np

from sera.evaluation.correlation.coefficients import CORRELATIONS, coefficients
from sera.evaluation.correlation.correlate import (
    Bootstrap,
    Scores,
    complete_topics,
    correlation,
    mean_of_defined,
    mean_of_topics,
    percentile_intervals,
)
from sera.io.files import writing
from sera.io.records import HUMAN
from sera.progress import progress
from study.claims.multiverse import METRICS, OUTCOMES, SERA, effects
from study.multiverse.choices import (
    MISREAD,
    SCORE_PARTS,
    SETS,
    WITH_BASELINES,
    WITH_HUMANS,
    Universe,
    choices,
    part_of,
    values_of,
)
from study.multiverse.yardsticks import YARDSTICKS, simulated

AGAINST = "Pyramid"
Cells = Mapping[tuple[Any, ...], Mapping[str, np.ndarray]]


def scores_of_universe(universe: Universe, cells: Cells, *, members: Sequence[str] | None = None) -> Scores:
    """The scores of a universe by Table 2's metrics and Pyramid, for its systems.

    Several draws or annotators count as one system: ``random`` is the mean of its draws, ``human`` the mean
    of a topic's gold summaries (each against the others; annotators differ between topics). Systems that are
    compared with these have the scores of the jackknifed cells (`study.multiverse.choices.part_of`).
    ``members`` replaces the universe's own.
    """
    columns, metrics, values = None, [], []
    for part in SCORE_PARTS:
        cell = cells[part_of(universe, part), *choices(universe, part)]
        wanted = _columns(universe, list(map(str, cell["systems"])), members)
        if columns is None:
            columns, topics = wanted, tuple(map(str, cell["topics"]))
        metrics += list(map(str, cell["metrics"]))
        values.append(np.stack([_mean(cell["values"][:, :, places]) for places in wanted.values()], axis=2))
    assert columns is not None
    return Scores(tuple(metrics), topics, tuple(columns), np.concatenate(values))


def _mean(values: np.ndarray) -> np.ndarray:
    """The mean along the last axis of the values that are not NaN; a single value does not change."""
    if values.shape[-1] == 1:
        return values[..., 0]
    return mean_of_defined(values, axis=-1)


def _of_systems(universe: Universe, cell: Mapping[str, np.ndarray]) -> np.ndarray:
    """The values of a cell for the universe's systems in order of name, (metric, topic, system)."""
    places = _columns(universe, list(map(str, cell["systems"])), None)
    with np.errstate(invalid="ignore"):
        return np.stack([_mean(cell["values"][:, :, each]) for each in places.values()], axis=2)


def _columns(
    universe: Universe, systems: Sequence[str], members: Sequence[str] | None
) -> dict[str, list[int]]:
    """The universe's systems in order of name, each with its places among the scored systems."""
    names = set(universe["members"] if members is None else members)
    humans = {name for name in systems if name.startswith(HUMAN)}
    own = set(universe["members"])
    merged: dict[str, list[int]] = {}
    for place, name in enumerate(systems):
        if name in humans:
            system, extra = "human", WITH_HUMANS
        elif name in own:
            system, extra = name, None
        else:
            system, extra = re.sub(r"^random_\d+$", "random", name), WITH_BASELINES
        if system in names or (members is None and extra == universe["systems"]):
            merged.setdefault(system, []).append(place)
    return dict(sorted(merged.items()))


def table2(
    scores: Scores, level: str, *, topics: np.ndarray | None = None, systems: np.ndarray | None = None
) -> np.ndarray:
    """Table 2: the correlations with Pyramid, (metric, coefficient); NaN where undefined.

    ``topics``, (resample, topic), and ``systems``, (resample, system), hold how often each is drawn; with
    either of them, the table is (resample, metric, coefficient).
    """
    x, y = scores.of_metrics(METRICS), scores.of_metric(AGAINST)
    size = len(CORRELATIONS)
    if level == "summary" and systems is None:  # each topic's coefficients once
        by_topic = coefficients(x.swapaxes(0, 1), y[:, None])[..., :size]
        found = mean_of_topics(by_topic, np.ones((1, len(y)), np.int64) if topics is None else topics)
        return found[0] if topics is None else found
    if topics is None and systems is not None:
        topics = np.ones((len(systems), len(y)), np.int64)
    if systems is None and topics is not None:
        systems = np.ones((len(topics), x.shape[-1]), np.int64)
    if level != "system":
        return correlation(x, y, level, topics=topics, systems=systems)[..., :size]
    found = np.empty((*(() if topics is None else topics.shape[:1]), len(x), size))
    for known, places in _by_topics(x, y):
        drawn = None if topics is None else topics[:, known]
        of = correlation(x[places][:, known], y[known], level, topics=drawn, systems=systems)
        found[..., places, :] = of[..., :size]
    return found


def _by_topics(x: np.ndarray, *judged: np.ndarray) -> Iterator[tuple[np.ndarray, list[int]]]:
    """The sets of complete topics, as masks, each with the places of its metrics in ``x``."""
    places: dict[bytes, list[int]] = {}
    for place, scores in enumerate(x):
        places.setdefault(complete_topics(scores, *judged).tobytes(), []).append(place)
    for mask, of_mask in places.items():
        yield np.frombuffer(mask, bool), of_mask


def tables_of(x: np.ndarray, y: np.ndarray, level: str) -> np.ndarray:
    """The correlations at a level with several judgements, (metric, judgement, coefficient); NaN as above.

    ``x`` has the metrics' scores, (metric, topic, system), ``y`` the judgements, (topic, judgement, system).
    """
    size = len(CORRELATIONS)
    if level == "system":
        tables = np.full((len(x), y.shape[1], size), np.nan)
        for known, places in _by_topics(x, y.sum(axis=1)):
            if known.any():
                means = np.stack([scores[known].mean(axis=0) for scores in x[places]])
                tables[places] = coefficients(means[:, None], y[known].mean(axis=0))[..., :size]
        return tables
    if level == "summary":
        by_topic = [coefficients(x[:, t, None, :], y[None, t]) for t in range(x.shape[1])]
        return mean_of_defined(np.stack(by_topic))[..., :size]
    flat = y.swapaxes(0, 1).reshape(y.shape[1], -1)
    return coefficients(x.reshape(len(x), 1, -1), flat)[..., :size]


def misread_effects(universe: Universe, cells: Cells, scores: Scores, draws: int) -> np.ndarray:
    """The claims' effects if recognition errs as measured, (case, draw, outcome).

    ``scores`` are those of the universe; each draw takes the place of Pyramid's.
    """
    drawn = _of_systems(universe, cells[part_of(universe, MISREAD), *choices(universe, MISREAD)])
    of_cases = drawn.reshape(-1, draws, *drawn.shape[1:]).swapaxes(1, 2)  # (case, topic, draw, system)
    x = scores.of_metrics(METRICS)
    tables = [tables_of(x, y, universe["level"]).swapaxes(0, 1) for y in of_cases]
    return effects(np.stack(tables), universe["rouge_side"])


@dataclass(frozen=True)
class Looked:
    """The results of some universes; metrics are `claims.METRICS`, outcomes `claims.OUTCOMES`.

    - ``systems``: all systems that some universe compares
    - ``tables`` (universe, metric, coefficient): Table 2
    - ``bounds`` (universe, outcome, 2): percentile interval of the effect over the resamples that define it
    - ``resampled`` (universe, resample, outcome): whether the claim holds, 1, 0 or `UNDEFINED_OUTCOME`
    - ``resampled_both``: the same if systems are resampled too
    - ``halves`` (universe, half, outcome): the effects on the first and on the second half of the topics
    - ``yardsticks`` (universe, yardstick, outcome): the effects if SERA were perfect, and if it were useless
    - ``without`` (universe, system, metric, coefficient): Table 2 without the system; NaN if the universe
      lacks it
    - ``means`` (universe, metric, system): means over topics, with Pyramid as the last metric; NaN if the
      universe lacks the system
    - ``outliers`` (universe, system): whether its Pyramid score is far from the others' (`outlying`)
    - ``inlying`` (universe, metric, coefficient): Table 2 without these; NaN if there are none
    - ``true`` (universe, metric, coefficient): Table 2 by the true Pyramid score; NaN if it is not known
    - ``misread`` (universe, case, draw, outcome): `misread_effects`; there is no case without draws
    """

    systems: tuple[str, ...]
    tables: np.ndarray
    bounds: np.ndarray
    resampled: np.ndarray
    resampled_both: np.ndarray
    halves: np.ndarray
    yardsticks: np.ndarray
    without: np.ndarray
    means: np.ndarray
    outliers: np.ndarray
    inlying: np.ndarray
    true: np.ndarray
    misread: np.ndarray

    def of(self, places: np.ndarray) -> Looked:
        """The results of some of the universes, by number or as a mask."""
        return Looked(self.systems, *(getattr(self, name)[places] for name in _ARRAYS))


UNDEFINED_OUTCOME = 2
_ARRAYS = (
    *("tables", "bounds", "resampled", "resampled_both", "halves", "yardsticks"),
    *("without", "means", "outliers", "inlying", "true", "misread"),
)


def look(
    universes: Sequence[Universe],
    cells: Cells,
    systems: Sequence[str],
    bootstrap: Bootstrap,
    *,
    summarizers: Sequence[str] | None = None,
    confidence: float = 95.0,
    truth: Cells | None = None,
    misread: int = 0,
) -> Looked:
    """Compute the results of universes.

    ``systems`` lists all systems that may occur, ``confidence`` is in percent. ``bootstrap`` draws
    topics, and of the systems the ``summarizers`` (all if not given), the same in all universes;
    baselines and gold summaries stay. ``truth`` has the true Pyramid scores as cells of a part ``truth``,
    by the choices of `SETS` and pyramid_size. ``misread`` is the number of draws in the cells of this part,
    or 0 if there are no such cells.
    """
    number, size, last = len(universes), len(CORRELATIONS), len(METRICS)
    tables = np.full((number, last, size), np.nan)
    true = np.full_like(tables, np.nan)
    bounds = np.full((number, len(OUTCOMES), 2), np.nan)
    resampled = np.full((number, bootstrap.resamples, len(OUTCOMES)), UNDEFINED_OUTCOME, np.uint8)
    resampled_both = np.full_like(resampled, UNDEFINED_OUTCOME)
    halves = np.full((number, 2, len(OUTCOMES)), np.nan)
    yardsticks = np.full((number, len(YARDSTICKS), len(OUTCOMES)), np.nan)
    without = np.full((number, len(systems), last, size), np.nan, np.float32)
    means = np.full((number, last + 1, len(systems)), np.nan)
    outliers = np.zeros((number, len(systems)), bool)
    inlying = np.full_like(tables, np.nan)
    of_misread = []
    among = [place for place, name in enumerate(systems) if summarizers is None or name in summarizers]
    drawn = np.ones((bootstrap.resamples, len(systems)), np.int64)
    drawn[:, among] = bootstrap.of_systems(len(among))
    for place, universe in enumerate(progress(universes, "universes")):
        scores, level = scores_of_universe(universe, cells), universe["level"]
        side = universe["rouge_side"]
        tables[place] = table2(scores, level)
        draws = bootstrap.of_topics(len(scores.topics))
        of_systems = drawn[:, [systems.index(name) for name in scores.systems]]
        made = [
            simulated(scores, SERA, AGAINST, kind, np.random.default_rng([bootstrap.seed, 3, row, number_]))
            for number_ in [_number_of(universe)]
            for row, kind in enumerate(YARDSTICKS)
        ]
        claimed = [
            table2(scores, level, topics=draws),
            table2(scores, level, topics=draws, systems=of_systems),
            table2(scores, level, topics=halves_of(len(scores.topics))),
            np.stack([table2(each, level) for each in made]),
        ]
        ends = np.cumsum(list(map(len, claimed)))[:-1]  # the effects of all together, which is faster
        of_draws, of_both, of_halves, of_made = np.split(effects(np.concatenate(claimed), side), ends)
        resampled[place], resampled_both[place] = outcomes(of_draws), outcomes(of_both)
        bounds[place] = percentile_intervals(of_draws, confidence)
        halves[place], yardsticks[place] = of_halves, of_made
        columns = [systems.index(name) for name in scores.systems]
        for row, metric in enumerate((*METRICS, AGAINST)):
            of = scores.of_metric(metric)
            if (kept := complete_topics(of)).any():
                means[place, row, columns] = of[kept].mean(axis=0)
        if len(columns) > 3:
            without[place, columns] = table2(scores, level, systems=1 - np.eye(len(columns), dtype=np.int64))
        judged = means[place, -1, columns]
        if (far := outlying(judged)).any() and len(columns) - far.sum() >= 3:
            outliers[place, columns] = far
            inlying[place] = table2(scores, level, systems=(~far).astype(np.int64)[None])[0]
        if truth is not None:
            cell = truth["truth", *values_of(universe, SETS), universe["pyramid_size"]]
            values = scores.values.copy()
            values[scores.metrics.index(AGAINST)] = _of_systems(universe, cell)[0]
            true[place] = table2(replace(scores, values=values), level)
        if misread:
            of_misread.append(misread_effects(universe, cells, scores, misread))
    return Looked(
        tuple(systems),
        *(tables, bounds, resampled, resampled_both, halves, yardsticks),
        *(without, means, outliers, inlying, true),
        np.array(of_misread, np.float32) if misread else np.empty((number, 0, 0, len(OUTCOMES)), np.float32),
    )


def outcomes(values: np.ndarray) -> np.ndarray:
    """The outcomes of effects: 1 if the claim holds, 0 if it fails, else `UNDEFINED_OUTCOME`."""
    return np.where(np.isnan(values), UNDEFINED_OUTCOME, np.nan_to_num(values) > 0).astype(np.uint8)


def halves_of(topics: int) -> np.ndarray:
    """The first and the second half of the topics in order of name, (2, topic); an odd one is in the first.

    Of the twenty topics of TAC 2014, the first half was known while this project was written.
    """
    first = np.arange(topics) < (topics + 1) // 2
    return np.stack([first, ~first]).astype(np.int64)


def _number_of(universe: Universe) -> int:
    """A number that the universe's choices fix, so that its draws do not depend on its block."""
    chosen = {name: value for name, value in universe.items() if name != "weight"}
    return int.from_bytes(hashlib.sha256(json.dumps(chosen, sort_keys=True).encode()).digest()[:6], "big")


def outlying(means: np.ndarray) -> np.ndarray:
    """Which systems' mean scores are outliers, (system,) (Mathur, Baldwin & Cohn 2020, "Tangled up in BLEU").

    An outlier is more than 2.5 times 1.483 median absolute deviations from the median. There is none if the
    deviation is 0, as where half of all scores are equal.
    """
    distance = np.abs(means - np.median(means))
    deviation = 1.483 * np.median(distance)
    return distance > 2.5 * deviation if deviation > 0 else np.zeros(len(means), bool)


def write_looked(path: str | PathLike[str], looked: Looked) -> None:
    """Write the results of a block of universes."""
    with writing(path, binary=True) as stream:
        np.savez_compressed(
            stream,
            systems=np.array(looked.systems),
            **{name: getattr(looked, name) for name in _ARRAYS},
        )


def read_looked(paths: Sequence[str | PathLike[str]]) -> Looked:
    """Read blocks of universes that `write_looked` wrote, joined in the given order."""
    blocks = []
    for path in paths:
        with np.load(path, allow_pickle=False) as arrays:
            blocks.append(dict(arrays))
    return Looked(
        tuple(map(str, blocks[0]["systems"])),
        *(np.concatenate([block[name] for block in blocks]) for name in _ARRAYS),
    )
