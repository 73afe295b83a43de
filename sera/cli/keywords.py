"""The command that makes the tables of ROUGE-K's paper from records of one's own."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.inputs import IN, read_summaries
from sera.cli.metrics import settings_given
from sera.cli.options import Command, Folder, check_output
from sera.cli.output import say
from sera.errors import InputError, printable

_TABLES = (
    "errors",
    "keywords",
    "table3",
    "table4",
    "table5",
    "table6",
    "table7",
    "table8",
    "table8_pairs",
    "table9",
    "figure2",
)


@click.command(cls=Command)
@click.option("--candidates", required=True, type=IN, help="JSONL: topic, system, sentences.")
@click.option("--references", required=True, type=IN, help="JSONL: topic, annotator, sentences.")
@click.option("--sources", required=True, type=IN, help="JSONL: topic, id, title, sentences.")
@click.option(
    "--scores", multiple=True, type=IN, help="Scores by other metrics to compare with (repeatable)."
)
@click.option("--preferences", type=IN, help="TSV: topic, better, worse (two systems), for Table 3.")
@click.option("--marks", type=IN, help="TSV: topic, metric, keyword, wrong (1 or 0), for the error rates.")
@click.option(
    "--set",
    "assignments",
    multiple=True,
    metavar="ROUGE-K.KEY=VALUE",
    help="Setting of ROUGE-K, as in ROUGE-K.second=article (repeatable).",
)
@click.option("--out", required=True, type=Folder(), help="Folder for the tables.")
def keywords(
    candidates: Path,
    references: Path,
    sources: Path,
    scores: tuple[Path, ...],
    preferences: Path | None,
    marks: Path | None,
    assignments: tuple[str, ...],
    out: Path,
) -> None:
    """Make the tables of ROUGE-K's paper: 4 to 9, Figure 2, and with preferences Table 3.

    It lists the keywords too, for people to mark the wrong ones; --marks has the marks. Each table is written
    as .tsv, .md and .tex; docs/rouge-k.md describes them. ROUGE is the paper's there.
    """
    import pandas as pd

    from sera.evaluation.keyword_analysis import keyword_errors
    from sera.evaluation.keyword_tables import (
        agreement,
        keyword_statistics,
        keyword_tables,
        keywords_to_mark,
        papers_scores,
        read_marks,
        read_preferences,
    )
    from sera.evaluation.tables import aligned, printed, write_table
    from sera.metrics import falling
    from sera.metrics.equip import equip
    from sera.metrics.rouge_k import RougeK
    from sera.metrics.scoring import read_all_scores, score
    from sera.published.paper import caption, readable_table4
    from sera.records import Source, read_unique

    inputs = [candidates, references, sources, *scores, *filter(None, (preferences, marks))]
    for name in _TABLES:
        for ending in ("tsv", "md", "tex"):
            check_output(out / f"rougek_{name}.{ending}", inputs)
    settings = settings_given(assignments)
    if others := sorted(set(settings) - {"ROUGE-K"}):
        raise InputError(
            f"there are settings of {others[0]}, and the tables set ROUGE-K alone", remedy="Leave them out."
        )
    metrics = [each for each in equip(RougeK.names(), settings) if isinstance(each, RougeK)]
    preferred = read_preferences(preferences) if preferences else None
    marked = read_marks(marks) if marks else None
    summaries, gold = read_summaries(candidates, references)
    articles = read_unique(sources, Source)
    scored = score(metrics, summaries, gold, articles, label=lambda each: each.name)
    if scores:
        more = read_all_scores(scores)
        scored = pd.concat([scored, more[~more["metric"].isin(RougeK.names())]], ignore_index=True)
    tables = {"table4": keyword_statistics(metrics[0], gold, articles, "all")}
    tables |= keyword_tables(metrics, scored, summaries, gold, articles)
    tables["keywords"] = keywords_to_mark(metrics, gold, articles)
    if marked is not None:
        tables["errors"] = keyword_errors(marked)
    if preferred is not None:
        both = pd.concat([papers_scores(summaries, gold, articles), scored], ignore_index=True)
        tables = {"table3": agreement(both, preferred, falling(both["metric"].unique()))} | tables
    benchmark = printable(candidates.stem)
    out.mkdir(parents=True, exist_ok=True)
    for name, table in tables.items():
        write_table(
            out / f"rougek_{name}", table, caption=caption(f"rougek_{name}", benchmark), benchmark=benchmark
        )
    say(aligned(readable_table4(tables["table4"])))
    if preferred is not None:
        say(aligned(printed(tables["table3"])))
    if marked is not None:
        say(aligned(printed(tables["errors"])))
    say(f"{len(tables)} tables of {scored['system'].nunique()} systems in {out}")
