"""What `python -m study` prints of results, keeps of them as expected numbers, and copies for the repository.

A study's results are in the folder `settings.results_of`, the audit's and the matrix's beside it. A missing
result is an InputError whose remedy names the command that makes it.
"""

from __future__ import annotations

import html
import io
import re
import shutil
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from PIL import Image

from sera.benchmarks import load_benchmark, resolve
from sera.errors import InputError
from sera.evaluation.correlate import RESAMPLED, why_lines
from sera.evaluation.tables import (
    align_table,
    format_table,
    has_published,
    read_tsv,
    readable_table4,
    shorten_comparison,
)
from sera.io import tsv
from sera.io.files import read_json, read_text, writing
from sera.io.records import HUMAN
from sera.io.scores import read_scores
from sera.metrics import catalogue_names, family_of
from sera.metrics.notes import signature_lines, undefined_lines
from sera.metrics.scoring import LEFT_OUT_COLUMNS
from sera.reporting.overview import two_decimals
from sera.reporting.page import number
from sera.retrieval.engines import documents_in
from sera.summarizers import SUMMARIZERS
from sera.text.languages import ENGLISH
from study.multiverse.answers import read_answer
from study.multiverse.figures import QUESTION_WORDS
from study.multiverse.page import percent, verdicts
from study.published import PAPERS_BENCHMARK, comparison
from study.published.audit import SUMMARY_LEGEND, SUMMARY_TITLE, readable_summary
from study.report.answer import in_readme
from study.report.facts import study_headline, unreadable_reasons
from study.settings.settings import changed_in_words, name_of, read_config, results_of

CHECKOUT = Path(__file__).resolve().parents[2]
"""The folder of the code, which has the expected numbers and the documentation."""

AUDIT, MULTIVERSE, MATRIX = ".venv/bin/snakemake --cores 1 audit", "make multiverse", "make matrix"
"""The commands that make other results than those of a study."""

_PLACES = {
    "tables/table2.tsv": "This table with intervals over {over}: {}",
    "tables/table3.tsv": "SERA with ROUGE: {}",
    "tables/system_level.tsv": "All metrics judged: {}, summary_level.tsv, global_level.tsv, differences.tsv",
    "tables/rougek_table4.tsv": "Keywords: {} to rougek_table9.tsv, rougek_figure2.tsv",
    "tables/spectrum.md": "Metrics over the range of scores: {}",
    "figures/figure1.svg": "Figures: {}, others beside it (SVG, PNG and PDF)",
    "scores.tsv": "Scores: {}",
    "provenance.json": "What made them: {}",
}
"""The results of a study, each with the line that says where it is."""


def file_of(folder: Path, name: str, command: str = "make reproduce") -> Path:
    """The path of a result; InputError, which names the command that makes it, if there is none."""
    if (folder / name).exists():
        return folder / name
    missing = f"has no results: {name} is missing" if folder.is_dir() else "there are no results"
    remedy = f"Run `{command}` first, or name another folder with --results."
    raise InputError(missing, path=folder, remedy=remedy)


