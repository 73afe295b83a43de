"""One column of the matrix of metrics by benchmarks: how every metric follows the judgements of a benchmark.

Beside the metrics stand floors, which need no thought (the length of a summary, random scores), and ceilings
where several judges are known (each of them with the mean of the others). docs/matrix.md shows the result.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike

import numpy as np
import pandas as pd

from sera.evaluation.correlation.coefficients import COEFFICIENTS, CORRELATIONS, coefficients
from sera.evaluation.correlation.correlate import (
    LEVELS,
    WHY,
    Bootstrap,
    Scores,
    complete_topics,
    correlate,
    correlation,
    mean_of_defined,
    paired,
    percentile_interval,
)
from sera.evaluation.correlation.partial import properties
from sera.evaluation.correlation.power import DECIDED, WANTED_POWER, metric_power
from sera.evaluation.pairs.clusters import metric_clusters
from sera.evaluation.people.judges import judge_tables
from sera.evaluation.people.preferences import preference_tables
from sera.io.given_scores import MARK
from sera.io.records import Candidate, Reference, Source
from sera.metrics import falling
from study.claims.files import CLAIMS_OF_OTHERS, Claim, effect_or_reason, read_claims, shipped_claims
from study.claims.formulas import AbsentScores, CoefficientTable
from study.claims.multiverse import CLAIMS, METRICS
from study.matrix.further_cells import (
    ACCURACY,
    AT_RANDOM,
    FURTHER_COEFFICIENTS,
    calibrated_cells,
    pair_cells,
    partial_cells,
)

CELL_COLUMNS = [
    *("benchmark", "judgement", "level", "coefficient", "metric", "kind", "value", "low", "high"),
    *("rank", "cluster", "systems", "topics", WHY),
]
EFFECT_COLUMNS = [
    *("benchmark", "judgement", "level", "coefficient", "claim", "effect", "low", "high", "holds", WHY)
]

MATRIX_CLAIMS = (*CLAIMS, *shipped_claims(CLAIMS_OF_OTHERS))
"""The claims that every column decides: those of the paper on Table 2, and those of other papers."""

OF_LENGTH, ONE_JUDGE = "length", "one judge"
"""The floor that `further_cells.AT_RANDOM` stands beside, and the ceiling."""

MATRIX_COEFFICIENTS = (*CORRELATIONS, *FURTHER_COEFFICIENTS)

POWER_FACTS = ("power", "least_difference", "deciding_systems", "deciding_topics")

OWN_ARTICLES, OWN_COLLECTION, OWN_REFERENCES = "its articles", "its collection", "its references"
"""What SERA searches on a benchmark without packages of articles."""

OF_PUBMED_CENTRAL = "articles of PubMed Central"

PREFERRED = "preferences"
"""The name of people's preferences among the judgements."""

_RANDOM_DRAWS = 1000


def claims_of_matrix(path: str | PathLike[str] | None = None) -> tuple[Claim, ...]:
    """The claims of the matrix, and those of a user's file if there is one; InputError as `read_claims`."""
    if path is None:
        return MATRIX_CLAIMS
    return (*MATRIX_CLAIMS, *read_claims(path, [claim.name for claim in MATRIX_CLAIMS]))


def lengths(candidates: Iterable[Candidate]) -> pd.DataFrame:
    """The number of words of each summary, between blanks, as the scores of a metric."""
    rows = [
        {"topic": each.topic, "system": each.system, "metric": OF_LENGTH, "score": float(words)}
        for each in candidates
        for words in [sum(len(sentence.split()) for sentence in each.sentences)]
    ]
    return pd.DataFrame(rows, columns=["topic", "system", "metric", "score"])


