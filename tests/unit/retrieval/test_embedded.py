"""The embedded engine against brute force and values worked out by hand."""

import json
import random
import shutil
from functools import partial
from math import log
from pathlib import Path

import numpy as np
import pytest

from sera.errors import InputError
from sera.io.records import Document
from sera.retrieval.engines import Hit, embedded, index_building, string_tables
from sera.retrieval.engines.embedded import open_index
from sera.retrieval.engines.index_building import build_part, merge
from sera.retrieval.engines.index_format import Index
from sera.retrieval.engines.index_parts import PartsOfIndex
from sera.retrieval.queries import keywords
from sera.text.analysis import analyzer

verify = partial(Index, check="always")

ANALYZERS = ("standard", "english")


def documents_of(*texts: str) -> list[Document]:
    return [Document(f"d{number}", text) for number, text in enumerate(texts)]


def engine_of(folder: Path, *texts: str, analyzer: str = "english"):
    build_part(documents_of(*texts), folder, analyzer=analyzer)
    return open_index(folder)


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_lucenes_score(tmp_path):
    engine = engine_of(tmp_path / "index", "cell cell protein", "protein")
    [[hit]] = engine.search(["cells"], 5, mu=10)
    assert hit == ("d0", pytest.approx(log(1 + 2 / (10 * 3 / 5)) + log(10 / 13), rel=1e-7))  # 0.0253
    [[twice]] = engine.search(["cell cells"], 5, mu=10)
    assert twice.score == pytest.approx(2 * hit.score, rel=1e-7)


@pytest.mark.checked("engine `embedded`, scorer `query-likelihood`")
def test_query_likelihood(tmp_path):
    engine = engine_of(tmp_path / "index", "cell cell protein", "protein", "membrane", "cell " * 100)
    # 105 tokens, of which 102 `cell` and 2 `protein`; `ribosome` is nowhere and left out
    [hits] = engine.search(["protein protein cell ribosome"], 9, mu=7, scorer="query-likelihood")
    cell, protein = 7 * 102 / 105, 7 * 2 / 105
    expected = {
        "d0": 2 * log((1 + protein) / 10) + log((2 + cell) / 10),
        "d1": 2 * log((1 + protein) / 8) + log(cell / 8),
        "d3": 2 * log(protein / 107) + log((100 + cell) / 107),  # its length is exact; Lucene's would be 96
    }
    assert [hit.document for hit in hits] == ["d1", "d0", "d3"]
    assert dict(hits) == pytest.approx(expected, rel=1e-12)


def test_what_matches_is_a_hit_even_with_a_score_of_zero(tmp_path):
    engine = engine_of(tmp_path / "index", "cell " * 50, "x cell " + "protein " * 5000, "protein")
    [hits] = engine.search(["cell"], 5, mu=10)
    assert [hit.document for hit in hits] == ["d0", "d1"]
    assert hits[0].score > hits[1].score == 0.0


def test_ties_stay_in_the_order_of_the_index(tmp_path):
    build_part([Document(id, "cell protein") for id in "zmaqb"], tmp_path / "index")
    engine = open_index(tmp_path / "index")
    for k in (1, 3, 5, 9):
        [hits] = engine.search(["cell"], k)
        assert [hit.document for hit in hits] == list("zmaqb")[:k]


def test_queries_without_tokens_or_known_terms_find_nothing(tmp_path):
    engine = engine_of(tmp_path / "index", "cell")
    queries = ["", "of the", "ribosome", "cell"]
    for scorer in ("lucene", "query-likelihood"):
        assert [len(hits) for hits in engine.search(queries, 3, scorer=scorer)] == [0, 0, 0, 1]
    assert engine.search([], 3) == []
    with pytest.raises(InputError, match="no scorer 'bm25'"):
        engine_of(tmp_path / "index", "cell").search(["cell"], 3, scorer="bm25")


def test_phrases(tmp_path):
    texts = [
        "role of cells in mice",
        "role cells",
        "the roles in a cell",
        "role",
        "cells of mice role x cell",
    ]
    engine = engine_of(tmp_path / "index", *texts, "nothing")
    expected = {
        "role of cells": 2,  # role _ cells: d0, and `role x cell` in d4
        "role cells": 1,
        "roles in the cell": 1,
        "the role of": 5,  # stop words at the ends do not count
        "cell mice": 0,
        "cell in mice": 2,
        "cells of mice role": 1,  # longer than three
        "of the": 0,
        "": 0,
        "role ribosome": 0,
    }
    assert dict(zip(expected, engine.document_frequency(list(expected)))) == expected
    engine = engine_of(tmp_path / "index", "x alpha", "beta", "", "of the", "alpha of a", "beta alpha")
    phrases = ["alpha beta", "alpha of the a beta", "beta alpha", "x alpha"]
    assert engine.document_frequency(phrases) == [0, 0, 1, 1]


