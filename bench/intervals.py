"""Simulate the coverage of every interval and the level of every test, and write the tables of a page.

    python -m bench.intervals [--studies 500] [--resamples 300] [--seed 0] [--page bench/intervals.md]

Studies are drawn from a model whose true correlations are known. The coverage of an interval is the share of
the studies whose interval holds the true value, and the level of a test is the share of the studies in which
it finds a difference that is not there.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from sera.evaluation.bootstrap import BOOTSTRAPS, Bootstrap, percentile_interval
from sera.evaluation.clusters import one_sided_p
from sera.evaluation.coefficients import COEFFICIENTS, coefficients
from sera.evaluation.correlate import correlation
from sera.evaluation.discrimination import exchange_test, signed_rank
from sera.evaluation.judges import alpha_draws, leave_one_out, redraw_judges
from sera.evaluation.pairwise import accuracy_draws, exchange_signs, system_p_values
from sera.evaluation.preferences import agreement_draws
from sera.evaluation.significance import permutation, williams
from sera.io.files import writing
from sera.metrics.rouge.bootstrap_155 import average_of
from study.multiverse.more_systems import draw_families

_SYSTEM, _SUMMARY = 0.5, 1.0  # standard deviations of systems, and of summaries within a system
_RHO, _WITHIN = 0.7, 0.3  # correlation of judgement and metric over systems, and within
_JUDGE_SYSTEM, _JUDGE = 0.25, 0.8  # of a judge's liking for a system, and of what is left
_SIZES = ((10, 20), (16, 50), (30, 100))  # systems and topics
_JUDGES = (3, 8)
_PREFERENCES = 10  # of a topic, each of one judge and a pair of systems
_MISSING = 0.3  # the share of judgements left out for the alpha with gaps
_MANY = 40  # times as many topics stand for all topics, where there is no formula
_TOPICS, _RELIABILITIES = 20, (0.68, 0.92, 0.74)  # of Pyramid, ROUGE and SERA on TAC 2014
_NAMES = ("r", "ρ", "τ")
_LEVEL = 0.05


@dataclass(frozen=True)
class Study:
    """One simulated study: judgement and metrics, (topic, system), and the systems' true values."""

    judged: np.ndarray
    metrics: np.ndarray
    true_judged: np.ndarray
    true_metrics: np.ndarray


def study(random: np.random.Generator, systems: int, topics: int, metrics: int = 1) -> Study:
    """Draw a study; its metrics correlate equally with the judgement."""
    u, e = random.normal(size=systems), random.normal(size=(topics, systems))
    v = _RHO * u + math.sqrt(1 - _RHO**2) * random.normal(size=(metrics, systems))
    f = _WITHIN * e + math.sqrt(1 - _WITHIN**2) * random.normal(size=(metrics, topics, systems))
    return Study(_SYSTEM * u + _SUMMARY * e, _SYSTEM * v[:, None] + _SUMMARY * f, _SYSTEM * u, _SYSTEM * v)


def true_r(topics: float) -> float:
    """Pearson's r over all systems, of means over a number of topics."""
    noise = _SUMMARY**2 / topics
    return (_RHO * _SYSTEM**2 + _WITHIN * noise) / (_SYSTEM**2 + noise)


def tau_of(r: float) -> float:
    """Kendall's tau of a bivariate normal distribution with Pearson's r."""
    return 2 / math.pi * math.asin(r)


def rho_of(r: float) -> float:
    """Spearman's rho of a bivariate normal distribution with Pearson's r."""
    return 6 / math.pi * math.asin(r / 2)


def over_all_topics(one: Study, random: np.random.Generator, level: str, topics: int) -> np.ndarray:
    """r, rho and tau of a study's systems over all topics: those over `_MANY` times as many."""
    e = random.normal(size=(_MANY * topics, len(one.true_judged)))
    f = _WITHIN * e + math.sqrt(1 - _WITHIN**2) * random.normal(size=e.shape)
    x, y = one.true_metrics[0] + _SUMMARY * f, one.true_judged + _SUMMARY * e
    if level == "summary":
        return coefficients(x, y)[:, : len(_NAMES)].mean(axis=0)
    x, y = x.ravel(), y.ravel()
    found = (stats.pearsonr(x, y), stats.spearmanr(x, y), stats.kendalltau(x, y))
    return np.array([each.statistic for each in found])


