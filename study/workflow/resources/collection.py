"""Which words are frequent: in the collection of articles, or as a list says."""

from collections.abc import Sequence
from typing import Any

from sera.metrics.frequent_words import IndexedCollection, read_word_list
from sera.retrieval.engines import ENGINES


def read(rule: Any, texts: Sequence[Any]) -> Any:
    if path := rule.input.get("frequent_words"):
        return read_word_list(path)
    return IndexedCollection(ENGINES.load(rule.params.resources["collection"]["engine"])(rule.input.index))
