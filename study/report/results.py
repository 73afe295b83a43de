"""What `python -m study` prints of results, keeps of them as expected numbers, and copies for the repository.

A study's results are in the folder `settings.results_folder`, the audit's and the matrix's beside it. A
missing result is an InputError whose remedy names the command that makes it.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from sera.benchmarks import load_benchmark, resolve
from sera.errors import InputError
from sera.evaluation.correlate import why_lines
from sera.evaluation.tables import (
    align_table,
    format_table,
    has_published,
    read_tsv,
    readable_table4,
    shorten_comparison,
)
from sera.io import tsv
from sera.io.files import read_json
from sera.io.records import HUMAN
from sera.io.scores import read_scores
from sera.metrics import catalogue_names, family_of
from sera.metrics.notes import signature_lines, undefined_lines
from sera.metrics.scoring import LEFT_OUT_COLUMNS
from sera.reporting.page import number
from sera.retrieval.engines import count_documents
from sera.summarizers import SUMMARIZERS
from study.multiverse.answers import read_answer
from study.multiverse.page import verdicts
from study.published import PAPERS_BENCHMARK, RELEASED, comparison
from study.report.facts import study_headline, unreadable_reasons
from study.settings.settings import describe_changes, read_config, results_folder, study_name

CHECKOUT = Path(__file__).resolve().parents[2]
"""The folder of the code, which has the expected numbers and the documentation."""

AUDIT, MULTIVERSE, MATRIX = ".venv/bin/snakemake --cores 1 audit", "make multiverse", "make matrix"
"""The commands that make other results than those of a study."""


def require_file(folder: Path, name: str, command: str = "make reproduce") -> Path:
    """The path of a result; InputError, which names the command that makes it, if there is none."""
    if (folder / name).exists():
        return folder / name
    missing = f"has no results: {name} is missing" if folder.is_dir() else "there are no results"
    remedy = f"Run `{command}` first, or name another folder with --results."
    raise InputError(missing, path=folder, remedy=remedy)


def results_lines(settings: Mapping[str, Any]) -> Iterator[str]:
    """Table 2 of a study, what was left out, changed settings, moved numbers, and where the results are."""
    folder = results_folder(settings)
    table = None
    # a finished study without judgements has the keywords alone
    if not (folder / "tables/rougek_table5.tsv").exists() or (folder / "tables/table2.tsv").exists():
        table = read_tsv(require_file(folder, "tables/table2.tsv"))
    record = read_json(require_file(folder, "provenance.json"))
    yield from _lines_without_judgements(folder) if table is None else _table2_lines(folder, table)
    if texts := load_benchmark(resolve(settings["benchmark"])[0]).HAS_TEXTS:
        yield from _left_out(folder, record["settings"])
    if changes := describe_changes(record["settings"], read_config()):
        yield f"Settings that differ from config.yaml: {', '.join(changes)}"
    name = f"resources/expected/{comparison.expected_name(study_name(settings))}.tsv"
    if table is not None and (CHECKOUT / name).is_file():
        if not texts:  # the origin of the scores
            record = read_json(Path(settings["data"] or CHECKOUT / RELEASED, "provenance.json"))
        yield from _movements(name, table, comparison.table2_settings(record), _data(folder, settings, table))
    yield ""
    if table is not None:
        yield from result_lines(table)
    yield f"Tables: {folder}/tables, figures: {folder}/figures, scores: {folder}/scores.tsv"
    yield f"Report: {folder}/report.html"
    can_have_one = settings["benchmark"] in ("demo", PAPERS_BENCHMARK)
    if can_have_one and not (folder / "multiverse/universes.tsv").exists():
        yield "More: `make multiverse` (does the answer depend on our choices? about 15 minutes)"


def result_lines(table: pd.DataFrame) -> Iterator[str]:
    """A line for each judgement of Table 2: the mean rho of SERA and of ROUGE, and the best of each."""
    for against in table["against"].unique():
        found = study_headline(table, against)
        parts = []
        for family in ("SERA", "ROUGE"):
            mean, best = (found[name][family] for name in ("means", "best"))
            published = found.get("means_paper", {}).get(family)
            if best is None:
                continue
            paper = f" (published {number(published)})" if pd.notna(published) else ""
            first, *tied = best["metrics"]
            more = f" and {len(tied)} more, tied at" if tied else ""
            parts.append(f"{family} {number(mean)}{paper}, best {first}{more} {number(best['value'])}")
        what = "; ".join(parts) or "undefined for SERA and ROUGE"
        yield f"Mean Spearman's ρ with {against} over systems: {what}"


def audit_lines(results: Path) -> Iterator[str]:
    """The audit's summary, and the folder of its results."""
    from study.published.audit import SUMMARY_LEGEND, SUMMARY_TITLE, format_summary  # slow to import

    counts = read_tsv(require_file(results / "audit", "summary.tsv", AUDIT))
    yield from (SUMMARY_TITLE, "", align_table(format_summary(counts)), "", SUMMARY_LEGEND)
    yield f"Every row, the joint search and the figure: {results}/audit"


