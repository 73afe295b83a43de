"""The command that marks in summaries what they copy from their articles."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.inputs import IN, OUT
from sera.cli.options import Command, Whole
from sera.cli.output import say
from sera.errors import InputError


@click.command(cls=Command)
@click.option("--candidates", required=True, type=IN, help="JSONL: topic, system, sentences.")
@click.option("--sources", required=True, type=IN, help="JSONL: topic, id, sentences.")
@click.option(
    "--phrase", type=Whole(1, 1000), default=5, show_default=True, help="Words of the shortest phrase."
)
@click.option("--out", required=True, type=OUT, help="Page to write (HTML).")
@click.option("--counts", type=OUT, help="TSV to write too: a row per summary with the numbers.")
def mark(candidates: Path, sources: Path, phrase: int, out: Path, counts: Path | None) -> None:
    """Mark phrases that summaries copy from their articles.

    The page is for people who judge how abstractive summaries are, as the paper on MOULIN ROUGE plans
    (section 4). docs/moulin-rouge.md describes the numbers.
    """
    from sera.io import tsv
    from sera.io.records import Candidate, Source, read_unique
    from sera.metrics.copied_phrases import copied_phrases, copied_table
    from sera.reporting.marked_page import marked_page
    from sera.reporting.page import write_page

    summaries = read_unique(candidates, Candidate)
    if not summaries:
        raise InputError(
            "holds no candidate", path=candidates, remedy="A candidate is a JSON object in a line."
        )
    found = list(copied_phrases(summaries, read_unique(sources, Source), phrase))
    write_page(out, marked_page(found, phrase))
    if counts is not None:
        tsv.write(counts, copied_table(found), undefined="nan")
    copying = sum(bool(one.lengths) for one in found)
    say(f"{copying} of {len(found)} summaries copy a phrase of {phrase} words or more; the page: {out}")
