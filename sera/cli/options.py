"""What the commands have in common: the types of their options, their messages, and their errors.

With ``--out -`` a result goes to standard output, and the messages elsewhere.
"""

import os
from collections.abc import Iterable, Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import click

from sera.errors import InputError, printable
from sera.extras import extra_for
from sera.io.files import MANIFEST, check_writable

STDIN, STDOUT = Path("/dev/stdin"), Path("/dev/stdout")


class In(click.Path):
    """A file that is read; with ``stdin``, `-` is standard input."""

    def __init__(self, *, stdin: bool = False) -> None:
        super().__init__(path_type=Path, exists=True, dir_okay=False)
        self.dash = STDIN if stdin else "-"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        return super().convert(self.dash if value == "-" else value, parameter, context)


class Out(click.Path):
    """A file that is written, or `-` for `STDOUT`; a `Command` first checks that it can be written."""

    def __init__(self) -> None:
        super().__init__(path_type=Path, dir_okay=False)

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        return super().convert(STDOUT if value == "-" else value, parameter, context)


class Folder(click.Path):
    """A folder, or with ``files`` also a file."""

    def __init__(self, *, files: bool = False) -> None:
        super().__init__(path_type=Path, file_okay=files)


def options(*decorators: Any) -> Any:
    """One decorator for several options, which the help lists in this order."""
    return lambda command: reduce(lambda made, option: option(made), reversed(decorators), command)


ARGUMENTS = "sera.arguments"
"""The key in a context's ``meta`` of a command's arguments, as they were given."""


class Command(click.Command):
    """A command that refuses, before it reads anything, an output that cannot be written or is an input."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        context.meta[ARGUMENTS] = [*args]
        return super().parse_args(context, args)

    def invoke(self, context: click.Context) -> Any:
        inputs = [*self._paths(context, In), *self._paths(context, Folder)]
        for out in self._paths(context, Out):
            check_output(out, inputs)
        with extra_for(" ".join(["sera", *context.command_path.split()[1:]])):
            return super().invoke(context)

    def _paths(self, context: click.Context, kind: type[click.Path]) -> Iterator[Path]:
        for parameter in self.params:
            value = context.params.get(parameter.name or "")
            if isinstance(parameter.type, kind) and value is not None:
                yield from value if isinstance(value, tuple) else (value,)


def check_output(out: Path, inputs: Iterable[Path | None]) -> None:
    """InputError for a file that could not be written, is read too, or is in an index that is read."""
    check_writable(out)
    for path in filter(None, inputs):
        if out.is_file() and path.is_file() and os.path.samefile(out, path):
            raise InputError(f"is read too, as {path}", path=out, remedy="Name another file to write.")
        if (path / MANIFEST).is_file() and path.resolve() in out.resolve().parents:
            raise InputError(f"is inside {path}, which is read", path=out, remedy="Name a file elsewhere.")


class Group(click.Group):
    """A group whose commands report an error in one line: exit code 2 for bad input, 1 otherwise."""

    command_class = Command

    def main(self, *arguments: Any, **settings: Any) -> Any:
        defaults: dict[str, Any] = {"show_default": True, "help_option_names": ["-h", "--help"]}
        return super().main(*arguments, **{**defaults, **settings})

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except InputError as error:
            raise click.UsageError(str(error)) from None
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise  # click's own, and a reader of the output that has closed it
        except Exception as error:
            if context.find_root().meta.get(_TRACEBACK):
                raise
            text = f"{type(error).__name__}: {error}. `sera --traceback ...` shows where it came from"
            raise click.ClickException(printable(text)) from None

    def get_params(self, context: click.Context) -> list[click.Parameter]:
        params = super().get_params(context)
        return params if context.parent else [*params, _SHOW_TRACEBACK]


_TRACEBACK = "sera.traceback"
_SHOW_TRACEBACK = click.Option(
    ["--traceback"],
    is_flag=True,
    expose_value=False,
    callback=lambda context, _, value: context.meta.update({_TRACEBACK: value}),
    help="Show where an unexpected error came from.",
)


def counted(number: int, noun: str) -> str:
    """A number and its noun: ``1 score``, ``2 scores``, ``2 queries``.

    >>> counted(1, "summary"), counted(2, "summary"), counted(0, "topic")
    ('1 summary', '2 summaries', '0 topics')
    """
    several = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number} {noun if number == 1 else several}"


def say(text: str = "") -> None:
    """Print a message: to standard error if a result goes to standard output (``--out -``)."""
    params = click.get_current_context().params
    click.echo(text, err=STDOUT in (params.get("out"), params.get("trained")))