class Held(dict[str, list[float]]):
    """By name, in which studies an interval held the true value, or a test found a difference."""

    def __missing__(self, name: str) -> list[float]:
        return self.setdefault(name, [])

    def add(self, name: str, draws: np.ndarray, truth: float) -> None:
        low, high = percentile_interval(draws, 95)
        self[name].append(low <= truth <= high)

    def add_each(self, name: str, of: str, draws: np.ndarray, truths: Any) -> None:
        """Add the intervals of r, rho and tau; ``draws`` is (resample, coefficient)."""
        for coefficient, each, truth in zip(_NAMES, draws.T, truths, strict=False):
            self.add(f"{name}, {coefficient}: {of}", each, truth)


def correlations(systems: int, topics: int, studies: int, resamples: int, seed: int) -> Held:
    """The coverage of the intervals of correlations and of pairwise accuracy."""
    random, others = np.random.default_rng([seed, systems]), np.random.default_rng([seed, systems, 5])
    found = Held()
    for number in range(studies):
        one = study(random, systems, topics)
        x, y = one.metrics[0], one.judged
        fixed = coefficients(one.true_metrics[0], one.true_judged)
        for draws in BOOTSTRAPS:
            bootstrap = Bootstrap(draws, resamples, seed + number)
            drawn = {"topics": bootstrap.draw_topics(topics), "systems": bootstrap.draw_systems(systems)}
            r = true_r(topics if draws == "systems" else math.inf)
            truths = fixed[:3] if draws == "topics" else np.array([r, rho_of(r), tau_of(r)])
            found.add_each("system level", draws, correlation(x, y, "system", **drawn), truths)
            accurate = accuracy_draws(x, y, **drawn)
            found.add(f"pairwise accuracy: {draws}", accurate, (1 + truths[2]) / 2)
            within = np.array([true_r(1), rho_of(true_r(1)), tau_of(true_r(1))])
            for level in ("summary", "global"):
                if draws == "topics":
                    within = over_all_topics(one, others, level, topics)
                found.add_each(f"{level} level", draws, correlation(x, y, level, **drawn), within)
    return found


def differences(systems: int, topics: int, studies: int, resamples: int, seed: int) -> Held:
    """The coverage of the intervals of the difference of two metrics' correlations, and of a system's mean.

    A claim's effect and a metric's distance to the best of a grid are such differences.
    """
    random = np.random.default_rng([seed, systems, 4])
    found = Held()
    for number in range(studies):
        one = study(random, systems, topics, metrics=2)
        fixed = coefficients(one.true_metrics, one.true_judged)
        for draws in BOOTSTRAPS:
            bootstrap = Bootstrap(draws, resamples, seed + number)
            drawn = {"topics": bootstrap.draw_topics(topics), "systems": bootstrap.draw_systems(systems)}
            values = correlation(one.metrics, one.judged, "system", **drawn)
            truths = fixed[0] - fixed[1] if draws == "topics" else np.zeros(len(COEFFICIENTS))
            found.add_each("difference of two metrics", draws, values[:, 0] - values[:, 1], truths)
        of_system = dict(zip(map(str, range(topics)), one.metrics[0, :, 0]))
        _, low, high = average_of(of_system, "system")
        found["mean of a system, as ROUGE-1.5.5: topics"].append(low <= one.true_metrics[0, 0] <= high)
    return found


