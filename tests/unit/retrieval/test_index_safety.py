"""An index is read only if it is right: damaged columns and manifests and links."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from commands import sera
from releases import put

from sera.errors import InputError
from sera.io.folders import writing_folder
from sera.io.records import Document
from sera.retrieval.engines import documents_in
from sera.retrieval.engines.embedded import open_index
from sera.retrieval.engines.index_building import build_part, merge
from sera.retrieval.engines.index_format import COLUMNS, Index


def verify(folder: Path) -> None:
    Index(folder).verify()


# terms in order: ant, bee, cow, dog, elk; positions 0 to 9
TEXTS = ["ant bee ant", "bee cow dog", "ant elk elk cow"]


@pytest.fixture
def index(tmp_path) -> Path:
    build_part([Document(f"d{n}", text) for n, text in enumerate(TEXTS)], tmp_path / "index")
    return tmp_path / "index"


def refused(folder: Path, problem: str) -> None:
    for use in (open_index, verify, lambda folder: merge([folder], folder.parent / "merged")):
        with pytest.raises(InputError, match=problem) as caught:
            use(folder)
        assert "\n" not in str(caught.value)
    assert not (folder.parent / "merged").exists()


def test_the_columns_of_an_index(index):
    columns = {path.stem: np.load(path).tolist() for path in index.glob("*.npy")}
    assert columns["posting_starts"] == [0, 2, 4, 6, 7, 8]
    assert columns["documents"] == [0, 2, 0, 1, 1, 2, 1, 2]
    assert columns["frequencies"] == [2, 1, 1, 1, 1, 1, 1, 2]
    assert columns["position_starts"] == [0, 3, 5, 7, 8, 10]
    assert columns["positions"] == [0, 2, 6, 1, 3, 4, 9, 5, 7, 8]
    assert columns["starts"] == [0, 3, 6, 10] and columns["lengths"] == [3, 3, 4]
    assert bytes(columns["ids"]) == b"d0d1d2" and bytes(columns["terms"]) == b"antbeecowdogelk"


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_that_is_changed_cut_short_or_missing_is_refused(index, name):
    path = index / f"{name}.npy"
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    for use in (verify, lambda folder: merge([folder], folder.parent / "merged")):
        with pytest.raises(InputError, match=f"{name}.npy: differs from its checksum"):
            use(index)
    for wrong in (content[:-1], content + b"0", b""):
        path.write_bytes(wrong)
        refused(index, rf"{name}.npy: has \d+ bytes, not {len(content)}")
    path.unlink()
    refused(index, f"{name}.npy: there is no such file")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("statistics",), None),
        (("files", "../ids.npy"), {"bytes": 1, "sha256": "0" * 64}),
        (("files",), ["ids.npy"]),
        (("analyzer",), ["english"]),
    ],
)
def test_manifests_that_are_damaged_are_refused(index, path, value):
    manifest = place = json.loads((index / "manifest.json").read_text())
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    (index / "manifest.json").write_text(json.dumps(manifest))
    refused(index, "manifest.json: is damaged")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'{"format": "sera index", "format": 1}', "has the field 'format' twice"),
        (b'{"a":\n"\xff"}', "is not UTF-8 text"),
        (b'{"format": "sera index", "version": 2}', "has the format version 2, not 1"),
        (b'{"format": {"a": []}}', "is not the manifest of an index"),
    ],
)
def test_manifests_of_another_form_are_refused(index, content, problem):
    (index / "manifest.json").write_bytes(content)
    refused(index, f"manifest.json.*: {problem}")


def test_an_index_that_is_not_there(index):
    (index / "manifest.json").unlink()
    refused(index, "manifest.json is missing")
    shutil.rmtree(index)
    refused(index, "there is no index")


def test_documents_in(index, tmp_path):
    assert documents_in(index) == 3
    receipt = tmp_path / "receipt"
    put(receipt, {"manifest.json": '{"format": "sera elasticsearch index", "documents": 7}'})
    assert documents_in(receipt) == 7
    for text in ("[]", "{}", '{"statistics": 3}', "{"):
        (receipt / "manifest.json").write_text(text)
        with pytest.raises(InputError, match="manifest.json"):
            documents_in(receipt)
    with pytest.raises(InputError, match="there is no index"):
        documents_in(tmp_path / "nothing")


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
    put(tmp_path, {"app/manifest.json": '{"name": "my web app"}', "index/thesis.tex": "work", "file": "work"})
    (tmp_path / "link").symlink_to(index)
    part = tmp_path / "part"
    build_part([Document("x", "cow")], part)
    before = {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")}
    for name, problem in {
        "app": "holds no manifest.json of a sera index",
        "index": "holds 'thesis.tex', which is not part of the sera index there",
        "file": "is a file, not a folder",
        "link": "is a link",
    }.items():
        with pytest.raises(InputError, match=problem):
            build_part(never(), tmp_path / name)
        with pytest.raises(InputError, match=problem):
            merge([part], tmp_path / name)
    assert {path: path.is_file() and path.read_bytes() for path in tmp_path.rglob("*")} == before


def test_an_index_is_built_over_an_index_even_over_a_part_of_one(index, tmp_path, monkeypatch):
    (tmp_path / "link").symlink_to(index)
    assert open_index(tmp_path / "link").documents == 3
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
    monkeypatch.chdir(tmp_path)
    for path in (".", "..", "a/..", "/", "/proc"):
        with pytest.raises(InputError, match="is a folder that cannot be replaced"), writing_folder(path):
            raise AssertionError("not reached")


def test_a_link_in_an_index_is_no_part_of_it(index, tmp_path):
    (index / "ids.npy").rename(tmp_path / "precious")
    (index / "ids.npy").symlink_to(tmp_path / "precious")
    with pytest.raises(InputError, match="holds 'ids.npy', which is not part"):
        build_part(never(), index)


def test_any_text_can_be_searched(index):
    engine = open_index(index)
    queries = ["\ud800", "ant\udfff bee", "\ud800\udc00", "\x00", "", "ant " * 20_000, "é\u0301\u200f"]
    assert [len(hits) for hits in engine.search(queries, 3)] == [0, 3, 0, 0, 0, 2, 0]
    assert engine.document_frequency(["\ud800", "ant \ud800 bee", ""]) == [0, 1, 0]
    for k in (np.int64(2), 10**15):
        assert len(engine.search(["ant"], k)[0]) == 2
    # halves of characters may be in the text of documents, too
    build_part([Document("d", "ant \ud800 bee\udfff")], index)
    assert open_index(index).document_frequency(["ant bee"]) == [1]


@pytest.mark.parametrize("k", [0, -1, True, 2.5, float("nan"), float("inf")])
def test_how_many_documents_is_a_whole_number_above_0(index, k):
    with pytest.raises(InputError, match="the number of documents to retrieve is "):
        open_index(index).search(["ant"], k)


@pytest.mark.parametrize("scorer", ["lucene", "query-likelihood"])
@pytest.mark.parametrize("mu", [0, -1, float("nan"), float("inf"), 10**400, -(10**400), 1e39, 1e-60])
def test_mu_is_above_0_and_finite(index, mu, scorer):
    with pytest.raises(InputError, match="the smoothing parameter mu is "):
        open_index(index).search(["ant"], 1, mu=mu, scorer=scorer)


# Command line


def test_verify_command(index):
    said = "3 documents, 5 terms, 10 tokens\n"
    assert sera("index", "verify", index) == f"all is right in {index}: {said}"
    (index / "ids.npy").write_bytes((index / "ids.npy").read_bytes()[:-1] + b"x")
    assert "ids.npy: differs from its checksum. Build the index again." in sera(
        "index", "verify", index, code=2
    )
    assert "there is no index" in sera("index", "verify", index.parent / "nothing", code=2)
