"""Options of commands: one line of error, or a right result."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from commands import group_of
from made_scores import JUDGEMENT_HEAD, SCORE_HEAD, put_table

from sera.cli import main
from sera.errors import InputError
from sera.io import records
from sera.io.records import Candidate, Reference, Source


def run(*arguments):
    return CliRunner().invoke(group_of(arguments), [str(argument) for argument in arguments])


def says(result, code=2):
    """The one line of error of a command that failed with a code."""
    assert isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code, result.output
    errors = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1 and result.output.endswith(errors[0] + "\n"), result.output
    return errors[0]


@pytest.fixture
def given(tmp_path) -> dict[str, list[str]]:
    """Arguments with which commands work, without where they write."""
    folder = tmp_path / "files"
    texts = {name: (f"The {name} kinase binds p53.", "Cells die of it.") for name in ("a", "b", "c")}
    records.write(folder / "c.jsonl", [Candidate(t, s, texts[s]) for t in "12" for s in texts])
    records.write(folder / "r.jsonl", [Reference(t, "A", texts["a"]) for t in "12"])
    records.write(folder / "s.jsonl", [Source(t, t, "T") for t in "12"])
    rows = [(t, s, i + int(t)) for t in "12" for i, s in enumerate(texts)]
    put_table(folder / "scores.tsv", SCORE_HEAD, *((t, s, "M", score) for t, s, score in rows))
    put_table(folder / "judgements.tsv", JUDGEMENT_HEAD, *((t, s, "H", score) for t, s, score in rows))
    judged = [folder / "scores.tsv", folder / "judgements.tsv", "--resamples", 2]
    both = [folder / "c.jsonl", folder / "r.jsonl"]
    found = {
        "score": [*both, "--metrics", "ROUGE-1-F"],
        "average": [folder / "scores.tsv"],
        "compare": [folder / "scores.tsv"],
        "evaluate": judged,
        "report": judged,
        "research keywords": [*both, "--sources", folder / "s.jsonl"],
        "research identify": [*both, "--published", "0.5", "--metrics", "ROUGE-1"],
    }
    return {name: [str(argument) for argument in arguments] for name, arguments in found.items()}


def test_nothing_is_written_over_what_is_read(given, tmp_path):
    scores = tmp_path / "system_level.tsv"
    scores.write_bytes(Path(given["evaluate"][0]).read_bytes())
    error = says(run("evaluate", scores, *given["evaluate"][1:], "--out", tmp_path))
    assert f"{scores}: is read too" in error
    assert "scores.tsv: is read too" in says(run("average", *given["average"], "--out", given["average"][0]))


def test_an_output_that_cannot_be_written_is_refused_before_anything_is_read(given, tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "bad.jsonl").write_text("no JSON")
    out = tmp_path / "file/s.tsv"
    error = says(run("score", tmp_path / "bad.jsonl", *given["score"][1:], "--out", out))
    assert f"{out}: cannot be written: {tmp_path / 'file'} is not a folder" in error


@pytest.mark.parametrize(
    ("metrics", "problem"),
    [
        ("ROUGE-1-F,SERA-5", "SERA-5 compares what summaries retrieve"),
        (" , ", "--metrics names no metric"),
        ("x", "there is no metric"),
    ],
)
def test_what_is_missing_is_told_before_anything_is_read(given, tmp_path, metrics, problem):
    (tmp_path / "bad.jsonl").write_text("no JSON")
    arguments = (tmp_path / "bad.jsonl", *given["score"][1:], "--metrics", metrics, "--out", "-")
    assert problem in says(run("score", *arguments))


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [
        (ValueError("no\nsuch"), 1, "Error: ValueError: no\\nsuch. `sera --traceback ...` shows where"),
        (BrokenPipeError(32, "Broken pipe"), 1, ""),
        (InputError("x\n\x1b[2J is wrong"), 2, "Error: x\\n\\x1b[2J is wrong"),
    ],
)
def test_whatever_goes_wrong_is_one_line(monkeypatch, raised, code, message):
    def fail(**_):
        raise raised

    monkeypatch.setattr(main.commands["metrics"], "callback", fail)
    result = run("metrics")
    assert result.exit_code == code and isinstance(result.exception, SystemExit)
    assert result.output.startswith(message) and result.output.count("\n") == bool(message)
    if type(raised) is ValueError:
        assert run("--traceback", "metrics").exception is raised


# Standard output


@pytest.mark.parametrize("name", ["score", "average", "compare", "report", "research identify"])
def test_the_result_goes_to_standard_output_and_equals_the_file(name, given, tmp_path, capfdbinary):
    shown = run(*name.split(), *given[name], "--out", "-")
    assert (shown.exit_code, shown.stdout) == (0, ""), shown.output
    content = capfdbinary.readouterr().out  # the descriptor, not Python's stream
    written = run(*name.split(), *given[name], "--out", tmp_path / "result")
    assert written.exit_code == 0
    # the page of `report` has the command that made it
    expected = (tmp_path / "result").read_bytes().replace(str(tmp_path / "result").encode(), b"-")
    assert content == expected != b""
    # what was printed beside the file is an error stream's now
    assert shown.stderr.count("\n") >= (1 if written.stdout else 0)
