"""Summaries over the whole range of a metric's scores, sampled by a genetic algorithm.

Peyrard, Botschen & Gurevych (2017, section 4.4) ask whether S3 is right beyond the summaries that systems
write. They let the solver of Peyrard & Eckle-Kohler (2016) optimise extractive summaries by S3, and take
evenly spaced ones of its last population, from almost random to almost the best.

An individual is the set of an article's sentences that a summary has, within the budget. In each generation,
the best individuals and as many drawn from the others survive; some of these are mutated; pairs of the best
have children; new random individuals fill the population. What the paper leaves open follows the solver's
code: the fittest half of the survivors are the winners, parents are winners, and a mutant joins the
individual that it comes from. That code has no defaults for its three rates; those here are this project's.
Equal individuals count once, so that the population stays diverse; the paper does not say so.
"""

import logging
import math
import random
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import TypeVar

from sera.errors import InputError
from sera.io.records import Candidate, Judgement, Reference, Source
from sera.metrics.base import Metric, Summary
from sera.registry import listed
from sera.settings import whole
from sera.summarizers.budget import Budget
from sera.summarizers.document import Article

log = logging.getLogger(__name__)

Individual = tuple[int, ...]
"""The numbers of the sentences that a summary has, from 0, sorted."""

FITNESS = "fitness"
"""The name of the fitness as a judgement of the sampled summaries."""

SAMPLES = 10
"""Sampled summaries of a topic, as in the paper."""

_Item = TypeVar("_Item")


PATIENCE = 20  # generations without a better best individual, after which the algorithm has converged
SURVIVAL = 0.5  # survivors, as a share of the population
MUTATION = 0.3  # mutants, as a share of the survivors
REPRODUCTION = 0.4  # children, as a share of survivors and mutants


@dataclass(frozen=True)
class Evolution:
    """The number of individuals, 4 or more (the paper's is 100), and the largest number of generations."""

    population: int = 100
    generations: int = 100

    def __post_init__(self) -> None:
        whole("population", self.population, 4, 10**6)


class SentencePool:
    """The sentences to choose from, by their ``costs``, and the ``limit`` of a summary in the same unit."""

    def __init__(self, costs: Sequence[int], limit: int) -> None:
        self.costs, self.limit = costs, limit

    def draw_summary(self, pool: Iterable[int], draw: random.Random) -> Individual:
        """A random valid summary: the pool's sentences in random order, each that still fits."""
        order = sorted(set(pool))
        draw.shuffle(order)
        summary, room = [], self.limit
        for sentence in order:
            if self.costs[sentence] <= room:
                summary.append(sentence)
                room -= self.costs[sentence]
        return tuple(sorted(summary))

    def mutate(self, one: Individual, draw: random.Random) -> Individual | None:
        """An individual with one random sentence replaced by another that fits; None if none fits."""
        victim = draw.choice(one)
        rest = [sentence for sentence in one if sentence != victim]
        room = self.limit - sum(self.costs[sentence] for sentence in rest)
        substitutes = [
            sentence for sentence, cost in enumerate(self.costs) if cost <= room and sentence not in one
        ]
        return tuple(sorted([*rest, draw.choice(substitutes)])) if substitutes else None


