"""What `python -m study` prints of results, keeps of them as expected numbers, and copies for the repository.

A study's results are in the folder `settings.results_folder`, the audit's and the matrix's beside it. A
missing result is an InputError whose remedy names the command that makes it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from sera.benchmarks import load_benchmark, resolve
from sera.errors import InputError
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.correlate import why_lines
from sera.evaluation.tables import (
    SYMBOLS,
    align_table,
    has_published,
    read_tsv,
    readable_table4,
)
from sera.io import tsv
from sera.io.files import read_json, read_text
from sera.io.scores import read_scores, read_signatures
from sera.metrics.notes import signature_lines, undefined_lines
from sera.metrics.scoring import LEFT_OUT_COLUMNS
from sera.reporting.page import number
from sera.retrieval.engines import count_documents
from study.published import (
    KINDS_RELEASED,
    MATRIX_RELEASED,
    PAPERS_BENCHMARK,
    RECOGNITION_RELEASED,
    RELEASED,
    RELEASED_BENCHMARK,
    comparison,
    expected_name,
)
from study.published.tables import readable_comparison
from study.report.answer import say
from study.report.facts import recognised_judgement, study_headline, unreadable_reasons
from study.report.replication import write_released_replication
from study.settings.settings import describe_changes, read_config, results_folder, study_name

CHECKOUT = Path(__file__).resolve().parents[2]
"""The folder of the code, which has the expected numbers and the documentation."""

PAGES = {
    "audit": ("summary.md", ".venv/bin/snakemake --cores 1 audit"),
    "multiverse": ("replication.md", "make multiverse"),
    "matrix": ("matrix.md", "make matrix"),
}
"""The pages of other targets in the folders of their names, and the commands that make them."""


def require_file(folder: Path, name: str, command: str = "make reproduce") -> Path:
    """The path of a result; InputError, which names the command that makes it, if there is none."""
    if (folder / name).exists():
        return folder / name
    problem = f"has no results: {name} is missing" if folder.is_dir() else "no results were found"
    remedy = f"Run `{command}` first, or name another folder: results=FOLDER."
    raise InputError(problem, path=folder, remedy=remedy)


def results_lines(settings: Mapping[str, Any]) -> Iterator[str]:
    """Table 2 of a study, what was left out, changed settings, moved numbers, and where the results are."""
    folder = results_folder(settings)
    table = None
    # a finished study without judgements has the keywords alone
    if not (folder / "tables/rougek_table5.tsv").exists() or (folder / "tables/table2.tsv").exists():
        table = read_tsv(require_file(folder, "tables/table2.tsv"))
    record = read_json(require_file(folder, "provenance.json"))
    yield from _keyword_lines(folder) if table is None else _table2_lines(folder, table)
    if texts := load_benchmark(resolve(settings["benchmark"])[0]).HAS_TEXTS:
        yield from _exclusion_lines(folder)
    if changes := describe_changes(record["settings"], read_config()):
        yield f"Settings that differ from config.yaml: {', '.join(changes)}"
    name = f"resources/expected/{expected_name(study_name(settings))}.tsv"
    if table is not None and (CHECKOUT / name).is_file():
        if not texts:  # the origin of the scores
            record = read_json(Path(settings["data"] or CHECKOUT / RELEASED, "provenance.json"))
        yield from _movements(name, table, comparison.table2_settings(record), _data(folder, settings, table))
    yield ""
    if table is not None:
        yield from result_lines(table)
        yield from _judgement_lines(folder, table)
    yield f"Tables: {folder}/tables, figures: {folder}/figures, scores: {folder}/scores.tsv"
    yield f"Report: {folder}/report.html"
    can_have_one = settings["benchmark"] in ("demo", PAPERS_BENCHMARK)
    if can_have_one and not (folder / "multiverse/universes.tsv").exists():
        yield "More: `make multiverse` (does the answer depend on our choices? about 15 minutes)"


def result_lines(table: pd.DataFrame) -> Iterator[str]:
    """A line for each judgement of Table 2: the mean rho of SERA's variants and of ROUGE's."""
    for judgement in table["against"].unique():
        headline = study_headline(table, judgement)
        parts = []
        for family, mean in headline["means"].items():
            paper_mean = headline.get("means_paper", {}).get(family)
            paper = f" (published {number(paper_mean)})" if pd.notna(paper_mean) else ""
            parts.append(f"{family} {number(mean)}{paper}")
        yield f"Mean Spearman's ρ with {judgement} over systems: {', '.join(parts)}"


def _judgement_lines(folder: Path, table: pd.DataFrame) -> Iterator[str]:
    """Whose judgement it is, where a program made it."""
    signatures = read_signatures(require_file(folder, "signatures.tsv"))
    quality = None if "(synthetic)" in table["benchmark"][0] else CHECKOUT / RECOGNITION_RELEASED
    for judgement in table["against"].unique():
        if made := recognised_judgement(judgement, signatures, quality, people=has_published(table)):
            yield say("whose", made)


def page_lines(settings: Mapping[str, Any], what: str) -> Iterator[str]:
    """The page of the audit, the multiverse or the matrix, as Markdown, and where it is."""
    folder = results_folder(settings) if what == "multiverse" else Path(settings["results"])
    name, command = PAGES[what]
    path = require_file(folder / what, name, command)
    yield read_text(path, f"the page of the {what}").rstrip()
    yield from ("", f"Page: {path}; tables and figures beside it")


def publish_page(settings: Mapping[str, Any], what: str, target: Path) -> Iterator[Path]:
    """Copy the page of the multiverse or the matrix and its figures to a folder; yields the copies.

    For the released scores, the page of the multiverse is made of the released numbers, without figures.
    The tables behind the page of the matrix, whose numbers other pages state, go to resources/released.
    """
    if what == "multiverse" and settings["benchmark"] == RELEASED_BENCHMARK:
        write_released_replication(target / PAGES[what][0], CHECKOUT)
        yield target / PAGES[what][0]
        return
    folder = results_folder(settings) if what == "multiverse" else Path(settings["results"])
    name, command = PAGES[what]
    page = require_file(folder / what, name, command)
    figures = "*.png" if what == "multiverse" else "*.svg"
    copies = {path: target / path.relative_to(page.parent) for path in page.parent.glob(f"figures/{figures}")}
    if what == "matrix":
        released = (CHECKOUT / KINDS_RELEASED).parent
        copies |= {page.with_name(table): released / table for table in MATRIX_RELEASED}
    for path, copy in [(page, target / page.name), *sorted(copies.items())]:
        copy.parent.mkdir(parents=True, exist_ok=True)
        yield shutil.copyfile(path, copy)


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
    names = " and ".join(table["against"].unique())
    benchmark, is_published = table["benchmark"][0], has_published(table)
    title = "Table 2, correlation" if is_published or "(synthetic)" in benchmark else "Correlation"
    columns = ": reproduced, published, difference" if is_published else ""
    yield from ("", f"{title} with {names} over {count}{columns}")
    yield from (f"Benchmark: {benchmark}", "", _shorten_comparison(table), "")
    yield from why_lines(table)
    metrics = {*table["metric"], *table["against"]}
    yield from signature_lines(require_file(folder, "signatures.tsv"), metrics)


def _shorten_comparison(table: pd.DataFrame) -> str:
    """A comparison without intervals, narrow enough for a terminal of 80 columns."""
    cells = readable_comparison(table)
    parts = ("", " paper", " diff.") if has_published(table) else ("",)
    keys = ["metric", *(["against"] if "against" in cells else [])]
    heads = {
        f"{SYMBOLS[name]}{part}": part.strip() or SYMBOLS[name] for name in CORRELATIONS for part in parts
    }
    cells = cells[[*keys, *heads]].set_axis([*keys, *heads.values()], axis=1)
    return align_table(cells, justify="right", formatters={"metric": "{:<14}".format})


def _keyword_lines(folder: Path) -> Iterator[str]:
    """The keywords beside ROUGE-K's paper, which a study without judgements has."""
    yield from ("", "Keywords, as in Table 4 of ROUGE-K's paper (printed values in brackets)", "")
    yield align_table(readable_table4(read_tsv(require_file(folder, "tables/rougek_table4.tsv"))))
    yield from ("", "The benchmark has no judgements and no content units: nothing is correlated.")


