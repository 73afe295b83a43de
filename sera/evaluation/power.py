"""The smallest true difference that is found with 80% power: of two metrics, and of a pooled effect.

Power is the share of simulated studies whose percentile interval over systems is above 0, so it is for other
systems and as many topics (Deutsch et al. 2021 distinguish these questions). Studies have the data's numbers
of systems and topics. A metric's scores are x = r y + sqrt(1 - r^2) z, with the judgement y and the metric's
own errors z, all normal: for systems' means, or for the summaries of a topic. There, systems have the shares
of the variance of x and y that they have in the data; the rest is noise of topics.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from sera.compiled import compiled
from sera.defaults import CONFIDENCE, SEED
from sera.evaluation.coefficients import COEFFICIENTS, pearson
from sera.evaluation.correlate import complete_topics, correlation

POWER, STEPS = 0.8, 50  # differences up to 1 are tried, in steps of .02
_STUDIES, _DRAWS = {"system": 600, "summary": 200}, {"system": 300, "summary": 200}
_MOST = 1600  # summaries of a study, if it has more than ten topics; more topics change little


class Design(NamedTuple):
    """What decides the power, rounded: data with the same design share the simulation.

    center:   Spearman's rho of the data's metrics with the judgement, their mean
    highest:  the largest rho that means with the data's reliabilities can have; 1 within topics
    alike:    the correlation of two metrics' errors z; 0, with which power is least, for one metric
    judged, scored: the share of systems in the variance of judgements and scores within topics
    """

    level: str
    systems: int
    topics: int
    center: float
    highest: float
    alike: float
    judged: float
    scored: float


def smallest_difference(
    scores: np.ndarray,
    judgements: np.ndarray,
    level: str,
    *,
    confidence: float = CONFIDENCE,
    seed: int = SEED,
) -> float:
    """The smallest true difference of two metrics' Spearman's rho at a level that is found with 80% power.

    ``scores`` are (topic, system) of one metric, or (metric, topic, system) of two; ``judgements`` (topic,
    system). The two metrics are half the difference above and below the data's rho, or lower where the upper
    one would exceed the highest. NaN if no difference up to 1 is found, or with fewer than four systems or
    two complete topics. A multiple of .02, with a standard error of about .02.
    """
    design = measure_design(scores, judgements, level)
    return find_smallest(design, float(confidence), seed) if design else np.nan


def measure_design(scores: np.ndarray, judgements: np.ndarray, level: str) -> Design | None:
    """The `Design` of scores, as of `smallest_difference`, on complete topics; None if it is undefined."""
    scores = scores.reshape(-1, *judgements.shape)
    complete = complete_topics(judgements, *scores)
    x, y = scores[:, complete], judgements[complete]
    (topics, systems), place = y.shape, COEFFICIENTS.index("spearman")
    if topics < 2 or systems < 4 or np.isnan(rho := correlation(x, y, level)[:, place]).any():
        return None
    alike = 0.0
    if len(x) > 1:
        free = math.sqrt(max(math.prod(1 - rho**2), 1e-6))
        alike = min(max((correlation(x[0], x[1], level)[place] - math.prod(rho)) / free, 0), 0.9)
    shares, residuals = zip(*map(_split_variance, (*x, y)), strict=True)
    judged, scored, highest = shares[-1], float(np.mean(shares[:-1])), 1.0
    if level == "system":
        common = np.nan_to_num(pearson(np.stack(residuals[:-1]), residuals[-1])).mean()
        of_y, of_x = (topics * share / (1 + (topics - 1) * share) for share in (judged, scored))
        highest = math.sqrt(of_y * of_x) + max(common, 0) * math.sqrt((1 - of_y) * (1 - of_x))
        topics, judged, scored = 1, 1.0, 1.0  # the means alone are simulated
    topics = min(topics, max(10, _MOST // systems))
    rounded = round(20 * rho.mean()) / 20, round(20 * highest) / 20, round(float(alike), 1)
    return Design(level, systems, topics, *rounded, round(judged, 2), round(scored, 2))


def _split_variance(x: np.ndarray) -> tuple[float, np.ndarray]:
    """The share of systems in the variance within topics, ICC(C, 1) (McGraw & Wong 1996), and residuals.

    ``x`` is (topic, system); a share below 0 is 0. Residuals are without the effects of topics and systems.
    """
    topics, systems = x.shape
    within = x - x.mean(axis=1, keepdims=True)
    residuals = within - within.mean(axis=0)
    error = (residuals**2).sum() / ((topics - 1) * (systems - 1))
    true = max(float(within.mean(axis=0).var(ddof=1) - error / topics), 0)
    return float(true / (true + error)) if true else 0.0, residuals.ravel()


@cache
def find_smallest(design: Design, confidence: float, seed: int) -> float:
    """Bisection; a study that finds a difference is taken to find larger ones, and not simulated for them."""
    studies: list[int] = list(range(_STUDIES[design.level]))
    needed = math.ceil(POWER * len(studies))
    low, high = 0, int(STEPS * min(1, 2 * design.highest))

    def finding(step: int) -> list[int]:
        return [number for number in studies if finds(design, step / STEPS, confidence, seed, number)]

    if not high or len(studies := finding(high)) < needed:
        return np.nan
    while high - low > 1:
        found = finding(middle := (low + high) // 2)
        if len(found) >= needed:
            high, studies = middle, found
        else:
            low, needed, studies = middle, needed - len(found), sorted({*studies} - {*found})
    return high / STEPS


def finds(design: Design, difference: float, confidence: float, seed: int, number: int) -> bool:
    """Whether the interval over systems of a simulated study, which has a number, is above 0."""
    random = np.random.default_rng([seed, 8, number])
    orders = simulate_study(design, difference, random).argsort(axis=-1)
    drawn = random.integers(design.systems, size=(_DRAWS[design.level], design.systems))
    differences = np.empty(len(drawn))
    _resample(orders, drawn, differences)
    return bool(np.quantile(differences, (100 - confidence) / 200) > 0)


def simulate_study(design: Design, difference: float, random: np.random.Generator) -> np.ndarray:
    """Scores of a better metric, a worse one and the judgement, (3, topic, system), with this difference."""
    better = min(max(design.center + difference / 2, difference - design.highest), design.highest)
    of_systems, of_topics = (random.normal(size=(4, size, design.systems)) for size in (1, design.topics))
    for part in (of_systems, of_topics):  # the last one is what the errors of both metrics share
        part[:2] = math.sqrt(1 - design.alike) * part[:2] + math.sqrt(design.alike) * part[3]

    def mix(place: int, share: float) -> np.ndarray:
        return math.sqrt(share) * of_systems[place] + math.sqrt(1 - share) * of_topics[place]

    y, scores = mix(2, design.judged), []
    for place, rho in enumerate((better, better - difference)):
        r = 2 * math.sin(math.pi / 6 * rho)  # of normal scores with this rho
        free = max(1 - r**2, 1e-12)
        share = min(max((design.scored - r**2 * design.judged) / free, 0), 1)
        scores.append(r * y + math.sqrt(free) * mix(place, share))
    return np.stack([*scores, y])


@compiled
def _resample(orders, drawn, out):
    """Fill in the first metric's mean rho less the second's in draws of systems, (draw, system).

    ``orders`` are the systems by ascending score, (side, topic, system), of both metrics and the judgement.
    """
    topics, systems = orders.shape[1:]
    often, ranks = np.empty(systems), np.empty((3, systems))
    squares = np.empty(3)
    for draw in range(len(drawn)):
        often[:] = 0
        for system in drawn[draw]:
            often[system] += 1
        out[draw] = 0
        for topic in range(topics):
            for side in range(3):
                below, total = -systems / 2, 0.0
                for place in range(systems):
                    system = orders[side, topic, place]
                    times = often[system]
                    rank = below + 0.5 * times  # less the mean rank
                    ranks[side, system] = rank
                    total += times * rank * rank
                    below += times
                squares[side] = total
            first, second = 0.0, 0.0
            for system in range(systems):
                product = often[system] * ranks[2, system]
                first += product * ranks[0, system]
                second += product * ranks[1, system]
            if squares[2] > 0:  # else one system alone was drawn
                out[draw] += (first / squares[0] ** 0.5 - second / squares[1] ** 0.5) / squares[2] ** 0.5
        out[draw] /= topics


def smallest_pooled_difference(error: float, degrees: float, confidence: float = CONFIDENCE) -> float:
    """The smallest true effect whose t interval is above 0 with 80% power.

    ``error`` is the standard error, ``degrees`` the degrees of freedom; by the noncentral t distribution.
    """
    from scipy import special  # slow to import

    border = special.stdtrit(degrees, (100 + confidence) / 200)
    return float(error * special.nctdtrinc(degrees, 1 - POWER, border))
