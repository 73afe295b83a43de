"""The tables of ROUGE-K's paper (Takeshita et al. 2024, sections 3 and 5), from the records of any data.

Every table has a row per system; tables of correlations over summaries also have a row for all systems
together (`ALL_SYSTEMS`). An undefined value stays NaN, and the column ``undefined`` counts what was left out.

ROUGE has the paper's names, `R-1` and so on, and its settings, whatever those of a study: the paper uses
SacreROUGE (Deutsch & Roth 2020), which runs ROUGE-1.5.5 with stems, with stop words, and over all references
together (``-m -f A``). R-K is ROUGE-K by the rules of the authors' code, which gave the paper's numbers.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, product
from os import PathLike
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.evaluation.coefficients import pearson
from sera.evaluation.correlate import WHY, Scores, why_not
from sera.evaluation.discrimination import compare_systems
from sera.evaluation.ties import merge_ties
from sera.io import tsv
from sera.io.records import Candidate, Reference, Source
from sera.io.scores import SCORE_COLUMNS, decided_pairs, read_choices
from sera.metrics import make_metric
from sera.metrics.base import Metric
from sera.metrics.rouge_k import RougeK
from sera.metrics.scoring import comparisons
from sera.metrics.scoring import score as score_all

PAPERS_ROUGE = {"R-1": "ROUGE-1-F", "R-2": "ROUGE-2-F", "R-L": "ROUGE-L-F"}
"""The paper's names of ROUGE, with the metric of each; its settings are `ROUGE_SETTINGS`."""

ROUGE_SETTINGS = {"stem": True, "stop": False, "multi": "pooled"}
SINGLY = ("R-1 (avg)", "R-1 (max)")
AUTHORS_KEYWORDS = "R-K"
AUTHORS_SETTINGS: dict[str, Any] = {"second": "title-always", "matching": "substring"}
"""The settings of the authors' code. With the title always, their Table 4 has its numbers of references."""

PREFERENCE_COLUMNS = ["topic", "better", "worse"]

ALL_SYSTEMS = "all systems"
LENGTH = "words"  # the length of a summary, used as a metric
COMPUTED = {*PAPERS_ROUGE, AUTHORS_KEYWORDS, *SINGLY, LENGTH}  # the metrics that are computed here

_SUMMARY = ["topic", "system"]
_BY_AUTHORS = AUTHORS_SETTINGS["second"]


def papers_scores(
    candidates: Sequence[Candidate], references: Sequence[Reference], sources: Sequence[Source]
) -> pd.DataFrame:
    """Scores in 0..1 by the paper's metrics: `PAPERS_ROUGE`, `AUTHORS_KEYWORDS`, and `SINGLY`.

    `SINGLY` is R-1 by each reference alone, its mean and its highest.
    """
    metrics: dict[str, Metric] = {
        label: make_metric(name, **ROUGE_SETTINGS) for label, name in PAPERS_ROUGE.items()
    }
    metrics[AUTHORS_KEYWORDS] = RougeK(**AUTHORS_SETTINGS)
    table = score_all(list(metrics.values()), candidates, references, sources)
    table["metric"] = table["metric"].map({str(metric): name for name, metric in metrics.items()})
    single_scores = score_single_references(metrics["R-1"], candidates, references)
    return pd.concat([table, single_scores], ignore_index=True)


def keyword_statistics(
    metric: RougeK, references: Sequence[Reference], sources: Sequence[Source], split: str = ""
) -> pd.DataFrame:
    """The paper's Table 4 for some topics: a row for the second text of ``metric``, and one for the authors'.

    split, second      the name of the topics; see `RougeK`
    document_words,    mean number of words between blanks, of the ``documents`` (articles) and of the
    summary_words      references; ``compression`` is the first by the second
    texts              mean number of texts compared, with a title that is used
    keywords,          mean number of keywords of a topic, and of words of a keyword; ``undefined`` counts
    keyword_words      the topics without a keyword

    Means of nothing are NaN. InputError if a topic of ``sources`` has no reference.
    """
    references_by_topic = _group_references(references)
    if lone := next((source.topic for source in sources if source.topic not in references_by_topic), None):
        raise InputError(f"topic {lone!r} has no reference", remedy="Add one, or remove the topic.")
    document = _mean(_words(source.sentences) for source in sources)
    summary = _mean(_words(reference.sentences) for reference in references)
    rows = []
    for second in dict.fromkeys([metric.second, _BY_AUTHORS]):
        variant = replace(metric, second=second)
        keyword_lists = [variant.keywords(references_by_topic[source.topic], source) for source in sources]
        texts = []
        for source in sources:
            number = len(references_by_topic[source.topic])
            more = bool(source.title.strip()) or (second == "article" and bool(source.sentences))
            texts.append(number + (more and (number == 1 or second == _BY_AUTHORS)))
        rows.append(
            {
                "split": split,
                "second": second,
                "documents": len(sources),
                "document_words": document,
                "summary_words": summary,
                "compression": document / summary if summary else np.nan,
                "texts": _mean(texts),
                "keywords": _mean(map(len, keyword_lists)),
                "keyword_words": _mean(map(len, chain(*keyword_lists))),
                "undefined": keyword_lists.count(()),
            }
        )
    return pd.DataFrame(rows)


