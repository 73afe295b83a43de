"""The commands on scores: average them, compare them with judgements, compare systems, write a page."""

import shlex
from pathlib import Path
from typing import Any

import click

from sera.cli import inputs
from sera.cli.inputs import IN, OUT
from sera.cli.options import ARGUMENTS, STDIN, Command, Folder, check_output, counted, say
from sera.errors import InputError, printable
from sera.registry import unknown

_VERSUS = click.option(
    "--versus",
    help="Metric to compare all others with: ROUGE-1-F if it is there, else the first; best: the best.",
)


@click.command(cls=Command)
@inputs.SCORES
@inputs.COLUMNS
@inputs.CONFIDENCE
@click.option("--out", type=OUT, help="TSV to write instead: system, metric, measure, mean, ci_low, ci_high.")
def average(scores: tuple[Path, ...], columns: tuple[str, ...], confidence: float, out: Path | None) -> None:
    """Average each system's scores over the topics, with bootstrap intervals, as ROUGE-1.5.5 does.

    SCORES are tables of `sera score` (TSV or CSV), or - for a TSV on standard input. The averages
    and their format are those of the program with -r 1000 -c CONFIDENCE: each is the mean over 1,000
    resamples of the topics.
    """
    from sera.io import tsv
    from sera.metrics.rouge import bootstrap_155

    data = inputs.read_tables_alone(scores, columns)
    table = bootstrap_155.average(data, confidence)
    for line in bootstrap_155.uneven_lines(data):
        click.echo(printable(line), err=True)  # the lines of the program have no place for it
    if out is None:
        for line in bootstrap_155.printed_lines(table, confidence):
            say(line)
    else:
        tsv.write(out, table, decimals=5)
        say(f"{counted(len(table), 'average')} of {counted(table['system'].nunique(), 'system')} in {out}")


@click.command(cls=Command)
@inputs.SCORES
@inputs.JUDGEMENTS
@inputs.COLUMNS
@click.option("--candidates", type=IN, help="Summaries, JSON Lines: correlation without their length.")
@click.option("--sources", type=IN, help="Articles, JSON Lines, with --candidates: extractiveness too.")
@click.option(
    "--preferences",
    type=IN,
    help="TSV: topic, system_a, system_b, preference (A, B, tie); judge, if several.",
)
@click.option(
    "--compare",
    multiple=True,
    help="Metrics to compare in pairs (comma-separated; may be repeated); ROUGE-2 is its best of P, R and F.",
)
@_VERSUS
@inputs.FALLING_JUDGED
@inputs.MISSING
@click.option(
    "--top",
    multiple=True,
    type=click.IntRange(2),
    help="Evaluate this number of best systems too; may be repeated.",
)
@inputs.BOOTSTRAP
@inputs.RESAMPLING
@click.option(
    "--all",
    "every",
    is_flag=True,
    help="Write all tables, as .tsv, .md and .tex; those of S3's paper if a metric or judgement is S3.",
)
@click.option("--out", type=Folder(), help="Folder for the tables; without it, only the first is printed.")
def evaluate(
    scores: tuple[Path, ...],
    judgements: Path,
    columns: tuple[str, ...],
    candidates: Path | None,
    sources: Path | None,
    preferences: Path | None,
    compare: tuple[str, ...],
    versus: str | None,
    falling: tuple[str, ...],
    missing: str,
    top: tuple[int, ...],
    bootstrap: str,
    every: bool,
    out: Path | None,
    **drawn: Any,
) -> None:
    """Evaluate how well metrics follow human judgements.

    SCORES are tables of `sera score`, or tables of any metric in the same form; - is standard input.
    JUDGEMENTS have topic, system, judgement and score, or topic, system and a column for each judgement, and
    judge if there are several. The correlations over
    systems are printed, and by each judgement whether each metric is better than that of --versus.
    With --out they and those over summaries are written as TSV, and the tables that options ask for
    (--compare, --top, --candidates, --preferences); docs/statistics.md describes all tables.
    """
    from sera.evaluation.bootstrap import RESAMPLED, Bootstrap
    from sera.evaluation.coefficients import COEFFICIENTS
    from sera.evaluation.correlate import WHY
    from sera.evaluation.evaluate import ALL_TABLES, TEXT_TABLES
    from sera.evaluation.partial import properties
    from sera.evaluation.preferences import keep_scored, preference_table
    from sera.evaluation.s3_tables import S3_TABLES, update_lines
    from sera.evaluation.tables import FORMS, align_table, format_table, write_tables
    from sera.io.records import Candidate, Source, read_unique
    from sera.io.scores import read_choices, read_judges
    from sera.io.tables import Columns
    from sera.metrics.notes import table_lines

    if out is None and (top or candidates or preferences or every):
        problem = "the tables that the options ask for have no folder"
        raise InputError(problem, remedy="Name one: --out FOLDER.")
    if sources is not None and candidates is None:
        raise InputError("--sources needs --candidates", remedy="Name the summaries too.")
    chosen = inputs.read_columns(columns)
    table = inputs.read_tables(scores, chosen)
    names = list(table["metric"].unique())
    metric_names = inputs.split_names(compare, names)
    judged = inputs.read_judged(table, judgements, missing, falling, chosen)
    left_out, judgement_names = judged.left_out, judged.judgements
    if every:
        has_s3 = any(name.startswith("S3") for name in (*names, *judgement_names))
        table_names = [name for name in ALL_TABLES if has_s3 or name not in S3_TABLES]
    else:
        table_names = ["system_level", *(["summary_level", *TEXT_TABLES] if out else [])]
        table_names += ["differences"] * bool(compare) + ["top_systems"] * bool(top)
    texts = None
    if candidates is not None:
        articles = read_unique(sources, Source) if sources is not None else []
        texts = properties(read_unique(candidates, Candidate), articles)
    judges = read_judges(judgements, Columns(chosen.chosen)).query("judge != ''")
    options = {"top": top, "summaries": texts, "judges": judges}
    options |= {"confidence": drawn["confidence"]}
    options |= {"bootstrap": Bootstrap(bootstrap, drawn["resamples"], drawn["seed"])}
    tables = judged.tables(table_names, compare=metric_names, versus=versus, **options)
    if preferences is not None:
        choices, gap_lines = keep_scored(read_choices(preferences), table, missing=missing, path=preferences)
        left_out = (*left_out, *gap_lines)
        for line in gap_lines:
            say(printable(line))
        tables["preferences"] = preference_table(choices, table, falling=judged.falling, **drawn)
    benchmark = printable(judgements.stem)
    notes = [*judged.reversal_notes, *table_lines(table)]
    if out:
        for name in tables:
            check_output(out / f"{name}.tsv", [*scores, judgements, preferences])
        out.mkdir(parents=True, exist_ok=True)
        table_notes = dict.fromkeys(tables, [*left_out, *notes])
        for name in S3_TABLES:
            table_notes[name] = [*update_lines(judged.scores.topics), *left_out, *notes]
        forms = FORMS if every else ()
        write_tables(out, tables, benchmark, notes=table_notes, over=RESAMPLED[bootstrap], forms=forms)
    table_columns = ["metric", "against", *COEFFICIENTS, "systems", "topics", "undefined", WHY]
    say(align_table(format_table(tables["system_level"][table_columns])))
    for line in [*tables.verdicts, *notes]:
        say(printable(line))
    what = f"{counted(len(names), 'metric')} by {', '.join(judgement_names)}"
    place = f"{counted(len(tables), 'table')} in {out}" if out else "--out FOLDER writes tables"
    say(f"{what}, over systems; {place}")


