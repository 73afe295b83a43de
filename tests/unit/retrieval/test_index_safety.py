"""An index is read only if it is right: crafted columns and manifests, links, and what is remembered."""

import hashlib
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
from sera.retrieval.engines.index_format import Index, _header
from sera.vectors.learning import learn

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


def sealed(folder: Path, name: str, content: bytes) -> None:
    """Put a file into an index and its size and checksum into the manifest, as a forger does."""
    (folder / name).write_bytes(content)
    manifest = manifest_of(folder)
    manifest["files"][name] = {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    if name == "digests.npy":
        manifest["fingerprint"] = hashlib.sha256(content[128:]).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))


def column(values, dtype) -> bytes:
    content = np.array(values, dtype)
    return _header(content.dtype.str, len(content)) + content.tobytes()


def refused(folder: Path, problem: str) -> None:
    for use in (open_index, verify, lambda folder: merge([folder], folder.parent / "merged")):
        with pytest.raises(InputError, match=problem) as caught:
            use(folder)
        assert "\n" not in str(caught.value)
    assert not (folder.parent / "merged").exists()


def test_the_columns_are_as_the_crafted_ones_below_expect(index):
    columns = {path.stem: np.load(path).tolist() for path in index.glob("*.npy")}
    assert columns["posting_starts"] == [0, 2, 4, 6, 7, 8]
    assert columns["documents"] == [0, 2, 0, 1, 1, 2, 1, 2]
    assert columns["frequencies"] == [2, 1, 1, 1, 1, 1, 1, 2]
    assert columns["position_starts"] == [0, 3, 5, 7, 8, 10]
    assert columns["positions"] == [0, 2, 6, 1, 3, 4, 9, 5, 7, 8]
    assert columns["starts"] == [0, 3, 6, 10] and columns["lengths"] == [3, 3, 4]
    assert bytes(columns["ids"]) == b"d0d1d2" and bytes(columns["terms"]) == b"antbeecowdogelk"


@pytest.mark.parametrize("length", [0, 1, 9, 12345678901])
@pytest.mark.parametrize("dtype", ["|u1", "<i8", "<u2"])
def test_headers_are_numpys(tmp_path, dtype, length):
    with open(tmp_path / "header", "wb") as stream:
        facts = {"descr": dtype, "fortran_order": False, "shape": (length,)}
        np.lib.format.write_array_header_1_0(stream, facts)
    assert (tmp_path / "header").read_bytes() == _header(dtype, length)


CRAFTED = {
    "a frequency of zero": ("frequencies", [2, 0, 1, 1, 1, 1, 1, 2], "u1", "frequencies.npy: .*number 0 has"),
    "a sum too high": ("frequencies", [2, 2, 1, 1, 1, 1, 1, 2], "u1", "frequencies.npy: .*number 0 has"),
    "a sum too low": ("frequencies", [2, 1, 1, 1, 1, 1, 1, 1], "u1", "frequencies.npy: .*number 4 has"),
    "huge frequencies": ("frequencies", [2**32 - 1] * 8, "u4", "frequencies.npy: .*number 0 has"),
    "negative frequencies": ("frequencies", [-(2**33)] * 8, "i8", "frequencies.npy: is not a column"),
    "a document too many": ("documents", [0, 3, 0, 1, 1, 2, 1, 2], "u1", "documents.npy: .*number 0 has"),
    "a document twice": ("documents", [0, 0, 0, 1, 1, 2, 1, 2], "u1", "documents.npy: .*number 0 has"),
    "documents that fall": ("documents", [2, 0, 0, 1, 1, 2, 1, 2], "u1", "positions.npy: .*number 0 has"),
    "floats": ("documents", [0, 2, 0, 1, 1, 2, 1, 2], "f4", "documents.npy: is not a column"),
    "big end first": ("documents", [0, 2, 0, 1, 1, 2, 1, 2], ">u2", "documents.npy: is not a column"),
    "a position too high": ("positions", [0, 2, 10, 1, 3, 4, 9, 5, 7, 8], "u1", "positions.npy: .*number 0"),
    "another's position": ("positions", [0, 3, 6, 1, 3, 4, 9, 5, 7, 8], "u1", "positions.npy: .*number 0"),
    "a position twice": ("positions", [0, 0, 6, 1, 3, 4, 9, 5, 7, 8], "u1", "positions.npy: .*number 0"),
    "beyond int64": ("positions", [0, 2**63, 6, 1, 3, 4, 9, 5, 7, 8], "u8", "positions.npy: .*number 0"),
    "a wrong length": ("lengths", [3, 2, 4], "u1", "lengths.npy: .*number 1 has 3 tokens, not 2"),
    "starts that fall": ("starts", [0, 7, 6, 10], "i8", "the columns do not fit together"),
    "a start below 0": ("starts", [-1, 3, 6, 10], "i8", "the columns do not fit together"),
    "words without end": ("starts", [0, 3, 6, 2**60], "i8", "the columns do not fit together"),
    "unsigned starts": ("starts", [0, 3, 6, 10], "u8", "starts.npy: is not a column"),
    "no posting": ("posting_starts", [0, 0, 4, 6, 7, 8], "i8", "posting_starts.npy: .*0 has no posting"),
    "postings moved": ("posting_starts", [0, 3, 4, 6, 7, 8], "i8", "documents.npy: .*number 0 has"),
    "positions moved": ("position_starts", [0, 2, 5, 7, 8, 10], "i8", "frequencies.npy: .*number 0 has"),
    "an id twice": ("ids", list(b"d0d1d0"), "u1", "ids.npy: the document 'd0' is there twice"),
    "an id of two lines": ("ids", list(b"d0d\nd2"), "u1", r"ids.npy: the id 'd\\n' has .* U\+000A"),
    "an id of no text": ("ids", list(b"d0d\xffd2"), "u1", "ids.npy: the id of the document number 1 is not"),
    "an empty id": ("id_starts", [0, 2, 2, 6], "i8", "ids.npy: the id '' is empty"),
    "terms in disorder": ("terms", list(b"antbeecowelkdog"), "u1", "terms.npy: .* 4 is not in order"),
    "a term twice": ("terms", list(b"antantcowdogelk"), "u1", "terms.npy: .* 1 is not in order"),
    "an empty term": ("term_starts", [0, 0, 6, 9, 12, 15], "i8", "terms.npy: .* 0 is not in order"),
    "a term of no text": ("terms", list(b"antbeecowdogel\xff"), "u1", "terms.npy: a term is not UTF-8"),
    "half a character": ("terms", list(b"antbeecowdo\xc3\xa9lk"), "u1", "terms.npy: a term is not UTF-8"),
}  # fmt: skip


