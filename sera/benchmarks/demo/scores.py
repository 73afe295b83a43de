"""Scores of the demo benchmark's candidates of known truth, by the size of the index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from sera.metrics import FAMILIES, metric
from sera.metrics.base import Metric
from sera.metrics.pyramid import Pyramid
from sera.metrics.sera import RunRankings
from sera.records import Candidate, Nugget, Reference
from sera.retrieval.engines import Engine
from sera.retrieval.queries import FORMULATIONS, TEXTBLOB, texts_of
from sera.retrieval.ranking import documents, formulated, ranked
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
    threshold: str | float = "collection",
    parser: str = TEXTBLOB,
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
            formulation, texts, engine, threshold=threshold, parser=parser
        )
        if formulation != "kw":
            queries[formulation] = made
        runs[formulation] = documents(ranked(made, engine, depth, mu=mu))
    return RunRankings(runs)


def without_index(
    nuggets: Sequence[Nugget],
    vectors: WordVectors | None,
    settings: Mapping[str, Mapping[str, object]],
) -> tuple[list[Metric], list[str]]:
    """All listed metrics that do not search, and the names of the families that are not available.

    ``settings`` holds settings by family. A family is not available if it needs more than word vectors, or
    needs word vectors and there are none.
    """
    given = {"Pyramid": {"nuggets": Pyramid.from_records(nuggets)}}
    metrics, missing = [], []
    for family in FAMILIES:
        needs = FAMILIES.needs(family)
        if family == "SERA":
            continue
        if set(needs) - {"vectors"} or (needs and not (vectors and vectors.words)):
            missing.append(family)
            continue
        own = {**given.get(family, {}), **({"vectors": vectors} if needs else {}), **settings.get(family, {})}
        metrics += [metric(name, **own) for name in FAMILIES.load(family).names()]
    return metrics, missing