def results_lines(settings: Mapping[str, Any]) -> Iterator[str]:
    """Table 2 of a study, what was left out, where each result is, changed settings, and moved numbers.

    The last lines are the result, the page, and what else there is to run.
    """
    folder = results_of(settings)
    table = None
    # a finished study without judgements has the keywords alone
    if not (folder / "tables/rougek_table5.tsv").exists() or (folder / "tables/table2.tsv").exists():
        table = read_tsv(file_of(folder, "tables/table2.tsv"))
    record = read_json(file_of(folder, "provenance.json"))
    yield from _lines_without_judgements(folder) if table is None else _table2_lines(folder, table)
    yield from _left_out(folder, record["settings"])
    over = RESAMPLED[record["settings"].get("bootstrap", "topics")]
    there = ((folder / name, line) for name, line in _PLACES.items() if (folder / name).exists())
    yield from (line.format(path, over=over) for path, line in there)
    for study in settings["studies"]:
        yield f"The study {study}: {settings['results']}/{study}/"
    if changes := changed_in_words(record["settings"], read_config()):
        yield f"Settings that differ from config.yaml: {', '.join(changes)}"
    name = f"resources/expected/{name_of(settings)}.tsv"
    if table is not None and (CHECKOUT / name).is_file():
        yield from _movements(name, table, comparison.settings_of(record), _data(folder, settings, table))
    yield ""
    if table is not None:
        yield from result_lines(table)
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
    """The audit's summary, and where each of its results is."""
    folder = results / "audit"
    counts = read_tsv(file_of(folder, "summary.tsv", AUDIT))
    yield from ("", SUMMARY_TITLE, "")
    yield readable_summary(counts).to_string(index=False)
    yield from (SUMMARY_LEGEND, "")
    yield f"Every row: {folder}/audit.md (.tsv and .tex beside)"
    yield f"This table: {folder}/summary.md (.tsv and .tex beside)"
    yield f"Joint search: {folder}/joint.md (.tsv and .tex beside)"
    yield f"Figure: {folder}/audit.svg (.png and .pdf beside)"
    yield f"What it implies: {folder}/paragraphs.md"


def multiverse_lines(study: Path) -> Iterator[str]:
    """In how many universes each claim holds, and where each result is.

    ``study`` is the folder of a study's results, which has the multiverse's in ``multiverse``.
    """
    folder = study / "multiverse"
    claims = read_answer(file_of(folder, "claims.tsv", MULTIVERSE))
    yield ""
    yield f"In how many of {claims['universes'].max()} universes each of the paper's claims holds"
    benchmark = str(claims["benchmark"][0])
    yield f"Benchmark: {benchmark}; intervals over topics"
    if synthetic := "synthetic" in benchmark:
        yield "There are no verdicts: the paper's claims are about real summaries, and these are generated."
    else:
        yield "Verdicts are against a claim's null; for claims with a number by the interval of our settings."
    null = read_answer(file_of(folder, "null.tsv", MULTIVERSE))
    universes = None if synthetic else read_answer(file_of(folder, "universes.tsv", MULTIVERSE))
    keys = ["question", "claim", "coefficient"]
    claims = claims.merge(null[[*keys, "null_share", "p_share", "p_share_contrary"]], on=keys, how="left")
    for question, of in claims.groupby("question", sort=False):
        yield from ("", f"In {QUESTION_WORDS[str(question)]}:")
        if universes is not None:
            of = of.assign(verdict=verdicts(of, universes[universes["question"] == question]))
        rows = [_claim_cells(row) for row in of.to_dict("records")]
        widths = {key: max(len(key), *(len(row[key]) for row in rows)) for key in rows[0]}
        for row in [dict(zip(widths, widths, strict=True)), *rows]:
            yield "  ".join(row[key].ljust(width) for key, width in widths.items()).rstrip()
    yield ""
    yield f"In words: {folder}/replication.md"
    yield f"Figures: {folder}/figures/specification_curve_*.svg, influence.svg (.png and .pdf beside)"
    yield f"Every universe: {folder}/universes.tsv, its Table 2 in tables.tsv.gz"
    yield f"Answers: {folder}/claims.tsv, null.tsv, exchange.tsv and others"


def matrix_lines(results: Path) -> Iterator[str]:
    """The overview, the pooled effects and the paths of the matrix."""
    folder = results / "matrix"
    overview = read_tsv(file_of(folder, "overview.tsv", MATRIX))
    yield align_table(format_table(overview.drop(columns="benchmark")))
    yield ""
    pooled = read_tsv(file_of(folder, "meta.tsv", MATRIX))[["question", "contrast", "effect", "low", "high"]]
    yield "SERA less ROUGE in Spearman's ρ, pooled over benchmarks"
    yield align_table(format_table(pooled.rename(columns={"low": "effect_low", "high": "effect_high"})))
    yield ""
    yield f"Page: {folder}/matrix.html"
    yield f"All numbers: {folder}/cells.tsv"
    yield f"Pooled: {folder}/meta.tsv"
    yield f"Claims: {folder}/claims.tsv"
    yield f"Overview: {folder}/overview.md"
    yield f"Figure: {folder}/figures/forest.png"


