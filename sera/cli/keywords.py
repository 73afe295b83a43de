"""The command that makes the tables of ROUGE-K's paper from records of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sera.cli.inputs import IN, read_summaries
from sera.cli.metrics import settings_given
from sera.cli.options import Command, Folder, check_output
from sera.cli.output import say
from sera.errors import InputError, printable
from sera.extras import MissingPackage, extra_for

if TYPE_CHECKING:
    import pandas as pd

_TABLES = ("errors", "keywords", *(f"table{number}" for number in range(3, 10)), "table8_pairs", "figure2")
_FIGURE = "rougek_figure2"


@click.command(cls=Command)
@click.option("--candidates", required=True, type=IN, help="JSONL: topic, system, sentences.")
@click.option("--references", required=True, type=IN, help="JSONL: topic, annotator, sentences.")
@click.option("--sources", required=True, type=IN, help="JSONL: topic, id, title, sentences.")
@click.option(
    "--scores", multiple=True, type=IN, help="Scores by other metrics to compare with (repeatable)."
)
@click.option(
    "--preferences",
    type=IN,
    help="TSV for Table 3: topic, system_a, system_b, preference; or topic, better, worse.",
)
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
    as .tsv, .md and .tex, and Figure 2 is drawn (.svg, .png, .pdf); docs/rouge-k.md describes them. ROUGE is
    the paper's there.
    """
    import pandas as pd

    from sera.evaluation.papers.keyword_analysis import keyword_errors
    from sera.evaluation.papers.keyword_tables import (
        agreement,
        keyword_statistics,
        keyword_tables,
        keywords_to_mark,
        papers_scores,
        read_marks,
        read_preferences,
    )
    from sera.evaluation.tables import aligned, caption, printed, readable_table4, write_table
    from sera.io.records import Source, read_unique
    from sera.io.scores import read_all_scores
    from sera.metrics import falling
    from sera.metrics.configure import equip, listed_names
    from sera.metrics.rouge_k import RougeK
    from sera.metrics.scoring import score
    from sera.text.languages import ENGLISH

    inputs = [candidates, references, sources, *scores, *filter(None, (preferences, marks))]
    for name in _TABLES:
        for ending in ("tsv", "md", "tex"):
            check_output(out / f"rougek_{name}.{ending}", inputs)
    for ending in ("svg", "png", "pdf"):
        check_output(out / f"{_FIGURE}.{ending}", inputs)
    settings = settings_given(assignments)
    if others := sorted(set(settings) - {"ROUGE-K"}):
        raise InputError(
            f"there are settings of {others[0]}, and the tables set ROUGE-K alone", remedy="Leave them out."
        )
    names = listed_names(["ROUGE-K"], settings=settings)
    metrics = [each for each in equip(names, settings) if isinstance(each, RougeK)]
    if preferences and metrics[0].language != ENGLISH:
        raise InputError("Table 3 has ROUGE for English", remedy="Leave out --preferences.")
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
    unable = _draw(tables["figure2"], out, caption(_FIGURE, benchmark))
    say(aligned(readable_table4(tables["table4"])))
    if preferred is not None:
        say(aligned(printed(tables["table3"])))
    if marked is not None:
        say(aligned(printed(tables["errors"])))
    if unable:
        say(unable)
    say(f"{len(tables)} tables of {scored['system'].nunique()} systems in {out}")


def _draw(table: pd.DataFrame, out: Path, title: str) -> str:
    """Draw Figure 2; returns why not, if matplotlib is missing or no keyword is there."""
    try:
        with extra_for("Figure 2"):
            from sera.reporting.figures import recall_by_length, save
    except MissingPackage as error:
        return f"Not drawn: {error}"
    if not table.loc[table["metric"] == "ROUGE-K", "length"].notna().any():
        earlier = any((out / f"{_FIGURE}{ending}").exists() for ending in (".svg", ".png", ".pdf"))
        stale = f"; its files in {out} are of an earlier run" if earlier else ""
        return f"Not drawn: Figure 2, since no keyword was found{stale}"
    save(recall_by_length(table, title=title), out / _FIGURE)
    return ""
