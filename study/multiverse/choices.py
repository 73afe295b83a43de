"""The dimensions of the multiverse, and the universes to compute.

A *dimension* is a choice that the paper leaves open, with its defensible values. A universe has one value of
each. The level of correlation belongs to the question that is asked (`QUESTIONS`): each question has its own
universes, with the same draws of all other dimensions, and they are never pooled. If there are more universes
than wanted, a sample is drawn:

Draw number i takes, for each dimension, the value with the highest hash of (seed, i, dimension, value). So
all values of a dimension are equally likely, the first draws of a larger sample are those of a smaller one,
and a dimension that grows from n values to n + 1 changes that dimension alone, in one of n + 1 draws. A
universe that is drawn twice is kept once, with twice the weight.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from sera.errors import InputError
from sera.resources import lines

Universe = dict[str, Any]  # the chosen value of each dimension, and ``members``, the drawn set of systems

DIMENSIONS = (
    *("pyramid_size", "pyramid_threshold", "pyramid_tiers", "pyramid_recogniser"),
    *("length", "order", "summarizers", "cleaning"),
    *("figures", "topic_documents", "index_size", "analyzer", "mu", "scorer"),
    *("query_stop", "noun_phrases", "keyword_threshold"),
    *("rouge_stem", "rouge_stop", "rouge_multi", "rouge_side", "skip_gap", "systems", "level"),
)
"""All dimensions in the order of the study's steps; config.schema.yaml describes them."""

QUESTIONS = {"systems": ("system",), "summaries": ("summary", "global")}
"""The questions, with their levels of correlation: does a metric rank systems, does it rank summaries?

The paper's is the first: "we consider the correlations of the automatic evaluation metrics with the manual
Pyramid scores" of nine systems (section 5).
"""

QUESTION_WORDS = {"systems": "ranking systems", "summaries": "ranking single summaries"}

_WORDS = dict(line.split("\t") for line in lines("multiverse_words.tsv", "study.resources"))

ALL, SUBSETS = "all", re.compile(r"subsets_of_([1-9]\d*)")
WITH_BASELINES, WITH_HUMANS = "with_baselines", "with_humans"

CHECKS: dict[str, tuple[Any, ...]] = {"index_size": (0.1,), "systems": (WITH_BASELINES, WITH_HUMANS)}
"""Values that the paper's study does not leave open: universes with one of them have shares of their own."""

_SYSTEMS = "multiverse.dimensions.systems"
SETS = ("cleaning", "summarizers", "length", "order")  # the dimensions that make a set of summaries

INDEXES = ("topic_documents", "figures", "analyzer", "index_size")
"""The dimensions that make an index; the last one takes a share of the articles of the first three's."""

_OF_PYRAMID = ("pyramid_size", "pyramid_threshold", "pyramid_tiers", "pyramid_recogniser")
_OF_ROUGE = ("rouge_stem", "rouge_stop", "rouge_multi")
SEARCHES = (*SETS, *INDEXES, "mu", "scorer")
"""The dimensions that each ranking depends on; further ones make the queries."""

MISREAD, TRUTH = "misread", "truth"
"""The parts with Pyramid's scores if recognition errs as measured, and with the demo's true ones."""

SCORE_PARTS: dict[str, tuple[str, ...]] = {
    "pyramid": (*SETS, *_OF_PYRAMID),
    "rouge": (*SETS, *_OF_ROUGE),
    "skip": (*SETS, *_OF_ROUGE, "skip_gap"),
    "plain": (*SEARCHES, "query_stop"),
    "np": (*SEARCHES, "query_stop", "noun_phrases"),
    "kw": (*SEARCHES, "keyword_threshold"),
    MISREAD: (*SETS, *_OF_PYRAMID),
    TRUTH: (*SETS, "pyramid_size"),
}
"""The parts of a universe's scores, each with the dimensions that it depends on."""

JACKKNIFED = "-jackknifed"
_JACKKNIFED_PARTS = ("pyramid", MISREAD, "rouge", "skip")


def readable_name(name: str) -> str:
    """The readable name of a dimension or of one of its values."""
    return _WORDS.get(name) or name.replace("_", " ")


def cell_key(universe: Universe, part: str) -> tuple[Any, ...]:
    """The key of the cell that a universe uses for a part: the part's name, and its choices.

    With gold summaries among its systems, a universe uses jackknifed cells: a system's score is the mean over
    the sets of references that lack one (`sera.metrics.scoring.compared_sets`), since annotators meet one
    less. SERA is a mean over references, which this does not change.
    """
    is_jackknife = universe["systems"] == WITH_HUMANS and part in _JACKKNIFED_PARTS
    return part + JACKKNIFED * is_jackknife, *dimension_values(universe, SCORE_PARTS[part])


