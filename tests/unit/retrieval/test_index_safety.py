"""An index is read only if it is right: its manifest, links, and what is remembered."""

import json
import os
import shutil
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from commands import sera

from sera.errors import InputError
from sera.io import file_state
from sera.io.folders import writing_folder
from sera.io.records import Document
from sera.retrieval.engines import documents_in, index_format, verified
from sera.retrieval.engines.embedded import open_index
from sera.retrieval.engines.index_building import build_part, merge
from sera.retrieval.engines.index_format import Index

verify = partial(Index, check="always")

# terms in order: ant, bee, cow, dog, elk; positions 0 to 9
TEXTS = ["ant bee ant", "bee cow dog", "ant elk elk cow"]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def index(tmp_path) -> Path:
    build_part([Document(f"d{n}", text) for n, text in enumerate(TEXTS)], tmp_path / "index")
    return tmp_path / "index"


def manifest_of(folder: Path) -> dict:
    return json.loads((folder / "manifest.json").read_text())


def refused(folder: Path, problem: str) -> None:
    for use in (open_index, verify, lambda folder: merge([folder], folder.parent / "merged")):
        with pytest.raises(InputError, match=problem) as caught:
            use(folder)
        assert "\n" not in str(caught.value)
    assert not (folder.parent / "merged").exists()


def test_a_link_to_an_index_is_opened(index, tmp_path):
    (tmp_path / "link").symlink_to(index)
    assert open_index(tmp_path / "link").documents == 3


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"format": "sera index", "version": 0}', "has the format version 0, not 1"),
        ('{"format": "sera index"', "is damaged"),
        ('{"name": "my web app"}', "is not the manifest of an index"),
    ],
)
def test_a_manifest_of_another_kind_is_refused(index, content, problem):
    (index / "manifest.json").write_text(content)
    refused(index, f"manifest.json: {problem}")


def test_documents_in(index, tmp_path):
    assert documents_in(index) == 3
    receipt = tmp_path / "receipt"
    receipt.mkdir()
    (receipt / "manifest.json").write_text('{"format": "sera elasticsearch index", "documents": 7}')
    assert documents_in(receipt) == 7
    for text in ("[]", "{}", '{"documents": true}', '{"documents": -1}', '{"statistics": 3}', "{"):
        (receipt / "manifest.json").write_text(text)
        with pytest.raises(InputError, match="manifest.json: "):
            documents_in(receipt)
    with pytest.raises(InputError, match="there is no index"):
        documents_in(tmp_path / "nothing")


# What is remembered


@pytest.fixture
def checks(monkeypatch) -> list[Path]:
    """The folders that were read as a whole; file times count as settled at once."""
    done: list[Path] = []
    check = index_format.check_index
    monkeypatch.setattr(index_format, "check_index", lambda index: done.append(index.folder) or check(index))
    monkeypatch.setattr(file_state, "JUST_NOW", 0)
    return done


def test_an_index_is_verified_once(index, cache, checks):
    before = sorted(path.name for path in index.iterdir())
    for _ in range(3):
        assert open_index(index).documents == 3
    assert len(checks) == 1
    verify(index)
    assert len(checks) == 2
    assert sorted(path.name for path in index.iterdir()) == before
    [line] = (cache / "sera/verified").read_text().splitlines()
    assert len(line) == 64


def test_what_changes_is_verified_again(index, tmp_path, checks):
    open_index(index)
    shutil.copytree(index, tmp_path / "copy")
    open_index(tmp_path / "copy")
    assert checks == [index, tmp_path / "copy"]
    path = index / "ids.npy"
    there, content = path.stat(), bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(there.st_atime_ns, there.st_mtime_ns))  # as if nothing had been done
    refused(index, "ids.npy: differs from its checksum")
    (tmp_path / "copy" / "ids.npy").touch()
    open_index(tmp_path / "copy")
    assert checks[-1] == tmp_path / "copy"


def test_what_changed_just_now_is_not_remembered(index, cache, checks, monkeypatch):
    monkeypatch.setattr(file_state, "JUST_NOW", 3600 * 10**9)
    open_index(index)
    open_index(index)
    assert len(checks) == 2 and not cache.exists()


def test_what_changes_while_it_is_read_is_refused(index, monkeypatch):
    def check(opened):
        time.sleep(0.02)  # a clock may be that coarse
        (index / "ids.npy").touch()

    monkeypatch.setattr(index_format, "check_index", check)
    with pytest.raises(InputError, match="changed while it was read"):
        open_index(index)


def test_a_list_that_cannot_be_used_counts_for_nothing(index, cache, checks):
    def verified_again() -> bool:
        before = len(checks)
        assert open_index(index).documents == 3
        return len(checks) > before

    assert verified_again() and not verified_again()
    listed = cache / "sera/verified"
    right = listed.read_text()
    listed.unlink()
    listed.mkdir()
    assert verified_again()
    listed.rmdir()
    listed.write_bytes(b"\xff" * 1000)
    assert verified_again()
    assert not verified_again()
    listed.write_text("0" * 64 + "\n")
    assert verified_again()
    assert listed.read_text().splitlines() == ["0" * 64, right.strip()]


def test_a_cache_that_is_no_folder_is_done_without(index, cache, checks, monkeypatch):
    cache.write_text("a file")
    open_index(index)
    assert cache.read_text() == "a file"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(index.parent / "home"))
    open_index(index)
    assert (index.parent / "home/.cache/sera/verified").exists() and not Path("relative").exists()


