"""Do the guided summarizers find more keywords? A small experiment on made data whose keywords are known.

Usage: python -m sera_guided.experiment

An article has four sentences of filler words. A name, its keyword, is in it three times, and four other names
once. The summary is "we study X." All systems are the model ``tiny``, trained on the same articles. presumm
is left out: it cannot write the summary, which is not a sentence of the article. README.md has the
result.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from scipy import stats

from sera.io.records import Candidate, Reference, Section, Source
from sera.metrics import metric
from sera_guided.examples import Topics
from sera_guided.settings import GuidedSettings

FILLERS, NAMES = 20, 30
ARTICLES, DEVELOPMENT, TESTED = 480, 16, 100
# The learning rate and the number of passes were chosen on a seed of bart and tdsum outside the defaults.
SETTINGS = {
    **{"epochs": 12, "patience": 12, "batch": 16, "accumulation": 1, "learning_rate": 3e-3},
    **{"select": "ROUGE-K", "beams": 1, "no_repeat": 0, "source_tokens": 64, "summary_tokens": 10},
}
SEEDS = (11, 12, 13, 14, 15)
SYSTEMS = ("bart", "tdsum", "rwgen", "rwenc", "tdmtl", "gsum", "mtl")


def words(count: int, syllables: int) -> list[str]:
    """Made words, the same each time."""
    draw = random.Random(syllables)
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(draw.choice("bdgklmnprstv") + draw.choice("aeiou") for _ in range(syllables))] = None
    return list(found)


def make_topics(count: int, seed: int, prefix: str = "t") -> Topics:
    """Articles and their summaries; the title of an article names its keywords, which ROUGE-K finds there."""
    draw = random.Random(seed)
    fillers, names = words(FILLERS, 2), words(NAMES, 3)
    sources, references = [], []
    for number in range(count):
        keyword, *others = draw.sample(names, 5)
        places = [draw.choices(fillers, k=3) for _ in range(4)]
        inside = [keyword] * 3 + others
        draw.shuffle(inside)
        for place, name in enumerate(inside):
            places[place % 4].insert(draw.randrange(4), name)
        sentences = tuple(f"{' '.join(each)}." for each in places)
        topic = f"{prefix}{number:04}"
        sources.append(Source(topic, topic, keyword, (Section("", sentences),)))
        summary = f"we study {keyword}."
        references.append(Reference(topic, "A", (summary,)))
    return Topics.collect(sources, references)


def measure_keywords(system: str, seed: int, strength: float) -> tuple[float, float]:
    """The mean ROUGE-K of a system's summaries of the tested articles, in 0..1, and the seconds it took."""
    from sera_guided.systems import generate
    from sera_guided.training import train

    began = time.monotonic()
    settings = GuidedSettings.from_mapping({**SETTINGS, "seed": seed, "strength": strength})
    tested = make_topics(TESTED, 10**6 + seed, "x")
    with tempfile.TemporaryDirectory() as folder:
        trained = train(
            system,
            settings,
            make_topics(ARTICLES, seed),
            make_topics(DEVELOPMENT, 10**5 + seed, "d"),
            Path(folder, "model"),
            work=Path(folder, "work"),
            say=lambda line: None,
        ).system
        candidates = generate(trained, tested.sources)
    return mean_rouge_k(candidates, tested), time.monotonic() - began


def mean_rouge_k(candidates: Sequence[Candidate], topics: Topics) -> float:
    """The mean ROUGE-K of summaries of all articles, in their order; in 0..1."""
    measure = metric("ROUGE-K")
    return statistics.fmean(
        measure.score(candidate, list(topics.references[source.topic]), source)
        for candidate, source in zip(candidates, topics.sources, strict=True)
    )


STRENGTHS = {"rwenc": 4.0, "rwgen": 4.0}
"""Of the systems whose strength is not 1 here: they add TF-IDF, which is below 1, to scores. Set by hand."""


def interval(values: list[float]) -> tuple[float, float]:
    """The mean's 95% interval of Student's t over seeds."""
    middle = statistics.fmean(values)
    error = statistics.stdev(values) / len(values) ** 0.5 * stats.t.ppf(0.975, len(values) - 1)
    return middle - error, middle + error


def main() -> None:
    print("| system | strength | ROUGE-K | 95% interval | more than BART | 95% interval |")
    print("| --- | --- | --- | --- | --- | --- |")
    base: list[float] = []
    for system in SYSTEMS:
        strength = STRENGTHS.get(system, 1.0)
        values, seconds = zip(*(measure_keywords(system, seed, strength) for seed in SEEDS), strict=True)
        base = base or list(values)
        more = [one - other for one, other in zip(values, base, strict=True)]
        cells = [system, f"{strength:g}"]
        for each in (list(values), more):
            low, high = interval(each)
            cells += [f"{statistics.fmean(each):.3f}", f"{low:.3f} to {high:.3f}"]
        if system == SYSTEMS[0]:
            cells[-2:] = ["", ""]
        print(f"| {' | '.join(cells)} |", flush=True)
        print(f"{system}: {statistics.fmean(seconds):.0f} seconds for each seed", file=sys.stderr)


if __name__ == "__main__":
    main()
