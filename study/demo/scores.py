"""Scores of the demo benchmark's candidates of known truth, by the size of the index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from sera.io.records import Candidate, Nugget, Reference
from sera.metrics import FAMILIES
from sera.metrics.base import Metric
from sera.metrics.configure import Resources, equip, families_with, listed_names
from sera.metrics.frequent_words import IndexedCollection
from sera.metrics.pyramid import Pyramid
from sera.metrics.sera import RunRankings
from sera.retrieval.engines import Engine
from sera.retrieval.queries import FORMULATIONS, TEXTBLOB, texts_of
from sera.retrieval.search import documents, formulated, ranked
from sera.vectors.word_vectors import WordVectors


def sizes(articles: int, shares: Sequence[float]) -> list[int]:
    """The numbers of articles for shares of all: rounded, at least one, ascending, each once.

    >>> sizes(240, [0.1, 0.5, 1])
    [24, 120, 240]
    """
    return sorted({max(1, round(articles * Fraction(str(share)))) for share in shares})


def rankings(
    candidates: Sequence[Candidate],
    references: Sequence[Reference],
    engine: Engine,
    depth: int,
    *,
    mu: float = 2000.0,
    keyword_threshold: str | float = "collection",
    noun_phrases: str = TEXTBLOB,
    query_stop: bool = True,
    queries: dict[str, dict[str, str]] | None = None,
) -> RunRankings:
    """The rankings of candidates and references by every formulation of the query, to a ``depth``.

    ``queries`` keeps, by formulation, the queries that do not depend on the index, for the next engine.
    """
    queries = {} if queries is None else queries
    texts = texts_of(candidates, references)
    runs = {}
    for formulation in FORMULATIONS:
        made = queries.get(formulation) or formulated(
            formulation, texts, engine, threshold=keyword_threshold, parser=noun_phrases, stop=query_stop
        )
        if formulation != "kw":
            queries[formulation] = made
        runs[formulation] = documents(ranked(made, engine, depth, mu=mu))
    return RunRankings(runs)


def without_search(
    engine: Engine,
    nuggets: Sequence[Nugget],
    vectors: WordVectors | None,
    settings: Mapping[str, Mapping[str, object]],
) -> tuple[list[Metric], list[str]]:
    """All listed metrics that do not search, and the names of the families that are not available.

    ``engine`` has the collection that shows which words are frequent. ``settings`` holds settings by family.
    Vectors without a word count as none.
    """
    resources = Resources(
        collection=IndexedCollection(engine),
        nuggets=Pyramid.from_records(nuggets),
        vectors=vectors if vectors and vectors.words else None,
    )
    searching = [family for family in FAMILIES if "rankings" in FAMILIES.needs(family)]
    families = families_with(resources)
    missing = [family for family in FAMILIES if family not in [*families, *searching]]
    return equip(listed_names(families), settings, resources), missing