def question_dimensions(dimensions: Mapping[str, Sequence[Any]]) -> dict[str, dict[str, Sequence[Any]]]:
    """The dimensions of each question that some value of ``level`` belongs to."""
    questions = {}
    for question, levels in QUESTIONS.items():
        if own := [level for level in dimensions["level"] if level in levels]:
            questions[question] = {**dimensions, "level": own}
    return questions


def members(value: str, systems: Sequence[str]) -> list[tuple[str, ...]]:
    """The sets of systems that a value of the dimension ``systems`` stands for, without baselines and humans.

    InputError for subsets that are not smaller than the whole set or have fewer than three systems, since a
    correlation is undefined over these. The schema has the other values.
    """
    systems = tuple(systems)
    if value in (ALL, WITH_BASELINES, WITH_HUMANS):
        return [systems]
    match = SUBSETS.fullmatch(value)
    size = int(match[1]) if match else len(systems) - 1  # one is left out
    if not 3 <= size < len(systems):
        remedy = f"Give subsets of 3 to {len(systems) - 1} systems."
        if len(systems) <= 3:
            remedy = "Leave it out: there are too few systems for subsets."
        raise InputError(f"{_SYSTEMS}: {value} of {len(systems)} systems", remedy=remedy)
    return list(itertools.combinations(systems, size))


def check_dimensions(
    dimensions: Mapping[str, Sequence[Any]], systems: Sequence[str], baselines: Sequence[str]
) -> None:
    """Check the dimensions against the study's systems and baselines, which the schema cannot do."""
    for value in dimensions["systems"]:
        members(value, systems)
        if value == WITH_BASELINES and not set(baselines) - {"human"}:
            problem = f"{_SYSTEMS}: with_baselines, but the study has no baselines"
            raise InputError(problem, remedy="Add some to the setting baselines, or leave this value out.")
        if value == WITH_HUMANS and "human" not in baselines:
            problem = f"{_SYSTEMS}: with_humans, but human is not among the study's baselines"
            raise InputError(problem, remedy="Add human to the setting baselines, or leave this value out.")


def sample_universes(universes: Sequence[Universe], number: int) -> list[Universe]:
    """A part of the universes that is a sample of them, whatever their order: the first by a hash."""
    return sorted(universes, key=lambda each: _hash("some", sorted(each.items())))[:number]


def count_universes(dimensions: Mapping[str, Sequence[Any]], systems: Sequence[str]) -> int:
    """The number of all universes."""
    sets = sum(len(members(value, systems)) for value in dimensions["systems"])
    return math.prod(len(values) for name, values in dimensions.items() if name != "systems") * sets


def weight(universe: Universe, besides: str = "") -> float:
    """The weight of a universe in shares: 0 with one of `CHECKS` in a dimension other than ``besides``."""
    is_check = any(universe[name] in check_values for name, check_values in CHECKS.items() if name != besides)
    return 0.0 if is_check else float(universe["weight"])


def universes(
    dimensions: Mapping[str, Sequence[Any]], systems: Sequence[str], *, sample: int, seed: int = 0
) -> list[Universe]:
    """All universes if there are at most ``sample``, else that many draws (see the module).

    Each has a ``weight``, the number of times it was drawn. If all are kept, the sets of systems of a value
    have weight 1 together, in line with their chance of being drawn: 84 subsets are one choice, not 84.
    """
    sets = {value: members(value, systems) for value in dimensions["systems"]}
    if count_universes(dimensions, systems) <= sample:
        return [
            {
                **dict(zip(dimensions, values, strict=True)),
                "members": member_set,
                "weight": 1 / len(sets[kind]),
            }
            for values in itertools.product(*dimensions.values())
            for kind in [values[list(dimensions).index("systems")]]
            for member_set in sets[kind]
        ]
    draws: dict[str, Universe] = {}
    for number in range(sample):
        universe = {
            name: max(values, key=lambda value: _hash(seed, number, name, value))
            for name, values in dimensions.items()
        }
        member_set = max(sets[universe["systems"]], key=lambda each: _hash(seed, number, "members", each))
        universe |= {"members": member_set, "weight": 0.0}
        draws.setdefault(json.dumps([*universe.values()]), universe)["weight"] += 1
    return list(draws.values())


def _hash(*parts: Any) -> bytes:
    return hashlib.sha256(json.dumps(parts).encode()).digest()


def dimension_values(universe: Mapping[str, Any], names: Sequence[str]) -> tuple[Any, ...]:
    """The universe's values of some dimensions."""
    return tuple(universe[name] for name in names)


def written_value(value: Any) -> str:
    """The value of a dimension as text, in the form of the settings."""
    return value if isinstance(value, str) else json.dumps(value)


def number_key(value: str) -> tuple[float, str]:
    """The key by which written values sort and compare: numbers by value, however they are written."""
    try:
        return float(value), ""
    except ValueError:
        return math.inf, value


def title_label(benchmark: str) -> str:
    """A benchmark's label in the title of a figure, where a synthetic one has to be seen at once."""
    return benchmark.replace(" (synthetic)", ", SYNTHETIC")