@pytest.mark.parametrize("name", ANALYZERS)
def test_phrases_against_brute_force(tmp_path, name):
    chance = random.Random(11)
    vocabulary = ["ant", "bee", "cow", "of", "the"]
    texts = [" ".join(chance.choices(vocabulary, k=chance.randrange(9))) for _ in range(60)]
    phrases = [" ".join(chance.choices(vocabulary, k=chance.randrange(1, 5))) for _ in range(400)]
    engine = engine_of(tmp_path / "index", *texts, analyzer=name)

    def places(text):
        return list(zip(*reversed(analyzer(name).positions(text))))

    held = [set(places(text)) for text in texts]
    expected = []
    for phrase in phrases:
        wanted = places(phrase)
        expected.append(
            sum(
                any(all((at + shift, term) in document for at, term in wanted) for shift in range(-5, 9))
                for document in held
            )
            if wanted
            else 0
        )
    assert len(set(expected)) > 5
    assert engine.document_frequency(phrases) == expected
    assert engine.document_frequency(phrases[::-1]) == expected[::-1]  # from what it remembers


def test_mean_idf(tmp_path):
    engine = engine_of(tmp_path / "english", "the cell protein", "the cell", "cell")
    assert engine.mean_idf() == pytest.approx((log(3 / 3) + log(3 / 1)) / 2)
    # The stop word `the` is in the standard index, but not in the mean.
    engine = engine_of(tmp_path / "standard", "the cell protein", "the cell", "cell", analyzer="standard")
    assert engine.terms == 3
    assert engine.mean_idf() == pytest.approx((log(3 / 3) + log(3 / 1)) / 2)
    texts = ("dass Häuser", "Haus dass", "dass", "Zelle war will")
    engine = engine_of(tmp_path / "index", *texts, analyzer="german")
    # in the index are dass, haus, zell, whatever stop words English has
    assert engine.terms == 3
    assert engine.mean_idf() == pytest.approx((log(4 / 2) + log(4 / 1)) / 2)


@pytest.mark.parametrize(("analyzer", "terms"), [("english", 5), ("standard", 7)])
def test_the_mean_idf_is_of_no_stop_word_of_smart(tmp_path, analyzer, terms):
    texts = ("the cell protein, using", "the cell uses", "cell, however", "kinase")
    engine = engine_of(tmp_path / "index", *texts, analyzer=analyzer)
    assert engine.terms == terms  # english: cell, protein, us, howev, kinas
    # using, uses and however are stop words: of 4 documents cell is in 3, protein and kinase in 1
    assert engine.mean_idf() == pytest.approx((log(4 / 3) + log(4) + log(4)) / 3)


# Parts


def random_documents(count: int) -> list[Document]:
    chance = random.Random(3)
    vocabulary = [f"w{number}é"[: chance.randrange(2, 6)] for number in range(300)] + ["the", "𝐀", "ꞌ"]
    return [
        Document(f"dé{number}", " ".join(chance.choices(vocabulary, k=chance.choice((0, 3, 40, 400)))))
        for number in range(count)
    ]


@pytest.mark.parametrize("cuts", [(), (0,), (1, 20), (5, 5, 39), (10, 20, 30, 40)])
def test_parts_merge_to_what_one_part_gives(tmp_path, monkeypatch, cuts):
    documents = random_documents(40)
    build_part(documents, tmp_path / "whole")
    bounds = [0, *cuts, 40]
    parts = []
    for number, (first, end) in enumerate(zip(bounds, bounds[1:])):
        parts.append(tmp_path / f"part{number}")
        build_part(documents[first:end], parts[-1])
    monkeypatch.setattr(index_building, "_ENTRIES", 100)  # several pieces, and terms larger than a piece
    merge(parts, tmp_path / "merged")
    assert content(tmp_path / "merged") == content(tmp_path / "whole")
    assert len(content(tmp_path / "whole")) == 13
    verify(tmp_path / "merged")


def test_merging_in_steps_gives_the_same(tmp_path):
    documents = random_documents(30)
    build_part(documents, tmp_path / "whole")
    for number in range(3):
        build_part(documents[10 * number : 10 * number + 10], tmp_path / f"part{number}")
    merge([tmp_path / "part0", tmp_path / "part1"], tmp_path / "step")
    merge([tmp_path / "step", tmp_path / "part2"], tmp_path / "step")  # in its own place
    assert content(tmp_path / "step") == content(tmp_path / "whole")


