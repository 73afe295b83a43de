"""The command line, run in this process."""

from __future__ import annotations

from click.testing import CliRunner

from sera.cli import main


def sera(*arguments, code=0):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result.output
