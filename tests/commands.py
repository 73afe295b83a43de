"""The command line, run in this process."""

from __future__ import annotations

from click.testing import CliRunner

from sera.cli import main
from study.__main__ import main as study_main


def group_of(words):
    """The group of a command line without its program: `sera`, or the study's."""
    return study_main if words and words[0] in study_main.commands else main


def sera(*arguments, code=0):
    result = CliRunner().invoke(group_of(arguments), [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result.output