@pytest.mark.parametrize("what", CRAFTED)
def test_crafted_columns_are_refused_though_the_checksums_are_right(index, what):
    name, values, dtype, problem = CRAFTED[what]
    sealed(index, f"{name}.npy", column(values, dtype))
    refused(index, problem)


def test_the_longest_id_and_term_are_bounded(index, monkeypatch):
    monkeypatch.setattr(index_format.analysis, "LONGEST_TOKEN", 0)
    refused(index, "terms.npy: a term has more than 0 bytes")
    monkeypatch.setattr(index_format.names, "LONGEST", 1)
    sealed(index, "ids.npy", column(list(b"abcdef"), "u1"))
    sealed(index, "id_starts.npy", column([0, 5, 5, 6], "i8"))
    refused(index, "ids.npy: an id has more than 1 characters")


def header(text: str, *, version: bytes = b"\x01\x00") -> bytes:
    padded = text.ljust(117).encode() + b"\n"
    return b"\x93NUMPY" + version + len(padded).to_bytes(2, "little") + padded


@pytest.mark.parametrize(
    "start",
    [
        header("{'descr': '|O', 'fortran_order': False, 'shape': (3,), }"),
        header("{'descr': '|u1', 'fortran_order': False, 'shape': (99999999999999999999,), }"),
        header("{'descr': '|u1', 'fortran_order': False, 'shape': (-1,), }"),
        header("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 1), }"),
        header("{'descr': '|u1', 'fortran_order': True, 'shape': (3,), }"),
        header("{'descr': [('a', '|u1')], 'fortran_order': False, 'shape': (3,), }"),
        header("{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", version=b"\x03\x00"),
        header("(" * 117),
        header("-" * 117),
        b"\x80\x04\x95" + bytes(125),  # a pickle
        bytes(128),
    ],
)
def test_only_headers_as_they_are_written_are_read(index, start):
    content = start + (index / "lengths.npy").read_bytes()[128:]
    for wrong in (content, *(content[:size] for size in (0, 1, 127))):
        sealed(index, "lengths.npy", wrong)
        refused(index, "lengths.npy: is not a column of an index")


def test_a_link_to_an_index_is_opened(index, tmp_path):
    (tmp_path / "link").symlink_to(index)
    assert open_index(tmp_path / "link").documents == 3


def with_entry(manifest: dict, *path, value) -> str:
    place = manifest
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return json.dumps(manifest)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("statistics", "documents"), True),
        (("statistics", "documents"), -3),
        (("statistics", "documents"), 3.0),
        (("statistics", "tokens"), 10**300),
        (("statistics", "terms"), "5"),
        (("statistics",), None),
        (("files", "ids.npy", "bytes"), True),
        (("files", "ids.npy", "bytes"), -1),
        (("files", "ids.npy", "sha256"), "0" * 63),
        (("files", "ids.npy", "sha256"), None),
        (("files", "../ids.npy"), {"bytes": 1, "sha256": "0" * 64}),
        (("files", "/etc/passwd"), {"bytes": 1, "sha256": "0" * 64}),
        (("files",), ["ids.npy"]),
        (("fingerprint",), "x"),
        (("analyzer",), ["english"]),
    ],
)
def test_manifests_are_strict(index, path, value):
    text = with_entry(manifest_of(index), *path, value=value)
    (index / "manifest.json").write_text(text)
    refused(index, "manifest.json: is damaged")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"[" * 100_000, "is damaged: the nesting"),
        (b'{"format": "sera index", "format": 1}', "is damaged: has the field 'format' twice"),
        (b'{"a": 1' + b"1" * 5000 + b"}", "is damaged: a number is over the limit"),
        (b'{"a": NaN}', "is damaged: holds NaN"),
        (b'{"a":\n"\xff"}', "is damaged in line 2: is not UTF-8 text"),
        (b'{"format": "sera index", "version": true}', "has the format version True, not 1"),
        (b'{"format": {"a": []}}', "is not the manifest of an index"),
    ],
)
def test_manifests_that_are_traps(index, content, problem):
    (index / "manifest.json").write_bytes(content)
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


def test_a_document_of_words_without_end_takes_no_memory(index):
    sealed(index, "starts.npy", column([0, 2**40, 2**41, 2**42], "i8"))
    sealed(
        index,
        "positions.npy",
        column([0, 2, 2**41, 1, 2**40, 2**40 + 1, 2**41 + 3, 2**40 + 2, 2**41 + 1, 2**41 + 2], "u8"),
    )
    with pytest.raises(InputError, match="the sample .* is over the limit of 1073741824 words"):
        learn(index, width=2, minimum=1)


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
