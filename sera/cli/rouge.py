"""The commands on ROUGE alone."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.inputs import IN, OUT, read_summaries
from sera.cli.options import Command, Group
from sera.cli.output import counted, say
from sera.errors import InputError
from sera.names import separated
from sera.settings import shown


@click.group(cls=Group)
def rouge() -> None:
    """Find out about ROUGE."""


@rouge.command(cls=Command)
@click.option("--candidates", required=True, type=IN, help="JSONL: topic, system, sentences.")
@click.option("--references", required=True, type=IN, help="JSONL: topic, annotator, sentences.")
@click.option("--published", required=True, help="The printed number, such as 0.4416 or 44.16.")
@click.option(
    "--metrics", "names", help="ROUGE measures (comma-separated), such as ROUGE-1; 1, 2 and L if not given."
)
@click.option("--out", type=OUT, help="TSV to write: every configuration and its value.")
def identify(candidates: Path, references: Path, published: str, names: str | None, out: Path | None) -> None:
    """Find the configurations of ROUGE that yield a printed number.

    Varied are dialect, measure, part, stemming, stop words, references and sentences.
    """
    from sera.evaluation.rouge_identity import (
        DEFAULT_MEASURES,
        IDENTITY_COLUMNS,
        by_chance,
        configurations,
        identify,
    )
    from sera.evaluation.tables import aligned, printed, write_tsv

    measures: tuple[str, ...] = DEFAULT_MEASURES
    if names is not None:
        measures = tuple(name.removeprefix("ROUGE-") for name in separated(names))
        if not measures:
            raise InputError("--metrics names no measure", remedy="Write one, such as ROUGE-1.")
    for name in measures:
        if name[-2:] in ("-P", "-R", "-F"):
            raise InputError(
                f"{shown(name)} names a part, and all three are tried",
                remedy=f"Write ROUGE-{name[:-2]}.",
            )
    next(configurations(measures, 1))  # refuses a name that is no measure before the texts are read
    summaries, gold = read_summaries(candidates, references)
    rows = identify(summaries, gold, published, measures)
    if out:
        write_tsv(out, rows)
    hits = rows[rows["hit"]]
    nearest = hits if len(hits) else rows.head(5)
    say(aligned(printed(nearest[[name for name in IDENTITY_COLUMNS if name != "hit"]])))
    chance = by_chance(rows, published)
    if len(hits):
        say(
            f"{len(hits)} of {counted(len(rows), 'configuration')} give {published}. A number drawn evenly "
            f"from the range of all their values is met by some configuration with probability {chance:.2g}."
        )
    else:
        say(f"None of {counted(len(rows), 'configuration')} gives {published}; the nearest are above.")
    if out:
        say(f"All of them are in {out}")