def _group_references(references: Sequence[Reference]) -> dict[str, list[Reference]]:
    references_by_topic: dict[str, list[Reference]] = {}
    for reference in references:
        references_by_topic.setdefault(reference.topic, []).append(reference)
    return references_by_topic


def _words(sentences: Iterable[str]) -> int:
    return sum(len(sentence.split()) for sentence in sentences)


def _mean(values: Iterable[float]) -> float:
    values = list(values)
    return float(np.mean(values)) if values else np.nan


def keyword_tables(
    metrics: Sequence[RougeK],
    scores: pd.DataFrame,
    candidates: Sequence[Candidate],
    references: Sequence[Reference],
    sources: Sequence[Source],
    *,
    systems: Collection[str] | None = None,
    seeds: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, pd.DataFrame]:
    """Tables 5 to 9 and Figure 2 of the paper, by name: ``table5``, ``figure2``.

    ``table8_pairs`` tests which systems differ (`compare_systems`), as the paper's text on Table 8 does
    without naming its test. ``scores`` has those of ``metrics`` (the kinds of ROUGE-K), and may have others
    for Tables 7 and 8. Tables 6 to 8 are over ``systems``; None for all. ``seeds`` names the system of the
    model of each seed: Tables 5 and 8 have its mean over seeds. InputError if a topic has no source.
    """
    names = [*PAPERS_ROUGE, AUTHORS_KEYWORDS, *(metric.name for metric in metrics)]
    parts = [papers_scores(candidates, references, sources), scores, lengths(candidates)]
    all_systems = pd.concat(parts, ignore_index=True)
    table = all_systems if systems is None else all_systems[all_systems["system"].isin(systems)]
    others = [name for name in table["metric"].unique() if name not in ("ROUGE-K", LENGTH, *SINGLY)]
    authors = keyword_matches([RougeK(**AUTHORS_SETTINGS)], candidates, references, sources)
    own = keyword_matches(metrics, candidates, references, sources)
    matches = pd.concat([authors.assign(metric=AUTHORS_KEYWORDS), own], ignore_index=True)
    return {
        "table5": system_means(all_systems, [*names, *SINGLY, LENGTH], seeds),
        "table6": correlations(table, names, [LENGTH]),
        "table7": correlations(table, ["ROUGE-K", AUTHORS_KEYWORDS], [*SINGLY, *others]),
        "table8": spread(table[~table["metric"].isin([LENGTH, *SINGLY])], seeds),
        "table8_pairs": compare_systems(Scores.from_table(table), names),
        "table9": keyword_recall(matches, "in_source"),
        "figure2": keyword_recall(matches, "length"),
    }