def publish_multiverse(study: Path, target: Path) -> tuple[Path, Path]:
    """Copy the multiverse's page and its figures as PNG to a folder: the page, and the folder of the figures.

    README.md beside the folder gets the answer, if it has a place for it.
    """
    folder = study / "multiverse"
    page = copy(file_of(folder, "replication.md", MULTIVERSE), target / "replication.md")
    for path in sorted((folder / "figures").glob("*.png")):
        copy(path, target / "figures" / path.name)
    readme = target.parent / "README.md"
    if readme.is_file() and (text := in_readme(readme, page.read_text(encoding="utf-8"))):
        with writing(readme) as stream:
            stream.write(text)
    return page, target / "figures"


def publish_matrix(results: Path, target: Path) -> Iterator[Path]:
    """Copy the page matrix.md and its figure to a folder; yields the files."""
    for name in ("matrix.md", "figures/forest.svg"):
        yield copy(file_of(results / "matrix", name, MATRIX), target / name)


def keep_expected(settings: Mapping[str, Any]) -> Path:
    """Keep Table 2 as the expected numbers of its benchmark, with its data and settings: the file."""
    folder = results_of(settings)
    record = read_json(file_of(folder, "provenance.json"))
    table = read_tsv(file_of(folder, "tables/table2.tsv"))
    path = CHECKOUT / "resources/expected" / f"{name_of(settings)}.tsv"
    comparison.write_expected(path, table, comparison.settings_of(record), _data(folder, settings, table))
    return path


def make_picture(settings: Mapping[str, Any]) -> tuple[Path, Path]:
    """Make the README's picture of the figure `comparison`: the figure, and its small copy in docs/figures.

    The README gets the figure's text as the alternative text. InputError if it does not show the picture.
    """
    folder, readme = results_of(settings), CHECKOUT / "README.md"
    figure = file_of(folder, "figures/comparison.png")
    texts = tsv.read(file_of(folder, "figures/texts.tsv"), ["figure", "text"]).set_index("figure")["text"]
    escaped = html.escape(texts["comparison"], quote=False).replace('"', "&quot;")
    shown = re.compile(r'(<img src="docs/figures/comparison\.png"[^>]* alt=")[^"]*(")')
    page, count = shown.subn(lambda found: f"{found[1]}{escaped}{found[2]}", read_text(readme, "the README"))
    if not count:
        remedy = 'Add <img src="docs/figures/comparison.png" width="360" alt="">.'
        raise InputError("does not show docs/figures/comparison.png", path=readme, remedy=remedy)
    target = CHECKOUT / "docs/figures/comparison.png"
    with Image.open(figure) as opened, writing(target, binary=True) as stream:
        stream.write(small_png(opened))
    with writing(readme) as stream:
        stream.write(page)
    return figure, target


def small_png(picture: Image.Image) -> bytes:
    """A figure as a PNG with at most 1440 pixels in a line and 256 colours."""
    width = min(picture.width, 1440)
    size = (width, round(picture.height * width / picture.width))
    small = picture.convert("RGB").resize(size, Image.Resampling.LANCZOS)
    written = io.BytesIO()
    # this method keeps the colours that few pixels have, such as those of a scale
    few = small.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(written, "PNG", optimize=True)
    return written.getvalue()


def copy(path: Path, target: Path) -> Path:
    """Copy a file, whole or not at all, and make the folders above it: the copy."""
    with open(path, "rb") as source, writing(target, binary=True) as stream:
        shutil.copyfileobj(source, stream)
    return target


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
    yield from signature_lines(file_of(folder, "signatures.tsv"), shown)


