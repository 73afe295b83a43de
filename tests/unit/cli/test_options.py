"""Options of commands: one line of error, or a right result."""

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from commands import group_of
from conftest import ROOT
from made_scores import JUDGEMENT_HEAD, SCORE_HEAD, put_table
from pmc_packages import member, write_package

from sera.cli import main
from sera.cli.options import Out
from sera.errors import InputError
from sera.io import records
from sera.io.records import Candidate, Nugget, Query, Reference, Section, Source
from sera.retrieval.index import build_part
from study.__main__ import main as study_main

ELSEWHERE = {
    *("corpus download", "corpus sample"),
    "datasets get",
    *("research ask", "show", "publish", "folder", "recognition", "contexts"),
}  # tested beside what they do


def commands(group: click.Group, above: str = "") -> dict[str, click.Command]:
    found = {}
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            found |= commands(command, f"{above}{name} ")
        else:
            found[above + name] = command
    return found


ALL = {
    name: command
    for name, command in (commands(main) | commands(study_main)).items()
    if name not in ELSEWHERE
}


def run(*arguments):
    return CliRunner().invoke(group_of(arguments), [str(argument) for argument in arguments])


def says(result, code=2):
    """The one line of error of a command that failed with a code."""
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output and "Aborted" not in result.output
    errors = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert len(errors) == 1, result.output
    assert result.output.endswith(errors[0] + "\n")
    assert "None" not in errors[0]
    return errors[0]


@pytest.fixture(scope="module")
def given(tmp_path_factory) -> dict[str, list[str]]:
    """Arguments with which each command works."""
    folder = tmp_path_factory.mktemp("files")
    texts = {name: (f"The {name} kinase binds p53.", "Cells die of it.") for name in ("a", "b", "c")}
    records.write(folder / "c.jsonl", [Candidate(t, s, texts[s]) for t in "12" for s in texts])
    records.write(folder / "r.jsonl", [Reference(t, "A", texts["a"]) for t in "12"])
    records.write(folder / "s.jsonl", [Source(t, t, "T", (Section("", texts["b"]),)) for t in "12"])
    records.write(folder / "n.jsonl", [Nugget(t, "A", "kinase binds") for t in "12"])
    records.write(folder / "q.jsonl", [Query("q", "kinase")])
    rows = [(t, s, i + int(t)) for t in "12" for i, s in enumerate(texts)]
    put_table(folder / "scores.tsv", SCORE_HEAD, *((t, s, "M", score) for t, s, score in rows))
    put_table(folder / "judgements.tsv", JUDGEMENT_HEAD, *((t, s, "H", score) for t, s, score in rows))
    head = "metric against pearson spearman kendall"
    put_table(folder / "correlations.tsv", head, "x Pyramid 0.5 0.4 0.3")
    put_table(folder / "table.tsv", "metric spearman kendall", "x 0.5 0.4")
    (folder / "d.jsonl").write_text('{"id": "d1", "text": "kinase word"}\n{"id": "d2", "text": "kinase"}\n')
    build_part(records.iterate(folder / "d.jsonl", records.Document), folder / "index")
    both = ["--candidates", folder / "c.jsonl", "--references", folder / "r.jsonl"]
    learning = [*both, "--judgements", folder / "judgements.tsv"]
    out = ["--out", folder / "new" / "out"]
    found = {
        "metrics": [],
        "summarizers": [],
        "score": ["--metrics", "ROUGE-1-F,MOULIN-ROUGE", *both, "--sources", folder / "s.jsonl", *out],
        "research grid": [*learning, "--metrics", "ROUGE-1-F", "--resamples", 2, *out],
        "research keywords": [*both, "--sources", folder / "s.jsonl", *out],
        "research identify": [*both, "--published", "0.5", *out],
        "research mark": ["--candidates", folder / "c.jsonl", "--sources", folder / "s.jsonl", *out],
        "average": [folder / "scores.tsv"],
        "evaluate": [folder / "scores.tsv", "--judgements", folder / "judgements.tsv", "--resamples", 2],
        "report": [folder / "scores.tsv", "--judgements", folder / "judgements.tsv", "--resamples", 2, *out],
        "compare": [folder / "scores.tsv", *out],
        "audit": [folder / "table.tsv"],
        "summarize": ["--system", "lda", "--sources", folder / "s.jsonl", *out],
        "research sample": [
            *["--fitness", "ROUGE-1-R", "--sources", folder / "s.jsonl", "--references", folder / "r.jsonl"],
            *["--generations", 2, *out],
        ],
        "index analyze": ["--texts", folder / "q.jsonl"],
        "index build": ["--documents", folder / "d.jsonl", "--out", folder / "new" / "index"],
        "search": ["--index", folder / "index", "--queries", folder / "q.jsonl", *out],
        "index verify": [folder / "index"],
        "index vectors": ["--index", folder / "index", *out],
        "research s3 train": [*learning, *out],
        "research s3 evaluate": [*learning, *out],
        "corpus extract": [folder / "table.tsv", *out],
    }
    found["evaluate"] += ["--out", folder / "tables"]
    assert set(found) == set(ALL)
    return {name: [str(argument) for argument in arguments] for name, arguments in found.items()}


