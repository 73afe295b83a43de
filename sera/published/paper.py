"""Comparison of the published correlations with the reproduced ones.

``resources/published/*.tsv`` holds the numbers of the paper as printed, one row per pair of metrics. They are
numbers of one benchmark, `PAPERS_BENCHMARK`; a study of another one is not compared with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from os import PathLike
from pathlib import PurePath

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import read_tsv


def read_published(path: str | PathLike[str]) -> pd.DataFrame:
    """Read a published table: metric, against, pearson, spearman, kendall; in the order of the paper.

    InputError if it has other columns.
    """
    table = read_tsv(path, comment="#")
    expected = ["metric", "against", *CORRELATIONS]
    if list(table.columns) != expected:
        raise InputError(
            f"has the columns {', '.join(table.columns)}",
            path=path,
            remedy=f"Give it the columns {', '.join(expected)}.",
        )
    return table


def of_metrics(published: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """The rows of `read_published` whose metric is among the names.

    A study in another language than English has not all metrics of the paper.
    """
    return published[published["metric"].isin(set(names))].reset_index(drop=True)


PAPERS_BENCHMARK = "tac2014"
"""The benchmark of the published numbers."""

FIGURE1 = {"figure1": "spearman", "figure1_pearson": "pearson", "figure1_kendall": "kendall"}
"""Figure 1 and its twins, which the paper describes as "very similar graphs", by the coefficient."""

CAPTIONS = {
    "table2": "Table 2. Correlation of ROUGE and SERA with {judgement} scores over systems: reproduced with "
    "its interval over {over}, as published, and the difference.",
    "table3": "Table 3. Correlation of SERA with ROUGE-2-F and ROUGE-3-F over systems: reproduced with its "
    "interval over {over}, as published, and the difference.",
    "system_level": "Correlation with judgements over the systems' means, with intervals over {over}.",
    "summary_level": "Correlation with judgements over the systems of a topic, mean over topics, with "
    "intervals over {over}; the share of topics on which a metric fails.",
    "global_level": "Correlation with judgements over all summaries, with intervals over {over}.",
    "differences": "Differences between two metrics' correlations with judgements, and their significance. "
    "Williams' test is of r alone.",
    "discrimination": "Share of the pairs of systems that a metric and the judgement distinguish (Wilcoxon's "
    "signed-rank test over topics, p of at most 0.05 after Holm's correction; uncorrected: before it).",
    "top_systems": "Correlation with judgements over the means of the best systems alone.",
    "s3_table1": "Correlation with judgements at the summary level, as in Table 1 of Peyrard et al. (2017).",
    "s3_table3": "Share of topics on which a metric fails, as in Table 3 of Peyrard et al. (2017).",
    "s3_distribution": "Number of topics on which the correlation of a metric with judgements is above a "
    "value, in absolute values, as section 4.3 of Peyrard et al. (2017) describes.",
    "pairwise": "Pairs of systems, or of summaries, that metrics and judgements rank alike: accuracy with "
    "intervals over {over}, soft pairwise accuracy, close pairs, tie-calibrated accuracy (acc_eq).",
    "clusters": "Ranks of metrics by their correlation with judgements over the systems' means, and clusters "
    "that a paired permutation test does not distinguish (one-sided, p of at most 0.05, uncorrected).",
    "power": "An extrapolation by resampling: the chance that a test finds a difference of 0.05 between two "
    "metrics' correlations over the systems' means, and the least difference found with a chance of 0.8.",
    "partial": "Correlation with judgements that takes out length and extractiveness of the summaries.",
    "judges": "Agreement of judges: Krippendorff's alpha, with intervals over topics.",
    "ceilings": "Correlation of a judge with the mean of the others, mean over judges, with intervals over "
    "{over}, and over judges.",
    "system_level_judges": "Correlation with judgements over the systems' means, with intervals over {over}, "
    "and over judges.",
    "preferences": "Share of people's preferences between two summaries of a topic in which a metric prefers "
    "the same one, with intervals over what the column resampled names; with_ties counts ties as a third "
    "answer.",
    "strengths": "Strengths of systems by people's preferences (Bradley and Terry's model, with Davidson's "
    "ties): natural logarithms, mean 0.",
    "table_claims": "The paper's sentences on Tables 2 and 3 and on Figure 1, each above 0 if it holds: by "
    "this study's correlations with {judgement}, and by the printed ones.",
    "spectrum": "Correlation with judgements over sampled summaries of the whole range of a metric's scores, "
    "mean over topics, with intervals over topics.",
    "studies": "The correlations of Table 2 in this study and in further studies of the run, and the change.",
    "truth": "Correlation with the true Pyramid scores, by the drift of the candidates' wording and the "
    "number of articles indexed (0: the metric does not search).",
    "truth_figure": "Correlation (Spearman's ρ) of metrics with the true score, {judgement}.",
    "pyramid_threshold": "Correlation with {judgement} by the share of a nugget that has to be there.",
    "rougek_keywords": "The keywords of each topic, by the metric that finds them.",
    "rougek_errors": "Keywords that people marked as wrong: mean number a topic, and share.",
    "rougek_table3": "Agreement of metrics with preferences: the share of pairs whose preferred summary "
    "has the better score.",
    "rougek_table4": "Sizes of the data, and number and length of the keywords of ROUGE-K.",
    "rougek_table5": "Mean scores of the systems by ROUGE and ROUGE-K, and mean number of words of their "
    "summaries.",
    "rougek_table6": "Pearson's r between scores and the number of words, over summaries.",
    "rougek_table7": "Pearson's r between ROUGE-K and other metrics, over summaries.",
    "rougek_table8": "How far systems are apart: standard deviation of their mean scores.",
    "rougek_table8_pairs": "Differences of the systems' mean scores, and their significance (permutation "
    "test over topics; p of at most 0.05 after Holm's correction over the pairs of systems).",
    "rougek_table9": "Share of keywords found, by whether they stand in the article.",
    "rougek_figure2": "Share of keywords found, by their length in words.",
    "figure1": "Figure 1. Spearman correlation of SERA with {judgement} by rank cut-off.",
    "figure1_pearson": "Twin of Figure 1: Pearson correlation of SERA with {judgement} by rank cut-off.",
    "figure1_kendall": "Twin of Figure 1: Kendall correlation of SERA with {judgement} by rank cut-off.",
    "comparison": "Correlation of ROUGE and SERA with {judgement} over systems: what was reproduced with its "
    "interval over {over}, and what was published.",
    "scatter": "Systems by {judgement} and by other metrics, means over topics; each point is a system.",
    "moulin_rouge": "Systems by the content and the abstraction of their summaries, means over topics; lines "
    "join equal scores of MOULIN ROUGE, and each number is a system.",
    "metrics": "How far metrics rank the systems alike: Spearman correlation between any two of them.",
    "sensitivity": "What choices do to Spearman's correlation with {judgement}.",
    "claims": "The paper's claims: what its own table and this project's settings decide, and the share of "
    "the universes in which each holds, with its interval over topics.",
    "null": "Each claim beside permuted judgements: median effect and share of the universes, with p and "
    "Holm's correction (Simonsohn, Simmons & Nelson 2020).",
    "exchange": "SERA's mean correlation with {judgement} less ROUGE's, beside exchanges of their scores: "
    "median effect and share of the universes, with p for SERA and for the contrary and Holm's correction "
    "(after Deutsch, Dror & Roth 2021).",
    "choices": "The paper's claims by the value of each choice: the share of its universes in which each "
    "holds, and the mean effect.",
    "variance": "The share of the variance of each claim's effect that a choice explains by itself (epsilon "
    "squared).",
    "systems": "When a single system leaves: the mean correlation with {judgement} of ROUGE's and of SERA's "
    "variants with it, the change without it, the share of the universes in which it carries the "
    "correlation, and the share that decide otherwise whether SERA is ahead.",
    "outliers": "Mean correlation with {judgement} in the universes that have outlying systems, with these "
    "and without.",
    "agreement": "Agreement of a metric's rankings of the systems under two settings that differ in one "
    "choice: the mean correlation, its 5th percentile, and the share with the same best system.",
    "index_sizes": "Mean correlation with {judgement} of SERA's twelve variants and of ROUGE's 21, by the "
    "articles in the index: mean and standard deviation over draws.",
    "index_kinds": "How far the mean correlation with {judgement} of SERA's variants differs between two "
    "kinds of articles in the index, at the same number, with intervals over topics and draws.",
    "index_curve": "An extrapolation, by two models that are assumed: the mean correlation with {judgement} "
    "of SERA's variants in an index of more articles than there are, its change from all articles, and how "
    "far it is ahead of ROUGE's, with intervals over topics and draws.",
}

_ALONE = {
    "table2": "Correlation of ROUGE and SERA with {judgement} over systems, with intervals over {over}.",
    "table3": "Correlation of SERA with ROUGE-2-F and ROUGE-3-F over systems, with intervals over {over}.",
    "figure1": "Spearman correlation of SERA with {judgement} by rank cut-off.",
    "figure1_pearson": "Pearson correlation of SERA with {judgement} by rank cut-off.",
    "figure1_kendall": "Kendall correlation of SERA with {judgement} by rank cut-off.",
    "comparison": "Correlation of metrics with {judgement} over systems, with intervals over {over}.",
}
"""The captions of tables and figures that are not compared with the paper's."""