def unequal(systems: int, families: int, studies: int, resamples: int, seed: int) -> Held:
    """The coverage of intervals of a difference in r of a steady and a noisy metric, which are equally good.

    The reliabilities of the means over 20 topics are those of Pyramid, ROUGE and SERA on TAC 2014. Systems of
    a family share most of what makes them good. The percentile interval is beside the reflected one. Noise
    alone lowers the correlation of the noisier metric more: the mean error of the difference shows how much.
    """
    random = np.random.default_rng([seed, systems, 6])
    family = np.arange(systems) % families
    noise = np.sqrt([_TOPICS * (1 - icc) / icc for icc in _RELIABILITIES])[:, None, None]
    found = Held()
    for number in range(studies):
        shared, own = random.normal(size=(3, families)), random.normal(size=(3, systems))
        true = math.sqrt(0.7) * shared[:, family] + math.sqrt(0.3) * own
        true[1:] = _RHO * true[0] + math.sqrt(1 - _RHO**2) * true[1:]
        judged, *metrics = true[:, None] + noise * random.normal(size=(3, _TOPICS, systems))
        fixed = coefficients(true[1:], true[0])[:, 0]
        value = correlation(np.stack(metrics), judged, "system")[:, 0]
        # the noisy metric, SERA, less the steady one
        found["mean error of the difference"].append(value[1] - value[0] - (fixed[1] - fixed[0]))
        topics = Bootstrap("topics", resamples, seed + number).draw_topics(_TOPICS)
        of_families = draw_families(list(map(str, family)), resamples, seed + number)
        for name, truth, drawn in (
            ("topics", fixed[0] - fixed[1], {}),
            ("topics and families", 0.0, {"systems": of_families}),
        ):
            every = np.ones((resamples, systems), np.int64)
            weights = {"topics": topics, "systems": every, **drawn}
            draws = correlation(np.stack(metrics), judged, "system", **weights)[:, :, 0]
            draws = draws[:, 0] - draws[:, 1]
            found.add(f"percentile, over {name}", draws, truth)
            # reflected, or basic: twice the value less the draws
            found.add(f"reflected, over {name}", 2 * (value[0] - value[1]) - draws, truth)
    return found


def judged_by(judges: int, systems: int, topics: int, studies: int, resamples: int, seed: int) -> Held:
    """The coverage of the intervals of several judges' agreement, ceilings and metrics."""
    random = np.random.default_rng([seed, judges, systems])
    others = np.random.default_rng([seed, judges, systems, 5])
    found = Held()
    unit, liking, rest = _SYSTEM**2, _JUDGE_SYSTEM**2, _JUDGE**2
    over_all = unit / math.sqrt((unit + liking) * (unit + liking / (judges - 1)))
    for number in range(studies):
        one = study(random, systems, topics)
        likings = _JUDGE_SYSTEM * random.normal(size=(judges, 1, systems))
        values = one.judged + likings + _JUDGE * random.normal(size=(judges, topics, systems))
        bootstrap = Bootstrap("both", resamples, seed + number)
        of_topics, of_systems = bootstrap.draw_topics(topics), bootstrap.draw_systems(systems)
        of_judges = random.multinomial(judges, np.full(judges, 1 / judges), size=resamples)
        (redrawn,) = redraw_judges(one.metrics[:1], values, of_topics, of_systems, of_judges)
        found.add("system level with judges redrawn, r", redrawn[:, 0], _RHO)
        (kept,) = redraw_judges(
            one.metrics[:1], values, of_topics, of_systems, np.ones((resamples, judges), np.int64)
        )
        found.add("system level without, r", kept[:, 0], _RHO)
        ceilings = leave_one_out(values, topics=of_topics, systems=of_systems)[..., 0].T
        found.add("leave-one-out ceiling, r", (ceilings * of_judges).sum(axis=1) / judges, over_all)
        if number < studies // 4:  # each takes a while
            alpha = _true_alpha(one.true_judged, likings[:, 0], rest)
            found.add("Krippendorff's alpha (interval)", alpha_draws(values, "interval", of_topics), alpha)
            gaps = np.where(others.random(values.shape) < _MISSING, np.nan, values)
            found.add(
                f"the same, {_MISSING:.0%} of judgements missing",
                alpha_draws(gaps, "interval", of_topics),
                alpha,
            )
        for named in (True, False):
            right, truth = _preferred(one, likings[:, 0], values, others, named)
            name = f"accuracy by preferences, of {'named' if named else 'unnamed'} judges"
            found.add(name, agreement_draws(right, bootstrap)[0], truth)
    return found


