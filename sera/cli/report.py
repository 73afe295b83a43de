"""The command on the page of results from scores and judgements of one's own."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from sera.cli.inputs import (
    CONFIDENCE,
    IN,
    MISSING,
    OUT,
    RECORDS,
    RESAMPLE_COUNT,
    SEED,
    STDIN,
    given_as,
    read_judged,
    read_tables,
)
from sera.cli.options import STDOUT, Command
from sera.cli.output import say
from sera.errors import printable


@click.command(cls=Command)
@click.argument("scores", nargs=-1, required=True, type=RECORDS)
@click.option("--judgements", required=True, type=IN, help="TSV: topic, system, judgement, score.")
@RESAMPLE_COUNT
@CONFIDENCE
@MISSING
@SEED
@click.option("--out", required=True, type=OUT, help="Page to write (HTML).")
def report(
    scores: tuple[Path, ...],
    judgements: Path,
    resamples: int,
    confidence: float,
    missing: str,
    seed: int,
    out: Path,
) -> None:
    """Write a page on how well metrics follow human judgements.

    SCORES are tables of `sera score` (TSV, JSONL or Parquet), or tables of any metric in the same form; - is
    a TSV on standard input. The page is one file that needs no network: correlations with intervals, figures,
    and the systems' means. `sera evaluate` writes more tables.
    """
    from sera.metrics.notes import table_lines
    from sera.reporting.page import best_in_words, is_negative
    from sera.reporting.scores_page import write_scores_report

    to = "-" if out == STDOUT else str(out)
    words = ["sera", "report", *map(given_as, scores), "--judgements", str(judgements), "--out", to]
    for option, value, default in (
        ("--resamples", resamples, 1000),
        ("--confidence", confidence, 95),
        ("--missing", missing, "stop"),
        ("--seed", seed, 0),
    ):
        if value != default:
            words += [option, f"{value:g}" if isinstance(value, float) else str(value)]
    table = read_tables(scores)
    found = write_scores_report(
        out,
        read_judged(table, judgements, missing),
        files=[*(path for path in scores if path != STDIN), judgements],
        notes=table_lines(scores, table),
        name=printable(judgements.stem),
        command=shlex.join(words),
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    best = found["overall"]
    what = (
        "No metric follows it; the highest Spearman's ρ"
        if best and is_negative(best)
        else "Best by Spearman's ρ"
    )
    say(f"{what}: {best_in_words(best)}")
    say(f"The page: {printable(str(out))}")