@pytest.mark.parametrize(("memory", "runs"), [(10**6, 1), (190_000, 2), (1, 40)])
def test_memory_does_not_show_in_the_index(tmp_path, monkeypatch, memory, runs):
    documents = random_documents(40)
    build_part(documents, tmp_path / "whole")
    written = []
    write = index_building.write
    monkeypatch.setattr(
        index_building, "write", lambda path, *rest: written.append(path) or write(path, *rest)
    )
    build_part(iter(documents), tmp_path / "runs", memory=memory)
    assert content(tmp_path / "runs") == content(tmp_path / "whole")
    assert len([folder for folder in written if folder.name.startswith("run")]) == (runs if runs > 1 else 0)
    with pytest.raises(InputError, match="memory for building an index is 0 bytes"):
        build_part(documents, tmp_path / "index", memory=0)


def test_tables_grow_without_loss(tmp_path, monkeypatch):
    for module in (string_tables, index_building):  # the tables of chunks, ids and terms grow often
        monkeypatch.setattr(module, "AT_ONCE", 3)
    texts = [" ".join(f"w{number % 700}x{number % 11}" for number in range(at, at + 500)) for at in range(20)]
    engine = engine_of(tmp_path / "index", *texts, analyzer="standard")
    words = [text.split() for text in texts]
    assert engine.tokens == 20 * 500 and engine.terms == len(set().union(*words))
    for word in ["w0x0", "w699x6", "w5x5"]:
        counts = [of_text.count(word) for of_text in words]
        assert engine.term_statistics(word) == (np.count_nonzero(counts), sum(counts))
    with pytest.raises(InputError, match="'d0' is there twice"):
        build_part([Document(f"d{number % 50}", "x") for number in range(50, 108)], tmp_path / "twice")


def test_what_is_between_blanks_is_analyzed_alone(tmp_path):
    texts = [
        "Cells, (cells) cells' \"cells\" cell's don't.stop 3.5 3,5% x_y _ __a  a\tb\nb\r\nc cell-lines",
        'é\u0301 x\u200d\u200d y \u0301z \u3042\u3044 \u30ab\u30bf \u05d0"\u05d0 \u2122a \u2028b',
        "\u0301c-\u200dd",
        "\U0001f468\u200d\U0001f469 #\ufe0f\u20e3 - # /\u200d\U0001f469/ x.\u00a0y, . z. 3, 4.\n5",
        "a" * 300 + " " + "b." * 200 + " " + "\u6f22" * 100 + " " + "\U0001f600" * 70,
        "  ",
    ]
    texts.append(" ".join(texts))
    for name in ANALYZERS:
        engine = engine_of(tmp_path / name, *texts, analyzer=name)
        tokens = [analyzer(name).tokens(text) for text in texts]
        assert engine.tokens == sum(map(len, tokens))
        for term in set(tokens[-1]):
            counts = [of_text.count(term) for of_text in tokens]
            assert engine.term_statistics(term) == (np.count_nonzero(counts), sum(counts)), term


@pytest.mark.parametrize("scorer", ["lucene", "query-likelihood"])
def test_batches_and_blocks_do_not_show_in_a_ranking(tmp_path, monkeypatch, scorer):
    chance = random.Random(8)
    vocabulary = [f"w{number}" for number in range(150)]
    weights = [1 / (number + 1) for number in range(150)]
    texts = [" ".join(chance.choices(vocabulary, weights, k=chance.choice((1, 5, 60)))) for _ in range(700)]
    engine = engine_of(tmp_path / "index", *texts * 2)  # every score comes twice
    queries = [" ".join(chance.choices(vocabulary, weights, k=chance.choice((1, 30)))) for _ in range(40)]
    for k in (1, 20, 1000):
        alone = [engine.search([query], k, mu=20, scorer=scorer)[0] for query in queries]
        with monkeypatch.context() as patch:
            patch.setattr(embedded, "_ENTRIES", 1)
            patch.setattr(embedded, "_QUERIES", 15)
            assert engine.search(queries, k, mu=20, scorer=scorer) == alone


def test_the_fingerprint_tells_collections_apart(tmp_path):
    def fingerprint(*documents, analyzer="english"):
        build_part(documents, tmp_path / "index", analyzer=analyzer)
        return open_index(tmp_path / "index").fingerprint

    a, b = Document("a", "cell"), Document("b", "protein")
    first = fingerprint(a, b)
    assert len(first) == 64
    assert fingerprint(a, b, analyzer="standard") == first
    others = [(b, a), (a,), (a, Document("b", "Protein")), (a, Document("c", "protein"))]
    assert len({first, *(fingerprint(*documents) for documents in others)}) == 5


