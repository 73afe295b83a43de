"""The choices of an evaluation whose summaries and judgements are given, and the universes drawn from them.

A universe has one value of each of `GIVEN_CHOICES`. Values that a universe cannot have are replaced: one
reference leaves nothing to combine, and Google's package has no stop words and takes the best reference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sera.errors import InputError
from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.evaluation.correlation.correlate import LEVELS
from sera.io.records import Reference
from sera.metrics.rouge.measures import ORIGINAL, ROUGE_SCORE
from sera.names import nearest_names

GIVEN_CHOICES = {
    "references": "number of references of a topic",
    "which": "which of a topic's references",
    "several": "how ROUGE uses several references",
    "stem": "ROUGE stems",
    "stop": "ROUGE drops stop words",
    "dialect": "program whose ROUGE it is",
    "level": "level of correlation",
    "coefficient": "coefficient",
    "systems": "systems compared",
    "judgement": "human judgement",
    "judges": "judges of a summary",
}
"""The choices, each with what it is about."""

ALL_OF_THEM, FIRST, ONE_LESS, ONE = "all", "first", "all but one", "one"
ONE_REFERENCE = "one reference"
_DRAWS = ("draw 1", "draw 2")


@dataclass(frozen=True)
class GivenUniverse:
    """The values of a universe, as texts; ``left_out`` is the system, and ``judge`` the judge, if it has one.

    ``references`` is a number or ``all``; ``which`` is ``first`` or a draw of that number from each topic's.
    """

    references: str
    which: str
    several: str
    stem: str
    stop: str
    dialect: str
    level: str
    coefficient: str
    systems: str
    judgement: str
    judges: str
    left_out: str = ""
    judge: str = ""

    @property
    def rouge(self) -> tuple[str, ...]:
        """The choices on which the scores of ROUGE depend."""
        return self.references, self.which, self.several, self.stem, self.stop, self.dialect


def given_values(references: int, judges: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """The values of each choice; ``references`` is the largest number of a topic.

    ``judges`` has the judges of each judgement, if they are known.
    The numbers of references are one, half of them and all.
    """
    numbers = [str(number) for number in dict.fromkeys((1, (references + 1) // 2)) if number < references]
    return {
        "references": [*numbers, ALL_OF_THEM],
        "which": [FIRST, *_DRAWS] if references > 1 else [FIRST],
        "several": ["pooled", "best"] if references > 1 else [ONE_REFERENCE],
        "stem": ["no", "yes"],
        "stop": ["no", "yes"],
        "dialect": [ORIGINAL, ROUGE_SCORE],
        "level": list(LEVELS),
        "coefficient": list(CORRELATIONS),
        "systems": [ALL_OF_THEM, ONE_LESS],
        "judgement": list(judges),
        "judges": [ALL_OF_THEM, ONE] if max(map(len, judges.values()), default=0) > 1 else [ALL_OF_THEM],
    }


def fixed_values(values: Mapping[str, Sequence[str]], fixed: Mapping[str, str]) -> dict[str, list[str]]:
    """The values with some choices fixed to one of them; InputError for an unknown choice or value."""
    for name, value in fixed.items():
        if name not in values:
            nearest = nearest_names(name, list(values))
            raise InputError(
                f"there is no choice {name!r}", remedy=f"Use {nearest[0] if nearest else ', '.join(values)}."
            )
        if value not in values[name]:
            raise InputError(
                f"the choice {name} has no value {value!r} here", remedy=f"Use {', '.join(values[name])}."
            )
    return {name: [fixed[name]] if name in fixed else list(of) for name, of in values.items()}


def draw_universes(
    values: Mapping[str, Sequence[str]],
    number: int,
    *,
    systems: Sequence[str],
    judges: Mapping[str, Sequence[str]],
    seed: int = 0,
) -> list[GivenUniverse]:
    """Universes drawn with replacement: each value of a choice is equally likely, whatever the others are.

    So are the system to leave out and the single judge, one of the judgement's; a judgement with one judge
    keeps it. A larger number begins with the smaller one's.
    """
    found = []
    for place in range(number):
        random = np.random.default_rng([seed, 17, place])
        chosen = {name: of[int(random.integers(len(of)))] for name, of in values.items()}
        left_out = systems[int(random.integers(len(systems)))]
        known = judges[chosen["judgement"]]
        if len(known) < 2:
            chosen["judges"] = ALL_OF_THEM
        judge = known[int(random.integers(len(known)))] if chosen["judges"] == ONE else ""
        universe = GivenUniverse(
            **chosen, left_out=left_out if chosen["systems"] == ONE_LESS else "", judge=judge
        )
        found.append(possible(universe))
    return found


def possible(universe: GivenUniverse) -> GivenUniverse:
    """The universe with the values that it cannot have replaced."""
    if universe.references == ALL_OF_THEM:
        universe = replace(universe, which=FIRST)
    if universe.references == "1":
        universe = replace(universe, several=ONE_REFERENCE)
    if universe.dialect == ROUGE_SCORE:
        several = ONE_REFERENCE if universe.several == ONE_REFERENCE else "best"
        universe = replace(universe, stop="no", several=several)
    return universe


def chosen_references(
    references: Sequence[Reference], number: str, which: str, seed: int = 0
) -> list[Reference]:
    """The first references of each topic, or as many drawn, in their order; all where there are fewer."""
    by_topic: dict[str, list[Reference]] = {}
    for each in references:
        by_topic.setdefault(each.topic, []).append(each)
    if number == ALL_OF_THEM:
        return list(references)
    found = []
    for place, of in enumerate(by_topic.values()):
        order = list(range(len(of)))
        if which != FIRST:
            order = (
                np.random.default_rng([seed, 19, _DRAWS.index(which), place]).permutation(len(of)).tolist()
            )
        found += [of[kept] for kept in sorted(order[: int(number)])]
    return found
