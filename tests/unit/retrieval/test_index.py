"""An index is built from parts, refused if it is damaged, and replaced only by an index."""

import random
from pathlib import Path

import numpy as np
import pytest
from commands import sera

from sera.errors import InputError
from sera.io.records import Document
from sera.retrieval import index
from sera.retrieval.engines import count_documents
from sera.retrieval.index import build_part, merge, verify_index
from sera.retrieval.lucene import open_index


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def random_documents(count: int) -> list[Document]:
    chance = random.Random(3)
    vocabulary = [f"w{number}é"[: chance.randrange(2, 6)] for number in range(300)] + ["the", "𝐀", "ꞌ"]
    return [
        Document(f"dé{number}", " ".join(chance.choices(vocabulary, k=chance.choice((0, 3, 40, 400)))))
        for number in range(count)
    ]


# Parts


@pytest.mark.parametrize("cuts", [(), (0,), (1, 20), (5, 5, 39), (10, 20, 30, 40)])
def test_merged_parts_equal_one_part(tmp_path, cuts):
    documents = random_documents(40)
    build_part(documents, tmp_path / "whole")
    bounds = [0, *cuts, 40]
    parts = []
    for number, (first, end) in enumerate(zip(bounds, bounds[1:])):
        parts.append(tmp_path / f"part{number}")
        build_part(documents[first:end], parts[-1])
    merge(parts, tmp_path / "merged")
    assert content(tmp_path / "merged") == content(tmp_path / "whole")
    merge(parts[:2], parts[0])  # in its own place, in steps
    merge([parts[0], *parts[2:]], parts[0])
    assert content(parts[0]) == content(tmp_path / "whole")
    assert verify_index(parts[0])["documents"] == 40


@pytest.mark.parametrize(("limit", "value"), [("_PART", 3000), ("_CHUNKS", 1 << 12)])
def test_a_large_build_in_parts_equals_one_part(tmp_path, monkeypatch, limit, value):
    documents = random_documents(40)
    build_part(documents, tmp_path / "whole")
    monkeypatch.setattr(index, limit, value)
    build_part(iter(documents), tmp_path / "parts")
    assert content(tmp_path / "parts") == content(tmp_path / "whole")


@pytest.mark.parametrize("texts", [(), ("", "of the", "…")])
def test_a_part_may_hold_no_terms(tmp_path, texts):
    build_part([Document(f"d{number}", text) for number, text in enumerate(texts)], tmp_path / "index")
    engine = open_index(tmp_path / "index")
    assert (engine.documents, engine.tokens, engine.terms) == (len(texts), 0, 0)
    assert engine.search(["cell"], 3) == [[]]
    assert engine.document_frequency(["cell", "the cell line"]) == [0, 0]
    assert engine.mean_idf() == 0.0
    build_part([Document("x", "cell line")], tmp_path / "part")
    merge([tmp_path / "index", tmp_path / "part"], tmp_path / "merged")
    assert open_index(tmp_path / "merged").search(["cell"], 3)[0][0].document == "x"


def test_the_fingerprint_tells_collections_apart(tmp_path):
    def fingerprint(*documents, analyzer="english"):
        build_part(documents, tmp_path / "index", analyzer=analyzer)
        return open_index(tmp_path / "index").fingerprint

    a, b = Document("a", "cell"), Document("b", "protein")
    first = fingerprint(a, b)
    assert len(first) == 64 and fingerprint(a, b, analyzer="standard") == first
    others = [(b, a), (a,), (a, Document("b", "Protein")), (a, Document("c", "protein"))]
    assert len({first, *(fingerprint(*documents) for documents in others)}) == 5


# Errors


def test_parts_that_do_not_fit_are_refused(tmp_path):
    ant, bee = Document("d0", "ant"), Document("d1", "bee")
    with pytest.raises(InputError, match="'d0' is there twice"):
        build_part([ant, bee, Document("d0", "cow")], tmp_path / "index")
    with pytest.raises(InputError, match="id"):
        build_part([Document("a\nb", "ant")], tmp_path / "index")
    with pytest.raises(InputError, match="no analyzer 'french'"):
        build_part([], tmp_path / "index", analyzer="french")
    assert list(tmp_path.iterdir()) == []
    build_part([ant, bee], tmp_path / "one")
    build_part([Document("x", "cow"), bee], tmp_path / "two")
    with pytest.raises(InputError, match="two: the document 'd1' is there twice"):
        merge([tmp_path / "one", tmp_path / "two"], tmp_path / "merged")


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (lambda folder: (folder / "lengths.npy").write_bytes(b"x" * 140), "lengths.npy: is not an array in"),
        (lambda folder: np.save(folder / "lengths.npy", np.zeros(4, np.uint32)), "in 140 bytes"),
        (lambda folder: (folder / "terms.npy").unlink(), "terms.npy: there is no such file"),
        (lambda folder: (folder / "manifest.json").unlink(), "manifest.json is missing"),
        (lambda folder: (folder / "manifest.json").write_text('{"format": "x"}'), "an index in version 2"),
    ],
)
def test_a_damaged_or_foreign_folder_is_refused(tmp_path, damage, problem):
    build_part([Document(id, "ant bee") for id in "abc"], tmp_path / "index")
    damage(tmp_path / "index")
    for use in (open_index, verify_index, lambda folder: merge([folder], tmp_path / "merged")):
        with pytest.raises(InputError, match=problem):
            use(tmp_path / "index")


def test_verify_compares_checksums(tmp_path):
    build_part([Document(id, "ant bee the") for id in "abc"], tmp_path / "index")
    path = tmp_path / "index/positions.npy"
    assert sera("index", "verify", path.parent) == (
        f"all is right in {path.parent}: 3 documents, 2 terms, 6 tokens\n"
    )
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    problem = "positions.npy: differs from its checksum. Build the index again."
    assert problem in sera("index", "verify", path.parent, code=2)


def test_only_an_index_is_replaced(tmp_path):
    build_part([Document("a", "ant")], tmp_path / "index")
    build_part([], tmp_path / "index")
    assert count_documents(tmp_path / "index") == 0
    (tmp_path / "index/thesis.tex").write_text("work")
    with pytest.raises(InputError, match="holds 'thesis.tex', which is not part"):
        build_part([], tmp_path / "index")
    with pytest.raises(InputError, match="there is no index"):
        count_documents(tmp_path / "nothing")
