"""What `python -m study` prints of results, keeps of them as expected numbers, and copies for the README.

A study's results are in the folder `settings.results_of`, the audit's beside it in ``audit``. A result
that is missing, cut off or damaged is an InputError, and its remedy names the command that makes the result.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import pandas as pd

from sera.benchmarks import load_benchmark, resolve
from sera.corpora.pmc_oa import unreadable_reasons
from sera.errors import InputError
from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.evaluation.correlation.correlate import why_lines
from sera.evaluation.tables import aligned, compact, has_published, read_tsv, readable_table4
from sera.io import tsv
from sera.io.files import read_json, writing
from sera.io.records import HUMAN
from sera.io.scores import read_scores
from sera.metrics import catalogue_names, family_of
from sera.metrics.notes import signature_lines, undefined_lines
from sera.metrics.scoring import LEFT_OUT_COLUMNS
from sera.reporting.page import number
from sera.retrieval.engines import documents_in
from sera.summarizers import SUMMARIZERS
from sera.text.languages import ENGLISH
from study.published.comparison import (
    MOVED,
    MOVED_WITHIN,
    OK,
    Expected,
    data_in_words,
    read_expected,
    settings_of,
    why_not_compared,
    write_expected,
)
from study.report.facts import study_headline
from study.report.gallery import PICTURES, alternative_texts, small_png, with_alternative_texts
from study.settings.settings import changed_in_words, name_of, read_config, results_of

CHECKOUT = Path(__file__).resolve().parents[2]
"""The folder of the code, which has the expected numbers and the documentation."""

REPRODUCE = "make reproduce"
"""The command that makes the results."""

_TABLE2 = (
    *("metric", "against", "systems", "topics", "benchmark"),
    *(f"{name}{part}" for name in CORRELATIONS for part in ("", "_low", "_high")),
)
_MEANS = ("system", "metric", "mean", "benchmark")
_KEYWORDS = ("split", "second", "documents", "keywords")

_MOST_JUDGEMENTS = 3  # with a line of their own at the end

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
    """Table 2 of a study, what was left out, where each result is, changed settings, and moved numbers.

    The last lines are the result, the page, and what else there is to run.
    """
    folder = results_of(settings)
    table = None
    # a finished study without judgements has the keywords alone
    if (folder / "tables/table2.tsv").exists() or not (folder / "tables/rougek_table5.tsv").exists():
        table = result(_read_table2, folder, "tables/table2.tsv", REPRODUCE)
    record = result(_read_record, folder, "provenance.json", REPRODUCE)
    yield from _lines_without_judgements(folder) if table is None else _table2_lines(folder, table)
    yield from _left_out(folder, record["settings"])
    yield from located(folder, _places(folder, judged=table is not None))
    for study in settings["studies"]:
        yield f"The study {study}: {settings['results']}/{study}/"
    if changes := changed_in_words(record["settings"], read_config()):
        yield f"Settings that differ from config.yaml: {', '.join(changes)}"
    name = f"resources/expected/{name_of(settings)}.tsv"
    if table is not None and (CHECKOUT / name).is_file():
        data = _data(folder, settings, table)
        yield from _movements(read_expected(CHECKOUT / name), table, settings_of(record), data, name)
    yield ""
    if table is not None:
        yield from result_lines(table)
    yield from located(folder, [("Report:", "report.html")])
    if table is not None and not (folder / "multiverse/universes.tsv").exists():
        yield "More: `make multiverse` (does the answer depend on our choices? about 8 minutes)"


def result_lines(table: pd.DataFrame) -> Iterator[str]:
    """A line for each judgement of Table 2: the mean rho of SERA and of ROUGE, and the best of each."""
    for against in table["against"].unique()[:_MOST_JUDGEMENTS]:
        found = study_headline(table, table, against)
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


def keep_expected(settings: Mapping[str, Any]) -> Path:
    """Keep Table 2 as the expected numbers of its benchmark, with its data and settings: the file."""
    folder = results_of(settings)
    record = result(_read_record, folder, "provenance.json", REPRODUCE)
    table = result(_read_table2, folder, "tables/table2.tsv", REPRODUCE)
    path = _of_checkout("resources/expected") / f"{name_of(settings)}.tsv"
    write_expected(path, table, settings_of(record), _data(folder, settings, table))
    return path


def make_pictures(settings: Mapping[str, Any]) -> Iterator[tuple[Path, Path]]:
    """Make the README's pictures of a study's figures: each figure, and its small copy in docs/figures.

    The README gets the alternative texts of the figures.
    """
    folder, docs = results_of(settings), _of_checkout("docs")
    small = {name: result(small_png, folder, f"figures/{name}.png", REPRODUCE) for name in PICTURES}
    texts = result(alternative_texts, folder, "figures/texts.tsv", REPRODUCE)
    readme = with_alternative_texts(docs.parent / "README.md", texts)
    for name, content in small.items():
        target = docs / "figures" / f"{name}.png"
        with writing(target, binary=True) as stream:
            stream.write(content)
        yield folder / "figures" / target.name, target
    with writing(docs.parent / "README.md") as stream:
        stream.write(readme)


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
    """The record of a run, with its settings and inputs."""
    record = read_json(path)
    try:
        settings_of(record)
    except (AttributeError, KeyError, TypeError):
        raise InputError("is not the record of a run", path=path) from None
    return record


def _of_checkout(folder: str) -> Path:
    if not (CHECKOUT / folder).is_dir():
        raise InputError(
            f"is not a checkout of the code: {folder} is missing",
            path=CHECKOUT,
            remedy="Run the command of a checkout, .venv/bin/sera after `make env`.",
        )
    return CHECKOUT / folder


def _table2_lines(folder: Path, table: pd.DataFrame) -> Iterator[str]:
    """Table 2, why correlations of it are undefined, and the notes on its metrics."""
    count = f"{table['systems'].max():g} systems, {table['topics'].max():g} topics"
    by = " and ".join(table["against"].unique())
    benchmark, published = table["benchmark"][0], has_published(table)
    title = "Table 2, correlation" if published or "synthetic" in benchmark else "Correlation"
    columns = ": reproduced, published, difference" if published else ""
    yield from ("", f"{title} with {by} over {count}{columns}")
    yield from (f"Benchmark: {benchmark}", "", compact(table), "")
    yield from why_lines(table)
    shown = {*table["metric"], *table["against"]}
    yield from result(lambda path: signature_lines(path, shown), folder, "signatures.tsv", REPRODUCE)


def _lines_without_judgements(folder: Path) -> Iterator[str]:
    """The keywords beside ROUGE-K's paper, and the systems' means."""

    def read(name: str, columns: Sequence[str]) -> pd.DataFrame:
        file = f"tables/{name}.tsv"
        return result(lambda path: with_rows(read_tsv(path), columns), folder, file, REPRODUCE)

    means, keywords = read("rougek_table5", _MEANS), read("rougek_table4", _KEYWORDS)
    wide = means.pivot(index="system", columns="metric", values="mean")[means["metric"].unique()]
    yield from ("", "Mean scores of the systems (R-1, R-2 and R-L are the ROUGE of ROUGE-K's paper)")
    yield from (f"Benchmark: {means['benchmark'][0]}", "")
    yield wide.sort_values("R-1", ascending=False).round(3).to_string(na_rep="undefined")
    printed = " (the printed values in brackets)" if "keywords_paper" in keywords else ""
    yield from ("", f"Keywords, as in Table 4 of ROUGE-K's paper{printed}", "")
    yield aligned(readable_table4(keywords))
    yield from ("", "The benchmark has no judgements and no content units: nothing is correlated.")


def _left_out(folder: Path, made: Mapping[str, Any]) -> Iterator[str]:
    """The articles, the systems and the metrics that the study left out, with the reason."""
    file = "corpus/unreadable.tsv"
    counts = result(unreadable_reasons, folder, file, REPRODUCE)
    reasons = ", ".join(f"{count} {reason}" for reason, count in counts.items()) or "none"
    yield f"Articles left out: {reasons} (see {folder}/{file})"
    scores = result(read_scores, folder, "scores.tsv", REPRODUCE)
    yield from _systems_left_out(set(scores["system"]), made)
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


def _systems_left_out(scored: Collection[str], made: Mapping[str, Any]) -> Iterator[str]:
    """The systems of the settings that cannot be had, unless the benchmark brings its own."""
    named = [name for name in made.get("systems", ()) if name in SUMMARIZERS]
    absent = [name for name in named if name not in scored]
    if absent and len(absent) < len(named):
        language = made.get("language", ENGLISH)
        reason = "the benchmark has no citances"
        if language != ENGLISH:
            reason = f"they read English, and the language is {language}"
        yield f"Systems left out: {', '.join(absent)}: {reason}"
        if "human" in made.get("baselines", ()) and not any(name.startswith(HUMAN) for name in scored):
            yield "Systems left out: human: no topic has a second reference to compare a human summary with"


def _read_left_out(path: Path) -> dict[str, str]:
    table = tsv.read(path, LEFT_OUT_COLUMNS)
    return dict(zip(table["metric"], table["reason"], strict=True))


def _places(folder: Path, *, judged: bool) -> Iterator[tuple[str, str]]:
    if judged:
        yield "This table with intervals over topics:", "tables/table2.tsv"
        yield "SERA with ROUGE:", "tables/table3.tsv"
        levels = ("system_level.tsv", "summary_level.tsv", "global_level.tsv", "differences.tsv")
        yield "All metrics judged:", f"tables/{', '.join(levels)}"
    yield "Keywords:", "tables/rougek_table4.tsv to rougek_table9.tsv, rougek_figure2.tsv"
    if (folder / "truth").is_dir():
        yield "Metrics and the truth:", "truth/truth.md, truth/truth.svg"
    if (folder / "spectrum").is_dir():
        yield "Metrics over the range of scores:", "tables/spectrum.md"
    if judged:
        yield "Figures:", "figures/ (SVG, PNG and PDF)"
    yield "Scores:", "scores.tsv"
    yield "What made them:", "provenance.json"


def _data(folder: Path, settings: Mapping[str, Any], table: pd.DataFrame) -> str:
    """The data of a study in words."""
    index = "index/whole"  # large, so that a user may have deleted it
    documents = result(documents_in, folder, index, REPRODUCE) if (folder / index).exists() else None
    registered, _ = resolve(settings["benchmark"])
    return data_in_words(table, documents, load_benchmark(registered).RELEASE)


def _movements(
    expected: Expected, table: pd.DataFrame, made: Mapping[str, Any], data: str, name: str
) -> Iterator[str]:
    """How Table 2 stands to the expected numbers, which are in the file ``name``."""
    if why := why_not_compared(expected, made, data):
        yield from ("", f"Table 2 is not compared with the numbers expected of it ({name}): {why}.")
        return
    moves = expected.movements(table)
    counts = moves["verdict"].value_counts()
    yield from ("", f"Table 2 beside the numbers expected of it ({name}):")
    yield ", ".join(f"{counts.get(verdict, 0)} {verdict}" for verdict in (OK, MOVED_WITHIN, MOVED))
    moved = moves[moves["verdict"] != OK].drop(columns="against")
    if len(moved):
        yield moved.to_string(index=False, float_format="{:.3f}".format, na_rep="undefined")
