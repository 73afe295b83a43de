"""Where a command writes: with ``--out -`` its result goes to standard output, and its messages elsewhere."""

from __future__ import annotations

import click

from sera.cli.options import STDOUT


def counted(number: int, noun: str) -> str:
    """A number and its noun: ``1 score``, ``2 scores``, ``2 queries``.

    >>> counted(1, "summary"), counted(2, "summary"), counted(0, "topic")
    ('1 summary', '2 summaries', '0 topics')
    """
    several = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else several}"


def say(text: str = "") -> None:
    """Print a message: to standard error if the result goes to standard output (``--out -``)."""
    click.echo(text, err=click.get_current_context().params.get("out") == STDOUT)
