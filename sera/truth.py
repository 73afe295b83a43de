"""How well metrics follow scores that are known to be true, by drift and by the size of the index.

`sera.benchmarks.demo_drift` makes the candidates, docs/truth.md tells what is compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import pandas as pd

from sera.coefficients import CORRELATIONS
from sera.correlation import Scores, at_level
from sera.engines import Engine
from sera.errors import InputError
from sera.metrics import FAMILIES, metric
from sera.metrics.base import Metric
from sera.metrics.pyramid import Pyramid
from sera.metrics.sera import RunRankings
from sera.queries import FORMULATIONS, TEXTBLOB, formulate, query_id
from sera.records import Candidate, Nugget, Reference
from sera.word_vectors import WordVectors

LEVELS = ("system", "summary")

SHOWN = (
    *("ROUGE-1-F", "ROUGE-2-F", "ROUGE-L-F", "ROUGE-SU4-F", "ROUGE-WE-2-F", "AVG_SIM"),
    *("JS-ref-2", "ROUGE-K", "MOULIN-ROUGE", "Pyramid", "SERA-5", "SERA-10"),
)
"""The metrics that the figure shows by drift."""

SHOWN_BY_SIZE = ("SERA-5", "SERA-10", "SERA-DIS-10", "SERA-KW-10")
"""The metrics that the figure shows by the size of the index."""


def sizes(articles: int, shares: Sequence[float]) -> list[int]:
    """So many articles as each share of all is, rounded, at least one; ascending, each once.

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
    queries: dict[str, list[str]] | None = None,
) -> RunRankings:
    """What candidates and references retrieve with every formulation of the query.

    ``queries`` keeps, by formulation, those that do not depend on the index, for the next engine.
    """
    queries = {} if queries is None else queries
    summaries: list[Candidate | Reference] = [*candidates, *references]
    texts = {query_id(summary): summary.sentences for summary in summaries}
    runs = {}
    for formulation in FORMULATIONS:
        made = queries.get(formulation) or [
            formulate(formulation, sentences, engine, threshold=threshold, parser=parser)
            for sentences in texts.values()
        ]
        if formulation != "kw":
            queries[formulation] = made
        found = engine.search(made, depth, mu=mu)
        runs[formulation] = {
            name: [hit.document for hit in hits] for name, hits in zip(texts, found, strict=True)
        }
    return RunRankings(runs)


def without_index(
    nuggets: Sequence[Nugget],
    vectors: WordVectors | None,
    settings: Mapping[str, Mapping[str, object]],
) -> tuple[list[Metric], list[str]]:
    """Every listed metric that does not search, and the families that cannot be had.

    ``settings`` are those of families. A family that needs more than vectors cannot be had, nor can one that
    needs vectors where there are none.
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


def follow(scores: pd.DataFrame, true: pd.DataFrame) -> pd.DataFrame:
    """One row a metric and true score: the coefficients at both levels, as ``system_pearson``.

    ``scores`` and ``true`` are score tables of the same summaries. ``system_undefined`` counts the topics
    that are left out because a summary has no defined score, ``summary_undefined`` those whose coefficient is
    undefined. Raises InputError where a metric or a true score lacks a summary.
    """
    names, judgements = list(scores["metric"].unique()), list(true["metric"].unique())
    both = Scores.of(pd.concat([scores, true], ignore_index=True))
    all_of = len(both.topics) * len(both.systems)
    for name, count in pd.concat([scores, true])["metric"].value_counts().items():
        if count != all_of:
            raise InputError(
                f"{name} has scores for {count} of {all_of} summaries", remedy="Score every summary by it."
            )
    rows = []
    for name in names:
        for against in judgements:
            row: dict[str, object] = {"metric": name, "against": against}
            for level in LEVELS:
                found = at_level(both, name, against, level)
                row |= {f"{level}_{key}": found[key] for key in (*CORRELATIONS, "undefined")}
            rows.append({**row, "systems": len(both.systems), "topics": len(both.topics)})
    return pd.DataFrame(rows)


def by_drift_and_size(tables: Mapping[tuple[float, int], pd.DataFrame], true: pd.DataFrame) -> pd.DataFrame:
    """The rows of `follow` for score tables by drift and articles; articles are 0 for what does not search.

    Rows of one metric stand together. Raises InputError where not every drift has the same metrics.
    """
    parts = []
    metrics: dict[int, list[str]] = {}
    for (drift, articles), scores in tables.items():
        part = follow(scores, true)
        names = list(part["metric"].unique())
        if metrics.setdefault(articles, names) != names:
            raise InputError(f"at drift {drift:g} other metrics were scored than at the first")
        part.insert(2, "drift", float(drift))
        part.insert(3, "articles", articles)
        parts.append(part)
    table = pd.concat(parts, ignore_index=True)
    order = {name: place for place, name in enumerate(table["metric"].unique())}
    columns = ["metric", "against", "articles", "drift"]
    return table.sort_values(
        columns, key=lambda c: c.map(order) if c.name == "metric" else c, kind="stable", ignore_index=True
    )