# One option of each kind: what is true of a kind is true of all its options.


def test_nothing_is_written_over_what_is_read(given, tmp_path):
    scores = tmp_path / "system_level.tsv"
    scores.write_bytes(Path(given["evaluate"][0]).read_bytes())
    error = says(run("evaluate", scores, *given["evaluate"][1:], "--out", tmp_path))
    assert f"{scores}: is read too" in error
    folder = given["index vectors"][1]
    error = says(run("index", "vectors", "--index", folder, "--out", f"{folder}/ids.npy"))
    assert f"{folder}/ids.npy: is in the index {folder}" in error


def test_an_output_that_cannot_be_written_is_refused_before_anything_is_read(given, tmp_path):
    (tmp_path / "file").write_text("x")
    (tmp_path / "bad.jsonl").write_text("no JSON")
    bad = [*given["score"], "--candidates", tmp_path / "bad.jsonl"]
    for out, said in (
        (tmp_path, "is a folder, not a file to write. Name a file."),
        (tmp_path / "file" / "s.tsv", "is not a folder"),
        (tmp_path / "file" / "a" / "s.tsv", "is not a folder"),
    ):
        result = run("score", *bad, "--out", out)
        assert str(out) in result.output and result.exit_code == 2
        assert "bad.jsonl" not in result.output and said in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--metrics", "ROUGE-1-F,SERA-5"], "SERA-5 compares what summaries retrieve"),
        (["--metrics", " , "], "--metrics names no metric"),
        (["--metrics", "x" * 10**6], "there is no metric"),
    ],
)
def test_what_is_missing_is_told_before_anything_is_read(given, tmp_path, arguments, said):
    (tmp_path / "bad.jsonl").write_text("no JSON")
    error = says(run("score", *given["score"], "--candidates", tmp_path / "bad.jsonl", *arguments))
    assert said in error and len(error) < 9000


