"""The command that checks the paper's sentences against a table of correlations."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.inputs import IN, OUT
from sera.cli.options import Command
from sera.cli.output import say
from sera.errors import InputError
from sera.registry import unknown


@click.command(cls=Command)
@click.argument("table", type=IN)
@click.option("--against", default="Pyramid", show_default=True, help="Judgement in the place of Pyramid.")
@click.option("--out", type=OUT, help="TSV to write: a row for each sentence and coefficient.")
def claims(table: Path, against: str, out: Path | None) -> None:
    """Check the sentences of the paper on SERA that one table of correlations decides.

    TABLE is a TSV with the columns metric, against, pearson, spearman and kendall, such as correlations.tsv
    of a study. docs/claims.md quotes the sentences; `make multiverse` checks others under varied choices.
    """
    from sera.evaluation.coefficients import CORRELATIONS
    from sera.evaluation.tables import SYMBOLS, aligned, printed, read_tsv, write_tsv
    from sera.published.table_claims import check_claims

    read = read_tsv(table, comment="#", columns=["metric", "against", *CORRELATIONS])
    if against not in set(read["against"]):
        raise unknown("judgement", against, list(dict.fromkeys(read["against"])))
    if (twice := read.duplicated(["metric", "against"])).any():
        metric, other = read.loc[twice, ["metric", "against"]].iloc[0]
        raise InputError(f"has {metric} with {other} twice", path=table, remedy="Keep one of them.")
    found = check_claims(read, against)
    shown = found[["claim", "section", "coefficient", "effect", "verdict"]].assign(
        claim=found["claim"].str.replace("_", " "), coefficient=found["coefficient"].map(SYMBOLS)
    )
    say(aligned(printed(shown)))
    for reason in dict.fromkeys(found["why_undefined"]):
        if reason:
            say(f"Undefined: {reason}")
    if out is not None:
        write_tsv(out, found)
    held = (found["verdict"] == "holds").sum()
    say(f"{len(found)} readings, {held} of them hold" + (f"; in {out}" if out else ""))