def test_a_document_made_of_parts_is_indexed_whole(tmp_path):
    build_part([Document("a", title="Ants", abstract=("bees",))], tmp_path / "index", analyzer="standard")
    assert open_index(tmp_path / "index").document_frequency(["ants", "bees", "ants bees"]) == [1, 1, 1]


@pytest.mark.parametrize("texts", [(), ("", "of the", "…")])
def test_an_index_may_hold_no_terms(tmp_path, texts):
    engine = engine_of(tmp_path / "index", *texts)
    assert (engine.documents, engine.tokens, engine.terms) == (len(texts), 0, 0)
    assert engine.search(["cell"], 3) == [[]]
    assert engine.search(["cell"], 3, scorer="query-likelihood") == [[]]
    assert engine.document_frequency(["cell", "the cell line"]) == [0, 0]
    assert engine.mean_idf() == 0.0
    verify(tmp_path / "index")
    build_part([Document("x", "cell line")], tmp_path / "part")
    merge([tmp_path / "index", tmp_path / "part"], tmp_path / "merged")
    assert open_index(tmp_path / "merged").search(["cell"], 3)[0][0].document == "x"


def test_documents_without_tokens_are_counted(tmp_path):
    engine = engine_of(tmp_path / "index", "", "cell", "the")
    assert engine.documents == 3
    # p is (1 + 1) / (1 + 1); ln(1 + 1 / 2000) and ln(2000 / 2001) cancel but for rounding
    assert engine.search(["cell"], 3) == [[Hit("d1", pytest.approx(0, abs=1e-9))]]
    assert engine.mean_idf() == pytest.approx(log(3))


# Refusals


def test_parts_must_agree(tmp_path):
    with pytest.raises(InputError, match="'d0' is there twice"):
        build_part([*documents_of("a", "b"), Document("d0", "c")], tmp_path / "index")
    assert list(tmp_path.iterdir()) == []
    build_part(documents_of("ant", "bee"), tmp_path / "one")
    build_part([Document("x", "cow"), Document("d1", "bee")], tmp_path / "two")
    with pytest.raises(InputError, match="two: the document 'd1' is there twice"):
        merge([tmp_path / "one", tmp_path / "two"], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()
    build_part(documents_of("ant"), tmp_path / "one")
    build_part([Document("x", "cow")], tmp_path / "two", analyzer="standard")
    with pytest.raises(InputError, match="two: has the analyzer standard, but .*one has english"):
        merge([tmp_path / "one", tmp_path / "two"], tmp_path / "merged")
    with pytest.raises(InputError, match="no parts"):
        merge([], tmp_path / "merged")


def test_an_unknown_analyzer_is_refused_before_anything_is_written(tmp_path):
    with pytest.raises(InputError, match="no analyzer 'french'"):
        build_part([], tmp_path / "index", analyzer="french")
    assert list(tmp_path.iterdir()) == []


def changed(**entries):
    def change(folder):
        manifest = json.loads((folder / "manifest.json").read_text())
        (folder / "manifest.json").write_text(json.dumps({**manifest, **entries}))

    return change


def truncate(name):
    def change(folder):
        (folder / name).write_bytes((folder / name).read_bytes()[:-1])

    return change


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (truncate("positions.npy"), r"positions.npy: has \d+ bytes, not \d+"),
        (lambda folder: (folder / "terms.npy").unlink(), "terms.npy: there is no such file"),
        (lambda folder: (folder / "manifest.json").unlink(), "manifest.json is missing"),
        (changed(format="another index"), "not the manifest of an index"),
        (changed(version=2), "format version 2, not 1"),
        (changed(analyzer="french"), "manifest.json: there is no analyzer 'french'"),
        (changed(statistics={"documents": 3, "tokens": 8, "terms": 6}), "columns do not fit together"),
        (shutil.rmtree, "there is no index"),
    ],
)
def test_a_damaged_or_foreign_folder_is_refused(tmp_path, damage, problem):
    build_part(documents_of("ant bee", "bee cow dog", "ant elk fox fox"), tmp_path / "index")
    damage(tmp_path / "index")
    for use in (open_index, verify, lambda folder: merge([folder], tmp_path / "merged")):
        with pytest.raises(InputError, match=problem):
            use(tmp_path / "index")


def overwritten(folder, name, place, value):
    """Write a value into a column whose size stays."""
    column = np.load(folder / name, mmap_mode="r+")
    column[place] = value
    column.flush()


