"""The topics of TAC 2014 BiomedSumm: their files, articles, citances and nuggets."""

from __future__ import annotations

import gzip
import json
import logging
import re

import pytest

from sera import metric
from sera.benchmarks.tac2014 import inputs, read, read_annotations
from sera.metrics.pyramid import Pyramid, content_stems, passages
from sera.summarizers.citation_context import CitationContext
from sera.text.sentences import sentences
from study.recognition.citation_contexts import judge, read_judged, split_words

RELEASE = "data/tac2014/TAC_2014_BiomedSumm_Training_Data"

PYRAMIDS = "data/tac2014/TAC-Pyramid-Annotations"


@pytest.fixture(scope="module")
def topics(shared):
    return read(release=shared / RELEASE, pyramids=shared / PYRAMIDS)


def test_every_file_of_the_release_is_an_input(shared):
    paths = inputs(release=shared / RELEASE, pyramids=shared / PYRAMIDS)
    assert len(paths) == 10 * (4 + 11 + 4) + 40
    assert not {path for path in (shared / RELEASE).rglob("*.txt")} - set(paths)


def test_the_real_topics_have_their_parts(topics):
    assert [topic.id for topic in topics] == [f"D14{n:02}" for n in range(1, 11)]
    sources = "Voorhoeve Westbrook Serrano Agami,Bernards Campbell Hanahan Toji Lewis Sherr Wang,Tang"
    assert [topic.source.id for topic in topics] == sources.split()
    letters = "ABCD ABCE BCDE BCDF BCDG BCDG BFGH BCDH BCDG FGHI"
    assert ["".join(r.annotator for r in topic.references) for topic in topics] == letters.split()
    assert [len(topic.documents) for topic in topics] == [11] * 10
    assert [len(topic.citances) for topic in topics] == [17, 14, 15, 12, 14, 15, 15, 15, 11, 16]
    assert sum(len(topic.nuggets) for topic in topics) == 701


def test_the_real_nuggets_fit_their_summaries(shared, caplog):
    with caplog.at_level(logging.WARNING):
        read(release=shared / RELEASE, pyramids=shared / PYRAMIDS)
    [warning] = [r.getMessage() for r in caplog.records]
    assert warning.endswith("D1404_TRAIN/Summary: the summaries of D1404 by B and by D are equal")


def test_the_real_references_say_what_the_recorded_ones_say(topics, shared):
    lines = (shared / "oracles/rouge155/tac_references.jsonl").read_text(encoding="utf-8").splitlines()
    recorded = {(r["topic"], r["annotator"]): " ".join(r["sentences"]) for r in map(json.loads, lines)}
    ours = {(r.topic, r.annotator): " ".join(r.sentences) for topic in topics for r in topic.references}
    assert ours.keys() == recorded.keys()
    for key, text in ours.items():
        assert text.split() == recorded[key].split()


def test_the_real_documents_say_what_the_recorded_ones_say(topics, shared):
    with gzip.open(shared / "oracles/lucene/documents.jsonl.gz", "rt", encoding="utf-8") as lines:
        recorded = {d["id"]: d["text"] for d in map(json.loads, lines) if d["id"].startswith("tac-")}
    ours = {f"tac-{re.sub(r'[^A-Za-z0-9-]', '_', d.id)}": d.text for topic in topics for d in topic.documents}
    assert len(recorded) == 110
    assert ours.keys() == recorded.keys()
    for id, text in ours.items():
        assert text.split() == recorded[id].split()


def test_every_real_record_is_read(shared):
    annotations = read_annotations(shared / RELEASE)
    assert len(annotations) == 576
    assert {a.annotator for a in annotations} == set("ABCDEFGHI")
    assert {a.facet for a in annotations} == {"Hypothesis", "Method", "Results", "Implication", "Discussion"}
    assert all(1 <= len(a.reference_texts) <= 3 for a in annotations)
    assert all(a.marker and a.citation and a.citing for a in annotations)


def test_real_nuggets_are_mostly_found_in_the_summary_they_were_marked_in(topics):
    texts = {
        (r.topic, r.annotator): passages(r.sentences, "sentence")
        for topic in topics
        for r in topic.references
    }
    nuggets = [nugget for topic in topics for nugget in topic.nuggets]
    stems = [(content_stems(n.text), texts[n.topic, n.annotator]) for n in nuggets]
    found = sum(any(nugget <= sentence for sentence in sentences) for nugget, sentences in stems)
    assert found / len(nuggets) > 0.97
    for topic in topics:
        one = metric("Pyramid", nuggets=Pyramid.from_records(topic.nuggets))
        assert 0 <= one.score(topic.references[0], topic.references[1:]) <= 1


@pytest.fixture(scope="module")
def judged(shared):
    return read_judged(shared / RELEASE)


def test_annotators_passages_are_in_the_articles(judged):
    assert sum(len(rows) for _, rows in judged) == 144
    for topic, rows in judged:
        article = [word for sentence in topic.source.sentences for word in split_words(sentence)]
        for row in rows:
            assert len(row.marked) == len(row.facets) == 4
            assert all(0 <= min(own) <= max(own) < len(article) for own in row.marked)


def test_contexts_are_better_than_bm25_and_than_tfidf(judged):
    overlaps, facets = judge(CitationContext(), judged)
    own = overlaps.mean(axis=0)
    for match in ("bm25", "tfidf"):
        plain = CitationContext(match=match, neighbours=0, others=0, group_by="section")
        theirs, their_facets = judge(plain, judged)
        assert (own > theirs.mean(axis=0)).all()
        assert (facets.mean(axis=0) > their_facets.mean(axis=0) + 0.1).all()
    precision, recall, f, first = own
    assert (precision, recall, f, first) == pytest.approx((0.202, 0.224, 0.190, 0.467), abs=0.0006)
    assert facets.mean(axis=0) == pytest.approx((0.805, 0.579), abs=0.0006)


def test_the_articles_of_the_topics_lose_nothing(shared):
    paths = sorted((shared / RELEASE).glob("data/*/Documents_Text/[A-D]*.txt"))[:20]
    assert len(paths) == 20
    for path in paths:
        for line in path.read_bytes().decode("utf-8", "replace").splitlines():
            assert " ".join(sentences(line)) == " ".join(line.split())