def multiverse_lines(study: Path) -> Iterator[str]:
    """The share of universes in which each claim holds, and the folder of the results.

    ``study`` is the folder of a study's results, which has the multiverse's in ``multiverse``.
    """
    folder = study / "multiverse"
    claims, null, universes = (
        read_answer(require_file(folder, f"{name}.tsv", MULTIVERSE))
        for name in ("claims", "null", "universes")
    )
    keys = ["question", "claim", "coefficient"]
    claims = claims.merge(null[[*keys, "null_share", "p_share", "p_share_contrary"]], on=keys, how="left")
    yield f"Shares of {claims['universes'].max()} universes in which each claim of the paper holds"
    columns = ["claim", "coefficient", "effect_50", "share", "low", "high", "null_share", "undefined"]
    if "synthetic" not in str(claims["benchmark"][0]):  # on generated summaries, a claim has no verdict
        columns.append("verdict")
    for question, of in claims.groupby("question", sort=False):
        of = of.assign(verdict=verdicts(of, universes[universes["question"] == question]))
        shown = of[columns].rename(columns={"low": "share_low", "high": "share_high"})
        yield from ("", f"Question: ranking {question}", align_table(format_table(shown)))
    yield from ("", f"In words: {folder}/replication.md; tables and figures beside it")


def matrix_lines(results: Path) -> Iterator[str]:
    """The overview and the pooled effects of the matrix, and its page."""
    folder = results / "matrix"
    overview = read_tsv(require_file(folder, "overview.tsv", MATRIX))
    pooled = read_tsv(require_file(folder, "meta.tsv", MATRIX))[
        ["question", "contrast", "effect", "low", "high"]
    ]
    pooled = pooled.rename(columns={"low": "effect_low", "high": "effect_high"})
    yield align_table(format_table(overview.drop(columns="benchmark")))
    yield from ("", "SERA less ROUGE in Spearman's ρ, pooled over benchmarks")
    yield align_table(format_table(pooled))
    yield from ("", f"Document: {folder}/matrix.md; tables and figures beside it")


def publish_multiverse(study: Path, target: Path) -> Iterator[Path]:
    """Copy the multiverse's page and its figures as PNG to a folder; yields the files."""
    folder = study / "multiverse"
    yield _copy(require_file(folder, "replication.md", MULTIVERSE), target / "replication.md")
    for path in sorted((folder / "figures").glob("*.png")):
        yield _copy(path, target / "figures" / path.name)


def publish_matrix(results: Path, target: Path) -> Iterator[Path]:
    """Copy the page matrix.md and its figure to a folder; yields the files."""
    for name in ("matrix.md", "figures/forest.svg"):
        yield _copy(require_file(results / "matrix", name, MATRIX), target / name)


