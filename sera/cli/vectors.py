"""The commands of the room `sera.vectors`: learn word vectors."""

from __future__ import annotations

from pathlib import Path

import click

from sera.cli.inputs import OUT
from sera.cli.options import Group, IndexIn, Whole
from sera.cli.output import say


@click.group(cls=Group)
def vectors() -> None:
    """Learn word vectors, for the metrics that use them."""


@vectors.command("learn")
@click.option("--index", "folder", required=True, type=IndexIn(), help="Index to search.")
@click.option("--width", type=Whole(1, 10_000), default=100, show_default=True, help="Length of a vector.")
@click.option("--window", type=Whole(1, 1000), default=5, show_default=True, help="Words on each side.")
@click.option(
    "--minimum",
    type=Whole(1),
    default=5,
    show_default=True,
    help="Smallest frequency of a term with a vector.",
)
@click.option("--out", required=True, type=OUT, help="File (.npz) to write.")
def learn_vectors(folder: Path, width: int, window: int, minimum: int, out: Path) -> None:
    """Learn word vectors from the output of `sera index build`.

    Each term of the index has a vector. Terms are stems, unless the index was built with --analyzer standard.
    """
    from sera.vectors.learning import learn

    learnt = learn(folder, width=width, window=window, minimum=minimum)
    learnt.save(out)
    say(f"vectors of {len(learnt.words)} terms, {learnt.width} numbers each, in {out}")