def _lines_without_judgements(folder: Path) -> Iterator[str]:
    """The keywords beside ROUGE-K's paper, and the systems' means."""
    means, keywords = (read_tsv(file_of(folder, f"tables/rougek_table{n}.tsv")) for n in (5, 4))
    wide = means.pivot(index="system", columns="metric", values="mean")[means["metric"].unique()]
    yield from ("", "Mean scores of the systems (R-1, R-2 and R-L are the ROUGE of ROUGE-K's paper)")
    yield from (f"Benchmark: {means['benchmark'][0]}", "")
    yield wide.sort_values("R-1", ascending=False).round(3).to_string(na_rep="undefined")
    format_table = " (the printed values in brackets)" if "keywords_paper" in keywords else ""
    yield from ("", f"Keywords, as in Table 4 of ROUGE-K's paper{format_table}", "")
    yield align_table(readable_table4(keywords))
    yield from ("", "The benchmark has no judgements and no content units: nothing is correlated.")


def _left_out(folder: Path, made: Mapping[str, Any]) -> Iterator[str]:
    """The articles, the systems and the metrics that the study left out, with the reason."""
    file = "corpus/unreadable.tsv"
    counts = unreadable_reasons(file_of(folder, file))
    reasons = ", ".join(f"{count} {reason}" for reason, count in counts.items()) or "none"
    yield f"Articles left out: {reasons} (see {folder}/{file})"
    scores = read_scores(file_of(folder, "scores.tsv"))
    yield from _systems_left_out(set(scores["system"]), made)
    left_out = tsv.read(file_of(folder, "scores/left_out.tsv"), LEFT_OUT_COLUMNS)
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
        language = made.get("language", ENGLISH)
        reason = "the benchmark has no citances"
        if language != ENGLISH:
            reason = f"they read English, and the language is {language}"
        yield f"Systems left out: {', '.join(absent)}: {reason}"
        if "human" in made.get("baselines", ()) and not any(name.startswith(HUMAN) for name in scored):
            yield "Systems left out: human: no topic has a second reference to compare a human summary with"


def _data(folder: Path, settings: Mapping[str, Any], table: pd.DataFrame) -> str:
    """The data of a study in words."""
    index = folder / "index/whole"  # large, so that a user may have deleted it
    documents = documents_in(index) if index.exists() else None
    registered, _ = resolve(settings["benchmark"])
    return comparison.data_in_words(table, documents, load_benchmark(registered).RELEASE)


def _movements(name: str, table: pd.DataFrame, made: Mapping[str, Any], data: str) -> Iterator[str]:
    """How Table 2 compares with the expected numbers, which are in the file ``name``."""
    expected = comparison.read_expected(CHECKOUT / name)
    if why := comparison.why_not_compared(expected, made, data):
        yield from ("", f"Table 2 is not compared with the numbers expected of it ({name}): {why}.")
        return
    moves = expected.movements(table)
    counts = moves["verdict"].value_counts()
    yield from ("", f"Table 2 beside the numbers expected of it ({name}):")
    yield ", ".join(f"{counts.get(verdict, 0)} {verdict}" for verdict in comparison.MOVES)
    moved = moves[moves["verdict"] != comparison.OK].drop(columns="against")
    if len(moved):
        yield moved.to_string(index=False, float_format="{:.3f}".format, na_rep="undefined")


def _claim_cells(row: dict[str, Any]) -> dict[str, str]:
    return {
        "claim": row["claim"].replace("_", " "),
        "by": row["coefficient"],
        **({"paper": str(row["paper"])} if "verdict" in row else {}),
        "effect": two_decimals(row["effect_50"], sign=True),
        "share": percent(row["share"]),
        "null": percent(row["null_share"]),
        "interval": f"{percent(row['low'])} to {percent(row['high'])}",
        "undefined in": str(row["undefined"]),
        **({"verdict": row["verdict"]} if "verdict" in row else {}),
    }
