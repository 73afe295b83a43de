"""What `sera study` prints of results, keeps of them as expected numbers, and copies for the README.

A study's results are in the folder `study_settings.results_of`, the audit's beside it in ``audit``. A result
that is missing, cut off or damaged is an InputError, and its remedy names the command that makes the result.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

import sera
from sera import tsv
from sera.corpora.pmc_oa import unreadable_reasons
from sera.errors import InputError
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import compact, read_tsv
from sera.files import read_json, writing
from sera.metrics import catalogue_names, family_of
from sera.metrics.notes import signature_lines, undefined_lines
from sera.metrics.scoring import LEFT_OUT_COLUMNS, read_scores
from sera.published.audit import SUMMARY_LEGEND, SUMMARY_TITLE, readable_summary
from sera.published.verdicts import (
    MOVED,
    MOVED_WITHIN,
    OK,
    Expected,
    read_expected,
    settings_of,
    write_expected,
)
from sera.reporting.study_settings import changed_in_words, name_of, read_settings, results_of

CHECKOUT = Path(sera.__file__).resolve().parent.parent
"""The folder of the code, which has the expected numbers and the documentation."""

REPRODUCE, AUDIT = "make reproduce", "make audit"
"""The commands that make the results."""

_TABLE2 = (
    *("metric", "against", "systems", "topics", "benchmark"),
    *(f"{name}{part}" for name in CORRELATIONS for part in ("", "_low", "_high", "_paper", "_difference")),
)
_AUDIT = ("systems", "ties", "pairs", "chance", "chance_near")

_Read = TypeVar("_Read")


def result(read: Callable[[Path], _Read], folder: Path, file: str, command: str) -> _Read:
    """What ``read`` makes of a file of results; ``command`` makes the file.

    InputError for a folder without this file, and as of ``read``.
    """
    path = folder / file
    if not path.exists():
        missing = f"has no results: {file} is missing" if folder.is_dir() else "there are no results"
        raise InputError(
            missing, path=folder, remedy=f"Run `{command}` first, or name another folder with --results."
        )
    try:
        return read(path)
    except InputError as error:
        raise InputError(
            error.problem,
            path=error.path or path,
            line=error.line,
            remedy=f"Delete it and run `{command}`, which makes it again.",
        ) from None


def with_rows(table: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """The table itself; InputError for one without rows, or without one of the columns."""
    if missing := [name for name in columns if name not in table]:
        raise InputError(f"has no column {missing[0]}")
    if table.empty:
        raise InputError("is cut short: it has no rows")
    return table


def results_lines(settings: Mapping[str, Any]) -> Iterator[str]:
    """Table 2 of a study, what was left out, where each result is, changed settings, and moved numbers."""
    folder = results_of(settings)
    table = result(_read_table2, folder, "tables/table2.tsv", REPRODUCE)
    made = result(_read_settings, folder, "provenance.json", REPRODUCE)
    yield from _table2_lines(table)
    yield from _table2_notes(folder, table)
    yield from _left_out(folder)
    yield from located(folder, _places(folder))
    for study in settings["studies"]:
        yield f"The study {study}: {settings['results']}/{study}/"
    if changes := changed_in_words(made, read_settings("config.yaml")):
        yield f"Settings that differ from config.yaml: {', '.join(changes)}"
    name = f"resources/expected/{name_of(settings)}.tsv"
    if (CHECKOUT / name).is_file():
        record = result(_read_record, folder, "provenance.json", REPRODUCE)
        yield from _movements(read_expected(CHECKOUT / name), table, record, name)


def audit_lines(results: Path) -> Iterator[str]:
    """The audit's summary, and where each of its results is."""
    folder = results / "audit"
    counts = result(lambda path: with_rows(read_tsv(path), _AUDIT), folder, "summary.tsv", AUDIT)
    yield from ("", SUMMARY_TITLE, "")
    yield readable_summary(counts).to_string(index=False)
    yield from (SUMMARY_LEGEND, "")
    yield from located(
        folder,
        [
            ("Every row:", "audit.md (.tsv and .tex beside)"),
            ("This table:", "summary.md (.tsv and .tex beside)"),
            ("Figure:", "audit.svg (.png and .pdf beside)"),
            ("What it implies:", "paragraphs.md"),
        ],
    )


def keep_expected(settings: Mapping[str, Any]) -> Path:
    """Keep Table 2 as the expected numbers of its benchmark, with the settings behind it: the file."""
    folder = results_of(settings)
    made = result(_read_record, folder, "provenance.json", REPRODUCE)
    table = result(_read_table2, folder, "tables/table2.tsv", REPRODUCE)
    path = _of_checkout("resources/expected") / f"{name_of(settings)}.tsv"
    write_expected(path, table, made)
    return path


def copy_picture(settings: Mapping[str, Any]) -> tuple[Path, Path]:
    """Copy the figure `comparison` to where the README shows it: the figure and its copy."""
    folder = results_of(settings)
    figure = result(lambda path: path, folder, "figures/comparison.png", REPRODUCE)
    return figure, copy(figure, _of_checkout("docs") / "figures" / figure.name)


