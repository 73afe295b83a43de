"""Scores of the summaries of files: the same bytes whatever the processes, the parts and the order."""

import json
import os
import shutil
import signal
import subprocess
import sys

import pandas as pd
import pytest
from commands import sera
from made_scores import JUDGEMENT_HEAD, SCORE_HEAD, put_table

from sera.errors import InputError
from sera.io import records
from sera.io.record_index import RecordIndex
from sera.io.records import Candidate, Reference, Section, Source
from sera.io.score_formats import format_of, write_in_format
from sera.io.scores import write_scores
from sera.metrics import metric
from sera.metrics.notes import with_notes
from sera.metrics.score_files import FileScores
from sera.metrics.scoring import score

WORDS = "the kinase binds p53 in cells that divide slowly and fish swim".split()
NAMES = ["ROUGE-1-F", "ROUGE-K", "ROUGE-L-R", "MOULIN-ROUGE-Novel-Phrase-2"]


def text(number):
    return (" ".join(WORDS[number % 5 : number % 5 + number % 7]), " ".join(WORDS[:: 1 + number % 3]))


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Nine topics by five systems, all topics of a system together; topic 3 has an empty article."""
    folder = tmp_path_factory.mktemp("files")
    topics = [f"t{number}" for number in range(9)]
    gold = [Reference(t, a, text(3 * n + ord(a))) for a in "AB" for n, t in enumerate(topics)]
    systems = [Candidate(t, f"s{s}", text(n * s)) for s in range(4) for n, t in enumerate(topics)]
    sources = [Source(t, t, "", (Section("", text(n) if n != 3 else ()),)) for n, t in enumerate(topics)]
    records.write(folder / "c.jsonl", [*systems, records.as_candidate(gold[0])])
    records.write(folder / "r.jsonl", gold)
    records.write(folder / "s.jsonl", sources)
    return folder


def indexes(folder):
    kinds = {"c": Candidate, "r": Reference, "s": Source}
    return [RecordIndex(folder / f"{name}.jsonl", kind) for name, kind in kinds.items()]


@pytest.fixture(scope="module")
def expected(files, tmp_path_factory):
    """The bytes of the scores with all texts in memory."""
    metrics = [metric(name) for name in NAMES]
    kinds = {"c": Candidate, "r": Reference, "s": Source}
    candidates, references, sources = (records.read(files / f"{n}.jsonl", k) for n, k in kinds.items())
    path = tmp_path_factory.mktemp("expected") / "s.tsv"
    write_scores(path, with_notes(score(metrics, candidates, references, sources), metrics, sources))
    return path.read_bytes()


@pytest.mark.filterwarnings("ignore::sera.metrics.base.Caution")
@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_the_bytes_are_those_of_scoring_in_memory(files, expected, tmp_path, jobs):
    found = FileScores([metric(name) for name in NAMES], *indexes(files), jobs=jobs)
    assert (found.rows, found.systems, found.topics) == (4 * 37, 5, 9)
    write_in_format(tmp_path / "s.tsv", found.tables(), "tsv")
    assert (tmp_path / "s.tsv").read_bytes() == expected
    lines = expected.decode().splitlines()
    assert found.undefined == sum("\tundefined: " in line for line in lines) > 0
    assert lines[0] == "topic\tsystem\tmetric\tscore\tnote" and lines[1].startswith("t0\ts0\tROUGE-1-F\t")
    assert lines[-1].startswith("t0\thuman_A\tMOULIN-ROUGE")
    count = sum("the article has no sentence" in line for line in lines)
    assert f"{NAMES[3]} ({count} of 37): undefined: the article has no sentence" in found.notes.lines()


def test_standard_input_and_output(files, expected):
    command = [sys.executable, "-c", "from sera.cli import main; main()", "score", "--candidates", "-"]
    command += ["--metrics", ",".join(NAMES), "--references", files / "r.jsonl"]
    command += ["--sources", files / "s.jsonl", "--out", "-", "--jobs", "2"]
    content = (files / "c.jsonl").read_bytes()
    done = subprocess.run(command, input=content, capture_output=True, check=True)
    assert done.stdout == expected and b"148 scores of 5 systems on 9 topics" in done.stderr
    wrong = subprocess.run([*command, "--references", "-"], input=content, capture_output=True)
    assert wrong.returncode == 2 and b"two files are standard input. Give - once." in wrong.stderr


def test_notes_of_plain_names(tmp_path):
    """Rows of metrics whose names lack their settings are noted too."""
    records.write(tmp_path / "c.jsonl", [Candidate("t", "s", ("कोशिका",))])
    records.write(tmp_path / "r.jsonl", [Reference("t", "A", ("कोशिका",))])
    records.write(tmp_path / "s.jsonl", [Source("t", "a", "", (Section("", ("x",)),))])
    printed = sera(
        "score", tmp_path / "c.jsonl", tmp_path / "r.jsonl", "--sources", tmp_path / "s.jsonl", "--out",
        tmp_path / "s.tsv", "--metrics", "ROUGE-1-F(stem=true),MOULIN-ROUGE(beta=2)", "--plain-names",
    )  # fmt: skip
    assert "Note: ROUGE-1-F (1 of 1): no word: " in printed and "MOULIN-ROUGE (1 of 1): undefined" in printed
    rows = [line.split("\t") for line in (tmp_path / "s.tsv").read_text().splitlines()]
    assert [row[3] for row in rows[1:]] == ["0.0", "nan"] and rows[1][4].startswith("no word: ")


def test_json_lines(files, expected, tmp_path):
    out = tmp_path / "s.jsonl"
    sera(
        "score", "--metrics", ",".join(NAMES), "--candidates", files / "c.jsonl", "--references",
        files / "r.jsonl", "--sources", files / "s.jsonl", "--out", out,
    )  # fmt: skip
    rows = [line.split("\t") for line in expected.decode().splitlines()[1:]]
    for line, (topic, system, name, value, note) in zip(out.read_text().splitlines(), rows, strict=True):
        cells = {"topic": topic, "system": system, "metric": name}
        cells["score"] = None if value == "nan" else float(value)
        assert json.loads(line) == (cells | {"note": note} if note else cells)
    assert [format_of(name) for name in ("s.jsonl.gz", "s.parquet", "s.tsv", "/dev/stdout", "jsonl")] == [
        *("jsonl", "parquet", "tsv", "tsv", "tsv")
    ]


def test_what_cannot_be_scored_is_refused_before_anything_is_scored(files, tmp_path):
    candidates, references, sources = indexes(files)

    def refused(some, match, *, gold=references, articles=sources, names=NAMES):
        records.write(tmp_path / "c.jsonl", some)
        with pytest.raises(InputError, match=match):
            FileScores(
                [metric(n) for n in names], RecordIndex(tmp_path / "c.jsonl", Candidate), gold, articles
            )

    good = Candidate("t1", "s", ("x",))
    refused([good, Candidate("v", "s", ())], "topic 'v' of system 's' has no reference to compare with. The")
    refused([good], "topic 't1' has none", articles=None)
    refused([good], "ROUGE-K is there twice", names=["ROUGE-K", "ROUGE-K"])
    records.write(tmp_path / "r.jsonl", [Reference("t1", "A", ("x",))])
    alone = RecordIndex(tmp_path / "r.jsonl", Reference)
    refused([good, Candidate("t1", "human_A", ())], "no reference but that of 'A', whose own", gold=alone)
    records.write(tmp_path / "r.jsonl", [Reference("Cafe\u0301", "A", ("x",))])
    decomposed = RecordIndex(tmp_path / "r.jsonl", Reference)
    accents = r"\(accents are encoded in two ways: 'Caf\\xe9' and 'Cafe\\u0301'\)"
    refused([Candidate("Café", "s", ())], accents, gold=decomposed)


class _Ended(type(metric("ROUGE-1-F"))):
    """A metric whose process is ended while it scores."""

    @classmethod
    def score_rows(cls, metrics, rows):
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_is_ended_is_an_error(files):
    with pytest.raises(ChildProcessError, match="give fewer --jobs"):
        FileScores([_Ended("1")], *indexes(files), jobs=2)

    class Careful(type(metric("ROUGE-1-F"))):
        seen = False

        @classmethod
        def score_rows(cls, metrics, rows):
            cls.seen |= any(candidate.topic == "t5" for candidate, _, _ in rows)
            return [[0.0] * len(metrics) for _ in rows]

        @property
        def caution(self):
            return "topic 5 is odd" if self.seen else ""

    found = FileScores([Careful("1")], *indexes(files), jobs=3)
    table = pd.concat(map(pd.DataFrame, found.tables()))
    assert set(table["note"]) == {"topic 5 is odd"} and not Careful.seen
    assert found.notes.lines() == ["ROUGE-1-F: topic 5 is odd"]


@pytest.mark.parametrize(("command", "options"), [("average", []), ("evaluate", ["--judgements", "j.tsv"])])
def test_commands_on_scores_read_each_format_and_standard_input(tmp_path, monkeypatch, command, options):
    monkeypatch.chdir(tmp_path)
    values = [[0.1, 0.3, 0.2], [0.4, 0.2, 0.9], [0.5, 0.8, 0.6]]
    rows = [(f"t{t}", s, "M", v) for t, of_topic in enumerate(values) for s, v in zip("abc", of_topic)]
    table = put_table(tmp_path / "s.tsv", SCORE_HEAD, *rows)
    put_table(tmp_path / "j.tsv", JUDGEMENT_HEAD, *((t, s, "J", 2 * v) for t, s, _, v in rows))
    lines = [json.dumps(dict(zip(SCORE_HEAD.split(), row))) for row in rows]
    (tmp_path / "s.jsonl").write_text("\n".join(lines) + "\n")

    def made(*given, content=None):
        out = tmp_path / "out"
        line = [sys.executable, "-c", "from sera.cli import main; main()", command, *given, *options]
        done = subprocess.run([*line, "--out", "out"], input=content, capture_output=True)
        assert done.returncode == 0, done.stderr
        files = sorted(out.iterdir()) if out.is_dir() else [out]
        found = {path.name: path.read_bytes() for path in files}
        shutil.rmtree(out) if out.is_dir() else out.unlink()
        return done.stdout, found

    assert made("s.tsv") == made("s.jsonl") == made("-", content=table.read_bytes())
