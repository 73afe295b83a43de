"""What holds of every file: written it is read back alike, and damaged it gives a result or one line.

`strategies` says what there is, `damage` how it is damaged, and what has to come of it. For a longer search,
raise ``max_examples`` of `EACH`, and take ``derandomize`` away.
"""

from __future__ import annotations

import json
import random
import shutil
import tempfile
from pathlib import Path

import damage
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from strategies import READERS, a_name, is_name, no_name, put_vectors, read_vectors

from sera import errors
from sera.errors import InputError, printable
from sera.io import records, tsv
from sera.io.files import parse_json

FEW = settings(
    derandomize=True,
    deadline=None,
    max_examples=6,
    phases=[Phase.generate],
    database=None,
    suppress_health_check=list(HealthCheck),
)
EACH = settings(FEW, max_examples=8)  # damaged inputs of each reader

pytestmark = pytest.mark.xdist_group("properties")


# Written and read
# ----------------


@pytest.mark.parametrize("reader", [each for each in READERS if each.name != "receipt"], ids=str)
def test_what_is_written_is_read_back(reader):
    """A receipt is read on a server."""

    @FEW
    @given(reader.values)
    def check(value):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / reader.file
            reader.write(path, value)
            read = reader.read(path)
            assert not reader.same or reader.same(value, read), (value, read)

    check()


@FEW
@given(no_name)
def test_what_is_no_name_is_refused_where_it_is_read(name):
    if is_name(name):  # a refused character alone may stand at an end, and be gone
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "c.jsonl"
        records.write(path, [records.Candidate("t", name, ("A word.",))])
        with pytest.raises(InputError) as refused:
            records.read(path, records.Candidate)
        assert refused.value.line == 1 and printable(str(refused.value)) == str(refused.value)


@FEW
@given(st.text(), st.text(), st.text())
def test_an_error_is_one_printable_line(problem, path, remedy):
    said = str(InputError(problem * 100, path=path, line=3, remedy=remedy * 100))
    assert len(said.splitlines()) <= 1 and len(said) < 4100 and printable(said) == said


def test_a_long_error_keeps_its_end():
    said = str(InputError("holds " + "x" * 10**6, path="f.tsv", line=7, remedy="Mend it."))
    assert said.startswith("f.tsv, line 7: holds xxx") and said.endswith("xxx. Mend it.")
    assert len(said) < 4100 and len(str(errors.together([InputError("y" * 10**5)] * 9))) < 4100


@FEW
@given(st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), a_name), st.lists))
def test_json_of_any_shape_is_read_as_it_was_written(value):
    assert parse_json(json.dumps(value)) == value


@FEW
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_of_a_table_are_those_that_were_written(values):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.tsv"
        tsv.write(path, pd.DataFrame({"score": values}))
        assert np.array_equal(tsv.numbers(tsv.read(path, ["score"]), "score", path), values)


@pytest.mark.parametrize(
    ("word", "kinds"),
    [
        ("gene", ["text", "glove", "binary", "npz"]),
        ("two words", ["text", "npz"]),
        ("a\tb", ["binary", "npz"]),
        ("a\nb", ["binary"]),
        ("", ["binary", "npz"]),
        ("3" * 5000, ["text", "glove", "npz"]),
    ],
)
def test_words_that_files_of_vectors_hold(tmp_path, word, kinds):
    table = {word: [0.5, 1.0], "cell": [2.0, 3.0]}
    for kind in kinds:
        put_vectors(kind, tmp_path / "file", table)
        assert list(read_vectors(tmp_path / "file").items()) == list(table.items())


# Damaged
# -------


@pytest.fixture(autouse=True)
def no_server(monkeypatch):
    monkeypatch.setenv("ELASTICSEARCH_HOSTS", "http://127.0.0.1:9")


@pytest.mark.parametrize("reader", READERS, ids=str)
def test_a_damaged_file_gives_a_result_or_one_line(reader):
    @EACH
    @given(reader.values, st.integers(0))
    def check(value, seed):
        with tempfile.TemporaryDirectory() as folder:
            reader.write(Path(folder) / reader.file, value)
            damage.damage(Path(folder) / reader.file, random.Random(seed))
            damage.check_reader(reader, Path(folder))

    check()


FOUND = sorted((Path(__file__).parent.parent / "fuzz_corpus").glob("*/*"))


@pytest.mark.parametrize("kept", FOUND, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_was_found_once_is_mended(kept, tmp_path):
    shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
    (reader,) = (each for each in READERS if str(each) == kept.parent.name)
    damage.check_reader(reader, tmp_path)
