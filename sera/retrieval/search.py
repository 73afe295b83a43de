"""Retrieve with summaries: formulate their queries and search for the best documents."""

from collections.abc import Mapping, Sequence
from typing import Any

from sera.progress import progress
from sera.retrieval.engines import MU, Hit
from sera.retrieval.queries import formulate
from sera.text.languages import ENGLISH, sign_language

Texts = Mapping[Any, Sequence[str]]
"""The sentences of summaries by the name of their query."""


def formulate_queries(formulation: str, texts: Texts, engine: Any = None, **how: Any) -> dict[Any, str]:
    """The query of each summary by the query's name.

    ``how``: options of `sera.retrieval.queries.formulate`, as ``threshold`` and ``stop``.
    """
    return {
        name: formulate(formulation, tuple(sentences), engine, **how)
        for name, sentences in progress(texts.items(), "queries formulated")
    }


def rank_documents(
    queries: Mapping[Any, str], engine: Any, depth: int, *, mu: float = MU
) -> dict[Any, list[Hit]]:
    """The best ``depth`` documents of each query by its name; equal queries are searched once."""
    different = list(dict.fromkeys(queries.values()))
    rankings = dict(zip(different, engine.search(different, depth, mu=mu), strict=True))
    return {name: rankings[query] for name, query in queries.items()}


def search_settings(analyzer: str, documents: int, **search: Any) -> dict[str, Any]:
    """The settings of a search and of its index that rankings depend on, in the order of a signature."""
    return {
        "noun_phrases": search["noun_phrases"],
        "keyword_threshold": search["keyword_threshold"],
        "query_stop": search["query_stop"],
        "analyzer": analyzer,
        "mu": search["mu"],
        "documents": documents,
        **sign_language(search.get("language", ENGLISH)),
    }


def documents(rankings: Mapping[Any, Sequence[Hit]]) -> dict[Any, list[str]]:
    """The document ids of each ranking, best first, in the form of `sera.retrieval.runs.read_run`."""
    return {name: [hit.document for hit in hits] for name, hits in rankings.items()}
