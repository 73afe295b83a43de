"""The command line, run in this process."""

from click.testing import CliRunner

from sera.cli import main
from sera.io import records
from study.__main__ import main as study_main


def group_of(words):
    """The group of a command line without its program: `sera`, or the study's."""
    return study_main if words and words[0] in study_main.commands else main


def sera(*arguments, code=0):
    result = CliRunner().invoke(group_of(arguments), [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    return result.output


def put_texts(folder, **texts):
    """Write records as files of the folder; returns the options that name them, as ``candidates=`` does."""
    for kind, some in texts.items():
        records.write(folder / f"{kind}.jsonl", some)
    return [part for kind in texts for part in (f"--{kind}", folder / f"{kind}.jsonl")]


def refusing(packages) -> str:
    """A beginning of a program in which these packages are refused, as if they were not installed."""
    return f"""
import sys

class Refused:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {sorted(packages)}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Refused())
"""
