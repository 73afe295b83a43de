"""The commands that compare recognition with people: content units of REALSumm, contexts of TAC 2014."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.options import Command, Folder, Whole


@click.command(cls=Command)
@click.argument("release", type=Folder())
@click.option("--out", type=Folder(), help="Folder for the tables as TSV, with all numbers.")
@click.option("--resamples", type=Whole(1, 10**6), default=2000, show_default=True, help="Of the bootstrap.")
@click.option("--study", type=Folder(), help="Results of a study, for the shares of units that follow there.")
def recognition(release: Path, out: Path | None, resamples: int, study: Path | None) -> None:
    """Compare the recognisers of content units with the human labels of REALSumm.

    RELEASE is REALSumm's folder as released with Lite2-3Pyramid. docs/statistics.md explains the tables.
    """
    from sera.io import tsv
    from study.recognition.realsumm import measure, show

    show(tables := measure(release, resamples, study))
    for name, table in tables.items():
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            tsv.write(out / f"recognition_{name}.tsv", table)


@click.command(cls=Command)
@click.argument("release", type=Folder())
@click.option("--contexts", type=Whole(1, 100), default=3, show_default=True, help="Sentences of a citance.")
@click.option("--samples", type=Whole(1, 10**6), default=10_000, show_default=True, help="Of the bootstrap.")
def contexts(release: Path, contexts: int, samples: int) -> None:
    """Compare citation_context with the annotators of TAC 2014.

    RELEASE is the folder of the track's data. docs/summarizers.md explains the table.
    """
    from study.recognition.citation_contexts import measure

    measure(release, contexts, samples)
