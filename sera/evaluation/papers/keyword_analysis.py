"""The analyses of ROUGE-K's paper (Takeshita et al. 2024, sections 3 and 5) on any benchmark.

The paper analyses the summaries of one system on a data set, or means of systems. Here every table has a row
per system; tables of correlations over summaries also have a row for all systems together (`ALL_SYSTEMS`). An
undefined value stays NaN, and the column ``undefined`` counts what was left out as undefined.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.evaluation.correlation.coefficients import pearson
from sera.evaluation.correlation.correlate import WHY, why_not
from sera.io.records import Candidate, Reference, Source
from sera.io.scores import SCORE_COLUMNS
from sera.metrics.base import Metric
from sera.metrics.rouge_k import RougeK
from sera.metrics.scoring import comparisons

ALL_SYSTEMS = "all systems"  # in brackets if a system has this name
LENGTH = "words"  # the length of a summary, used as a metric
_SUMMARY = ["topic", "system"]


def lengths(candidates: Iterable[Candidate]) -> pd.DataFrame:
    """Score the length of each summary: a table of scores with the metric `LENGTH`, words between blanks."""
    rows = [
        (each.topic, each.system, LENGTH, float(sum(len(sentence.split()) for sentence in each.sentences)))
        for each in candidates
    ]
    return pd.DataFrame(rows, columns=SCORE_COLUMNS)


def by_single_reference(
    metric: Metric, candidates: Iterable[Candidate], references: Iterable[Reference]
) -> pd.DataFrame:
    """Score candidates against each reference alone, and keep the mean and the highest score.

    Returns a table of scores with the metrics ``<name> (avg)`` and ``<name> (max)``, as in the paper's
    Table 7.
    """
    rows = []
    for candidate, against in comparisons(candidates, references):
        singly = [metric.score(candidate, [reference]) for reference in against]
        for kind, score in (("avg", float(np.mean(singly))), ("max", max(singly))):
            rows.append((candidate.topic, candidate.system, f"{metric.name} ({kind})", score))
    return pd.DataFrame(rows, columns=SCORE_COLUMNS)


def system_means(
    scores: pd.DataFrame, metrics: Sequence[str], seeds: Mapping[str, str] = MappingProxyType({})
) -> pd.DataFrame:
    """The mean score of each system by each metric, as in the paper's Tables 5 and 8.

    Columns: system, metric, mean, summaries (number with a score), undefined (number without). ``seeds``
    names the system of the model of each seed. Its row then has the mean over the seeds' means, and the table
    has the columns deviation (sample standard deviation of these means; NaN for a single one) and seeds
    (number).
    """
    groups = scores[scores["metric"].isin(metrics)].groupby(["system", "metric"], sort=False)["score"]
    table = groups.agg(mean="mean", summaries="count", undefined=lambda each: int(each.isna().sum()))
    table = table.reset_index()
    if not seeds:
        return table
    groups = table.replace({"system": dict(seeds)}).groupby(["system", "metric"], sort=False)
    return groups.agg(
        mean=("mean", "mean"),
        summaries=("summaries", "sum"),
        undefined=("undefined", "sum"),
        deviation=("mean", "std"),
        seeds=("mean", "size"),
    ).reset_index()


def correlations(scores: pd.DataFrame, metrics: Sequence[str], against: Sequence[str]) -> pd.DataFrame:
    """Pearson's r between the scores of two metrics over summaries, as in the paper's Tables 6 and 7.

    Columns: metric, against, system, pearson, summaries, undefined (number of summaries where a score is
    undefined), why_undefined (why there is no r; otherwise empty); none of a metric with itself. The r of
    a system is over its own summaries, that of `ALL_SYSTEMS` over those of all systems; it needs three
    summaries.
    """
    wanted = [*dict.fromkeys([*metrics, *against])]
    wide = scores[scores["metric"].isin(wanted)].pivot(index=_SUMMARY, columns="metric", values="score")
    wide = wide.reindex(columns=wanted)
    systems = wide.index.get_level_values("system")
    everyone = ALL_SYSTEMS
    while everyone in systems:
        everyone = f"({everyone})"
    groups = [
        (everyone, wide),
        *((system, wide[systems == system]) for system in systems.unique().sort_values()),
    ]
    rows = []
    for metric in metrics:
        for other in [each for each in against if each != metric]:
            for system, group in groups:
                pairs = group[[metric, other]].to_numpy()
                known = pairs[~np.isnan(pairs).any(axis=1)]
                r = float(pearson(*known.T)) if len(known) > 2 else np.nan
                why = why_not(pairs[:, 0], pairs[:, 1], metric, other, "summaries") if np.isnan(r) else ""
                rows.append((metric, other, system, r, len(known), len(group) - len(known), why))
    columns = ["metric", "against", "system", "pearson", "summaries", "undefined", WHY]
    return pd.DataFrame(rows, columns=columns)


def spread(scores: pd.DataFrame, seeds: Mapping[str, str] = MappingProxyType({})) -> pd.DataFrame:
    """The spread of the systems' mean scores by each metric, as in the Std rows of the paper's Table 8.

    Columns: metric, mean and spread (population standard deviation) of the systems' means, systems, undefined
    (number of systems without any score). ``seeds`` as in `system_means`.
    """
    means = scores.groupby(["metric", "system"], sort=False)["score"].mean().rename(seeds, level="system")
    means = means.groupby(["metric", "system"], sort=False).mean()
    groups = means.groupby("metric", sort=False)
    table = groups.agg(
        mean="mean",
        spread=lambda each: each.std(ddof=0),
        systems="count",
        undefined=lambda each: int(each.isna().sum()),
    )
    return table.reset_index()


def keyword_matches(
    metrics: Sequence[RougeK],
    candidates: Iterable[Candidate],
    references: Iterable[Reference],
    sources: Iterable[Source],
) -> pd.DataFrame:
    """Match every keyword with every summary of its topic.

    Columns: metric, topic, system, keyword, length (words), in_source (whether the sentences of the article
    have the keyword, matched as in a summary), found. A summary whose topic has no keyword has one row with
    the keyword NA. InputError if a topic has no source.
    """
    articles = {source.topic: source for source in sources}
    in_article: dict[tuple, list[bool]] = {}
    rows: list[tuple] = []
    for candidate, against in comparisons(candidates, references):
        article = articles.get(candidate.topic)
        if article is None:
            raise InputError(
                f"topic {candidate.topic!r} has no article to look for keywords in",
                remedy="Give the article of every topic among the sources.",
            )
        for metric in metrics:
            keywords = metric.keywords(against, article)
            key = metric, candidate.topic, keywords
            if key not in in_article:
                in_article[key] = metric.found(keywords, article)
            about = metric.name, candidate.topic, candidate.system
            found = metric.found(keywords, candidate)
            if not keywords:
                rows.append((*about, pd.NA, pd.NA, pd.NA, pd.NA))
            rows += [
                (*about, " ".join(keyword), len(keyword), inside, is_found)
                for keyword, inside, is_found in zip(keywords, in_article[key], found, strict=True)
            ]
    columns = ["metric", "topic", "system", "keyword", "length", "in_source", "found"]
    table = pd.DataFrame(rows, columns=columns)
    return table.astype({"length": "Int64", "in_source": "boolean", "found": "boolean"})


def keyword_errors(marks: pd.DataFrame) -> pd.DataFrame:
    """How many keywords people find wrong, as in the paper's section 3, by metric.

    ``marks`` has a row per keyword that a person judged: topic, metric, keyword, wrong (true or false).
    Columns: metric, wrong_keywords (mean number a topic, of all topics with a mark), false_discovery_rate
    (wrong keywords of all its keywords, 0..1), keywords, topics.
    """
    topics = marks["topic"].nunique()
    rows = [
        (name, of["wrong"].sum() / topics, of["wrong"].mean(), len(of), topics)
        for name, of in marks.groupby("metric", sort=False)
    ]
    columns = ["metric", "wrong_keywords", "false_discovery_rate", "keywords", "topics"]
    return pd.DataFrame(rows, columns=columns)


def recall_by(matches: pd.DataFrame, by: str) -> pd.DataFrame:
    """ROUGE-K by kind of keyword, as in the paper's Table 9 (``in_source``) and Figure 2 (``length``).

    ``matches`` is a table of `keyword_matches`, ``by`` one of the two columns. Columns: metric, system,
    ``by``, recall (mean over the system's summaries of topics that have keywords of the kind), summaries,
    undefined (summaries of topics that have none), keywords (number of the kind in all topics). A metric
    without any keyword has rows without recall and without length.
    """
    rows = []
    for metric, of_metric in matches.groupby("metric", sort=False):
        lengths_found = sorted(of_metric["length"].dropna().unique())
        kinds = [True, False] if by == "in_source" else lengths_found or [pd.NA]
        for system, group in of_metric.groupby("system", sort=False):
            topics = group["topic"].nunique()
            for kind in kinds:
                of_kind = group[(group[by] == kind).fillna(False)]
                recalls = of_kind.groupby("topic")["found"].mean()
                mean = float(recalls.mean()) if len(recalls) else np.nan
                rows.append((metric, system, kind, mean, len(recalls), topics - len(recalls), len(of_kind)))
    columns = ["metric", "system", by, "recall", "summaries", "undefined", "keywords"]
    return pd.DataFrame(rows, columns=columns)
