"""The results of the matrix in the results' folder: printed, and copied to where they are published."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from sera.errors import InputError
from sera.evaluation.tables import aligned, printed, read_tsv
from study.matrix.answers import answer
from study.report.results import copy, located

_PLACES = (
    ("page", "matrix.html"),
    ("all numbers", "cells.tsv"),
    ("claims", "claims.tsv"),
    ("overview", "overview.md"),
    ("figure", "figures/matrix.png"),
)


def matrix_lines(results: Path) -> Iterator[str]:
    """The overview, the answer and the paths of the matrix in a folder of results.

    InputError if there is none.
    """
    folder = _folder(results)
    yield aligned(printed(read_tsv(folder / "overview.tsv").drop(columns="benchmark")))
    yield ""
    yield textwrap.fill(answer(read_tsv(folder / "claims.tsv")), 100)
    yield ""
    yield from located(folder, _PLACES)


def publish_matrix(results: Path, target: Path) -> Iterator[Path]:
    """Copy the page matrix.md and its figure to a folder; yields the files."""
    folder = _folder(results)
    yield copy(folder / "matrix.md", target / "matrix.md")
    yield copy(folder / "figures/matrix.svg", target / "figures/matrix.svg")


def _folder(results: Path) -> Path:
    folder = results / "matrix"
    if not (folder / "matrix.html").is_file():
        raise InputError("holds no matrix", path=folder, remedy="Make it with `make matrix`.")
    return folder