def _preferred(
    one: Study, likings: np.ndarray, values: np.ndarray, random: np.random.Generator, named: bool
) -> tuple[pd.DataFrame, float]:
    """Preferences as `agreement_draws` reads them, and the true accuracy for the study's systems.

    ``likings`` are (judge, system), ``values`` (judge, topic, system). The true value is over all topics and
    judges, or over all topics and these judges if they are not named, since only topics are then drawn.
    """
    judges, topics, systems = values.shape
    topic = np.repeat(np.arange(topics), _PREFERENCES)
    judge = random.integers(judges, size=len(topic))
    first = random.integers(systems, size=len(topic))
    other = (first + random.integers(1, systems, size=len(topic))) % systems
    said = one.metrics[0, topic, first] > one.metrics[0, topic, other]
    judged = values[judge, topic, first] > values[judge, topic, other]
    frame = pd.DataFrame({"topic": topic, "judge": judge if named else "", "right": 1.0 * (said == judged)})
    a, b = np.triu_indices(systems, 1)
    means = one.true_metrics[0, a] - one.true_metrics[0, b]
    rest = _SUMMARY**2 + _JUDGE**2 + (_JUDGE_SYSTEM**2 if named else 0)
    of_both = 2 * np.array([[_SUMMARY**2, _WITHIN], [_WITHIN, rest]])
    pairs = stats.multivariate_normal(cov=of_both)
    agree = []
    for liking in [np.zeros(systems)] if named else likings:
        true = one.true_judged + liking
        sides = np.stack([means, true[a] - true[b]], axis=1)
        agree.append((pairs.cdf(sides) + pairs.cdf(-sides)).mean())
    return frame, float(np.mean(agree))


def _true_alpha(systems: np.ndarray, likings: np.ndarray, rest: float) -> float:
    """Alpha of these systems and judges over all topics."""
    each = systems + likings  # (judge, system)
    within = each.var(axis=0, ddof=1).mean() + rest
    total = each.var() + _SUMMARY**2 + rest
    return float(1 - within / total)


def levels(systems: int, topics: int, studies: int, resamples: int, seed: int) -> Held:
    """The studies in which each test finds a difference between equals, at .05."""
    random = np.random.default_rng([seed, systems, 1])
    found = Held()
    for _ in range(studies):
        one = study(random, systems, topics, metrics=2)
        means = one.metrics.mean(axis=1)
        judged = one.judged.mean(axis=0)
        r = [float(coefficients(of, judged)[0]) for of in means]
        p = williams(r[0], r[1], float(coefficients(means[0], means[1])[0]), systems)[1]
        found["Williams' test, r, system level"].append(p <= _LEVEL)
        first, second = one.metrics
        sides = (first, one.judged), (second, one.judged), (first, second)
        of_first, of_second, between = (float(correlation(x, y, "summary")[0]) for x, y in sides)
        p = williams(of_first, of_second, between, systems)[1]
        found["Williams' test, mean r, summary level"].append(p <= _LEVEL)
        exchanged = random.integers(0, 2, size=(resamples, topics, systems), dtype=bool)
        for level in ("system", "summary"):
            p_values = permutation(one.metrics[0], one.metrics[1], one.judged, level, exchanged)[0]
            for name, coefficient in (("r", "pearson"), ("τ", "kendall")):
                rejected = p_values[COEFFICIENTS.index(coefficient)] <= _LEVEL
                found[f"PERM-BOTH, {name}, {level} level"].append(rejected)
        sided = one_sided_p(one.metrics, one.judged, permutations=resamples, seed=int(random.integers(2**31)))
        found["one-sided PERM-BOTH of the clusters, r"].append(sided[0, 0, 1] <= _LEVEL)
        same = one.judged[:, :2] - one.true_judged[:2]  # two systems without a difference
        found["Wilcoxon's signed-rank test of two systems"].append(
            signed_rank(same[:, 0] - same[:, 1])[0] <= _LEVEL
        )
        signs = exchange_signs(resamples, topics, int(random.integers(2**31)))
        found["one-sided exchange test of two systems"].append(system_p_values(same, signs)[0] <= _LEVEL)
        apart = exchange_test(same[:, :1] - same[:, 1:], exchanges=1000)[0]
        found["two-sided exchange test of two systems"].append(apart <= _LEVEL)
    return found


