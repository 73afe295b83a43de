"""Comparison of the published correlations with the reproduced ones.

``resources/published/*.tsv`` holds the numbers of the paper as printed, one row per pair of metrics. They are
numbers of `study.published.PAPERS_BENCHMARK`; a study of another benchmark is not compared with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import PurePath

import pandas as pd

from sera.errors import InputError
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.correlate import WHY
from sera.evaluation.tables import format_table, has_published, read_tsv


def read_published(path: str | PathLike[str]) -> pd.DataFrame:
    """Read a published table: metric, against, pearson, spearman, kendall; in the order of the paper.

    InputError if it has other columns.
    """
    table = read_tsv(path, comment="#")
    columns = ["metric", "against", *CORRELATIONS]
    if list(table.columns) != columns:
        remedy = f"Give it the columns {', '.join(columns)}."
        raise InputError(f"has the columns {', '.join(table.columns)}", path=path, remedy=remedy)
    return table


def keep_metrics(published: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """The rows whose metric is among the names: a study in another language has not all of the paper's."""
    return published[published["metric"].isin(set(names))].reset_index(drop=True)


def read_of_dataset(path: str | PathLike[str], benchmark: str) -> pd.DataFrame:
    """Read the rows for one data set, or a folder of its name, from a published table of several."""
    table = read_tsv(path, comment="#", columns=["dataset"], texts=["dataset", "metric", "against", "split"])
    return table[table["dataset"] == PurePath(benchmark).name].drop(columns="dataset")


PEOPLES_PYRAMIDS = ("modified_pyramid", "pyramid")  # NIST's name, and that of other tables of judgements
S3_PRINTED = {"s3_table1": ("s3_table1", "s3_table2"), "s3_table3": ("s3_table3",)}
"""The files of the paper's values by our table: its Table 2 is Table 1 for another data set."""


def add_published_s3(published: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """A table with the values of `read_of_dataset` as columns ``<column>_s3``; their metrics come first.

    Their Pyramid is also what judgements name by one of `PEOPLES_PYRAMIDS`.
    """
    if not len(published):
        return table
    tables = [
        published.replace({"metric": {"Pyramid": name}, "against": {"Pyramid": name}})
        for name in ("Pyramid", *PEOPLES_PYRAMIDS)
    ]
    published = pd.concat(tables, ignore_index=True).drop_duplicates(["metric", "against"])
    columns = {name: f"{name}_s3" for name in published.columns if name not in ("metric", "against")}
    result = table.merge(published.rename(columns=columns), on=["metric", "against"], how="left")
    places = {name: place for place, name in enumerate(dict.fromkeys(published["metric"]))}
    return result.sort_values("metric", key=lambda names: names.map(places), kind="stable", ignore_index=True)


def add_published_table4(published: pd.DataFrame, table: pd.DataFrame) -> pd.DataFrame:
    """Tables of `keyword_tables.keyword_statistics`, with the paper's values as columns ``<column>_paper``.

    The paper's keywords are those of ``second="title-always"``. A split of the paper that ``table`` lacks is
    a row without our values.
    """
    if not len(published):
        return table
    columns = {name: f"{name}_paper" for name in published.columns if name != "split"}
    paper_rows = published.rename(columns=columns).assign(second="title-always")
    result = table.merge(paper_rows, on=["split", "second"], how="left")
    return pd.concat([result, paper_rows[~paper_rows["split"].isin(table["split"])]], ignore_index=True)


def judged_pairs(published: pd.DataFrame, judgements: Sequence[str]) -> pd.DataFrame:
    """The pairs of a published table without its numbers; each judgement replaces Pyramid."""
    others = published[published["against"] != "Pyramid"]
    paper = published[published["against"] == "Pyramid"]
    table = pd.concat([*(paper.assign(against=judgement) for judgement in judgements), others])
    return table.drop(columns=list(CORRELATIONS)).reset_index(drop=True)


def join_published(published: pd.DataFrame, reproduced: pd.DataFrame) -> pd.DataFrame:
    """The rows of a published table with reproduced values, published values, and their difference.

    ``reproduced`` is a table of `sera.evaluation.correlate.correlate`. A table of `judged_pairs` has neither
    published values nor differences.
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


def readable_comparison(table: pd.DataFrame) -> pd.DataFrame:
    """A table of `join_published` as text: coefficients, intervals and, if known, the paper's numbers."""
    parts = ["", "_low", "_high", *(["_paper", "_difference"] if has_published(table) else [])]
    keys = ["metric", *(["against"] if table["against"].nunique() > 1 else [])]
    columns = [*keys, *(f"{name}{part}" for name in CORRELATIONS for part in parts), WHY]
    return format_table(table.reindex(columns=[name for name in columns if name in table]))


def compare_studies(own: pd.DataFrame, others: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """A row per further study and pair (metric, against) that both studies have.

    ``<coefficient>_study`` is the further study's, ``<coefficient>_change`` what it is above this one's.
    """
    keys = ["metric", "against"]
    ours = own[[*keys, *CORRELATIONS]]
    tables = {
        study: ours.merge(other[ours.columns], on=keys, suffixes=("", "_study"), validate="one_to_one")
        for study, other in others.items()
    }
    table = pd.concat(tables, names=["study"]).reset_index("study")
    for name in CORRELATIONS:
        table[f"{name}_change"] = table[f"{name}_study"] - table[name]
    columns = [f"{name}{end}" for name in CORRELATIONS for end in ("", "_study", "_change")]
    return table[["study", *keys, *columns]].reset_index(drop=True)
