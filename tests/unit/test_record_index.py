"""Records that stay in their file."""

import gzip
import os

import pytest

from sera.errors import InputError
from sera.io import records
from sera.io.record_index import RecordIndex
from sera.io.records import Candidate, Reference, Source

CANDIDATES = [
    Candidate("t", "a", ("Über Zellen.", "Two.")),
    Candidate("u", "a", ("One.",)),
    Candidate("t", "b", (" ",)),
    Candidate("t", "human_A", ()),
]
TEXT = (
    '\ufeff{"topic": "t", "system": "a", "sentences": ["Über Zellen.", "Two."]}\r\n\n'
    '{"topic": "u", "system": "a", "more": 1, "sentences": ["One."]}\n   \n'
    '{"topic": "t", "system": "b", "sentences": [" "]}\n'
    '{"topic": "t", "system": "human_A", "sentences": []}'  # no line end
)


@pytest.fixture(params=["c.jsonl", "c.jsonl.gz", "pipe"])
def path(request, tmp_path):
    path = tmp_path / request.param
    if request.param == "pipe":
        read, write = os.pipe()
        os.write(write, TEXT.encode())
        os.close(write)
        yield f"/dev/fd/{read}"
        os.close(read)
        return
    content = TEXT.encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    yield path


def test_records_are_read_when_they_are_asked_for(path):
    index = RecordIndex(path, Candidate)
    assert list(index) == CANDIDATES and [index[2], index[0]] == [CANDIDATES[2], CANDIDATES[0]]
    assert (index.topics, index.names) == (["t", "u"], ["a", "b", "human_A"])
    assert index.topic_of.tolist() == [0, 1, 0, 0] and index.name_of.tolist() == [0, 0, 1, 2]
    assert (index.of_topic("t"), index.of_topic("u"), index.of_topic("v")) == ([0, 2, 3], [1], [])
    assert index.by_topic().tolist() == [0, 2, 3, 1]
    assert list(index.keys) == [("t", "a"), ("u", "a"), ("t", "b"), ("t", "human_A")]
    assert index.empty == 2


@pytest.mark.parametrize(
    ("kind", "lines"),
    [
        (Candidate, ["[]", '{"topic": "t", "system": "a", "sentences": ["x"]}'] * 7),
        (Reference, ['{"topic": "t", "annotator": "A", "sentences": []}', "\xff", "{", "{}"]),
        (Source, ['{"topic": "t", "id": "a"}', '{"topic": "u", "id": "a"}', '{"topic": "t", "id": "b"}']),
        (Source, []),
        (Candidate, ["%PDF-1.7"]),
    ],
)
def test_faults_are_those_of_reading_all(tmp_path, kind, lines):
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(lines), encoding="latin-1")

    def fault(read):
        try:
            return len(read(path, kind))
        except InputError as error:
            return error.lines

    assert fault(RecordIndex) == fault(records.read_unique)


def test_no_such_file_has_one_error_in_all_formats(tmp_path):
    for name in ("x.jsonl", "x.jsonl.gz", "x.parquet"):
        with pytest.raises(InputError, match=f"{name}: there is no such file; expected candidates"):
            RecordIndex(tmp_path / name, Candidate)