def agreement(
    scores: pd.DataFrame, preferences: pd.DataFrame, falling: Collection[str] = (), by: str = AUTHORS_KEYWORDS
) -> pd.DataFrame:
    """How often the preferred summary has the better score by a metric, as in the paper's Table 3.

    ``preferences`` has the columns topic, better and worse (systems). For the metrics ``falling``, the lower
    score is the better one. ``agreement`` is a share in 0..1 of the ``preferences`` with two defined
    scores; those with ``equal`` scores do not agree. ``undefined`` counts the others.
    ``keywords_alone`` is the share with which the metric ``by`` agrees and this one does not, of those that
    both score (the paper's section 1). InputError for a summary without any row in ``scores``.
    """
    wide = scores.pivot(index=_SUMMARY, columns="metric", values="score")
    sides = []
    for side in ("better", "worse"):
        index = pd.MultiIndex.from_frame(preferences[["topic", side]])
        if len(absent := index.difference(wide.index)):
            problem = "there is no score of {1!r} for topic {0!r}".format(*absent[0])
            raise InputError(problem, remedy="Score its summary too, or remove its preferences.")
        sides.append(wide.reindex(index).reset_index(drop=True))
    margins = (sides[0] - sides[1]) * [-1 if name in falling else 1 for name in wide]
    agrees = (margins > 0).astype(float).where(margins.notna())
    columns = {
        "agreement": agrees.mean(),
        "preferences": agrees.count(),
        "equal": (margins == 0).sum(),
        "undefined": agrees.isna().sum(),
        "keywords_alone": (1 - agrees).mul(agrees[by], axis=0).mean(),
    }
    return pd.DataFrame(columns).loc[scores["metric"].unique()].reset_index()


def read_preferences(path: str | PathLike[str]) -> pd.DataFrame:
    """Read preferences: a TSV with the columns topic, better and worse; further columns are left out.

    A table of `sera.io.scores.read_choices` is read too, without its ties. InputError for a table without
    these columns or without a row.
    """
    if "system_a" in tsv.read(path, PREFERENCE_COLUMNS[:1]):
        return decided_pairs(read_choices(path)).reset_index(drop=True)
    table = tsv.read(path, PREFERENCE_COLUMNS, named=PREFERENCE_COLUMNS)
    if table.empty:
        raise InputError("holds no preference", path=path, remedy="Add a line for each preference.")
    return table[PREFERENCE_COLUMNS]


def list_keywords(
    metrics: Sequence[RougeK], references: Sequence[Reference], sources: Sequence[Source]
) -> pd.DataFrame:
    """The keywords of each topic by each metric: topic, metric, keyword."""
    references_by_topic = _group_references(references)
    rows = [
        (source.topic, metric.name, " ".join(keyword))
        for source in sources
        if source.topic in references_by_topic
        for metric in metrics
        for keyword in metric.keywords(references_by_topic[source.topic], source)
    ]
    return pd.DataFrame(rows, columns=["topic", "metric", "keyword"])


def lengths(candidates: Iterable[Candidate]) -> pd.DataFrame:
    """Score the length of each summary: a table of scores with the metric `LENGTH`, words between blanks."""
    rows = [(text.topic, text.system, LENGTH, float(_words(text.sentences))) for text in candidates]
    return pd.DataFrame(rows, columns=SCORE_COLUMNS)


def score_single_references(
    metric: Metric, candidates: Iterable[Candidate], references: Iterable[Reference]
) -> pd.DataFrame:
    """Score candidates by each reference alone: the mean and the highest, `SINGLY` of the paper's Table 7."""
    rows: list[tuple] = []
    for candidate, topic_references in comparisons(candidates, references):
        scores = [metric.score(candidate, [reference]) for reference in topic_references]
        for name, score in zip(SINGLY, (float(np.mean(scores)), max(scores)), strict=True):
            rows.append((candidate.topic, candidate.system, name, score))
    return pd.DataFrame(rows, columns=SCORE_COLUMNS)


def system_means(
    scores: pd.DataFrame, metrics: Sequence[str], seeds: Mapping[str, str] = MappingProxyType({})
) -> pd.DataFrame:
    """The mean score of each system by each metric, as in the paper's Tables 5 and 8.

    Columns: system, metric, mean, summaries (number with a score), undefined (number without). ``seeds``
    names the system of the model of each seed: its row has the mean of the seeds' means, their sample
    standard ``deviation`` (NaN for a single one), and the number of ``seeds``.
    """
    groups = scores[scores["metric"].isin(metrics)].groupby(["system", "metric"], sort=False)["score"]
    table = groups.agg(mean="mean", summaries="count", undefined="size")
    table = table.assign(undefined=table["undefined"] - table["summaries"]).reset_index()
    if not seeds:
        return table
    groups = table.replace({"system": dict(seeds)}).groupby(["system", "metric"], sort=False)
    columns = {"mean": ("mean", "mean"), "summaries": ("summaries", "sum"), "undefined": ("undefined", "sum")}
    return groups.agg(**columns, deviation=("mean", "std"), seeds=("mean", "size")).reset_index()


