"""The commands on the results of the study: print them, and keep or copy what the repository shows of them.

The library's part is in `sera.reporting.study_results` and `sera.multiverse.study_claims`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from sera.cli.options import Folder, Group
from sera.errors import printable

_BENCHMARK = click.option("--benchmark", help="Name of the benchmark, or path of its folder.")
_RESULTS = click.option("--results", type=Folder(), help="Folder of all results.")
_STUDY = click.option("--study", help="Name of the study, if it is not the benchmark's.")


def _of_a_study(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that name a study; the command is given the settings in force."""

    @wraps(command)
    def with_settings(benchmark: str | None, results: Path | None, study: str | None, **options: Any) -> None:
        command(_settings(benchmark=benchmark, results=results, study=study), **options)

    return _BENCHMARK(_RESULTS(_STUDY(with_settings)))


def _settings(**given: str | Path | None) -> dict[str, Any]:
    from sera.reporting.study_settings import settings_in_force

    texts = {name: None if value is None else os.fspath(value) for name, value in given.items()}
    return settings_in_force(os.environ, texts)


def _print(lines: Iterable[str]) -> None:
    """Print lines, tables among them, once all of them are there: an error then stands alone."""
    for line in "\n".join(lines).split("\n"):
        click.echo(printable(line))


@click.group(cls=Group)
def study() -> None:
    """Print, keep or copy the results of the study.

    The study is that of config.yaml in this folder. The environment variables of `make` (SERA_SETTING_results
    and others) overrule config.yaml, and options overrule both.
    """


@study.command("show")
@_of_a_study
def show(settings: dict[str, Any]) -> None:
    """Print Table 2, the paths of all results, moved numbers, and what the last run changed."""
    from sera.reporting.study_results import results_lines

    _print(results_lines(settings))


@study.command("audit")
@_RESULTS
def show_audit(results: Path | None) -> None:
    """Print the summary of `make audit`, and the paths of its results.

    `sera audit` audits a table of your own.
    """
    from sera.reporting.study_results import audit_lines

    _print(audit_lines(Path(_settings(results=results)["results"])))


@study.command("multiverse")
@click.option(
    "--publish", "target", type=Folder(), help="Folder to copy the page replication.md to, with its figures."
)
@_of_a_study
def show_multiverse(settings: dict[str, Any], target: Path | None) -> None:
    """Print the share of universes in which each claim holds, and the paths of the results."""
    from sera.multiverse.study_claims import multiverse_lines, publish
    from sera.reporting.specification import stale_lines
    from sera.reporting.study_settings import results_of

    if target is None:
        lines = list(multiverse_lines(results_of(settings)))
        universes = results_of(settings) / "multiverse/universes.tsv"
        _print([*(stale_lines(universes, settings) if universes.exists() else []), *lines])
    else:
        page, figures = publish(results_of(settings), target)
        click.echo(f"{page}, with its figures in {figures}")


@study.command("matrix")
@click.option(
    "--publish", "target", type=Folder(), help="Folder to copy the page matrix.md to, with its figure."
)
@_RESULTS
def show_matrix(results: Path | None, target: Path | None) -> None:
    """Print what the matrix says of the paper's claim, and the paths of its results."""
    from sera.matrix.matrix_results import matrix_lines, publish_matrix

    folder = Path(_settings(results=results)["results"])
    _print(matrix_lines(folder) if target is None else map(str, publish_matrix(folder, target)))


@study.command("expected")
@_of_a_study
def keep_expected(settings: dict[str, Any]) -> None:
    """Keep Table 2 as the expected numbers of its benchmark, with the settings behind it."""
    from sera.reporting.study_results import keep_expected
    from sera.reporting.study_settings import name_of

    click.echo(f"Expected of {name_of(settings)}: {keep_expected(settings)}")


@study.command("pictures")
@_of_a_study
def pictures(settings: dict[str, Any]) -> None:
    """Make the README's pictures of the results' figures, in docs/figures, with their alternative texts."""
    from sera.reporting.study_results import make_pictures

    for figure, picture in make_pictures(settings):
        click.echo(f"{figure} is now {picture}")


@study.command("folder")
@click.option("--all", "of_all", is_flag=True, help="Print the folder of all results instead.")
@_of_a_study
def show_folder(settings: dict[str, Any], of_all: bool) -> None:
    """Print the path of the study's results, even if it has none yet."""
    from sera.reporting.study_settings import results_of

    click.echo(os.fspath(results_of(settings).parent if of_all else results_of(settings)))
