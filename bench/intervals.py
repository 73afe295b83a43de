"""Simulate the coverage of every interval and the level of every test, and write the tables of a page.

    python -m bench.intervals [differences] [power] [summaries] [coverage] [judges] [levels]

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
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from sera.evaluation.bootstrap import BOOTSTRAPS, RESAMPLED, Bootstrap, percentile_interval
from sera.evaluation.clusters import one_sided_p
from sera.evaluation.coefficients import COEFFICIENTS, coefficients
from sera.evaluation.correlate import correlation
from sera.evaluation.discrimination import exchange_test, signed_rank
from sera.evaluation.judges import alpha_draws, leave_one_out, redraw_judges
from sera.evaluation.pairwise import accuracy_draws, exchange_signs, system_p_values
from sera.evaluation.power import Design, find_smallest, simulate_study
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
_TOPICS, _UNEQUAL = 20, (0.68, 0.92, 0.74)  # reliabilities of Pyramid, ROUGE and SERA on TAC 2014
_EQUAL = (0.68, 0.83, 0.83)
_NAMES = ("r", "ρ", "τ")
_COMPARED = ((9, 20, 0), (16, 20, 0), (16, 100, 0), (38, 20, 0), (38, 20, 11), (55, 20, 0))  # and families
_FAMILY = 0.7  # the share of a family in the variance of what makes its systems good
_ALIKE = 0.5  # correlation of two metrics' errors over systems: .6 for ROUGE-1-F and SERA-5 on TAC 2014
_DIFFERENT = (0.9, 0.5)
_SHOWN = ("contains_as_many_topics", "contains_endless_topics", "finds")
_SUMMARIES = Design("summary", 9, 20, center=0.4, highest=1.0, alike=0.5, judged=0.1, scored=0.3)  # as there
_SYSTEMS = Design("system", 9, 1, center=0.5, highest=0.8, alike=0.5, judged=1.0, scored=1.0)
_SUMMARY_SYSTEMS = (9, 16, 38)
_SPEARMAN = COEFFICIENTS.index("spearman")
_Z = float(stats.norm.ppf(0.975))
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


def system_means(systems: int, topics: int, studies: int, seed: int) -> Held:
    """The coverage of ROUGE-1.5.5's interval of a system's mean."""
    random = np.random.default_rng([seed, systems, 4])
    found = Held()
    for _ in range(studies):
        one = study(random, systems, topics, metrics=2)
        of_system = dict(zip(map(str, range(topics)), one.metrics[0, :, 0]))
        _, low, high = average_of(of_system, "system")
        found["mean of a system, as ROUGE-1.5.5: topics"].append(low <= one.true_metrics[0, 0] <= high)
    return found


class Case(NamedTuple):
    """A comparison of two metrics in simulated studies.

    good:      Pearson's r of the true qualities by each metric with those by the judgement
    reliable:  of the systems' means over 20 topics, by judgement and metrics
    families:  of systems, which share most of what makes them good; 0 if all systems are independent
    """

    metrics: str
    reliabilities: str
    systems: int
    topics: int
    good: tuple[float, float]
    reliable: tuple[float, float, float]
    families: int = 0

    def noise(self) -> np.ndarray:
        """The standard deviation of a summary's scores by judgement and metrics, where a system's is 1."""
        return np.sqrt([_TOPICS * (1 - icc) / icc for icc in self.reliable])

    def reliabilities_here(self) -> np.ndarray:
        """Of the systems' means over this case's topics, by judgement and metrics."""
        return 1 / (1 + self.noise() ** 2 / self.topics)

    def draw(self, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """True qualities, (side, system), and scores, (side, topic, system), by judgement and metrics."""
        normal = random.normal(size=(4, self.systems))
        if self.families:
            shared = random.normal(size=(4, self.families))[:, family_numbers(self)]
            normal = math.sqrt(_FAMILY) * shared + math.sqrt(1 - _FAMILY) * normal
        errors = math.sqrt(_ALIKE) * normal[3] + math.sqrt(1 - _ALIKE) * normal[1:3]
        good = np.array(self.good)[:, None]
        true = np.stack([normal[0], *(good * normal[0] + np.sqrt(1 - good**2) * errors)])
        noise = random.normal(size=(3, self.topics, self.systems))
        return true, true[:, None] + self.noise()[:, None, None] * noise


def family_numbers(case: Case) -> np.ndarray:
    """The family of each system, all of them as large as possible."""
    return np.arange(case.systems) % case.families


def cases() -> list[Case]:
    """Two metrics that are equal, with as many topics as here or with endlessly many, or that differ."""
    found = []
    for systems, topics, families in _COMPARED:
        equal = Case("equal", "equal", systems, topics, (_RHO, _RHO), _EQUAL, families)
        noisy = equal._replace(reliabilities="unequal", reliable=_UNEQUAL)
        _, *of_metrics = np.sqrt(noisy.reliabilities_here())
        first, second = (_RHO * math.sqrt(math.prod(of_metrics)) / own for own in of_metrics)
        found += [
            equal,
            noisy._replace(metrics="equal with as many topics", good=(first, second)),
            noisy._replace(metrics="equal with endless topics"),
            equal._replace(metrics="different", good=_DIFFERENT),
        ]
    return found


def verdicts(case: Case, studies: int, resamples: int, seed: int) -> pd.DataFrame:
    """How often each method is right, a row each, about the difference of rho over systems' means.

    The targets of an interval are other systems and as many topics, other systems and endless topics, or the
    same systems and endless topics. A test finds a difference at .05, an interval where it excludes 0.
    """
    random = np.random.default_rng([seed, case.systems, case.topics, case.families])
    of_judgement, *of_metrics = np.sqrt(case.reliabilities_here())
    as_many, endless = (
        rho_of(case.good[0] * of_judgement * a) - rho_of(case.good[1] * of_judgement * b)
        for a, b in (of_metrics, (1 / of_judgement, 1 / of_judgement))
    )
    ends: dict[str, list[tuple[float, float]]] = {}
    p: dict[str, list[float]] = {}
    values, same = [], []
    for number in range(studies):
        true, (y, *metrics) = case.draw(random)
        x = np.stack(metrics)
        same.append(np.subtract(*coefficients(true[1:], true[0])[:, _SPEARMAN]))
        values.append(np.subtract(*correlation(x, y, "system")[:, _SPEARMAN]))
        for name, found in intervals(case, x, y, resamples, seed + number, values[-1]).items():
            ends.setdefault(name, []).append(found)
        for name, value in tests(x, y, random, resamples).items():
            p.setdefault(name, []).append(value)
    rows: list[dict[str, Any]] = []
    for name, each in ends.items():
        low, high = np.array(each).T
        truths = {"as_many_topics": as_many, "endless_topics": endless, "same_systems": np.array(same)}
        held = {f"contains_{of}": ((low <= truth) & (truth <= high)).mean() for of, truth in truths.items()}
        finds = ((low > 0) | (high < 0)).mean()
        rows.append({"method": name, **held, "finds": finds, "width": (high - low).mean()})
    for name, of_test in p.items():
        rows.append({"method": name, "finds": (np.array(of_test) <= _LEVEL).mean()})
    known = {"true_as_many_topics": as_many, "true_endless_topics": endless}
    known["mean_difference"] = float(np.mean(values))
    table = pd.DataFrame([case._asdict() | known | row for row in rows])
    return table.drop(columns=["good", "reliable"])


def intervals(
    case: Case, x: np.ndarray, y: np.ndarray, resamples: int, seed: int, value: float
) -> dict[str, tuple[float, float]]:
    """The 95% interval of the difference by each method."""
    found = {}
    for draws in BOOTSTRAPS:
        drawn = Bootstrap(draws, resamples, seed).draw(y)
        each = np.subtract(*correlation(x, y, "system", **drawn)[:, :, _SPEARMAN].T)
        found[f"percentile, {RESAMPLED[draws]}"] = percentile_interval(each, 95)
        if draws == "systems":
            below = (each < value).mean() + (each == value).mean() / 2
            shift = 2 * stats.norm.ppf(np.clip(below, 0.001, 0.999))
            low, high = np.quantile(each, stats.norm.cdf([shift - _Z, shift + _Z]))
            found["bias-corrected, systems"] = low, high
            if case.families:
                numbers = list(map(str, family_numbers(case)))
                drawn["systems"] = draw_families(numbers, resamples, seed)
                each = np.subtract(*correlation(x, y, "system", **drawn)[:, :, _SPEARMAN].T)
                found["percentile, families of systems"] = percentile_interval(each, 95)
    first, second = correlation(x, y, "system")[:, _SPEARMAN]
    found["Zou 2007"] = zou(first, second, correlation(x[0], x[1], "system")[_SPEARMAN], case.systems)
    return found


def zou(first: float, second: float, between: float, number: int) -> tuple[float, float]:
    """The interval of a difference of correlations that share the judgement (Zou 2007).

    The limits of each rho are by Fisher's z with the variance of Bonett and Wright (2000).
    """
    rho = np.clip([first, second], -0.9999, 0.9999)
    spread = _Z * np.sqrt((1 + rho**2 / 2) / (number - 3))
    down, up = rho - np.tanh(np.arctanh(rho) - spread), np.tanh(np.arctanh(rho) + spread) - rho
    product, squares = math.prod(rho), (rho**2).sum() + between**2
    common = ((between - product / 2) * (1 - squares) + between**3) / math.prod(1 - rho**2)
    common = min(max(common, -1), 1)  # the correlation of both

    def distance(a: float, b: float) -> float:
        return math.sqrt(a**2 + b**2 - 2 * common * a * b)

    return first - second - distance(down[0], up[1]), first - second + distance(up[0], down[1])


def exchanges(y: np.ndarray, random: np.random.Generator, resamples: int) -> dict[str, np.ndarray]:
    """The summaries whose two scores each permutation exchanges, (permutation, topic, system)."""
    whole = random.integers(0, 2, size=(resamples, 1, y.shape[1]), dtype=bool)
    each = random.integers(0, 2, size=(resamples, *y.shape), dtype=bool)
    return {"PERM-SYSTEMS": np.broadcast_to(whole, each.shape), "PERM-BOTH": each}


def tests(x: np.ndarray, y: np.ndarray, random: np.random.Generator, resamples: int) -> dict[str, float]:
    """The two-sided p of each test of the difference."""
    exchanged = exchanges(y, random, resamples)
    found = {
        name: permutation(x[0], x[1], y, "system", swaps)[_SPEARMAN] for name, swaps in exchanged.items()
    }
    sides = correlation(x, y, "system"), correlation(x[0], x[1], "system")
    for name, place in (("r", 0), ("ρ", _SPEARMAN)):
        first, second = sides[0][:, place].tolist()
        found[f"Williams, {name}"] = williams(first, second, sides[1][place], y.shape[1])[1]
    return found


def summary_verdicts(systems: int, difference: float, studies: int, resamples: int, seed: int) -> Held:
    """As `verdicts`, for the mean rho within topics; its true difference is the same with endless topics."""
    design = _SUMMARIES._replace(systems=systems)
    random = np.random.default_rng([seed, systems, 10])
    found = Held()
    for number in range(studies):
        *x, y = simulate_study(design, difference, random)
        for draws in BOOTSTRAPS:
            drawn = Bootstrap(draws, resamples, seed + number).draw(y)
            each = np.subtract(*correlation(np.stack(x), y, "summary", **drawn)[:, :, _SPEARMAN].T)
            low, high = percentile_interval(each, 95)
            name = f"percentile, {RESAMPLED[draws]}"
            found[f"{name}: contains the truth"].append(low <= difference <= high)
            found[f"{name}: excludes 0"].append(low > 0 or high < 0)
        for name, swaps in exchanges(y, random, resamples).items():
            p = permutation(x[0], x[1], y, "summary", swaps)[_SPEARMAN]
            found[f"{name}: finds a difference"].append(p <= _LEVEL)
    return found


def power(level: str, systems: int, studies: int, resamples: int, seed: int) -> dict[str, object]:
    """The smallest difference found with 80% power in a design, and the verdicts of studies with it.

    A study says that the better metric is better, that it is worse, or leaves it open.
    """
    design = (_SYSTEMS if level == "system" else _SUMMARIES)._replace(systems=systems)
    smallest = find_smallest(design, 95.0, seed)
    row = {"level": level, "systems": systems, "smallest difference": smallest}
    if math.isnan(smallest):
        return row
    said = []
    for number in range(studies):
        *x, y = simulate_study(design, smallest, np.random.default_rng([seed, 9, number]))
        drawn = Bootstrap("systems", resamples, seed + number).draw(y)
        each = np.subtract(*correlation(np.stack(x), y, level, **drawn)[:, :, _SPEARMAN].T)
        low, high = percentile_interval(each, 95)
        said.append("better" if low > 0 else "worse" if high < 0 else "open")
    return row | {verdict: said.count(verdict) / studies for verdict in ("better", "open", "worse")}


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
        first, second = one.metrics
        sides = (first, one.judged), (second, one.judged), (first, second)
        of_first, of_second, between = (float(correlation(x, y, "summary")[0]) for x, y in sides)
        p = williams(of_first, of_second, between, systems)[1]
        found["Williams' test, mean r, summary level"].append(p <= _LEVEL)
        exchanged = random.integers(0, 2, size=(resamples, topics, systems), dtype=bool)
        p_values = permutation(one.metrics[0], one.metrics[1], one.judged, "summary", exchanged)
        for name, coefficient in (("r", "pearson"), ("τ", "kendall")):
            rejected = p_values[COEFFICIENTS.index(coefficient)] <= _LEVEL
            found[f"PERM-BOTH, {name}, summary level"].append(rejected)
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
            p = permutation(first, second, one.judged, level, exchanged)[COEFFICIENTS.index("pearson")]
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


def table_of(frame: pd.DataFrame, kind: str) -> str:
    """A table in Markdown of what each method does in each case of one ``kind``, a column per size."""
    rows = frame[frame["metrics"] + "; " + frame["reliabilities"] == kind]
    sizes = rows[["systems", "topics", "families"]].drop_duplicates()
    heads = [f"{s} systems{f' of {f} families' if f else ''}, {t} topics" for s, t, f in sizes.to_numpy()]
    lines = []
    for name, of_method in rows.groupby("method", sort=False):
        cells = []
        for size in sizes.to_numpy().tolist():
            one = of_method[(of_method[["systems", "topics", "families"]] == size).all(axis=1)]
            values = [
                f"{one[column].iloc[0]:.3f}"
                for column in _SHOWN
                if len(one) and pd.notna(one[column].iloc[0])
            ]
            cells.append("<br>".join(values))
        lines.append([name, *cells])
    return table_lines(["method", *heads], lines)


def difference_tables(given: argparse.Namespace) -> dict[str, str]:
    """The tables of differences; all numbers go to the file beside the page."""
    frame = pd.concat([verdicts(case, given.studies, given.resamples, given.seed) for case in cases()])
    with writing(given.page.with_suffix(".tsv")) as stream:
        frame.to_csv(stream, sep="\t", index=False, float_format="%.4g")
    kinds = dict.fromkeys(frame["metrics"] + "; " + frame["reliabilities"])
    return {
        "run of differences": run_line(given),
        **{kind: table_of(frame, kind) for kind in kinds},
    }


def power_tables(given: argparse.Namespace) -> dict[str, str]:
    rows = [
        power(level, systems, given.studies, given.resamples, given.seed)
        for level in ("system", "summary")
        for systems in dict.fromkeys(size[0] for size in _COMPARED)
    ]
    frame = pd.DataFrame(rows)
    cells = frame.astype(object).where(frame.notna(), "none").to_numpy().tolist()
    return {"power": table_lines(list(frame), cells)}


def summary_tables(given: argparse.Namespace) -> dict[str, str]:
    rest = given.studies, given.resamples, given.seed
    found = [(n, d, summary_verdicts(n, d, *rest)) for n in _SUMMARY_SYSTEMS for d in (0, 0.2)]
    heads = [f"{systems} systems, {difference}" for systems, difference, _ in found]
    table = shares("summary level, true difference", heads, [held for *_, held in found])
    return {"run of summaries": run_line(given), "summaries": table}


def coverage_tables(given: argparse.Namespace) -> dict[str, str]:
    runs = [(*size, given.studies, given.resamples, given.seed) for size in _SIZES]
    found = [correlations(*run) | system_means(*run[:3], given.seed) for run in runs]
    return {"run": run_line(given), "coverage": shares("interval", size_names(), found)}


def judges_tables(given: argparse.Namespace) -> dict[str, str]:
    found = [judged_by(judges, *_SIZES[1], given.studies, given.resamples, given.seed) for judges in _JUDGES]
    return {"judges": shares("interval", [f"{judges} judges" for judges in _JUDGES], found)}


def levels_tables(given: argparse.Namespace) -> dict[str, str]:
    runs = [(*size, given.studies, given.resamples, given.seed) for size in _SIZES]
    return {"levels": shares("test", size_names(), [levels(*run) | levels_of_alike(*run) for run in runs])}


def size_names() -> list[str]:
    return [f"{systems} systems, {topics} topics" for systems, topics in _SIZES]


def run_line(given: argparse.Namespace) -> str:
    error = math.sqrt(0.95 * 0.05 / given.studies)
    return (
        f"{given.studies:,} studies, {given.resamples:,} resamples, seed {given.seed}; "
        f"the standard error of a share of .95 or .05 is {error:.3f}.\n"
    )


PARTS = {
    "differences": difference_tables,
    "power": power_tables,
    "summaries": summary_tables,
    "coverage": coverage_tables,
    "judges": judges_tables,
    "levels": levels_tables,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=PARTS, default=[*PARTS], help="by default, all")
    parser.add_argument("--studies", type=int, default=500)
    parser.add_argument("--resamples", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--page", type=Path, default=Path("bench/intervals.md"))
    given = parser.parse_args()
    for part in given.parts:
        tables = PARTS[part](given)
        text = given.page.read_text(encoding="utf-8")
        for name, table in tables.items():
            begin = text.index(place := f"<!-- {name} -->\n") + len(place)
            text = text[:begin] + table + text[text.index("<!-- end -->", begin) :]
        with writing(given.page) as stream:
            stream.write(text)


if __name__ == "__main__":
    main()
