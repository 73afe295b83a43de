"""The settings of the demo: how much of everything `study.demo.benchmark` generates."""

from __future__ import annotations

from dataclasses import dataclass

from sera.errors import InputError
from study.demo.world import MOST_THEMES

MOST_TOPICS = MOST_THEMES - 2  # two themes of the corpus have no topic
LETTERS = "ABCDEFGHI"  # the annotators


@dataclass(frozen=True)
class DemoSettings:
    """The settings of `study.demo.benchmark.generate`; InputError if one is out of its range.

    seed:       determines the invented world and all texts
    topics:     number of topics, 1 to `MOST_TOPICS`
    articles:   readable articles of the corpus in all packages; a retracted one and one that is not XML
                are added
    packages:   number of packages, 1 to 10
    wording:    0 to 1: with 0 a fact has the same words everywhere, with 1 every mention chooses names and
                clauses freely
    annotators: gold summaries per topic, 2 to 9; also the highest weight
    """

    seed: int = 2016
    topics: int = 6
    articles: int = 240
    packages: int = 2
    wording: float = 0.5
    annotators: int = 4

    def __post_init__(self) -> None:
        for name, low, high in (
            ("topics", 1, MOST_TOPICS),
            ("packages", 1, 10),
            ("articles", self.packages, 9000),
            ("wording", 0, 1),
            ("annotators", 2, len(LETTERS)),
        ):
            if not low <= getattr(self, name) <= high:
                raise InputError(
                    f"the demo benchmark's {name} is {getattr(self, name)}",
                    remedy=f"Give a value from {low} to {high}.",
                )
