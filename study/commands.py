"""The commands of `python -m study`: they print, keep and check results, and mark copied phrases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import click

from sera.cli.inputs import IN, OUT, read_some
from sera.cli.options import Command, Folder, Group, counted, say
from sera.errors import InputError, printable
from sera.registry import unknown
from study.published import RELEASED

SHOWN = ("results", "audit", "multiverse", "matrix")
PUBLISHED = ("multiverse", "matrix", "expected", "released")
_WORDS = click.argument("words", nargs=-1, metavar="[WHAT] [NAME=VALUE]...")
_FILE = click.option("--configfile", type=IN, help="File of settings, in YAML.")


def _read_settings(
    words: Iterable[str], file: Path | None, names: Sequence[str], otherwise: Sequence[str] = ()
) -> tuple[dict[str, Any], str]:
    """The settings in force, and the one word that is not NAME=VALUE; ``otherwise`` without one."""
    from study.settings.checks import settings_in_force

    kinds = [word for word in words if "=" not in word] or list(otherwise)
    if len(kinds) != 1:
        raise InputError("names not one kind of results", remedy=f"Name one of: {', '.join(names)}.")
    if kinds[0] not in names:
        raise unknown("kind of results", kinds[0], list(names))
    return settings_in_force([word for word in words if "=" in word], file), kinds[0]


def _print(lines: Iterable[str]) -> None:
    """Print lines, tables among them, once all of them are there: nothing precedes an error."""
    for line in "\n".join(lines).split("\n"):
        click.echo(printable(line))


@click.group(cls=Group)
def main() -> None:
    """Print, keep and check the results of the study, and mark copied phrases.

    The study is that of config.yaml in this folder. `make reproduce` runs it.
    """


@main.command(cls=Command)
@_WORDS
@_FILE
def show(words: tuple[str, ...], configfile: Path | None) -> None:
    """Print results, and the paths of all files behind them.

    WHAT is one of: results (by default; Table 2 and moved numbers), audit, multiverse, matrix (their pages).
    NAME=VALUE and --configfile change settings, as of `snakemake --config` and `--configfile`.
    """
    from study.report.results import page_lines, results_lines

    settings, what = _read_settings(words, configfile, SHOWN, ["results"])
    _print(results_lines(settings) if what == "results" else page_lines(settings, what))


@main.command(cls=Command)
@click.option("--to", "target", type=Folder(), default="docs", help="Folder for a page and its figures.")
@_WORDS
@_FILE
def publish(words: tuple[str, ...], configfile: Path | None, target: Path) -> None:
    """Copy or keep what the repository shows of the results.

    WHAT is one of: multiverse, matrix (a page with its figures; the tables behind that of the matrix go to
    resources/released), expected (Table 2, as the expected numbers of its benchmark, with the settings
    behind it), released (multiverse, expected, and the scores in resources/released, after the targets
    matrix, more_systems and multiverse).
    """
    from study.published.released import release
    from study.report.results import CHECKOUT, keep_expected, publish_page
    from study.settings.settings import results_folder

    settings, what = _read_settings(words, configfile, PUBLISHED)
    results = results_folder(settings)
    paths: list[Path] = []
    if what == "released":
        paths.append(release(results, CHECKOUT / RELEASED))
    if what in ("expected", "released"):
        paths.append(keep_expected(settings))
    if what in ("multiverse", "matrix") or (what == "released" and (results / "multiverse").exists()):
        paths += publish_page(settings, "matrix" if what == "matrix" else "multiverse", target)
    _print(map(str, paths))


@main.command(cls=Command)
@click.argument("release", type=Folder())
@click.option("--model", help="Language model to compare too, on the server that SERA_LLM_URL names.")
def recognition(release: Path, model: str | None) -> None:
    """Compare the recognisers of content units with the human labels of REALSumm.

    RELEASE is REALSumm's folder as released with Lite2-3Pyramid. docs/statistics.md explains the tables.
    """
    from study.recognition.realsumm import measure, show

    show(measure(release, model))


@main.command(cls=Command)
@click.argument("release", type=Folder())
def contexts(release: Path) -> None:
    """Compare citation_context with the annotators of TAC 2014.

    RELEASE is the folder of the track's data. docs/summarizers.md explains the table.
    """
    from sera.evaluation.tables import align_table
    from study.recognition.citation_contexts import measure

    click.echo(align_table(measure(release)))


@main.command(cls=Command)
@click.argument("table", type=IN)
@click.option("--digits", type=click.IntRange(1, 12), default=3, help="Decimals of the printed values.")
@click.option("--out", type=OUT, help="TSV to write: the rows, with a column for each hypothesis.")
def audit(table: Path, digits: int, out: Path | None) -> None:
    """Find the numbers of systems for which printed rank correlations are possible.

    TABLE is a TSV with the columns metric, spearman and kendall (tau-b), and against if it has several.
    The audit searches for each pair of values among all pairs that rankings of 4 to 9 systems can give, with
    at most one tied pair of systems on either side.
    """
    from sera.evaluation.tables import align_table, write_tsv
    from study.published import audit as module

    rows = module.audit({printable(table.stem): module.read_pairs(table)}, digits)
    say(align_table(module.format_audit(rows)))
    say(f"{module.LEGEND}\n")
    say(align_table(module.format_summary(module.summary(rows, digits))))
    say(f"{module.SUMMARY_LEGEND}\n")
    if out is not None:
        write_tsv(out, rows)


@main.command(cls=Command)
@click.argument("candidates", type=IN)
@click.argument("sources", type=IN)
@click.option("--phrase", type=click.IntRange(1, 1000), default=5, help="Words of the shortest phrase.")
@click.option("--out", required=True, type=OUT, help="Page to write (HTML).")
@click.option("--counts", type=OUT, help="TSV to write too: a row per summary with the numbers.")
def mark(candidates: Path, sources: Path, phrase: int, out: Path, counts: Path | None) -> None:
    """Mark phrases that summaries copy from their articles.

    CANDIDATES and SOURCES are JSONL, as of `sera score`. The page is for people who judge how abstractive
    summaries are, as the paper on MOULIN ROUGE plans (section 4). docs/metrics.md describes the numbers.
    """
    from sera.io import tsv
    from sera.io.records import Candidate, Source, read_unique
    from sera.reporting.page import write_page
    from study.report.copied_phrases import count_copies, find_copies, page_of_copies

    found = list(find_copies(read_some(candidates, Candidate), read_unique(sources, Source), phrase))
    write_page(out, page_of_copies(found, phrase))
    if counts is not None:
        tsv.write(counts, count_copies(found), undefined="nan")
    count = sum(bool(copies.lengths) for copies in found)
    copied = f"{count} of {counted(len(found), 'summary')} {'copies' if count == 1 else 'copy'} a phrase of"
    say(f"{copied} {counted(phrase, 'word')} or more; the page: {out}")
