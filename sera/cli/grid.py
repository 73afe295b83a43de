"""The command on ROUGE under each treatment of words and references."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.inputs import (
    BOOTSTRAP,
    CONFIDENCE,
    IN,
    MISSING,
    OUT,
    RESAMPLE_COUNT,
    SEED,
    read_judged,
    read_summaries,
)
from sera.cli.metrics import settings_given
from sera.cli.options import Command
from sera.cli.output import counted, say
from sera.errors import InputError
from sera.names import separated
from sera.settings import shown


@click.command(cls=Command)
@click.option("--candidates", required=True, type=IN, help="JSONL: topic, system, sentences.")
@click.option("--references", required=True, type=IN, help="JSONL: topic, annotator, sentences.")
@click.option(
    "--metrics",
    "names",
    help="ROUGE measures (comma-separated); the recall of Lin's 17 if not given.",
)
@click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar="ROUGE.KEY=VALUE",
    help="Setting of all measures, as in ROUGE.words=100 or ROUGE.multi=jackknife (repeatable).",
)
@click.option("--judgements", type=IN, help="TSV: topic, system, judgement, score; to correlate with.")
@click.option("--published", type=IN, help="TSV: task, references, words, metric, pearson; printed beside.")
@click.option("--task", help="Task of the published table, such as duc2003-multi-100.")
@BOOTSTRAP
@RESAMPLE_COUNT
@CONFIDENCE
@SEED
@MISSING
@click.option("--out", required=True, type=OUT, help="TSV to write: means, or with judgements correlations.")
def grid(
    candidates: Path,
    references: Path,
    names: str | None,
    assignments: tuple[str, ...],
    judgements: Path | None,
    published: Path | None,
    task: str | None,
    bootstrap: str,
    resamples: int,
    confidence: float,
    seed: int,
    missing: str,
    out: Path,
) -> None:
    """Score by ROUGE with every treatment of words and references, as Lin (2004) does.

    Words are as they are (CASE), stemmed (STEM), without stop words (STOP), or both (STEM+STOP); references
    are the first of a topic (one) or all. With judgements, the table has the correlations over systems, best
    marks the best measure of each treatment, equivalent those whose interval overlaps that of the best, and
    not_behind those whose difference from the best has an interval that includes 0 (a paired test).
    """
    from sera.evaluation.correlation.correlate import Bootstrap
    from sera.evaluation.papers import rouge_grid as word_grid
    from sera.evaluation.tables import aligned, write_tsv
    from sera.metrics import family_of
    from sera.metrics.scoring import score as score_all

    if (published is None) != (task is None) or (published and not judgements):
        raise InputError(
            "--published and --task go together, and need --judgements", remedy="Give all three, or none."
        )
    if names is not None and not separated(names):
        raise InputError("--metrics names no measure", remedy="Name some, or leave it out.")
    given = separated(names) if names else [f"ROUGE-{each}-R" for each in word_grid.LIN_MEASURES]
    if others := [name for name in given if family_of(name) != "ROUGE" or "(" in name]:
        raise InputError(
            f"{shown(others[0])} is not the name of a ROUGE measure", remedy="Settings are given with --set."
        )
    settings = settings_given(assignments)
    if other := sorted(set(settings) - {"ROUGE"}):
        raise InputError(f"--set names {other[0]}, and the grid is ROUGE's", remedy="Leave it out.")
    metrics = word_grid.grid(list(dict.fromkeys(given)), settings.get("ROUGE", {}))
    summaries, gold = read_summaries(candidates, references)
    table = score_all(list(metrics.values()), summaries, gold)
    if judgements is None:
        means = word_grid.grid_means(table, metrics)
        write_tsv(out, means)
        say(f"{counted(len(means), 'mean')} of {counted(means['system'].nunique(), 'system')} in {out}")
        return
    judged = read_judged(table, judgements, missing)
    found = word_grid.grid_correlations(
        judged.table,
        metrics,
        judged.judgements,
        bootstrap=Bootstrap(bootstrap, resamples, seed),
        confidence=confidence,
    )
    if published and task:
        found = word_grid.beside(found, word_grid.read_lin(published), task)
    write_tsv(out, found)
    say(aligned(word_grid.grid_text(found)))
    say(
        f"Pearson's r; * is the best of a column, = has a {confidence:g}% interval that overlaps the best's, "
        f"~ has one of the difference from the best that includes 0 ({bootstrap} resampled)"
        + ("; in brackets as published" if published else "")
    )
    say(f"{len(found)} correlations over {found['systems'].max()} systems in {out}")