def matrix_column(
    benchmark: str,
    scores: pd.DataFrame,
    judgements: pd.DataFrame,
    candidates: Sequence[Candidate],
    *,
    sources: Sequence[Source] = (),
    systems: Sequence[str] | None = None,
    judges: pd.DataFrame | None = None,
    claims: Sequence[Claim] = MATRIX_CLAIMS,
    preferences: pd.DataFrame | None = None,
    resamples: int = 1000,
    permutations: int = 1000,
    confidence: float = 95.0,
    seed: int = 0,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The cells of a benchmark, and the effects of claims on them: columns CELL_COLUMNS and EFFECT_COLUMNS.

    ``scores`` has topic, system, metric and score, ``judgements`` topic, system, judgement and score, and
    ``judges`` those of single judges. ``preferences`` are those of `read_choices`: the accuracy of each
    metric stands under the judgement `PREFERRED` at the summary level, and the accuracy on pairs of systems
    under each judgement at the system level; neither has random scores or one judge beside it. ``sources``
    are the articles, for partial correlations (`study.matrix.further_cells`). Only
    summaries that are judged count (but for preferences), and only those of ``systems`` if
    they are given. Metrics for which less is better are turned: a value of 1 is a perfect metric. Intervals
    are over topics, and by preferences over judges too where all are named. Ranks and clusters leave out
    floors and ceilings; clusters are of the system level alone (`sera.evaluation.pairs.clusters`).
    """
    by = list(dict.fromkeys(judgements["judgement"]))
    table = pd.concat(
        [scores, lengths(candidates), judgements.rename(columns={"judgement": "metric"})], ignore_index=True
    )
    table_of_metrics = table
    names = list(dict.fromkeys(scores["metric"]))
    summaries = properties(candidates, sources)
    values = Scores.of(table[["topic", "system", "metric", "score"]], systems).turned(falling(names))
    bootstrap = Bootstrap("topics", resamples, seed)
    cells, effects, clusters = [], [], []
    for judgement in by:
        judged = _of_judged(values, judgement)
        for level in LEVELS:
            found = correlate(
                judged,
                [(name, judgement) for name in (*names, OF_LENGTH)],
                level=level,
                bootstrap=bootstrap,
                confidence=confidence,
            )
            cells += _cells(found, level, names)
            cells += _random(judged, judgement, level, confidence, seed)
            of_level = _Coefficients(judged, judgement, level, bootstrap, names)
            effects += _effects(of_level, claims, confidence)
        kinds = _kinds(names)
        cells += pair_cells(judged, judgement, kinds, bootstrap, confidence)
        cells += calibrated_cells(judged, judgement, kinds, confidence, seed)
        cells += partial_cells(judged, judgement, kinds, summaries)
        clusters.append(metric_clusters(judged, names, judgement, permutations=permutations, seed=seed))
    table = pd.DataFrame(cells)
    if judges is not None and len(judges):
        ceilings = judge_tables(judges, values, bootstrap=bootstrap, confidence=confidence).get("ceilings")
        if ceilings is not None:
            table = pd.concat([table, _ceilings(ceilings)], ignore_index=True)
    if preferences is not None:
        own = table_of_metrics[table_of_metrics["metric"].isin([*names, OF_LENGTH])]
        table = pd.concat([table, _preferred(own, preferences, names, resamples, confidence, seed)])
    table = _ranked(table.reset_index(drop=True))
    keys = ["judgement", "level", "coefficient", "metric"]
    of_systems = pd.concat(clusters).rename(columns={"against": "judgement"}).assign(level="system")
    table = table.merge(of_systems[[*keys, "cluster"]], on=keys, how="left")
    return (
        table.assign(benchmark=benchmark)[CELL_COLUMNS],
        pd.DataFrame(effects).assign(benchmark=benchmark)[EFFECT_COLUMNS],
    )


def searched(kind: str, sources: Iterable[Source]) -> str:
    """Of what the documents are that SERA searches; ``kind`` is the workflow's word for the collection."""
    if kind == "sources":
        return OWN_ARTICLES if any(source.sections for source in sources) else OWN_REFERENCES
    return OWN_COLLECTION if kind in ("documents", "generated") else OF_PUBMED_CENTRAL


def column_facts(
    benchmark: str,
    cells: pd.DataFrame,
    candidates: Iterable[Candidate],
    references: Iterable[Reference],
    documents: int,
    searched: str,
    power: pd.DataFrame,
) -> pd.DataFrame:
    """What a benchmark is, a row per judgement: its systems, topics and references, and SERA's collection.

    ``power`` is that of `column_power`.

    ``references`` is the median number for a topic, ``summaries`` counts the systems' summaries, judged or
    not, and ``documents`` those in the index that SERA searches; ``searched`` says of what they are.
    """
    candidates = list(candidates)
    of_topics = {each.topic: 0 for each in candidates}
    for each in references:
        of_topics[each.topic] = of_topics.get(each.topic, 0) + 1
    of_all = (cells["level"] == "global") | (cells["judgement"] == PREFERRED)
    of_length = cells[(cells["metric"] == OF_LENGTH) & of_all]
    of_length = of_length.drop_duplicates("judgement")
    facts = pd.DataFrame(
        {
            "benchmark": benchmark,
            "judgement": of_length["judgement"],
            "systems": of_length["systems"],
            "topics": of_length["topics"],
            "summaries": len(candidates),
            "references": float(np.median(list(of_topics.values()))) if of_topics else np.nan,
            "documents": documents,
            "searched": searched,
        }
    )
    return facts.merge(power, on="judgement", how="left")


def column_power(
    scores: pd.DataFrame,
    judgements: pd.DataFrame,
    *,
    systems: Sequence[str] | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> pd.DataFrame:
    """Whether each judgement decides a difference of .05 between two metrics' ρ over systems: POWER_FACTS.

    The numbers are those of `sera.evaluation.correlation.power.metric_power` for the metrics of the paper's
    Table 2: ``power`` and ``least_difference`` with the systems and topics at hand, and ``deciding_systems``
    and ``deciding_topics``, the smallest study up to four times as large that finds the difference with a
    chance of .8. They are NaN where there is none, and all are where two metrics, three topics or four
    systems lack.
    """
    table = pd.concat([scores, judgements.rename(columns={"judgement": "metric"})], ignore_index=True)
    values = Scores.of(table[["topic", "system", "metric", "score"]], systems)
    metrics = [name for name in METRICS if name in values.metrics]
    rows = []
    for judgement in dict.fromkeys(judgements["judgement"]):
        found = metric_power(
            _of_judged(values, judgement),
            metrics,
            judgement,
            difference=DECIDED,
            resamples=resamples,
            seed=seed,
        )
        found = found[found["coefficient"] == "spearman"]
        here = found[
            (found["topics"] == found["topics_known"]) & (found["systems"] == found["systems_known"])
        ]
        enough = found[found["power"] >= WANTED_POWER]
        enough = enough.assign(size=enough["topics"] * enough["systems"]).sort_values("size", kind="stable")
        numbers = [here["power"], here["least_difference"], enough["systems"], enough["topics"]]
        rows.append((judgement, *(of.iloc[0] if len(of) else np.nan for of in numbers)))
    return pd.DataFrame(rows, columns=["judgement", *POWER_FACTS])


def _of_judged(values: Scores, judgement: str) -> Scores:
    """The judged systems, on the topics with at least one judgement."""
    judged = values.judged_by(judgement)
    there = ~np.isnan(judged.of_metric(judgement)).all(axis=1)
    return judged.of_topics([topic for topic, known in zip(judged.topics, there, strict=True) if known])


def _kinds(names: Sequence[str]) -> dict[str, str]:
    return {name: "given" if name.startswith(MARK) else "metric" for name in names} | {OF_LENGTH: "floor"}


def _preferred(
    scores: pd.DataFrame,
    preferences: pd.DataFrame,
    names: Sequence[str],
    resamples: int,
    confidence: float,
    seed: int,
) -> pd.DataFrame:
    """The accuracy of each metric by preferences, as cells."""
    tables = preference_tables(
        preferences,
        scores,
        falling=falling(names),
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    found = tables["preferences"]
    kinds = _kinds(names)
    systems = pd.concat([preferences["system_a"], preferences["system_b"]]).nunique()
    return pd.DataFrame(
        {
            "judgement": PREFERRED,
            "level": "summary",
            "coefficient": ACCURACY,
            "metric": found["metric"],
            "kind": found["metric"].map(kinds),
            "value": found["accuracy"],
            "low": found["accuracy_low"],
            "high": found["accuracy_high"],
            "systems": systems,
            "topics": found["topics"],
            WHY: found[WHY],
        }
    )


def _cells(found: pd.DataFrame, level: str, names: Sequence[str]) -> list[dict[str, object]]:
    kinds = _kinds(names)
    return [
        {
            "judgement": row["against"],
            "level": level,
            "coefficient": coefficient,
            "metric": row["metric"],
            "kind": kinds[row["metric"]],
            "value": row[coefficient],
            "low": row[f"{coefficient}_low"],
            "high": row[f"{coefficient}_high"],
            **{name: row[name] for name in ("systems", "topics", WHY)},
        }
        for row in found.to_dict("records")
        for coefficient in CORRELATIONS
    ]


def _random(
    judged: Scores, judgement: str, level: str, confidence: float, seed: int
) -> list[dict[str, object]]:
    """Random scores: their mean coefficient, and the interval that holds the central share of the draws."""
    known = judged.of_metric(judgement)
    if level == "system":
        known = known[complete_topics(known)]
    drawn = _random_coefficients(known, level, seed)
    rows = []
    for coefficient in CORRELATIONS:
        values = drawn[:, COEFFICIENTS.index(coefficient)]
        low, high = percentile_interval(values, confidence)
        mean = float(mean_of_defined(values))
        rows.append(
            {
                **{"judgement": judgement, "level": level, "coefficient": coefficient, "metric": AT_RANDOM},
                **{"kind": "floor", "value": mean},
                **{"low": low, "high": high, "systems": known.shape[1], "topics": len(known)},
                WHY: "no correlation with random scores is defined" if np.isnan(mean) else "",
            }
        )
    return rows


def _random_coefficients(known: np.ndarray, level: str, seed: int) -> np.ndarray:
    """The coefficients of random scores with judgements, (topic, system): (draw, coefficient)."""
    if not known.size:
        return np.full((1, len(COEFFICIENTS)), np.nan)
    random = np.random.default_rng([seed, 11])
    if level == "system":
        means = random.random((_RANDOM_DRAWS, *known.shape)).mean(axis=1)
        return coefficients(means, known.mean(axis=0))
    if level == "global":
        judged = known[~np.isnan(known)]
        return coefficients(random.random((_RANDOM_DRAWS, len(judged))), judged)
    by_topic = [coefficients(random.random((_RANDOM_DRAWS, len(row))), row) for row in known]
    return mean_of_defined(np.array(by_topic))


def _ceilings(ceilings: pd.DataFrame) -> pd.DataFrame:
    rows = [
        {
            **{"judgement": row["against"], "level": row["level"], "coefficient": coefficient},
            **{"metric": ONE_JUDGE, "kind": "ceiling", "value": row[coefficient]},
            **{"systems": row["systems"], "topics": row["topics"]},
            WHY: "no judge's correlation with the others is defined" if np.isnan(row[coefficient]) else "",
            **{end: row[f"{coefficient}_{end}"] for end in ("low", "high")},
        }
        for row in ceilings.to_dict("records")
        for coefficient in CORRELATIONS
    ]
    return pd.DataFrame(rows)


def _ranked(table: pd.DataFrame) -> pd.DataFrame:
    """With the rank of each metric by its value; equal values to twelve decimals share the best rank."""
    own = table[table["kind"].isin(["metric", "given"])]
    ranks = (
        own.assign(value=own["value"].round(12))
        .groupby(["judgement", "level", "coefficient"])["value"]
        .rank(ascending=False, method="min")
    )
    return table.assign(rank=ranks)


class _Coefficients:
    """Coefficients of metrics with a judgement or each other, and their resamples; each pair once."""

    def __init__(
        self, judged: Scores, judgement: str, level: str, bootstrap: Bootstrap, names: Sequence[str]
    ) -> None:
        self.judgement, self.level = judgement, level
        self._judged, self._bootstrap, self._names = judged, bootstrap, names
        self._known: dict[tuple[str, str], tuple[np.ndarray, np.ndarray]] = {}

    def tables(self, coefficient: str) -> tuple[CoefficientTable, CoefficientTable]:
        """The values of a coefficient and those of its resamples, (resample,), as a formula reads them."""
        at = COEFFICIENTS.index(coefficient)
        return (
            CoefficientTable(lambda metric, other: self._of(metric, other)[0][at], self._names),
            CoefficientTable(lambda metric, other: self._of(metric, other)[1][:, at], self._names),
        )

    def _of(self, metric: str, other: str | None) -> tuple[np.ndarray, np.ndarray]:
        pair = metric, other or self.judgement
        if pair not in self._known:
            for name in pair:
                if name not in self._judged.metrics:
                    raise AbsentScores(f"there are no scores by {name}")
            x, y = paired(self._judged, *pair, self.level)
            topics = self._bootstrap.of_topics(len(x))
            systems = self._bootstrap.of_systems(x.shape[1])
            drawn = correlation(x, y, self.level, topics=topics, systems=systems)
            self._known[pair] = correlation(x, y, self.level), drawn
        return self._known[pair]


def _effects(of: _Coefficients, claims: Sequence[Claim], confidence: float) -> list[dict[str, object]]:
    """The effect of each claim, with its interval over topics."""
    rows = []
    for claim in claims:
        for coefficient in claim.coefficients:
            points, draws = of.tables(coefficient)
            found, why = effect_or_reason(claim, points, "a correlation is undefined")
            effect = float(found)
            low, high = (np.nan, np.nan) if why else percentile_interval(claim.effect(draws), confidence)
            rows.append(
                {
                    **{"judgement": of.judgement, "level": of.level, "coefficient": coefficient},
                    **{"claim": claim.name, "effect": effect, "low": low, "high": high},
                    "holds": "" if why else "yes" if effect > 0 else "no",
                    WHY: why,
                }
            )
    return rows
