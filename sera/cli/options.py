"""What the commands have in common: the types of their options, their messages, and how errors are told.

With ``--out -`` a result goes to standard output, and the messages elsewhere.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from sera.errors import InputError, printable
from sera.extras import extra_for
from sera.io.files import check_writable
from sera.settings import NUMBER_TEXT, WHOLE_TEXT, Setting, shown


class Number(click.FloatRange):
    """A decimal number from ``low`` to ``high``; with ``above`` it may not be ``low`` itself."""

    def __init__(self, low: float, high: float, *, above: bool = False) -> None:
        super().__init__(low, high, min_open=above)

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        text = str(value).strip(" ")
        if len(text) > 400 or not NUMBER_TEXT.fullmatch(text):
            self.fail(f"{shown(text)} is no number.", parameter, context)
        return super().convert(text, parameter, context)  # type: ignore[arg-type]


class Whole(click.IntRange):
    """A whole number from ``low`` to ``high``."""

    def __init__(self, low: int, high: int = 10**9) -> None:
        super().__init__(low, high)

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        text = str(value).strip(" ")
        if not WHOLE_TEXT.fullmatch(text):
            self.fail(f"{shown(text)} is no whole number.", parameter, context)
        return super().convert(text, parameter, context)  # type: ignore[arg-type]


class SettingOption(click.Option):
    """The option of a family's setting; None if it is not given."""

    def __init__(self, family: str, setting: Setting) -> None:
        option = setting.name.replace("_", "-")
        default = setting.default
        super().__init__(
            [f"--{option}/--no-{option}" if setting.kind is bool else f"--{option}", setting.name],
            default=None,
            type=None if setting.kind is bool else _SettingValue(setting),
            show_default=None if default is None else (f"no-{option}" if default is False else str(default)),
            help=f"{family}: {setting.help}.",
        )


class _SettingValue(click.ParamType):
    """The value of a `Setting`."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.name = setting.kind.__name__

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str | None:
        return f"[{'|'.join(self.setting.choices)}]" if self.setting.choices else None

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        try:
            return self.setting.read(str(value))
        except InputError as error:
            self.fail(str(error), parameter, context)


class In(click.Path):
    """A file that is read."""

    def __init__(self) -> None:
        super().__init__(exists=True, dir_okay=False, path_type=Path)

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        _check_path(self, value, parameter, context)
        return super().convert(value, parameter, context)


STDOUT = Path("/dev/stdout")


class Out(click.Path):
    """A file that is written, or `-` for `STDOUT`; a `Command` checks that it can be, before anything."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        _check_path(self, value, parameter, context)
        return super().convert(STDOUT if os.fspath(value) == "-" else value, parameter, context)


class Folder(click.Path):
    """A folder, or with ``files`` also a file."""

    def __init__(self, *, files: bool = False) -> None:
        super().__init__(file_okay=files, path_type=Path)

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        _check_path(self, value, parameter, context)
        if os.fspath(value) == "-":
            self.fail("- (standard output) is no folder. Name a folder.", parameter, context)
        return super().convert(value, parameter, context)


class IndexIn(Folder):
    """An index that is read: a folder, or with a server its receipt."""

    def __init__(self) -> None:
        super().__init__(files=True)


def _check_path(
    kind: click.Path, value: Any, parameter: click.Parameter | None, context: click.Context | None
) -> None:
    text = os.fspath(value)
    if not text:
        kind.fail("The name is empty.", parameter, context)
    if "\0" in text:
        kind.fail("The name has a zero in it.", parameter, context)
    try:
        os.lstat(text)
    except (FileNotFoundError, NotADirectoryError):
        pass  # what may not be there is for each kind to say
    except OSError as error:
        kind.fail(f"{shown(text)}: {error.strerror}", parameter, context)


class Renamed(click.Option):
    """An option that also accepts its former name, and prints a hint then; the help omits that name."""

    def __init__(self, names: Any = None, *, former: str, **settings: Any) -> None:
        super().__init__(names, **settings)
        self.former = former

    def add_to_parser(self, parser: Any, context: click.Context) -> None:
        super().add_to_parser(parser, context)
        parser.add_option(obj=self, opts=[self.former], dest=self.former, action="store", nargs=self.nargs)

    def consume_value(self, context: click.Context, values: Any) -> Any:
        if self.former in values:
            if self.name in values:
                raise click.UsageError(f"{self.former} is now {self.opts[0]}: give one of them.", context)
            click.echo(f"{self.former} is now {self.opts[0]}", err=True)
            values = {self.name: values[self.former]}
        return super().consume_value(context, values)


class Command(click.Command):
    """A command that refuses, before it reads anything, an output that cannot be written or is an input."""

    def invoke(self, context: click.Context) -> Any:
        inputs = list(self._paths(context, In))
        for out in self._paths(context, Out):
            check_output(out, inputs)
            for index in self._paths(context, IndexIn):
                if os.path.realpath(index) in map(str, Path(os.path.realpath(out)).parents):
                    raise InputError(
                        f"is in the index {index}", path=out, remedy="Name another file to write."
                    )
        with extra_for(" ".join(["sera", *context.command_path.split()[1:]])):
            return super().invoke(context)

    def _paths(self, context: click.Context, kind: type[click.Path]) -> Iterator[Path]:
        for parameter in self.params:
            value = context.params.get(parameter.name or "")
            if isinstance(parameter.type, kind) and value is not None:
                yield from value if isinstance(value, tuple) else (value,)


def check_output(out: Path, inputs: list[Path]) -> None:
    """InputError for a file that could not be written, or is one of the files that are read."""
    check_writable(out)
    for path in inputs:
        if out.is_file() and path.is_file() and os.path.samefile(out, path):
            raise InputError(f"is read too, as {path}", path=out, remedy="Name another file to write.")


class Group(click.Group):
    """A group whose commands report an error in one line: exit code 2 for bad input, 1 otherwise."""

    command_class = Command

    def main(self, *arguments: Any, **settings: Any) -> Any:
        for stream in (sys.stdout, sys.stderr):
            # a name that the terminal's encoding lacks is escaped
            if reconfigure := getattr(stream, "reconfigure", None):
                reconfigure(errors="backslashreplace")
        return super().main(*arguments, **settings)

    def invoke(self, context: click.Context) -> Any:
        try:
            return super().invoke(context)
        except click.ClickException as error:
            vars(error)["message"] = printable(error.message)
            raise
        except InputError as error:
            raise click.UsageError(str(error)) from None
        except KeyboardInterrupt:
            raise _Interrupted from None
        except EOFError:
            raise click.ClickException("the input ends too early") from None
        except MemoryError:
            raise click.ClickException("there is not enough memory for this input") from None
        except RecursionError:
            raise click.ClickException("the input is nested too deeply") from None
        except OSError as error:
            _drop_output()
            if error.errno == errno.EPIPE:
                raise click.exceptions.Exit(1) from None  # whoever read the output has what they wanted
            raise click.ClickException(printable(_said(error))) from None


class _Interrupted(click.ClickException):
    exit_code = 130  # as a shell has it

    def __init__(self) -> None:
        super().__init__("interrupted")

    def show(self, file: Any = None) -> None:
        click.echo(self.message, file=file, err=True)


def _said(error: OSError) -> str:
    what = error.strerror or str(error) or type(error).__name__
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        what = f"{what}: the disk is full. Make room, or write elsewhere"
    name = error.filename
    return what if name is None else f"{os.fsdecode(name) if isinstance(name, bytes) else name}: {what}"


def _drop_output() -> None:
    """Lead standard output nowhere if it cannot be written, or Python reports the error again at the end."""
    try:
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


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
