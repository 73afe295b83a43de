"""Records and files: what is written is read back, and what is wrong is told with file and line."""

import json

import ir_measures
import pytest
from ranx import Run

from sera.errors import InputError
from sera.io import records
from sera.io.folders import writing_folder
from sera.io.records import Candidate, Document, Passage, Query, Reference, Section, Source
from sera.metrics.scoring import comparisons, score
from sera.retrieval.engines import Hit
from sera.retrieval.runs import read_run, write_run


@pytest.mark.parametrize("name", ["r.jsonl", "r.jsonl.gz"])
def test_the_same_records_are_the_same_bytes(tmp_path, name):
    """`test_properties` reads them back."""
    for folder in "ab":
        assert records.write(tmp_path / folder / name, [Query("q", "α\u2028"), Query("r", "")]) == 2
    assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert records.read(tmp_path / "a" / name, Query) == [Query("q", "α\u2028"), Query("r", "")]


def test_a_source_may_have_bare_sentences(tmp_path):
    path = tmp_path / "s.jsonl"
    path.write_text('{"topic": "t", "id": "a", "sentences": ["x", "y"], "other": 1}\n\n')
    assert records.read(path, Source) == [Source("t", "a", "", (Section("", ("x", "y")),))]


def test_content_of_a_document():
    assert Document("d", text="as given", title="T").content == "as given"
    document = Document("d", title="T", abstract=("A",), sections=(Passage("", ("p",)), Passage("S", ())))
    assert document.content == "T\n\nA\n\np\n\nS"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"topic": "t", "system": "s"}', "line 2: has no field 'sentences'. Give"),
        ('{"topic": "t", "system": 3, "sentences": []}', "line 2: field 'system' holds int, not str"),
        ('{"topic": "t", "system": "s", "sentences": "x"}', "line 2: field 'sentences' is not a list"),
        ('{"topic": "t", "system": "s", "sentences": [null]}', "line 2: field 'sentences' holds NoneType"),
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


def test_a_folder_appears_complete_or_not_at_all(tmp_path):
    path = tmp_path / "folder"
    with writing_folder(path) as folder:
        (folder / "a").write_text("1")
    with pytest.raises(RuntimeError), writing_folder(path) as folder:
        (folder / "b").write_text("2")
        raise RuntimeError
    assert [p.name for p in path.iterdir()] == ["a"]
    with writing_folder(path) as folder:
        (folder / "b").write_text("2")
    assert [p.name for p in path.iterdir()] == ["b"]
    assert list(tmp_path.iterdir()) == [path]


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
    with pytest.raises(InputError, match=r"the document 'a\\nq Q0 b 9 9 x' has the character U\+000A in it"):
        write_run(path, [("q", [Hit("a\nq Q0 b 9 9 x", 1.0)])], tag="me")


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


REFERENCES = [Reference("t", "A", ("the cat sat",)), Reference("t", "B", ("a dog ran",))]


def test_a_human_summary_meets_the_others():
    human = records.as_candidate(REFERENCES[0])
    assert human == Candidate("t", "human_A", ("the cat sat",))
    assert [
        (c.system, [r.annotator for r in against]) for c, against in comparisons([human], REFERENCES)
    ] == [("human_A", ["B"])]


def test_comparisons_refuse_what_cannot_be_compared():
    with pytest.raises(InputError, match="topic 'u' of system 's' has no reference"):
        list(comparisons([Candidate("u", "s", ())], REFERENCES))
    with pytest.raises(InputError, match="'s' has two candidates for topic 't'"):
        list(comparisons([Candidate("t", "s", ()), Candidate("t", "s", ("x",))], REFERENCES))
    with pytest.raises(InputError, match="annotator 'A' has two references for topic 't'. Leave one"):
        list(comparisons([], [Reference("t", "A", ("x",)), Reference("t", "A", ("y",))]))
    with pytest.raises(InputError, match="topic 't' has two sources. Keep one"):
        score([], [], [], [Source("t", "one"), Source("t", "two")])


def test_scores_come_in_the_order_asked_for():
    from sera import metric

    metrics = [metric(name, stop=False) for name in ("ROUGE-1-R", "ROUGE-1-P")]
    table = score(metrics, [Candidate("t", "s", ("the cat",)), Candidate("t", "empty", ())], REFERENCES)
    # two of six reference tokens; two of two candidate tokens, counted against each of two references
    assert [tuple(row) for row in table.to_numpy()] == [
        ("t", "s", "ROUGE-1-R", 0.33333),
        ("t", "s", "ROUGE-1-P", 0.5),
        ("t", "empty", "ROUGE-1-R", 0.0),
        ("t", "empty", "ROUGE-1-P", 0.0),
    ]
