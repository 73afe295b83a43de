"""`sera score` on Parquet: the scores of the same records as JSONL, with their last digit."""

from __future__ import annotations

import json

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from sera.cli import main
from sera.errors import InputError
from sera.io.scores import read_scores

RECORDS = {
    "c": [
        {"topic": "t", "system": "a", "sentences": ["The kinase binds p53.", "Cells die."]},
        {"topic": "u", "system": "a", "sentences": []},
        {"topic": "t", "system": "b", "sentences": ["Über p53"]},
    ],
    "r": [
        {"topic": "t", "annotator": "A", "sentences": ["p53 is bound by a kinase.", "Cells die."]},
        {"topic": "t", "annotator": "B", "sentences": ["A kinase binds."]},
        {"topic": "u", "annotator": "A", "sentences": ["of the"]},
        {"topic": "u", "annotator": "B", "sentences": ["is"]},
    ],
}


@pytest.fixture
def files(tmp_path):
    for name, rows in RECORDS.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        pq.write_table(pa.Table.from_pylist(rows), tmp_path / f"{name}.parquet")
    return tmp_path


def score(folder, kind, out, *options, code=0):
    texts = ["--candidates", f"{folder}/c.{kind}", "--references", f"{folder}/r.{kind}"]
    done = CliRunner().invoke(
        main, ["score", "--metrics", "ROUGE-2-F,ROUGE-K", *texts, "--out", str(out), *options]
    )
    assert done.exit_code == code, done.output
    return done.output


def test_candidates_and_scores(files):
    score(files, "jsonl", files / "s.jsonl")
    score(files, "parquet", files / "s.parquet")
    score(files, "parquet", files / "s.tsv")
    rows = [json.loads(line) for line in (files / "s.jsonl").read_text().splitlines()]
    table = pq.read_table(files / "s.parquet")
    assert table.schema.names == ["topic", "system", "metric", "score", "note"]
    assert str(table.schema.field("score").type) == "double" and len(rows) == table.num_rows == 6
    for row, found in zip(rows, table.to_pylist(), strict=True):
        assert [row[name] for name in ("topic", "system", "metric")] == [
            found[name] for name in ("topic", "system", "metric")
        ]
        assert found["score"] == row["score"] or (row["score"] is None and found["score"] != found["score"])
        assert found["note"] == row.get("note", "")
    score(files, "jsonl", files / "same", "--format", "tsv")
    assert (files / "s.tsv").read_bytes() == (files / "same").read_bytes()


def test_what_is_no_table_of_records_is_refused(files):
    (files / "c.parquet").write_bytes(b"PAR1 or not")
    assert "c.parquet: is not a Parquet file of records" in score(files, "parquet", files / "x", code=2)
    pq.write_table(pa.table({"topic": ["t"], "system": ["a"]}), files / "c.parquet")
    said = score(files, "parquet", files / "x", code=2)
    assert "c.parquet, line 1: has no field 'sentences'" in said


def test_scores_in_parquet_are_read_as_those_in_tsv(files):
    for kind in ("parquet", "jsonl", "tsv"):
        score(files, "jsonl", files / f"s.{kind}")
    tables = [read_scores(files / f"s.{kind}").reset_index(drop=True) for kind in ("parquet", "jsonl", "tsv")]
    pd.testing.assert_frame_equal(tables[0], tables[2])
    pd.testing.assert_frame_equal(tables[1], tables[2])
    pq.write_table(
        pa.Table.from_pylist([{"topic": "t", "system": "a", "metric": 1, "score": 1}]), files / "w.parquet"
    )
    with pytest.raises(InputError, match="w.parquet, line 1: field 'metric' is 1, not a text"):
        read_scores(files / "w.parquet")
    (files / "w.parquet").write_text("no")
    with pytest.raises(InputError, match="w.parquet: is not a Parquet file of scores: "):
        read_scores(files / "w.parquet")


def test_a_column_that_is_not_utf_8_is_refused(files):
    latin = pa.array([b"Caf\xe9"]).view(pa.string())
    table = {"topic": latin, "system": ["a"], "sentences": [["x"]], "metric": ["M"], "score": [1.0]}
    pq.write_table(pa.table(table), files / "c.parquet")
    assert "c.parquet: is not a Parquet file of records" in score(files, "parquet", files / "x", code=2)
    with pytest.raises(InputError, match=r"c.parquet: is not a Parquet file of scores: .*utf-8"):
        read_scores(files / "c.parquet")