def test_the_list_stays_short(index, cache, checks, monkeypatch):
    monkeypatch.setattr(verified, "KEPT", 3)
    for _ in range(5):
        (index / "ids.npy").touch()
        time.sleep(0.02)
        open_index(index)
    assert len((cache / "sera/verified").read_text().splitlines()) == 3
    checks.clear()
    open_index(index)
    assert checks == []


# Building and searching


@pytest.mark.parametrize("id", ["a\nq Q0 forged 1 9 x", "a\tb", "", " a", "\ud800", "a\u2028b", "x" * 1001])
def test_ids_that_may_not_be_names_are_refused(tmp_path, id):
    with pytest.raises(InputError, match="id|name"):
        build_part([Document("fine", "cell"), Document(id, "cell")], tmp_path / "index")
    assert list(tmp_path.iterdir()) == []


def test_ids_are_text(tmp_path):
    ids = [*'" | $x #1 {x} * <a> a,b a\\b د e\u0301 \u00e9 .. /etc'.split(), "a b"]
    build_part([Document(id, "cell") for id in ids], tmp_path / "index")
    merge([tmp_path / "index"], tmp_path / "merged")
    for name in ("index", "merged"):
        assert [hit.document for hit in open_index(tmp_path / name).search(["cell"], 99)[0]] == ids


def never():
    raise AssertionError("documents are read")
    yield


def test_what_is_there_is_looked_at_before_documents_are_read(index, tmp_path):
    foreign = tmp_path / "app"
    foreign.mkdir()
    (foreign / "manifest.json").write_text('{"name": "my web app"}')
    (index / "thesis.tex").write_text("work")
    (tmp_path / "file").write_text("work")
    (tmp_path / "link").symlink_to(index)
    (tmp_path / "pipe").mkdir()
    os.mkfifo(tmp_path / "pipe/manifest.json")
    part = tmp_path / "part"
    build_part([Document("x", "cow")], part)
    before = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
    for name, problem in {
        "app": "holds no manifest.json of a sera index",
        "index": "holds 'thesis.tex', which is not part of the sera index there",
        "file": "is a file, not a folder",
        "link": "is a link",
        "pipe": "holds no manifest.json of a sera index",
    }.items():
        with pytest.raises(InputError, match=problem):
            build_part(never(), tmp_path / name)
        with pytest.raises(InputError, match=problem):
            merge([part], tmp_path / name)
    assert {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")} == before


def test_an_index_is_built_over_an_index_even_over_a_part_of_one(index):
    build_part([Document("x", "cow")], index)
    assert open_index(index).documents == 1
    (index / "ids.npy").unlink()  # as after a copy that was broken off
    (index / ".snakemake_timestamp").touch()
    build_part([], index)
    assert open_index(index).documents == 0
    (index / "manifest.json").unlink()
    with pytest.raises(InputError, match="is something else already"):
        build_part([], index)
    assert len(list(index.iterdir())) == 12


def test_a_link_in_an_index_is_no_part_of_it(index, tmp_path):
    (index / "ids.npy").rename(tmp_path / "precious")
    (index / "ids.npy").symlink_to(tmp_path / "precious")
    with pytest.raises(InputError, match="holds 'ids.npy', which is not part"):
        build_part(never(), index)


def test_a_folder_that_cannot_be_replaced_is_refused_at_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for path in (".", "..", "a/..", "/", "/proc"):
        with pytest.raises(InputError, match="is a folder that cannot be replaced"), writing_folder(path):
            raise AssertionError("not reached")


def test_any_text_can_be_searched(index):
    engine = open_index(index)
    queries = ["\ud800", "ant\udfff bee", "\ud800\udc00", "\x00", "", "ant " * 20_000, "é\u0301\u200f"]
    assert [len(hits) for hits in engine.search(queries, 3)] == [0, 3, 0, 0, 0, 2, 0]
    assert engine.document_frequency(["\ud800", "ant \ud800 bee", ""]) == [0, 1, 0]
    # halves of characters may be in the text of documents, too
    build_part([Document("d", "ant \ud800 bee\udfff")], index)
    assert open_index(index).document_frequency(["ant bee"]) == [1]


@pytest.mark.parametrize("k", [0, -1, True, 2.0, float("nan"), float("inf")])
def test_how_many_documents_is_a_whole_number_above_0(index, k):
    with pytest.raises(InputError, match="the number of documents to retrieve is "):
        open_index(index).search(["ant"], k)


def test_any_number_of_documents_may_be_wanted(index):
    for k in (np.int64(2), 10**400):
        assert len(open_index(index).search(["ant"], k)[0]) == 2


@pytest.mark.parametrize("scorer", ["lucene", "query-likelihood"])
@pytest.mark.parametrize("mu", [0, -1, float("nan"), float("inf"), 10**400, -(10**400), 1e39, 1e-60])
def test_mu_is_above_0_and_finite(index, mu, scorer):
    with pytest.raises(InputError, match="the smoothing parameter mu is "):
        open_index(index).search(["ant"], 1, mu=mu, scorer=scorer)


# Command line


def test_verify_command(index, checks):
    said = "3 documents, 5 terms, 10 tokens\n"
    for number in (1, 2):
        assert sera("index", "verify", index) == f"all is right in {index}: {said}"
        assert len(checks) == number
    (index / "ids.npy").write_bytes((index / "ids.npy").read_bytes()[:-1] + b"x")
    assert "ids.npy: differs from its checksum. Build the index again." in sera(
        "index", "verify", index, code=2
    )
    assert "there is no index" in sera("index", "verify", index.parent / "nothing", code=2)
