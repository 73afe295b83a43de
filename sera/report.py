"""The page that shows what a run found: one file, no network."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd
import yaml

from sera import __version__
from sera.coefficients import CORRELATIONS
from sera.corpora.pmc_oa import unreadable_reasons
from sera.files import writing
from sera.paper import caption
from sera.scoring import read_scores
from sera.tables import read_tsv, readable

PACKAGES = ("snakemake", "sumy", "scikit-learn", "scipy", "numpy", "pandas", "textblob", "syntok", "lxml")


def write_report(
    path: str | PathLike[str],
    template: str | PathLike[str],
    *,
    files: Mapping[str, str],
    settings: Mapping[str, Any],
    benchmark: str,
    judgement: str = "Pyramid",
) -> None:
    """Fill the page's template from the result files and write it.

    ``files`` names ``table2``, ``table3``, ``thresholds``, ``figure1``, ``unreadable``, ``summaries`` and
    ``scores``; ``settings`` are shown as they are.
    """
    tables = {name: read_tsv(files[name]) for name in ("table2", "table3")}
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    page = environment.from_string(Path(template).read_text(encoding="utf-8")).render(
        benchmark=benchmark,
        headline=headline(tables["table2"]),
        captions={name: caption(name, benchmark, judgement) for name in ("table2", "table3", "figure1")},
        tables={name: _html(readable(table)) for name, table in tables.items()},
        thresholds=_html(_by_threshold(read_tsv(files["thresholds"]))) if "thresholds" in files else "",
        figure=_inline(Path(files["figure1"]).read_text(encoding="utf-8")),
        means=_html(_system_means(read_scores(files["scores"]))),
        unreadable=unreadable_reasons(files["unreadable"]),
        settings=yaml.safe_dump(dict(settings), sort_keys=True, allow_unicode=True),
        versions={
            "sera": __version__,
            "Python": platform.python_version(),
            **{p: version(p) for p in PACKAGES},
        },
    )
    with writing(path) as stream:
        stream.write(page)


def headline(table2: pd.DataFrame) -> dict[str, Any]:
    """The best ROUGE and the best SERA by each coefficient, with their values, and over how many systems.

    None where a family has no defined coefficient.
    """
    best: dict[str, Any] = {"systems": int(table2["systems"].max()), "topics": int(table2["topics"].max())}
    for family in ("ROUGE", "SERA"):
        rows = table2[table2["metric"].str.startswith(f"{family}-")].set_index("metric")
        for name in CORRELATIONS:
            defined = rows[name].dropna()
            best[f"{family}_{name}"] = (defined.idxmax(), defined.max()) if len(defined) else None
    best["undefined"] = int(table2[list(CORRELATIONS)].isna().any(axis=1).sum())
    return best


def _by_threshold(table: pd.DataFrame) -> pd.DataFrame:
    """One row a metric, one column a threshold: Spearman's rho."""
    wide = table.pivot(index="metric", columns="threshold", values="spearman").reindex(
        table["metric"].unique()
    )
    wide = wide.map(lambda value: "undefined" if pd.isna(value) else f"{value:.3f}".replace("-", "−"))
    return (
        wide.rename(columns=lambda threshold: f"ρ at {threshold:g}").rename_axis(columns=None).reset_index()
    )


def _system_means(scores: pd.DataFrame) -> pd.DataFrame:
    """Mean scores of every system by a few metrics, the best by Pyramid first."""
    shown = ["Pyramid", "ROUGE-1-F", "ROUGE-2-F", "ROUGE-L-F", "SERA-5", "SERA-10", "SERA-NP-5", "SERA-KW-5"]
    means = scores[scores["metric"].isin(shown)].pivot_table(index="system", columns="metric", values="score")
    means = means.reindex(columns=[name for name in shown if name in means])
    means = means.sort_values(means.columns[0], ascending=False, kind="stable")
    means = means.map(lambda value: "undefined" if pd.isna(value) else f"{value:.3f}")
    return means.rename_axis(columns=None).reset_index()


def _html(table: pd.DataFrame) -> str:
    return table.to_html(index=False, border=0, escape=True)


def _inline(svg: str) -> str:
    """An SVG file's element, without the declarations in front of it."""
    return svg[svg.index("<svg") :]
