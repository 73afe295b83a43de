"""The commands on printed numbers: check claims against a table, audit printed correlations."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.inputs import IN, OUT
from sera.cli.options import Command, say
from sera.errors import printable


@click.command(cls=Command)
@click.argument("table", type=IN)
@click.option(
    "--digits",
    type=click.IntRange(1, 12),
    show_default="the most decimals of any value",
    help="Number of decimals of the printed values.",
)
@click.option("--out", type=OUT, help="TSV to write: the rows, with a column for each hypothesis.")
@click.option("--strict", is_flag=True, help="Exit with 1 if any row fits no hypothesis.")
def audit(table: Path, digits: int | None, out: Path | None, strict: bool) -> None:
    """Find the numbers of systems for which printed rank correlations are possible.

    TABLE is a TSV with the columns spearman and kendall (tau-b); metric and against name what was compared.
    The audit searches for each pair of values among all pairs that rankings of 4 to 9 systems can give, with
    at most one tied pair of systems on either side.
    """
    from sera.evaluation.tables import align_table, write_tsv
    from study.published import audit as module

    pairs = module.read_pairs(table)
    digits = digits or module.printed_digits(pairs)
    rows = module.audit({printable(table.stem): pairs}, digits)
    say(align_table(module.format_audit(rows)))
    say(f"{module.LEGEND}\n")
    say(align_table(module.format_summary(module.summary(rows, digits))))
    say(f"{module.SUMMARY_LEGEND}\n")
    if out is not None:
        write_tsv(out, rows)
    fit, unfit, undefined = module.count_fits(rows)
    say(f"{fit} of {len(rows)} rows fit some number of systems, {unfit} none, {undefined} are undefined")
    if strict and unfit:
        raise click.exceptions.Exit(1)