def _copy(path: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    return shutil.copyfile(path, target)


def keep_expected(settings: Mapping[str, Any]) -> Path:
    """Keep Table 2 as the expected numbers of its benchmark, with its data and settings: the file."""
    folder = results_folder(settings)
    record = read_json(require_file(folder, "provenance.json"))
    table = read_tsv(require_file(folder, "tables/table2.tsv"))
    path = CHECKOUT / "resources/expected" / f"{study_name(settings)}.tsv"
    comparison.write_expected(path, table, comparison.table2_settings(record), _data(folder, settings, table))
    return path


def _table2_lines(folder: Path, table: pd.DataFrame) -> Iterator[str]:
    """Table 2, why correlations of it are undefined, and the notes on its metrics."""
    count = f"{table['systems'].max():g} systems, {table['topics'].max():g} topics"
    by = " and ".join(table["against"].unique())
    benchmark, published = table["benchmark"][0], has_published(table)
    title = "Table 2, correlation" if published or "synthetic" in benchmark else "Correlation"
    columns = ": reproduced, published, difference" if published else ""
    yield from ("", f"{title} with {by} over {count}{columns}")
    yield from (f"Benchmark: {benchmark}", "", shorten_comparison(table), "")
    yield from why_lines(table)
    shown = {*table["metric"], *table["against"]}
    yield from signature_lines(require_file(folder, "signatures.tsv"), shown)


def _lines_without_judgements(folder: Path) -> Iterator[str]:
    """The keywords beside ROUGE-K's paper, and the systems' means."""
    means, keywords = (read_tsv(require_file(folder, f"tables/rougek_table{n}.tsv")) for n in (5, 4))
    wide = means.pivot(index="system", columns="metric", values="mean")[means["metric"].unique()]
    yield from ("", "Mean scores of the systems (R-1, R-2 and R-L are the ROUGE of ROUGE-K's paper)")
    yield from (f"Benchmark: {means['benchmark'][0]}", "")
    yield wide.sort_values("R-1", ascending=False).round(3).to_string(na_rep="undefined")
    yield from ("", "Keywords, as in Table 4 of ROUGE-K's paper (printed values in brackets)", "")
    yield align_table(readable_table4(keywords))
    yield from ("", "The benchmark has no judgements and no content units: nothing is correlated.")


def _left_out(folder: Path, made: Mapping[str, Any]) -> Iterator[str]:
    """The articles, the systems and the metrics that the study left out, with the reason."""
    file = "corpus/unreadable.tsv"
    counts = unreadable_reasons(require_file(folder, file))
    reasons = ", ".join(f"{count} {reason}" for reason, count in counts.items()) or "none"
    yield f"Articles left out: {reasons} (see {folder}/{file})"
    scores = read_scores(require_file(folder, "scores.tsv"))
    yield from _systems_left_out(set(scores["system"]), made)
    left_out = tsv.read(require_file(folder, "scores/left_out.tsv"), LEFT_OUT_COLUMNS)
    why = dict(zip(left_out["metric"], left_out["reason"], strict=True))
    scored = set(scores["metric"])
    groups: dict[str, list[str]] = {}
    for name in [name for name in catalogue_names() if name not in scored]:
        if family_of(name) == "Pyramid":
            groups.setdefault("no content units are marked", []).append(name)
        elif name in why:
            groups.setdefault(why[name], []).append(name)
    for reason, names in groups.items():
        yield f"Metrics left out: {', '.join(names)}: {reason}"
    for line in undefined_lines(scores):
        yield f"Scores left out: {line}"


def _systems_left_out(scored: Collection[str], made: Mapping[str, Any]) -> Iterator[str]:
    """The systems of the settings that cannot be had, unless the benchmark brings its own."""
    named = [name for name in made.get("systems", ()) if name in SUMMARIZERS]
    absent = [name for name in named if name not in scored]
    if absent and len(absent) < len(named):
        yield f"Systems left out: {', '.join(absent)}: without citances, or for another language"
        if "human" in made.get("baselines", ()) and not any(name.startswith(HUMAN) for name in scored):
            yield "Systems left out: human: no topic has a second reference to compare a human summary with"


def _data(folder: Path, settings: Mapping[str, Any], table: pd.DataFrame) -> str:
    """The data of a study in words."""
    index = folder / "index/whole"  # large, so that a user may have deleted it
    documents = count_documents(index) if index.exists() else None
    registered, _ = resolve(settings["benchmark"])
    return comparison.describe_data(table, documents, load_benchmark(registered).RELEASE)


def _movements(name: str, table: pd.DataFrame, made: Mapping[str, Any], data: str) -> Iterator[str]:
    """How Table 2 compares with the expected numbers, which are in the file ``name``."""
    found = comparison.compare_expected(CHECKOUT / name, table, made, data)
    if found["not_compared"]:
        yield f"\nTable 2 is not compared with the numbers expected of it ({name}): {found['not_compared']}."
        return
    yield f"\nTable 2 beside the numbers expected of it ({name}):"
    yield ", ".join(f"{count} {verdict}" for verdict, count in found["counts"].items())
    if len(moved := found["moved"]):
        moved = moved.drop(columns="against")
        yield moved.to_string(index=False, float_format="{:.3f}".format, na_rep="undefined")