def read_published_s3(path: str | PathLike[str], benchmark: str) -> pd.DataFrame:
    """Read the rows for one benchmark from a table of Peyrard et al. (2017): metric, against, its columns.

    ``benchmark`` is ``tac2008``, ``tac2009`` or ``dbs`` (Table 2), or a folder with this name; others have no
    rows. InputError if one of the columns dataset, metric and against is missing.
    """
    texts = ["dataset", "metric", "against"]
    table = read_tsv(path, comment="#", columns=texts, texts=texts)
    return table[table["dataset"] == PurePath(benchmark).name].drop(columns="dataset")


PEOPLES_PYRAMIDS = ("modified_pyramid", "pyramid")
"""People's Pyramid scores: NIST's name (`sera.benchmarks.nist`), and that of other tables of judgements."""

S3_PRINTED = {"s3_table1": ("s3_table1", "s3_table2"), "s3_table3": ("s3_table3",)}
"""The files of the paper's values by our table: its Table 2 is Table 1 for another data set."""


def beside_s3(published: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """A table with the values of `read_published_s3` as columns ``<column>_s3``; their metrics come first.

    The published values have no sign. Their Pyramid, as a metric too, is also what judgements name by one of
    `PEOPLES_PYRAMIDS`. Without published values for the benchmark, the table does not change.
    """
    if not len(published):
        return table
    named = [
        published.replace({"metric": {"Pyramid": name}, "against": {"Pyramid": name}})
        for name in ("Pyramid", *PEOPLES_PYRAMIDS)
    ]
    published = pd.concat(named, ignore_index=True).drop_duplicates(["metric", "against"])
    columns = {name: f"{name}_s3" for name in published.columns if name not in ("metric", "against")}
    joined = table.merge(published.rename(columns=columns), on=["metric", "against"], how="left")
    places = {name: place for place, name in enumerate(dict.fromkeys(published["metric"]))}
    return joined.sort_values("metric", key=lambda names: names.map(places), kind="stable", ignore_index=True)


def read_published_table4(path: str | PathLike[str], benchmark: str) -> pd.DataFrame:
    """Read the rows for one data set from Table 4 of ROUGE-K's paper: split, and its columns.

    ``benchmark`` is its registered name; one that the paper does not have gives no rows.
    InputError if one of the columns dataset and split is missing.
    """
    texts = ["dataset", "split"]
    table = read_tsv(path, comment="#", columns=texts, texts=texts)
    return table[table["dataset"] == benchmark].drop(columns="dataset")


def beside_table4(published: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Tables of `keyword_tables.keyword_statistics`, with the paper's values as columns ``<column>_paper``.

    The paper's keywords are those of ``second="title-always"``, and its values stand in these rows alone. A
    split of the paper that ``table`` lacks is a row without our values. Without published values, the table
    does not change.
    """
    if not len(published):
        return table
    columns = {name: f"{name}_paper" for name in published.columns if name != "split"}
    of_paper = published.rename(columns=columns).assign(second="title-always")
    beside = table.merge(of_paper, on=["split", "second"], how="left")
    return pd.concat([beside, of_paper[~of_paper["split"].isin(table["split"])]], ignore_index=True)


_TABLE4 = (
    "documents",
    "document_words",
    "summary_words",
    "compression",
    "texts",
    "keywords",
    "keyword_words",
)


def readable_table4(table: pd.DataFrame) -> pd.DataFrame:
    """A table of `beside_table4` as text: the paper's value in brackets, – where there is none of ours."""
    columns = {"split": table["split"], "second text": table["second"]}
    for name in _TABLE4:
        printed = table.get(f"{name}_paper", pd.Series(np.nan, table.index))
        columns[name.replace("_", " ")] = [
            " ".join([_short(ours), *([f"({_short(theirs)})"] if pd.notna(theirs) else [])])
            for ours, theirs in zip(table[name], printed, strict=True)
        ]
    return pd.DataFrame(columns)


def _short(value: float) -> str:
    return "–" if pd.isna(value) else f"{value:.2f}".removesuffix("0").removesuffix(".0")


def caption(
    item: str, benchmark: str, judgement: str = "Pyramid", *, compared: bool = True, over: str = "topics"
) -> str:
    """The caption of a table or figure, with the benchmark that it was made from.

    ``compared`` is false if the paper has no numbers beside it. ``over`` says what the intervals resample.
    """
    words = CAPTIONS[item] if compared else _ALONE.get(item, CAPTIONS[item])
    warning = "SYNTHETIC data, not comparable with the paper. " if "synthetic" in benchmark else ""
    return f"{warning}{words.format(judgement=judgement, over=over)} Benchmark: {benchmark}."


def in_title(benchmark: str) -> str:
    """A benchmark's label in the title of a figure, where a synthetic one has to be seen at once."""
    return benchmark.replace(" (synthetic)", ", SYNTHETIC")


def elsewhere(published: pd.DataFrame, judgements: Sequence[str]) -> pd.DataFrame:
    """The pairs of a published table, for a benchmark other than the paper's.

    It has no published numbers, and each judgement replaces Pyramid.
    """
    others = published[published["against"] != "Pyramid"]
    paper = published[published["against"] == "Pyramid"]
    table = pd.concat([*(paper.assign(against=judgement) for judgement in judgements), others])
    return table.drop(columns=list(CORRELATIONS)).reset_index(drop=True)


def beside(published: pd.DataFrame, reproduced: pd.DataFrame) -> pd.DataFrame:
    """The rows of a published table with reproduced values, published values, and their difference.

    ``reproduced`` is a table of `sera.evaluation.correlation.correlate`. An undefined coefficient stays NaN,
    and its difference is NaN. A table of `elsewhere` has neither published values nor differences.
    """
    numbers = [name for name in CORRELATIONS if name in published]
    published = published.rename(columns={name: f"{name}_paper" for name in CORRELATIONS})
    table = published.merge(reproduced, on=["metric", "against"], how="left", validate="one_to_one")
    counts = ["systems", "topics", "undefined", "undefined_draws"]
    table[counts] = table[counts].astype("Int64")  # missing where a metric was not computed
    table["why_undefined"] = table["why_undefined"].fillna("it was not scored")
    for name in numbers:
        table[f"{name}_difference"] = table[name] - table[f"{name}_paper"]
    return table[
        ["metric", *CORRELATIONS, *(f"{name}_paper" for name in numbers), "systems", "against"]
        + [f"{name}_difference" for name in numbers]
        + [f"{name}_{end}" for name in CORRELATIONS for end in ("low", "high")]
        + ["topics", "undefined", "undefined_draws", "why_undefined"]
    ]
