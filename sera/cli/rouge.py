"""The commands on ROUGE alone."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.inputs import IN, OUT, read_summaries
from sera.cli.options import Command, Folder, Group, check_output
from sera.cli.output import counted, say
from sera.errors import InputError
from sera.names import separated
from sera.settings import shown


@click.group(cls=Group)
def rouge() -> None:
    """Find out about ROUGE."""


@rouge.command(cls=Command)
@click.option("--candidates", type=IN, help="JSONL: topic, system, sentences.")
@click.option("--references", type=IN, help="JSONL: topic, annotator, sentences.")
@click.option(
    "--texts", type=Folder(), help="Folder with candidates.jsonl and references.jsonl (or .jsonl.gz) instead."
)
@click.option("--published", required=True, help="The printed number, such as 0.4416 or 44.16.")
@click.option(
    "--metrics", "names", help="ROUGE measures (comma-separated), such as ROUGE-1; 1, 2 and L if not given."
)
@click.option("--out", type=OUT, help="TSV to write: every configuration and its value.")
def identify(
    candidates: Path | None,
    references: Path | None,
    texts: Path | None,
    published: str,
    names: str | None,
    out: Path | None,
) -> None:
    """Find the configurations of ROUGE that yield a printed number.

    Varied are dialect, measure, part, stemming, stop words, references and sentences, and how the scores of
    several summaries become one: mean, median, F of the mean P and R, or counts summed over summaries. Not
    tried are means over runs, resampled means, limits of length, other tokens or sentence splitters, and F
    with another weight than 1.
    """
    from sera.evaluation.papers.rouge_identity import (
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
    files = _files(candidates, references, texts)
    if out:
        check_output(out, list(files))
    summaries, gold = read_summaries(*files)
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


def _files(candidates: Path | None, references: Path | None, texts: Path | None) -> tuple[Path, Path]:
    """The files of candidates and references: those given, or those in a folder."""
    if texts is None and candidates and references:
        return candidates, references
    if texts is None or candidates or references:
        raise InputError(
            "the texts are named twice" if texts else "the texts are not named",
            remedy="Give --candidates and --references, or --texts with a folder that has both.",
        )
    found = []
    for name in ("candidates.jsonl", "references.jsonl"):
        paths = [path for path in (texts / name, texts / f"{name}.gz") if path.is_file()]
        if not paths:
            raise InputError(f"has no {name}", path=texts, remedy="Add it; docs/own-data.md has its form.")
        found.append(paths[0])
    return found[0], found[1]
