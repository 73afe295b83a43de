"""What holds of every file: written it is read back alike, and damaged it gives a result or one line.

`strategies` says what there is, `fuzz` runs what is damaged in processes with limits. `make fuzz` does the
same for as long as one likes.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import fuzz
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from strategies import (
    COMMANDS,
    HARD,
    READERS,
    REFUSED,
    a_name,
    holds_vectors,
    is_name,
    no_name,
    put_vectors,
    word_tables,
)

from sera import errors, names, records, tsv
from sera.errors import InputError, printable
from sera.files import parse_json
from sera.vectors import word_vectors

FEW = settings(
    derandomize=True,
    deadline=None,
    max_examples=6,
    phases=[Phase.generate],
    database=None,
    suppress_health_check=list(HealthCheck),
)
EACH = 8  # damaged inputs of each reader and command
CORES = 2

pytestmark = pytest.mark.xdist_group("properties")  # one worker, which has processes of its own


# Written and read
# ----------------


@pytest.mark.parametrize("reader", [each for each in READERS if each.same], ids=str)
def test_what_is_written_is_read_back(reader):
    @FEW
    @given(reader.values)
    def check(value):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / reader.file
            reader.write(path, value)
            read = reader.read(path)
            assert reader.same(value, read), (value, read)

    check()


@pytest.mark.parametrize("reader", [each for each in READERS if not each.same], ids=str)
def test_what_is_whole_is_read(reader):
    if reader.name == "receipt":
        pytest.skip("a receipt is read on a server")

    @FEW
    @given(reader.values)
    def check(value):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / reader.file
            reader.write(path, value)
            reader.read(path)

    check()


@pytest.mark.parametrize("name", HARD)
def test_a_name_is_text(name):
    assert names.check("system", name) == name


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_name(name):
    with pytest.raises(InputError):
        names.check("system", name)


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
    import json

    assert parse_json(json.dumps(value)) == value


@FEW
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_of_a_table_are_those_that_were_written(values):
    import pandas as pd

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.tsv"
        tsv.write(path, pd.DataFrame({"score": values}))
        assert np.array_equal(tsv.numbers(tsv.read(path, ["score"]), "score", path), values)


KINDS = ["text", "glove", "binary", "npz"]


@FEW
@given(word_tables())
def test_files_of_vectors_hold_plain_words(table):
    assert all(holds_vectors(kind, table) for kind in KINDS)


@pytest.mark.parametrize(
    ("word", "kinds"),
    [
        ("gene", ["text", "glove", "binary", "npz"]),
        ("two words", ["text", "npz"]),
        ("a\tb", ["binary", "npz"]),
        ("a\nb", ["binary"]),
        ("\n", []),
        ("", ["binary", "npz"]),
        ("3" * 5000, ["text", "glove", "npz"]),
    ],
)
def test_which_words_a_file_of_vectors_holds(tmp_path, word, kinds):
    table = {word: [0.5, 1.0], "cell": [2.0, 3.0]}
    assert [kind for kind in KINDS if holds_vectors(kind, table)] == kinds
    for kind in kinds:
        put_vectors(kind, tmp_path / "file", table)
        found = word_vectors.read(tmp_path / "file")
        assert (found.words, found.matrix.tolist()) == (list(table), list(table.values()))


# Damaged
# -------


@pytest.fixture(scope="module")
def ran(tmp_path_factory) -> dict[str, list[str]]:
    """Of each reader and command what went wrong in its damaged inputs, if anything did."""
    everything = fuzz.names()
    fuzzer = fuzz.Fuzzer(2016, tmp_path_factory.mktemp("fuzz"), fuzz.FINDS)
    wrong: dict[str, list[str]] = {name: [] for name in everything}
    for case, outcome in fuzz.outcomes(fuzzer.cases(everything, lambda: False, EACH), CORES):
        if kept := fuzzer.took(case, outcome):
            wrong[case.name].append(f"{outcome.fault}\n.venv/bin/python tests/fuzz.py replay {kept}")
    assert all(fuzzer.ran[name] == EACH for name in everything)
    return wrong


@pytest.mark.parametrize("name", [*map(str, READERS), *(fuzz.CLI + name for name in COMMANDS)])
def test_what_is_damaged_gives_a_result_or_one_line(ran, name):
    assert ran[name] == []


@pytest.fixture(scope="module")
def replayed() -> dict[Path, fuzz.Outcome]:
    with tempfile.TemporaryDirectory() as scratch:
        cases = fuzz.kept_cases(fuzz.corpus(), Path(scratch))
        by_folder = {case.folder: kept for case, kept in cases}
        found = fuzz.outcomes((case for case, _ in cases), CORES)
        return {by_folder[case.folder]: outcome for case, outcome in found}


@pytest.mark.parametrize("kept", fuzz.corpus(), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_was_found_once_is_mended(replayed, kept):
    assert replayed[kept].fault == ""


# The runner itself
# -----------------


def test_the_same_seed_gives_the_same_cases(tmp_path):
    made = []
    for turn in "ab":
        bases = tmp_path / turn
        fuzz.put("judgements", bases, 7)
        for number in range(5):
            fuzz.prepare(fuzz.Case("judgements", number, Path(), bases, 7), tmp_path / f"{turn}{number}")
        made.append([(tmp_path / f"{turn}{number}/judgements.tsv") for number in range(5)])
    content = [[path.read_bytes() if path.is_file() else None for path in each] for each in made]
    assert content[0] == content[1] and len(set(content[0])) > 2


CODE = {
    "from sera.errors import InputError; raise InputError('as it should be')": "",
    "raise KeyError('x')": "KeyError: 'x'",
    "bytearray(10**11)": "MemoryError",
    "while True: pass": "computes for too long",
    "import os; os.kill(os.getpid(), 11)": "the process ended with SIGSEGV",
}


def test_links_are_damaged_too(tmp_path):
    for number in range(300):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "file").write_text("1\n")
        (folder / "link").symlink_to("file")
        (folder / "file.old").symlink_to("file.old")
        fuzz.damage(folder, random.Random(number))


def test_a_case_that_cannot_be_made_is_a_find(tmp_path):
    fuzzer = fuzz.Fuzzer(7, tmp_path, tmp_path / "finds")
    case = fuzz.Case("code", 0, tmp_path / "cases/0", tmp_path / "no bases")
    ((_, outcome),) = fuzz.outcomes(iter([case]), 1)
    assert "the process ended" in outcome.fault
    assert fuzzer.took(case, outcome) and fuzzer.found == {"code": [outcome.fault]}


def test_a_crash_and_a_hang_are_finds(tmp_path):
    cases = []
    for number, code in enumerate(CODE):
        cases.append(fuzz.Case("code", None, tmp_path / str(number), seconds=1))
        cases[-1].folder.mkdir()
        (cases[-1].folder / "code.py").write_text(code)
    found = [outcome.fault for _, outcome in fuzz.outcomes(iter(cases), 1)]
    assert [said in fault and bool(said) == bool(fault) for said, fault in zip(CODE.values(), found)] == [
        True
    ] * 5