@click.command(cls=Command)
@inputs.SCORES
@inputs.COLUMNS
@click.option("--metrics", multiple=True, help="Metrics to compare by (comma-separated); all by default.")
@inputs.FALLING
@inputs.SEED
@click.option(
    "--out", required=True, type=OUT, help="TSV to write: a row for each metric and pair of systems."
)
def compare(
    scores: tuple[Path, ...],
    columns: tuple[str, ...],
    metrics: tuple[str, ...],
    falling: tuple[str, ...],
    seed: int,
    out: Path,
) -> None:
    """Test which systems differ by a metric, without judgements.

    SCORES are tables of `sera score` (TSV or CSV), or - for a TSV on standard input. The test
    exchanges the scores of two systems on a topic, and p is corrected by Holm's method over the pairs;
    docs/statistics.md has the columns.
    """
    from sera.evaluation.correlate import Scores
    from sera.evaluation.discrimination import compare_systems
    from sera.evaluation.tables import write_tsv
    from sera.metrics import falling as falling_families

    table = inputs.read_tables_alone(scores, columns)
    names = list(table["metric"].unique())
    metric_names = list(dict.fromkeys(inputs.split_names(metrics, names))) or names
    falling_names = [*inputs.split_names(falling, names), *falling_families(names)]
    for name in (*metric_names, *falling_names):
        if name not in names:
            raise unknown("metric in the scores", name, names)
    tests = compare_systems(Scores.from_table(table), metric_names, falling=falling_names, seed=seed)
    write_tsv(out, tests)
    for name, pairs in tests.groupby("metric", sort=False):
        count = (pairs["better"] != "").sum()
        differ = (
            f"{count} of {counted(len(pairs), 'pair')} of systems {'differs' if count == 1 else 'differ'}"
        )
        say(f"{printable(str(name))}: {differ} (p of at most .05 after Holm's correction)")
    say(f"{counted(len(tests), 'test')} in {out}")


@click.command(cls=Command)
@inputs.SCORES
@inputs.JUDGEMENTS
@inputs.COLUMNS
@inputs.RESAMPLING
@inputs.MISSING
@_VERSUS
@inputs.FALLING_JUDGED
@click.option("--out", required=True, type=OUT, help="Page to write (HTML).")
def report(
    scores: tuple[Path, ...],
    judgements: Path,
    columns: tuple[str, ...],
    missing: str,
    versus: str | None,
    falling: tuple[str, ...],
    out: Path,
    **drawn: Any,
) -> None:
    """Write a page on how well metrics follow human judgements.

    SCORES are tables of `sera score`, or tables of any metric in the same form; - is standard input.
    JUDGEMENTS have topic, system, judgement and score, or a column for each judgement. The page is one file
    that needs no network: correlations with intervals, figures, and the systems' means. `sera evaluate`
    writes more tables.
    """
    from sera.metrics.notes import table_lines
    from sera.reporting.scores_page import write_scores_report

    chosen = inputs.read_columns(columns)
    table = inputs.read_tables(scores, chosen)
    judged = inputs.read_judged(table, judgements, missing, falling, chosen)
    lines = write_scores_report(
        out,
        judged,
        versus=versus,
        files=[*(path for path in scores if path != STDIN), judgements],
        notes=table_lines(table),
        name=printable(judgements.stem),
        command=shlex.join(["sera", "report", *click.get_current_context().meta[ARGUMENTS]]),
        **drawn,
    )
    for line in lines:
        say(printable(line))
    say(f"The page: {printable(str(out))}")
