"""The commands on the results of the study: print them, and keep or copy what the repository shows of
them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from sera.cli.inputs import IN
from sera.cli.options import Command, Folder
from sera.errors import InputError, printable
from sera.registry import unknown

SHOWN = ("results", "audit", "multiverse", "matrix")
PUBLISHED = ("multiverse", "matrix", "expected", "pictures")

_FILE = click.option("--configfile", type=IN, help="File of settings, in YAML.")


def _of_a_study(metavar: str, what: bool = True) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add the arguments that change settings; the command is given the settings in force.

    ``what``: the command is given the words too that are not NAME=VALUE.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def with_settings(words: tuple[str, ...], configfile: Path | None, **options: Any) -> None:
            from study.settings.in_force import settings_in_force

            if what:
                options["words"] = [word for word in words if "=" not in word]
                words = tuple(word for word in words if "=" in word)
            command(settings_in_force(words, configfile), **options)

        return click.argument("words", metavar=metavar, nargs=-1)(_FILE(with_settings))

    return decorate


def _one_of(names: Iterable[str], words: list[str], otherwise: str = "") -> str:
    """The one word, which is among the names; ``otherwise`` if there is none."""
    names = list(names)
    if len(words) > 1 or not (words or otherwise):
        raise InputError(
            f"there are {len(words)} names of results", remedy=f"Name one of: {', '.join(names)}."
        )
    word = words[0] if words else otherwise
    if word not in names:
        raise unknown("kind of results", word, names)
    return word


def _print(lines: Iterable[str]) -> None:
    """Print lines, tables among them, once all of them are there: an error then stands alone."""
    for line in "\n".join(lines).split("\n"):
        click.echo(printable(line))


@click.command(cls=Command)
@_of_a_study("[WHAT] [NAME=VALUE]...")
def show(settings: dict[str, Any], words: list[str]) -> None:
    """Print results, and the paths of all files behind them.

    WHAT is one of: results (by default; Table 2 and moved numbers), audit, multiverse (the share of universes
    in which each claim holds), matrix (what it says of the paper's claim). NAME=VALUE and --configfile change
    settings, as of `snakemake --config` and `--configfile`.
    """
    from study.report.curves import stale_lines
    from study.report.further_results import audit_lines, matrix_lines, multiverse_lines
    from study.report.results import results_lines
    from study.settings.settings import results_of

    folder = Path(settings["results"])
    match _one_of(SHOWN, words, "results"):
        case "audit":
            _print(audit_lines(folder))
        case "matrix":
            _print(matrix_lines(folder))
        case "multiverse":
            lines = list(multiverse_lines(results_of(settings)))
            universes = results_of(settings) / "multiverse/universes.tsv"
            _print([*(stale_lines(universes, settings) if universes.exists() else []), *lines])
        case _:
            _print(results_lines(settings))


@click.command(cls=Command)
@click.option("--to", "target", type=Folder(), default="docs", help="Folder for a page and its figures.")
@_of_a_study("WHAT [NAME=VALUE]...")
def publish(settings: dict[str, Any], words: list[str], target: Path) -> None:
    """Copy or keep what the repository shows of the results.

    WHAT is one of: multiverse, matrix (a page with its figures), expected (Table 2, as the expected numbers
    of its benchmark, with the settings behind it), pictures (the README's pictures of the figures, in
    docs/figures, with their alternative texts).
    """
    from study.report.further_results import publish_matrix, publish_multiverse
    from study.report.results import keep_expected, make_pictures
    from study.settings.settings import name_of, results_of

    match _one_of(PUBLISHED, words):
        case "multiverse":
            page, figures = publish_multiverse(results_of(settings), target)
            click.echo(f"{page}, with its figures in {figures}")
        case "matrix":
            _print(map(str, publish_matrix(Path(settings["results"]), target)))
        case "expected":
            click.echo(f"Expected of {name_of(settings)}: {keep_expected(settings)}")
        case _:
            for figure, picture in make_pictures(settings):
                click.echo(f"{figure} is now {picture}")


@click.command(cls=Command)
@click.option("--all", "of_all", is_flag=True, help="Print the folder of all results instead.")
@_of_a_study("[NAME=VALUE]...", what=False)
def folder(settings: dict[str, Any], of_all: bool) -> None:
    """Print the path of the study's results, even if it has none yet."""
    from study.settings.settings import results_of

    click.echo(os.fspath(results_of(settings).parent if of_all else results_of(settings)))