def next_generation(
    ranked: Sequence[Individual], sentences: SentencePool, size: int, draw: random.Random
) -> list[Individual]:
    """The next population, of this size, from one that is ranked from the best."""
    survivors = int(SURVIVAL * size)
    winners, others = list(ranked[: survivors // 2]), ranked[survivors // 2 :]
    population = winners + draw.sample(others, min(survivors - survivors // 2, len(others)))
    originals = draw.sample(population, int(MUTATION * len(population)))
    population += [mutant for one in originals if (mutant := sentences.mutate(one, draw))]
    children = int(REPRODUCTION * len(population)) if len(winners) > 1 else 0
    parents = [draw.sample(winners, 2) for _ in range(children)]
    population += [sentences.draw_summary({*first, *second}, draw) for first, second in parents]
    every = range(len(sentences.costs))
    population += [sentences.draw_summary(every, draw) for _ in range(size - len(population))]
    return population[:size]


def evolve(
    sentences: SentencePool,
    fitness: Callable[[Individual], float],
    settings: Evolution | None = None,
    draw: random.Random | None = None,
) -> list[tuple[Individual, float]]:
    """The last population with its fitness, best first; an individual that is there twice is listed once.

    It keeps the scores of one generation only. InputError if no sentence fits.
    """
    settings, draw = settings or Evolution(), draw or random.Random(0)
    if min(sentences.costs, default=math.inf) > sentences.limit:
        raise InputError("no sentence fits into a summary", remedy="Raise the length of the summaries.")
    every = range(len(sentences.costs))
    population = [sentences.draw_summary(every, draw) for _ in range(settings.population)]
    fitness_values: dict[Individual, float] = {}
    best, waiting_time = -math.inf, 0
    for generation in range(settings.generations):
        fitness_values = {
            one: fitness_values[one] if one in fitness_values else fitness(one)
            for one in dict.fromkeys(population)
        }
        # equal individuals count once; those of equal fitness are in the order of their sentences
        ranking = sorted(fitness_values, key=lambda one: (-fitness_values[one], one))
        waiting_time = 0 if fitness_values[ranking[0]] > best else waiting_time + 1
        best = fitness_values[ranking[0]]
        if waiting_time == PATIENCE or generation == settings.generations - 1:
            break
        population = next_generation(ranking, sentences, settings.population, draw)
    return [(one, fitness_values[one]) for one in ranking]


def evenly_spaced(ranked: Sequence[_Item], count: int) -> list[_Item]:
    """``count`` evenly spaced items from the first on: of 100, for 10, those at ranks 1, 11, 21 to 91.

    All items if there are no more than ``count``.
    """
    if len(ranked) <= count:
        return list(ranked)
    return [ranked[place * len(ranked) // count] for place in range(count)]


def group_by_topic(
    sources: Iterable[Source], references: Iterable[Reference], path: str | PathLike[str]
) -> dict[str, list[Reference]]:
    """The references of each source's topic. InputError, with their file, for a topic without any."""
    groups: dict[str, list[Reference]] = {}
    for reference in references:
        groups.setdefault(reference.topic, []).append(reference)
    topics = [source.topic for source in sources]
    if lonely := [topic for topic in topics if topic not in groups]:
        problem = f"has no reference of topic {listed(lonely, 5)}"
        raise InputError(problem, path=path, remedy="Add it, or leave the topic out of the sources.")
    return {topic: groups[topic] for topic in topics}


def sample(
    source: Source,
    references: Collection[Reference],
    fitness: Metric,
    budget: Budget,
    *,
    samples: int = SAMPLES,
    settings: Evolution | None = None,
    seed: int = 0,
) -> list[tuple[Candidate, Judgement]]:
    """Summaries of an article over the range of a metric's scores, best first, each with its score.

    The systems are ``sample_01`` and on; the score is a judgement named `FITNESS`. For a metric that falls,
    the best is the lowest. The seed and the topic decide all draws. InputError for an article without a
    sentence that fits, and for an undefined score.
    """
    whole("samples", samples, 1, 10**6)
    fitness.ready()
    texts = [str(sentence) for sentence in Article(source).sentences]
    sign = -1 if fitness.falling else 1

    def score(one: Individual) -> float:
        summary = Summary([texts[number] for number in one])
        (value,) = type(fitness).score_together([fitness], summary, list(references), source)
        if math.isnan(value):
            problem = f"{fitness} is undefined for a sampled summary: {fitness.undefined}"
            raise InputError(problem, remedy="Sample by another metric.")
        return sign * value

    try:
        # a text as seed, as in the summarizer `random`: the same on every machine
        draw = random.Random(f"{seed} {source.topic}")
        pool = SentencePool([budget.cost(text) for text in texts], budget.limit)
        individuals = evolve(pool, score, settings, draw)
    except InputError as error:
        raise InputError(f"topic {source.topic!r}: {error.problem}", remedy=error.remedy) from None
    if len(individuals) < samples:
        log.warning("topic %s: only %d different summaries were found", source.topic, len(individuals))
    digits = max(2, len(str(samples)))
    rows = []
    for place, (one, value) in enumerate(evenly_spaced(individuals, samples), 1):
        system = f"sample_{place:0{digits}}"
        summary = Candidate(source.topic, system, tuple(texts[number] for number in one))
        rows.append((summary, Judgement(source.topic, system, FITNESS, sign * value)))
    return rows