def _exclusion_lines(folder: Path) -> Iterator[str]:
    """The articles, the metrics and the scores that the study left out, with the reason."""
    file = "corpus/unreadable.tsv"
    counts = unreadable_reasons(require_file(folder, file))
    reasons = ", ".join(f"{count} {reason}" for reason, count in counts.items()) or "none"
    yield f"Articles left out: {reasons} (see {folder}/{file})"
    exclusions = tsv.read(require_file(folder, "scores/left_out.tsv"), LEFT_OUT_COLUMNS)
    for reason, names in exclusions.groupby("reason", sort=False)["metric"]:
        yield f"Metrics left out: {', '.join(names)}: {reason}"
    for line in undefined_lines(read_scores(require_file(folder, "scores.tsv"))):
        yield f"Scores left out: {line}"


def _data(folder: Path, settings: Mapping[str, Any], table: pd.DataFrame) -> str:
    """The data of a study in words."""
    index = folder / "index/whole"  # large, so that a user may have deleted it
    documents = count_documents(index) if index.exists() else None
    release_name, _ = resolve(settings["benchmark"])
    return comparison.describe_data(table, documents, load_benchmark(release_name).RELEASE)


def _movements(name: str, table: pd.DataFrame, run_settings: Mapping[str, Any], data: str) -> Iterator[str]:
    """How Table 2 compares with the expected numbers, which are in the file ``name``."""
    result = comparison.compare_expected(CHECKOUT / name, table, run_settings, data)
    if result["not_compared"]:
        yield f"\nTable 2 is not compared with the numbers expected of it ({name}): {result['not_compared']}."
        return
    yield f"\nTable 2 beside the numbers expected of it ({name}):"
    yield ", ".join(f"{count} {verdict}" for verdict, count in result["counts"].items())
    if len(movements := result["moved"]):
        movements = movements.drop(columns="against")
        yield movements.to_string(index=False, float_format="{:.3f}".format, na_rep="undefined")
