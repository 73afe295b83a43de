"""What the multiverse of a study computes: its universes, and what the jobs of its rules share.

All sets of summaries of one cleaning and of one choice of the summarizers' parameters are a batch; a set
has a length and an order of sentences. A collection is an index: with the topics' documents or without, with
captions or without, by an analyzer.
"""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from study.multiverse.choices import (
    DIMENSIONS,
    MISREAD,
    SETS,
    TRUTH,
    Universe,
    cell_key,
    check_dimensions,
    dimension_values,
    question_dimensions,
    sample_universes,
    universes,
    weight,
)
from study.settings.lengths import write_length

BLOCK = 250  # universes per job

PARTS = {"rouge": ("rouge", "skip"), "pyramid": ("pyramid", MISREAD), "truth": (TRUTH,)}
"""The families that score a batch of summaries, each with its parts of a universe's scores."""

TESTS = {"null": "permutations", "exchange": "exchanges"}
"""The tests of the whole curve, each with the setting of the number of its draws."""

ANSWERS = ("claims", "null", "exchange", "choices", "variance")  # the tables of answers
_COLLECTION = ("topic_documents", "figures", "analyzer")


@dataclass(frozen=True)
class Plan:
    """The multiverse of a study with these ``settings`` and ``systems``.

    budget:  the length of the study's summaries, as of `sera.summarizers.budget`
    """

    settings: Mapping[str, Any]
    systems: Sequence[str]
    budget: Mapping[str, Any]

    @property
    def dimensions(self) -> dict[str, Sequence[Any]]:
        return {name: self.settings["multiverse"]["dimensions"][name] for name in DIMENSIONS}

    @property
    def questions(self) -> list[str]:
        return list(question_dimensions(self.dimensions))

    def own_universe(self, level: str = "system") -> Universe:
        """The universe of the study's own settings, of no weight."""
        config = self.settings
        own = {name: config[name] for name in DIMENSIONS if name in config}
        for group in ("pyramid", "rouge"):
            own |= {f"{group}_{name}": value for name, value in config[group].items()}
        own |= {"length": write_length(**self.budget), "summarizers": "study"}
        own |= {"index_size": 1, "scorer": "lucene", "rouge_side": "all", "skip_gap": None}
        own |= {"systems": "all", "level": level}
        choices = {name: own[name] for name in DIMENSIONS}
        return {**choices, "members": tuple(self.systems), "weight": 0.0}

    @cached_property
    def universes(self) -> list[Universe]:
        """The universes of each question; its first one is the study's own.

        InputError for dimensions that do not fit the systems and baselines.
        """
        check_dimensions(self.dimensions, self.systems, self.settings["baselines"])
        number, seed = self.settings["multiverse"]["universes"], self.settings["seed"]
        plan = []
        for question, dimensions in question_dimensions(self.dimensions).items():
            sample = universes(dimensions, self.systems, sample=number, seed=seed)
            own = self.own_universe(dimensions["level"][0])
            plan += [{**universe, "question": question} for universe in [own, *sample]]
        return plan

    @cached_property
    def tested(self) -> dict[str, list[Universe]]:
        """By question, the universes of the tests by permutations and by exchanges."""
        number = self.settings["multiverse"]["permuted"]
        own = [universe for universe in self.universes if weight(universe) > 0]
        return {
            question: sample_universes([each for each in own if each["question"] == question], number)
            for question in dict.fromkeys(each["question"] for each in own)
        }

    def values(self, *names: str) -> list[tuple[Any, ...]]:
        """The different values that universes have of some dimensions together."""
        return list(dict.fromkeys(dimension_values(each, names) for each in self.universes))

    @property
    def blocks(self) -> range:
        return range(-(-len(self.universes) // BLOCK))

    def block(self, number: int) -> list[Universe]:
        return self.universes[number * BLOCK : (number + 1) * BLOCK]

    # Sets of summaries. Their names come from the settings alone, since every start of Snakemake reads them.

    @property
    def shapes(self) -> list[tuple[str, str]]:
        """Length and order of the sets of each batch."""
        own, dimensions = self.own_universe(), self.dimensions
        values = (dict.fromkeys([own[name], *dimensions[name]]) for name in ("length", "order"))
        return list(itertools.product(*values))

    @property
    def set_names(self) -> list[str]:
        """The names of their files, without the ending."""
        return [f"{length.replace(' ', '-')}-{order}" for length, order in self.shapes]

    @property
    def parameters(self) -> list[str]:
        """The choices of the summarizers' parameters."""
        return list(dict.fromkeys(["study", *self.dimensions["summarizers"]]))

    @property
    def batches(self) -> list[str]:
        """The names of the batches: cleaning and parameters."""
        return ["-".join(batch) for batch in self.values("cleaning", "summarizers")]

    def sets(self, *batches: str) -> list[tuple[str, ...]]:
        """The choices of each set of some batches, in the order of their files."""
        return [(*batch.split("-"), *shape) for batch in batches for shape in self.shapes]

    def wanted(self, parts: Sequence[str], *batches: str, **fixed: Any) -> list[list[tuple[Any, ...]]]:
        """By set of these batches, the keys of the cells of parts, in the universes with the fixed values."""
        matches = [
            each for each in self.universes if all(each[name] == value for name, value in fixed.items())
        ]
        keys = {json.dumps(key): key for key in (cell_key(each, part) for each in matches for part in parts)}
        keys_by_set = defaultdict(list)
        for _, key in sorted(keys.items()):
            keys_by_set[key[1 : 1 + len(SETS)]].append(key)
        return [keys_by_set[choices] for choices in self.sets(*batches)]

    @property
    def wanted_queries(self) -> list[tuple[str, tuple[Any, ...]]]:
        """The queries that need no index, as (formulation, choices)."""
        plain, phrases = self.values("query_stop"), self.values("query_stop", "noun_phrases")
        return [*(("plain", choices) for choices in plain), *(("np", choices) for choices in phrases)]

    # Indexes. A job searches the whole index of a collection and its parts, the shares of the articles.

    @property
    def collections(self) -> dict[str, tuple[Any, ...]]:
        """By name, whether topics' documents are inside, whether captions are, and the analyzer."""
        return {name_of_collection(collection): collection for collection in self.values(*_COLLECTION)}

    @property
    def own_collection(self) -> str:
        """The name of the collection of the study's own settings."""
        return name_of_collection(dimension_values(self.own_universe(), _COLLECTION))

    def wanted_of_collection(self, name: str) -> list[list[tuple[Any, ...]]]:
        """By set of all batches, the keys of the searches in a collection."""
        parts = ("plain", "np", "kw")  # those of Table 2
        values = dict(zip(_COLLECTION, self.collections[name], strict=True))
        return self.wanted(parts, *self.batches, **values)


def name_of_collection(collection: tuple[Any, ...]) -> str:
    has_documents, figures, analyzer = collection
    return f"{'inside' if has_documents else 'outside'}-{'captions' if figures else 'text'}-{analyzer}"