def test_up_to_ten_faults_of_a_file_are_told_together(given, tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text(
        '{"topic": "1", "system": "s"}\n\n[]\n{\n' + '{"topic": "1", "system": "s", "sentences": ["x"]}\n' * 2
    )
    error = says(run("score", *given["score"], "--candidates", path))
    assert error.count("; line ") == 3
    for fault in (
        "1: has no field 'sentences'",
        "3: is not a JSON",
        "4: is not JSON",
        "6: system 's' has two",
    ):
        assert f"line {fault}" in error
    path.write_text("[]\n" * 12)
    error = says(run("score", *given["score"], "--candidates", path))
    assert "lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10: is not a JSON object; and 2 more. Give" in error


@pytest.mark.parametrize(
    ("raised", "code", "said"),
    [
        (OSError(), 1, "Error: OSError"),
        (OSError(28, "No space left on device", "/x"), 1, "Error: /x: No space left on device"),
        (EOFError(), 1, "Error: the input ends too early"),
        (MemoryError(), 1, "Error: there is not enough memory"),
        (RecursionError(), 1, "Error: the input is nested too deeply"),
        (ValueError("no\nsuch"), 1, "Error: ValueError: no\\nsuch. This is a fault of the program: repeat"),
        (BrokenPipeError(32, "Broken pipe"), 1, ""),
        (KeyboardInterrupt(), 130, "interrupted"),
        (InputError("x\n\x1b[2J is wrong"), 2, "Error: x\\n\\x1b[2J is wrong"),
    ],
)
def test_whatever_goes_wrong_is_one_line(monkeypatch, raised, code, said):
    def fail(**_):
        raise raised

    monkeypatch.setattr(main.commands["metrics"], "callback", fail)
    result = run("metrics")
    assert result.exit_code == code and isinstance(result.exception, SystemExit)
    assert result.output.startswith(said) and result.output.count("\n") == bool(said)
    if type(raised) is ValueError:
        assert run("--traceback", "metrics").exception is raised


def run_apart(*arguments, stdout=subprocess.PIPE, **environment):
    """Run a command in a process of its own."""
    program = [Path(sys.executable).with_name("sera")]
    if group_of(arguments) is not main:
        program = [sys.executable, "-m", "study"]
    environment = {**os.environ, **environment}
    return subprocess.run(
        [*program, *arguments], stdout=stdout, stderr=subprocess.PIPE, cwd=ROOT, env=environment
    )


# In Python
# ---------

# Standard output


FILES = sorted(
    name
    for name, command in ALL.items()
    for each in command.params
    if each.name == "out" and isinstance(each.type, Out)
)
FOLDERS = ("evaluate", "research keywords", "index build")


def arguments_of(name, given):
    """The arguments of a command, without where it writes."""
    found = list(given[name])
    if "--out" in found:
        del found[found.index("--out") : found.index("--out") + 2]
    return found


def package(folder):
    """A package with one article that can be read, and one that cannot."""
    article = b"<article><body><p>Cells die.</p></body></article>"
    members = [member("P/PMC1.xml", article), member("P/PMC2.xml", b"<article>")]
    return write_package(folder / "p.tar.gz", members, None)


def test_articles_that_are_not_read_are_listed_on_standard_error(tmp_path):
    shown = run_apart("corpus", "extract", str(package(tmp_path)), "--out", "-")
    assert json.loads(shown.stdout)["id"] == "PMC1"
    assert b"part\tfile\treason\n" in shown.stderr and b"\np\tP/PMC2.xml\t" in shown.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.tar.gz"]


def test_all_commands_that_write_are_tested():
    writing = {name for name, command in ALL.items() for each in command.params if "--out" in each.opts}
    assert writing == {*FILES, *FOLDERS} and len(FILES) == 16


MORE = {
    "index vectors": ["--width", "1", "--minimum", "1"],
    "research s3 train": ["--model-of", "S3-full"],
    "research s3 evaluate": ["--model-of", "S3-full"],
}
"""Options without which a command cannot work on the small files."""


@pytest.mark.parametrize("name", FILES)
def test_the_result_goes_to_standard_output_and_equals_the_file(name, given, tmp_path, capfdbinary):
    arguments = [*arguments_of(name, given), *MORE.get(name, [])]
    if name == "corpus extract":
        arguments = [str(package(tmp_path))]
    shown = run(*name.split(), *arguments, "--out", "-")
    assert (shown.exit_code, shown.stdout) == (0, ""), shown.output
    content = capfdbinary.readouterr().out  # the descriptor, not Python's stream
    written = run(*name.split(), *arguments, "--out", str(tmp_path / "file"))
    assert written.exit_code == 0
    # the page of `report` has the command that made it
    expected = (tmp_path / "file").read_bytes().replace(str(tmp_path / "file").encode(), b"-")
    assert content == expected != b""
    # what was printed beside the file is an error stream's now
    assert shown.stderr.count("\n") >= (1 if written.stdout else 0)
    assert not (Path.cwd() / "-").exists()


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_cannot_be_standard_output(name, given):
    refused = says(run(*name.split(), *arguments_of(name, given), "--out", "-"))
    assert refused.endswith("- (standard output) is not a folder. Name a folder.")
