"""The published schemas of the JSONL formats accept and refuse what the readers do."""

from __future__ import annotations

import json

import pytest
from conftest import ROOT
from jsonschema import Draft202012Validator

from sera.errors import InputError
from sera.io import records

FOLDER = ROOT / "schemas/records"
KINDS = {
    "candidates": records.Candidate,
    "references": records.Reference,
    "sources": records.Source,
    "citances": records.Citance,
    "nuggets": records.Nugget,
    "documents": records.Document,
    "queries": records.Query,
}
SCHEMAS = {
    name: json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8")) for name in [*KINDS, "scores"]
}

FIELDS = dict(topic="t", system="s", annotator="A", id="d", sentences=["One.", ""], citing="x")
FIELDS |= dict(text="Cells die.", title="T", abstract=["p"])
SECTIONS = {
    "sources": [{"title": "", "sentences": ["x"]}],
    "documents": [{"title": "S", "paragraphs": ["q"]}],
}
VALUES = [
    *("", " t", "a b", "a\tb", "\u00a0t", "\u200e", "é", "a/b:c|\"'<"),
    *(None, 3, True, [], ["x"], ["x", 1], [["x"]], {}, [{}], [{"title": "x"}]),
]


def verdicts(tmp_path, name, line):
    """What the schema and the reader say of a line."""
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(line) + "\n")
    try:
        read = len(records.read(path, KINDS[name])) == 1
    except InputError:
        read = False
    return Draft202012Validator(SCHEMAS[name]).is_valid(line), read


@pytest.mark.parametrize("name", KINDS)
def test_schema_and_reader_agree(tmp_path, name):
    known = SCHEMAS[name]["properties"]
    good = {field: value for field, value in FIELDS.items() if field in known}
    if name in SECTIONS:
        good.pop("sentences", None)
        good["sections"] = SECTIONS[name]
    assert set(good) == set(known) - ({"sentences"} if name == "sources" else set())
    assert verdicts(tmp_path, name, good) == verdicts(tmp_path, name, good | {"other": 1}) == (True, True)
    refused = 0
    for field in good:
        for line in ({key: good[key] for key in good if key != field}, *(good | {field: v} for v in VALUES)):
            schema, read = verdicts(tmp_path, name, line)
            assert schema == read, line
            refused += not read
    assert refused > 10 and verdicts(tmp_path, name, [good]) == (False, False)


def test_an_article_may_have_bare_sentences(tmp_path):
    for sentences, allowed in ((["x"], True), ([], True), ("x", False), ([1], False)):
        line = {"topic": "t", "id": "a", "sentences": sentences}
        assert verdicts(tmp_path, "sources", line) == (allowed, allowed)


def test_scores_have_a_number_or_null():
    validator = Draft202012Validator(SCHEMAS["scores"])
    row = {"topic": "t", "system": "s", "metric": "ROUGE-1-F(stem=true)", "score": 0.5}
    assert validator.is_valid(row) and validator.is_valid(row | {"score": None, "note": "undefined: x"})
    assert not validator.is_valid(row | {"score": "nan"}) and not validator.is_valid({"score": 1})


def test_the_schemas_are_of_the_formats_and_valid():
    assert {path.name for path in FOLDER.iterdir()} == {f"{name}.schema.json" for name in SCHEMAS}
    for name, schema in SCHEMAS.items():
        Draft202012Validator.check_schema(schema)
        assert schema["title"] == name