@pytest.mark.parametrize("name", ["posting_starts.npy", "position_starts.npy", "starts.npy", "id_starts.npy"])
def test_starts_that_fall_are_refused(tmp_path, name):
    build_part(documents_of("ant bee", "bee cow dog"), tmp_path / "index")
    overwritten(tmp_path / "index", name, 1, 10**9)  # compiled loops would read far beyond the column
    with pytest.raises(InputError, match="the columns do not fit together"):
        open_index(tmp_path / "index")


@pytest.mark.parametrize("document", [2, 200])
@pytest.mark.parametrize("place", [1, 2])
def test_postings_of_documents_that_there_are_not_are_refused(tmp_path, place, document):
    build_part(documents_of("ant bee", "bee cow dog"), tmp_path / "index", analyzer="standard")
    overwritten(tmp_path / "index", "documents.npy", place, document)  # of `bee`
    with pytest.raises(InputError, match="documents.npy: differs from its checksum"):
        open_index(tmp_path / "index")
    engine = embedded.EmbeddedEngine(Index(tmp_path / "index", check="never"))
    with pytest.raises(InputError, match="the postings are not those of its documents"):
        engine.search(["bee"], 5)


def test_verify_compares_the_fingerprint(tmp_path):
    build_part(documents_of("ant"), tmp_path / "index")
    changed(fingerprint="0" * 64)(tmp_path / "index")
    with pytest.raises(InputError, match="fingerprint"):
        verify(tmp_path / "index")


# Parts


DOCUMENTS = [
    Document("a", "fish swim in the sea"),
    Document("b", "ships of the sea, ships of war"),
    Document("c", ""),
    Document("d", "the fish and the ship"),
    Document("é", "whales swim in the deep blue sea"),
    Document("f", "fish swim"),
]
QUERIES = ["fish swim in the sea", "ships", "the deep blue", "nothing here", ""]
PHRASES = ["fish swim", "sea ships", "swim sea", "ships war", "fish", "blue", "unknown", "the", ""]


@pytest.fixture(params=["english", "standard"])
def whole(request, tmp_path):
    build_part(DOCUMENTS, tmp_path / "whole", analyzer=request.param)
    return PartsOfIndex(open_index(tmp_path / "whole"))


@pytest.mark.parametrize("ids", ["a", "bd", "acf", "é", "c", "bcdé", "abcdéf", ""])
def test_the_same_columns_statistics_and_rankings_as_of_its_own_index(whole, tmp_path, ids):
    alone = [each for each in DOCUMENTS if each.id in ids]
    build_part(alone, tmp_path / "alone", analyzer=whole.whole.analyzer)
    part, own = whole.of(list(ids)), open_index(tmp_path / "alone")
    for name, (header, column) in Index(tmp_path / "alone").contents().items():
        found_header, found = part._index.contents()[name]
        assert (found_header, found.tolist()) == (header, column.tolist()), name
    for name in ("documents", "tokens", "terms", "fingerprint", "analyzer"):
        assert getattr(part, name) == getattr(own, name), name
    for scorer in ("lucene", "query-likelihood"):
        for mu in (1, 2000):
            found = part.search(QUERIES, 4, mu=mu, scorer=scorer)
            assert found == own.search(QUERIES, 4, mu=mu, scorer=scorer)
    assert part.document_frequency(PHRASES) == own.document_frequency(PHRASES)
    assert part.mean_idf() == own.mean_idf()
    if ids:
        text = ["Fish swim in the sea.", "Ships of war."]
        assert keywords(text, part) == keywords(text, own)


def test_statistics_by_hand(tmp_path):
    build_part(DOCUMENTS, tmp_path / "whole")
    part = PartsOfIndex(open_index(tmp_path / "whole")).of(["a", "d", "f"])
    # the stop words in, the, and are no terms: fish swim sea; fish ship; fish swim
    assert (part.documents, part.tokens, part.terms) == (3, 7, 4)
    assert [part.term_statistics(term) for term in ("fish", "swim", "ship", "war")] == [
        (3, 3), (2, 2), (1, 1), (0, 0)
    ]  # fmt: skip
    assert part.document_frequency(["fish swim", "swim in the sea", "ships of war"]) == [2, 1, 0]
    # fish in 3 of 3, swim in 2, sea and ship in 1: (0 + ln 1.5 + 2 ln 3) / 4
    assert part.mean_idf() == pytest.approx((np.log(1.5) + 2 * np.log(3)) / 4)


def test_an_unknown_document(whole):
    with pytest.raises(InputError, match="the index has no document 'x'"):
        whole.of(["a", "x"])