def correlations(scores: pd.DataFrame, metrics: Sequence[str], against: Sequence[str]) -> pd.DataFrame:
    """Pearson's r between the scores of two metrics over summaries, as in the paper's Tables 6 and 7.

    The r of a system is over its own ``summaries``, that of `ALL_SYSTEMS` over all; it needs three.
    ``undefined`` counts the summaries where a score is undefined. No metric is correlated with itself.
    """
    names = [*dict.fromkeys([*metrics, *against])]
    wide = scores[scores["metric"].isin(names)].pivot(index=_SUMMARY, columns="metric", values="score")
    wide = wide.reindex(columns=names).transform(merge_ties)
    groups = [(ALL_SYSTEMS, wide), *wide.groupby(level="system")]
    rows = []
    for metric, other in product(metrics, against):
        for system, group in groups if metric != other else ():
            x, y = group[metric].to_numpy(), group[other].to_numpy()
            r, count = float(pearson(x, y)), int((~np.isnan(x + y)).sum())
            why = why_not(x, y, metric, other, "summaries") if np.isnan(r) else ""
            rows.append((metric, other, system, r, count, len(x) - count, why))
    columns = ["metric", "against", "system", "pearson", "summaries", "undefined", WHY]
    return pd.DataFrame(rows, columns=columns)


def spread(scores: pd.DataFrame, seeds: Mapping[str, str] = MappingProxyType({})) -> pd.DataFrame:
    """The spread of the systems' mean scores by each metric, as in the Std rows of the paper's Table 8.

    ``spread`` is the population standard deviation of the systems' means, ``undefined`` the number of systems
    without any score. ``seeds`` as in `system_means`.
    """
    means = scores.groupby(["metric", "system"], sort=False)["score"].mean().rename(seeds, level="system")
    means = means.groupby(["metric", "system"], sort=False).mean()
    groups = means.groupby("metric", sort=False)
    table = groups.agg(mean="mean", spread=lambda x: x.std(ddof=0), systems="count", undefined="size")
    return table.assign(undefined=table["undefined"] - table["systems"]).reset_index()


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
    for candidate, topic_references in comparisons(candidates, references):
        if (article := articles.get(candidate.topic)) is None:
            problem = f"topic {candidate.topic!r} has no article to look for keywords in"
            raise InputError(problem, remedy="Give the article of every topic among the sources.")
        for metric in metrics:
            keywords = metric.keywords(topic_references, article)
            key = metric, candidate.topic, keywords
            if key not in in_article:
                in_article[key] = metric.found(keywords, article)
            labels = metric.name, candidate.topic, candidate.system
            matches = zip(keywords, in_article[key], metric.found(keywords, candidate), strict=True)
            rows += [(*labels, " ".join(keyword), len(keyword), *flags) for keyword, *flags in matches]
            rows += [] if keywords else [(*labels, *[pd.NA] * 4)]
    columns = ["metric", "topic", "system", "keyword", "length", "in_source", "found"]
    table = pd.DataFrame(rows, columns=columns)
    return table.astype({"length": "Int64", "in_source": "boolean", "found": "boolean"})


def keyword_recall(matches: pd.DataFrame, by: str) -> pd.DataFrame:
    """ROUGE-K by kind of keyword, as in the paper's Table 9 (``in_source``) and Figure 2 (``length``).

    ``matches`` is of `keyword_matches`, ``by`` one of the two columns. ``recall`` is the mean over the
    system's ``summaries`` of topics that have keywords of the kind; ``undefined`` counts those of topics that
    have none, ``keywords`` the kind's in all topics. A metric without any keyword has rows without recall and
    length.
    """
    rows = []
    for metric, metric_matches in matches.groupby("metric", sort=False):
        lengths_found = sorted(metric_matches["length"].dropna().unique())
        kinds = [True, False] if by == "in_source" else lengths_found or [pd.NA]
        for system, group in metric_matches.groupby("system", sort=False):
            topics = group["topic"].nunique()
            for kind in kinds:
                kind_matches = group[(group[by] == kind).fillna(False)]
                recalls = kind_matches.groupby("topic")["found"].mean()
                mean = float(recalls.mean()) if len(recalls) else np.nan
                counts = len(recalls), topics - len(recalls), len(kind_matches)
                rows.append((metric, system, kind, mean, *counts))
    columns = ["metric", "system", by, "recall", "summaries", "undefined", "keywords"]
    return pd.DataFrame(rows, columns=columns)
