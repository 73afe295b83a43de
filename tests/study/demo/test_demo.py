"""The synthetic demo benchmark: its archive, the real formats, and a truth that holds."""

from __future__ import annotations

import csv
import hashlib
import re
from collections import Counter
from pathlib import Path

import pytest
from conftest import ROOT
from pmc_packages import extract

from sera.benchmarks import tac2014
from sera.io.records import Document
from study.demo import benchmark as demo
from study.demo.truth import Statement, TrueFact, Truth, facts_in, read_truth, true_pyramid

OF_TESTS = [ROOT / f"tests/data/{name}_demo.tar.xz" for name in ("small", "plain")]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole benchmark."""
    folder = tmp_path_factory.mktemp("demo") / "made"
    demo.unpack(folder)
    return folder


def golds(folder: Path) -> dict[tuple[str, str], str]:
    """The text of every gold summary by topic and annotator, with its carriage returns."""
    paths = sorted((folder / "release" / "data").glob("*/Summary/*"))
    named = {path: re.fullmatch(r"(D\d+)_TRAIN\.([A-Z])\.[sS]ummary\.txt", path.name) for path in paths}
    return {match.groups(): path.read_bytes().decode("utf-8-sig") for path, match in named.items()}


def nuggets(folder: Path) -> dict[tuple[str, str], list[tuple[int, int, str]]]:
    found = {}
    for path in sorted((folder / "pyramids" / "annotations").iterdir()):
        topic, letter = path.stem.split("-")
        rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
        assert [row[0] for row in rows] == [f"T{n}" for n in range(1, len(rows) + 1)]
        found[topic.upper(), letter] = [(*map(int, row[1].split()), row[2]) for row in rows]
    return found


# The same bytes.


def test_the_archives_are_those_of_the_readme() -> None:
    sums = [hashlib.sha256(path.read_bytes()).hexdigest() for path in (demo.ARCHIVE, *OF_TESTS)]
    assert re.findall(r"`([0-9a-f]{64})`", demo.ARCHIVE.with_name("README.md").read_text()) == sums


def test_the_first_topics_and_articles_can_be_taken(made: Path, tmp_path: Path) -> None:
    demo.unpack(tmp_path / "few", topics=2, articles=5)
    few, all_ = contents(tmp_path / "few"), contents(made)
    own = {name for name in all_ if "D2401" in name or "D2402" in name or "d2401" in name or "d2402" in name}
    changed = {name for name in few if few[name] != all_[name]}
    assert few.keys() == own | changed
    assert {Path(name).name.split(".")[0] for name in changed} == {"oa_comm_xml", "truth"}
    assert list(read_truth(tmp_path / "few/truth.jsonl")) == ["D2401", "D2402"]
    documents = {
        document.id: document for document in extract(made / "pmc_oa") if isinstance(document, Document)
    }
    read, unread = [], []
    for item in extract(tmp_path / "few/pmc_oa"):
        (read if isinstance(item, Document) else unread).append(item)
    assert [document.id for document in read] == [
        *("PMC9900000", "PMC9900002", "PMC9900120"), *("PMC9910121", "PMC9910122")
    ]  # fmt: skip
    assert read == [documents[document.id] for document in read]
    assert [u.file for u in unread] == ["PMC000xxxxxx/PMC9900001.xml", "PMC001xxxxxx/PMC9910241.xml"]
    demo.unpack(tmp_path / "few")  # replaces the older one
    assert contents(tmp_path / "few") == all_


# The formats.


def test_corpus_reader_reads_all_articles_and_reports_the_retracted_and_the_broken_one(made: Path) -> None:
    read, unread = [], []
    for item in extract(made / "pmc_oa"):
        (read if isinstance(item, Document) else unread).append(item)
    assert len(read) == 240 and len({document.id for document in read}) == 240
    assert [u.file for u in unread] == ["PMC000xxxxxx/PMC9900001.xml", "PMC001xxxxxx/PMC9910241.xml"]
    assert "retracted" in unread[0].reason.lower() and "xml" in unread[1].reason.lower()
    table = made / "pmc_oa" / f"{demo.PACKAGES[0]}.filelist.csv"
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [row["AccessionID"] for row in rows if row["Retracted"] == "yes"] == ["PMC9900001"]
    text = "\n".join(document.content for document in read)
    assert "Decision letter" not in text and "Demo Press" not in text and "<" not in text
    lengths = [len(document.content.split()) for document in read]
    assert 300 < min(lengths) and max(lengths) < 1500


def test_nuggets_fit_their_summaries(made: Path) -> None:
    texts = {key: text.replace("\r", "") for key, text in golds(made).items()}  # as offsets count it
    marked = nuggets(made)
    assert texts.keys() == marked.keys() and len(texts) == 24
    for key, rows in marked.items():
        assert rows and all(texts[key][start:end] == text for start, end, text in rows)


def test_the_reader_of_the_real_benchmark_reads_this_one(made: Path) -> None:
    topics = tac2014.read(release=made / "release", pyramids=made / "pyramids")
    truths = read_truth(made / "truth.jsonl")
    assert [topic.id for topic in topics] == list(truths) == [f"D240{n}" for n in range(1, 7)]
    marked = nuggets(made)
    for topic in topics:
        truth = truths[topic.id]
        assert tuple(r.annotator for r in topic.references) == truth.annotators
        assert len(topic.documents) == 7
        assert len(topic.citances) >= 6
        assert all(facts_in([citance.text], truth) for citance in topic.citances)
        assert Counter((n.annotator, n.text) for n in topic.nuggets) == Counter(
            (letter, text) for (of, letter), rows in marked.items() if of == topic.id for _, _, text in rows
        )
        weights = Counter(fact for r in topic.references for fact in facts_in(r.sentences, truth))
        assert weights == {fact.id: fact.weight for fact in truth.facts if fact.weight}
        assert {fact.weight for fact in truth.facts} == {0, 1, 2, 3, 4}
        # What is left of the article after cleaning is what was said in it.
        stated = facts_in(topic.source.sentences, truth)
        assert len(stated) >= 0.95 * len(truth.facts)


# The truth.

HAND = Truth(
    "D1",
    ("A", "B"),
    (
        TrueFact("f1", 2, "inhibits", ("TARVI3",), ("MODRA2",)),
        TrueFact("f2", 2, "binds", ("TARVI3",), ("KELSI4",)),
        TrueFact("f3", 1, "binds", ("MODRA2",), ("KELSI4",)),
        TrueFact("f4", 0, "binds", ("MODRA2",), ("ZOLDO5",)),
    ),
    (
        Statement("TARVI3 inhibits MODRA2.", ("f1",)),
        Statement("We found that TARVI3 binds KELSI4, and MODRA2 binds KELSI4 (Figure 2B).", ("f2", "f3")),
        Statement("MODRA2 binds KELSI4.", ("f3",)),
        Statement("MODRA2 binds ZOLDO5.", ("f4",)),
    ),
)


@pytest.mark.parametrize(
    ("summary", "candidate", "references"),
    [
        # A gold summary states (2 + 2 + 1) / 2 facts, rounded up 3, worth at most 2 + 2 + 1.
        (["TARVI3 inhibits MODRA2."], 2 / 2, 2 / 5),
        (["TARVI3 inhibits MODRA2.", "MODRA2 binds KELSI4."], 3 / 4, 3 / 5),
        ([s.text for s in HAND.sentences], 5 / 5, 5 / 5),
        (["MODRA2 binds KELSI4.", "MODRA2 binds KELSI4."], 1 / 2, 1 / 5),  # said twice, counted once
        (["MODRA2 binds ZOLDO5.", "MODRA2 binds KELSI4."], 1 / 2, 1 / 5),  # weight 0 is out of it
        (["MODRA2 binds ZOLDO5."], 0.0, 0.0),
        ([], 0.0, 0.0),
    ],
)
def test_the_true_score_is_that_of_the_facts_said(summary, candidate, references):
    assert true_pyramid(summary, HAND) == candidate
    assert true_pyramid(summary, HAND, size="references") == references


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (["We found that  TARVI3 binds\nKELSI4, and MODRA2 binds KELSI4 (Figure 2B)."], ["f2", "f3"]),
        (["We found that TARVI3 binds KELSI4,", "and MODRA2 binds KELSI4 (Figure 2B)."], ["f2", "f3"]),
        (["TARVI3 inhibits MODRA2. MODRA2 binds ZOLDO5."], ["f1", "f4"]),
        (["Loss of TARVI3 inhibits MODRA2."], []),  # ends like a sentence of the truth
        (["TARVI3 inhibits MODRA2 in cells."], []),  # begins like one
    ],
)
def test_facts_are_found_whatever_the_sentence_boundaries(text: list[str], facts: list[str]) -> None:
    assert facts_in(text, HAND) == facts