def levels_of_alike(systems: int, topics: int, studies: int, resamples: int, seed: int) -> Held:
    """As `levels`, for two metrics that rank the systems alike and differ by chance in summaries alone."""
    random = np.random.default_rng([seed, systems, 3])
    found = Held()
    for _ in range(studies):
        one = study(random, systems, topics, metrics=2)
        first, second = one.metrics
        second = second - one.true_metrics[1] + one.true_metrics[0]
        exchanged = random.integers(0, 2, size=(resamples, topics, systems), dtype=bool)
        for level in ("system", "summary"):
            p = permutation(first, second, one.judged, level, exchanged)[0][COEFFICIENTS.index("pearson")]
            found[f"PERM-BOTH, r, {level} level: alike on these systems"].append(p <= _LEVEL)
    return found


def shares(kind: str, columns: Sequence[str], found: Sequence[dict[str, list[float]]]) -> str:
    """The means over the studies as a table in Markdown, a column for each of ``found``.

    Those by r, rho and tau share a row, one below the other.
    """
    rows: dict[str, list[list[str]]] = {}
    for name in found[0]:
        row = rows.setdefault(re.sub(", [rρτ]: ", ": ", name), [[] for _ in found])
        for cell, of in zip(row, found, strict=True):
            cell.append(f"{np.mean(of[name]):.3f}")
    return table_lines([kind, *columns], [[name, *map("<br>".join, row)] for name, row in rows.items()])


def table_lines(heads: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    """A table in Markdown; the first column is text."""
    lines = ["| " + " | ".join(map(str, heads)) + " |", "| --- |" + " ---: |" * (len(heads) - 1)]
    return "\n".join([*lines, *("| " + " | ".join(map(str, row)) + " |" for row in rows)]) + "\n"


def tables(studies: int, resamples: int, seed: int) -> dict[str, str]:
    """The tables of the page, by the name of their place."""
    sizes = [f"{systems} systems, {topics} topics" for systems, topics in _SIZES]
    runs = [(*size, studies, resamples, seed) for size in _SIZES]
    by_size = [correlations(*run) | differences(*run) for run in runs]
    by_judges = [judged_by(judges, *_SIZES[1], studies, resamples, seed) for judges in _JUDGES]
    tests = [levels(*run) | levels_of_alike(*run) for run in runs]
    error = math.sqrt(0.95 * 0.05 / studies)
    return {
        "run": f"{studies:,} studies, {resamples:,} resamples, seed {seed}; the standard error of a share of "
        f".95 or .05 is {error:.3f}.\n",
        "coverage": shares("interval", sizes, by_size),
        "unequal": shares(
            "interval of the difference",
            ["9 systems", "38 systems of 11 families"],
            [unequal(*size, studies, resamples, seed) for size in ((9, 9), (38, 11))],
        ),
        "judges": shares("interval", [f"{judges} judges" for judges in _JUDGES], by_judges),
        "levels": shares("test", sizes, tests),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--studies", type=int, default=500)
    parser.add_argument("--resamples", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--page", type=Path, default=Path("bench/intervals.md"))
    given = parser.parse_args()
    text = given.page.read_text(encoding="utf-8")
    for name, table in tables(given.studies, given.resamples, given.seed).items():
        begin = text.index(place := f"<!-- {name} -->\n") + len(place)
        text = text[:begin] + table + text[text.index("<!-- end -->", begin) :]
    with writing(given.page) as stream:
        stream.write(text)


if __name__ == "__main__":
    main()