def copy(path: Path, target: Path) -> Path:
    """Copy a file, whole or not at all, and make the folders above it: the copy."""
    with open(path, "rb") as source, writing(target, binary=True) as stream:
        shutil.copyfileobj(source, stream)
    return target


def located(folder: Path, places: Iterable[tuple[str, str]]) -> Iterator[str]:
    """A line for each kind of result: what it is, and where it is in the folder."""
    for what, where in places:
        yield f"{what} {folder}/{where}"


def _read_table2(path: Path) -> pd.DataFrame:
    return with_rows(read_tsv(path), _TABLE2)


def _read_record(path: Path) -> dict[str, Any]:
    """The settings and inputs behind results, of their record."""
    try:
        return settings_of(read_json(path))
    except (AttributeError, KeyError, TypeError):
        raise InputError("is no record of a run", path=path) from None


def _read_settings(path: Path) -> dict[str, Any]:
    """All settings of a run, of its record."""
    record = read_json(path)
    settings = record.get("settings") if isinstance(record, dict) else None
    if not isinstance(settings, dict):
        raise InputError("is no record of a run", path=path)
    return settings


def _of_checkout(folder: str) -> Path:
    if not (CHECKOUT / folder).is_dir():
        raise InputError(
            f"is no checkout of the code: {folder} is missing",
            path=CHECKOUT,
            remedy="Run the command of a checkout, .venv/bin/sera after `make env`.",
        )
    return CHECKOUT / folder


def _table2_lines(table: pd.DataFrame) -> Iterator[str]:
    count = f"{table['systems'].max():g} systems, {table['topics'].max():g} topics"
    by = " and ".join(table["against"].unique())
    benchmark = table["benchmark"][0]
    published = table["pearson_paper"].notna().any()
    title = "Table 2, correlation" if published or "synthetic" in benchmark else "Correlation"
    columns = ": reproduced, published, difference" if published else ""
    yield from ("", f"{title} with {by} over {count}{columns}")
    yield from (f"Benchmark: {benchmark}", "", compact(table), "")


def _left_out(folder: Path) -> Iterator[str]:
    """The articles and the metrics that the study left out, with the reason."""
    file = "corpus/unreadable.tsv"
    counts = result(unreadable_reasons, folder, file, REPRODUCE)
    reasons = ", ".join(f"{count} {reason}" for reason, count in counts.items()) or "none"
    yield f"Articles left out: {reasons} (see {folder}/{file})"
    scores = result(read_scores, folder, "scores.tsv", REPRODUCE)
    why = result(_read_left_out, folder, "scores/left_out.tsv", REPRODUCE)
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


def _read_left_out(path: Path) -> dict[str, str]:
    table = tsv.read(path, LEFT_OUT_COLUMNS)
    return dict(zip(table["metric"], table["reason"], strict=True))


def _table2_notes(folder: Path, table: pd.DataFrame) -> Iterator[str]:
    """Why correlations of Table 2 are undefined, and the notes on its metrics."""
    known = table[table["why_undefined"].fillna("").astype(bool)] if "why_undefined" in table else table[:0]
    for row in known.itertuples():
        yield f"Undefined: {row.metric} with {row.against}: {row.why_undefined}"
    shown = {*table["metric"], *table["against"]}
    yield from result(lambda path: signature_lines(path, shown), folder, "signatures.tsv", REPRODUCE)


def _places(folder: Path) -> Iterator[tuple[str, str]]:
    yield "Report:", "report.html"
    yield "This table with intervals over topics:", "tables/table2.md (.tsv and .tex beside)"
    yield "SERA with ROUGE:", "tables/table3.md (.tsv and .tex beside)"
    yield (
        "All metrics judged:",
        "tables/system_level.md, summary_level.md, global_level.md, differences.md",
    )
    yield "Keywords:", "tables/rougek_table5.tsv to rougek_table9.tsv, rougek_figure2.tsv"
    if (folder / "truth").is_dir():
        yield "Metrics and the truth:", "tables/truth.md, figures/truth.svg"
    if (folder / "spectrum").is_dir():
        yield "Metrics over the range of scores:", "tables/spectrum.md"
    yield "Figures:", "figures/ (SVG, PNG and PDF)"
    yield "Scores:", "scores.tsv"
    yield "What made them:", "provenance.json"


def _movements(expected: Expected, table: pd.DataFrame, made: Mapping[str, Any], name: str) -> Iterator[str]:
    """How Table 2 stands to the expected numbers, which are in the file ``name``."""
    moves = expected.movements(table)
    counts = moves["verdict"].value_counts()
    yield from ("", f"Table 2 beside the numbers expected of it ({name}):")
    if differ := expected.differing(made):
        yield f"These differ from what made them, so numbers may move: {', '.join(differ)}"
    yield ", ".join(f"{counts.get(verdict, 0)} {verdict}" for verdict in (OK, MOVED_WITHIN, MOVED))
    moved = moves[moves["verdict"] != OK].drop(columns="against")
    if len(moved):
        yield moved.to_string(index=False, float_format="{:.3f}".format, na_rep="undefined")
