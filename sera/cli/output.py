"""Where a command writes: with ``--out -`` its result goes to standard output, and its messages elsewhere."""

from __future__ import annotations

import click

from sera.cli.options import STDOUT


def say(text: str = "") -> None:
    """Print a message: to standard error if the result goes to standard output (``--out -``)."""
    click.echo(text, err=click.get_current_context().params.get("out") == STDOUT)
