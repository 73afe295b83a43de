"""The log of a training: a table of every update, and a figure of it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

# here, and not where it draws: without it a training ends before it begins, not after hours
import matplotlib
from matplotlib.figure import Figure

from sera.io.files import writing

LOG, CURVE = "training.tsv", "training.svg"


class Row(NamedTuple):
    """An update: its number, its pass, its loss, the score if it ends a pass, seconds since the start."""

    update: int
    number: int
    loss: float
    score: float | None
    seconds: float


def write_log(folder: Path, rows: list[Row], system: str, selector: str) -> None:
    """Write ``training.tsv`` and ``training.svg`` into a folder."""
    with writing(folder / LOG) as file:
        file.write(f"update\tpass\tloss\t{selector}\tseconds\n")
        for row in rows:
            score = "" if row.score is None else f"{row.score:.5f}"
            file.write(f"{row.update}\t{row.number}\t{row.loss:.6f}\t{score}\t{row.seconds}\n")
    _draw(folder / CURVE, rows, system, selector)


def _draw(path: Path, rows: list[Row], system: str, selector: str) -> None:
    with matplotlib.rc_context({"svg.hashsalt": "sera"}):
        figure = Figure(figsize=(6, 3), layout="constrained")
        axes = figure.subplots()
        axes.plot([row.update for row in rows], [row.loss for row in rows], color="#1b6ca8")
        axes.set(xlabel="update", ylabel="loss", title=f"Training of {system}")
        judged = [(row.update, row.score) for row in rows if row.score is not None]
        other = axes.twinx()
        other.plot([at for at, _ in judged], [score for _, score in judged], "o--", color="#b3541e")
        other.set_ylabel(f"{selector} on the development data")
        figure.savefig(path, format="svg", metadata={"Date": None})
