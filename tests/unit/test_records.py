"""Records and files: what is written is read back, and what is wrong is told with file and line."""

import json
from functools import partial

import ir_measures
import pytest
from ranx import Run

from sera.errors import InputError
from sera.io import records
from sera.io.fields import Fields, read_rows
from sera.io.records import Candidate, Document, Passage, Query, Section, Source
from sera.retrieval.engines import Hit
from sera.retrieval.runs import read_run, write_run


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz"])
def test_the_same_records_are_the_same_bytes(tmp_path, name):
    """What is written is read back."""
    for folder in "ab":
        assert records.write(tmp_path / folder / name, [Query("q", "α\u2028"), Query("r", "")]) == 2
    assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert records.read(tmp_path / "a" / name, Query) == [Query("q", "α\u2028"), Query("r", "")]


def test_a_source_may_have_bare_sentences(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text('{"topic": "t", "id": "a", "sentences": ["x", "y"], "other": 1}\n\n')
    assert records.read(path, Source) == [Source("t", "a", "", (Section("", ("x", "y")),))]
    assert Document("d", text="as given", title="T").content == "as given"
    document = Document("d", title="T", abstract=("A",), sections=(Passage("", ("p",)), Passage("S", ())))
    assert document.content == "T\n\nA\n\np\n\nS"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"topic": "t", "system": "s"}', "line 2: has no field 'sentences'; it has topic, system. Give"),
        ('{"topic": "t", "system": 3, "sentences": []}', "line 2: field 'system' is int, not a text. Give"),
        (
            '{"topic": "t", "system": "s", "sentences": "x"}',
            "line 2: field 'sentences' is a text, not a list",
        ),
        ("[]", "line 2: is not a JSON object"),
        ("{", "line 2: is not JSON"),
    ],
)
def test_bad_lines_are_named(tmp_path, line, problem):
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps({"topic": "t", "system": "s", "sentences": []}) + "\n" + line + "\n")
    with pytest.raises(InputError) as error:
        records.read(path, Candidate)
    assert str(path) in str(error.value) and problem in str(error.value)


def test_runs(tmp_path):
    path = tmp_path / "r.trec"
    write_run(path, [("q1", [Hit("d2", 1.5), Hit("d1", 0.25)]), ("q2", [])], tag="me")
    assert path.read_text() == "q1 Q0 d2 1 1.5 me\nq1 Q0 d1 2 0.25 me\n"
    assert read_run(path) == {"q1": ["d2", "d1"]}
    path.write_text("q Q0 b 2 1 t\nq Q0 a 1 2 t\n")
    assert read_run(path) == {"q": ["a", "b"]}
    for text, problem in (
        ("q Q0 a 1 2\n", "line 1: is not a line of a run"),
        ("q Q0 a 1 2 t\nq Q0 b 1 2 t\n", "line 2: .* twice"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=problem):
            read_run(path)


@pytest.mark.slow
def test_programs_of_information_retrieval_read_runs(tmp_path):
    path = tmp_path / "r.trec"
    write_run(path, [("q1", [Hit("d2", 1.5), Hit("d1", 0.25)]), ("q:2", [Hit("d1", 2.0)])], tag="me")
    expected = {"q1": {"d2": 1.5, "d1": 0.25}, "q:2": {"d1": 2.0}}
    measured: dict[str, dict[str, float]] = {}
    for row in ir_measures.read_trec_run(str(path)):
        measured.setdefault(row.query_id, {})[row.doc_id] = row.score
    assert measured == expected
    assert {
        query: dict(hits) for query, hits in Run.from_file(str(path), kind="trec").run.items()
    } == expected


# Fields


def test_right_values_are_returned(tmp_path):
    fields = Fields({"a": 3, "b": [1, 2.5], "c": "x", "d": {"e": ["y"]}}, "f")
    assert (fields.number("a"), fields.items("b", float), fields.text("c")) == (3.0, [1.0, 2.5], "x")
    assert fields.nested("d").items("e", str) == ["y"] and "a" in fields and "e" not in fields
    for read in (fields.text, partial(fields.items, kind=str), fields.nested):  # nothing is converted
        with pytest.raises(InputError, match="^f: field 'a' is 3, not a"):
            read("a")
    with pytest.raises(InputError, match="^f: has no field 'x'; it has a, b, c, d"):
        fields.number("x")
    (tmp_path / "t.csv").write_text('a,b\n"1, 2","x ""y"""\n\n3,4\n')
    (tmp_path / "t.tsv").write_text('a\tb\n"1"\tx "y\n')
    rows = list(read_rows(tmp_path / "t.csv", ["a"]))
    assert [(row.line, row.values) for row in rows] == [
        (2, {"a": "1, 2", "b": 'x "y"'}),
        (4, {"a": "3", "b": "4"}),
    ]
    assert [row.values for row in read_rows(tmp_path / "t.tsv", ["b"])] == [{"a": '"1"', "b": 'x "y'}]
