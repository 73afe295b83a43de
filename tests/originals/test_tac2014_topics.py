"""The topics of TAC 2014 BiomedSumm: their files, citances and nuggets, and their articles, cleaned."""

from __future__ import annotations

import gzip
import json
import logging
import re

import pytest

from sera import metric
from sera.benchmarks.tac2014 import inputs, read, read_annotations
from sera.benchmarks.tac2014.article import clean
from sera.metrics.pyramid import Pyramid, content_stems, passages
from sera.summarizers.citation_context import CitationContext
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


# The articles

DEBRIS = re.compile(
    r"Go to:|Full-size image|Figure options|Table options|Show more|Open Archive|View Record|Scopus|CrossRef"
    r"|\[PubMed\]|PMC free article|dx\.doi\.org/10\.1016|Click here|additional data file|Help with \w+ files"
    r"|Author information ►|PowerPoint|thumbnail|larger image|Previous Section|Next Section|MathML|MathJax"
    r"|Author contributions|\bCited By in|[Cc]orresponding author|Search Google"
    r"|competing interests exist|\b[Ww]e thank\b|\u200b|^Supplement\w+ (Data|Material)$",
)

LEGEND = re.compile(
    r"^(Figure|Fig\.|Table|Scheme) ?S?\d+[A-Z]?[.:] |^\([A-H]\) |^\([A-H] and [A-H]\) |scale bars?[,:=]",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def sources(topics):
    return {topic.id: topic.source for topic in topics}


def test_the_reference_articles_begin_and_end_where_they_should(sources):
    # title, first words of the first kept sentence, last words of the last, number of words (+-10 %)
    expected = {
        "D1401": ("A Genetic Screen Implicates miRNA-372", "Endogenous small RNAs", "/targetscanner).", 5830),
        "D1402": ("A Genetic Screen for Candidate Tumor", "Tumorigenesis is a", "upon request).", 5530),
        "D1403": ("Oncogenic ras Provokes Premature Cell", "Oncogenic ras can", "overnight at 37°C.", 5520),
        "D1404": ("Distinct Initiation and Maintenance", "DNA damage causes", "for 30 min.", 5810),
        "D1405": ("Oct4 Targets Regulatory Nodes", "Stem cells are", "to confirm identity.", 5400),
        "D1406": ("The Hallmarks of Cancer", "After a quarter", "chemistry or physics.", 8820),
        "D1407": ("The centrosomal protein Lats2", "Human Lats2,", "microscope (Olympus).", 6440),
        "D1408": (
            "Prediction of Mammalian MicroRNA Targets",
            "MicroRNAs (miRNAs) can",
            "or GO:0008083).",
            7230,
        ),
        "D1409": ("The RB and p53 pathways in cancer", "The life history", "anticancer regimens.", 5160),
        "D1410": ("Aberrant Expression of Oncogenic", "MicroRNAs (miRNAs) play", "of cell counts.", 4750),
    }
    assert list(sources) == list(expected)
    for topic, (title, first, last, length) in expected.items():
        source = sources[topic]
        assert source.title.startswith(title)
        assert source.sentences[0].startswith(first)
        assert source.sentences[-1].endswith(last)
        assert sum(len(sentence.split()) for sentence in source.sentences) == pytest.approx(length, rel=0.1)


def test_no_legend_is_in_a_sentence(sources):
    for source in sources.values():
        for sentence in source.sentences:
            assert not LEGEND.search(sentence), sentence
            assert "\t" not in sentence


def test_sentences_end_as_sentences_do(sources):
    """A heading, a cell or a link would not."""
    sentences = [sentence for source in sources.values() for sentence in source.sentences]
    whole = [sentence for sentence in sentences if re.search(r"[.?!:][)\]”\"’]*[\d,–-]*$", sentence)]
    assert len(whole) >= 0.998 * len(sentences)
    assert min(len(sentence.split()) for sentence in sentences) >= 3


def test_sections_have_the_articles_headings(sources):
    titles = [section.title for section in sources["D1401"].sections]
    assert titles[:4] == [
        "Summary",
        "Introduction",
        "Results",
        "miR-Vec: A Vector-Based miRNA Expression System",
    ]
    assert titles[-1] == "Expression Array Analysis and Target Prediction"
    assert "Discussion" in titles and "Experimental Procedures" in titles
    for source in sources.values():
        for section in source.sections:
            assert not re.match(r"Acknowl|Supplem|Supporting|References|Figure|Table|Keywords", section.title)
            assert section.title not in section.sentences


def test_what_annotators_found_in_the_article_is_kept(sources, shared):
    """Nearly every word, and word sequence, that an annotator took from the article is in a kept sentence.

    The few others are from legends and tables.
    """

    def words(text):
        return re.findall(r"\w+", text.lower())

    annotations = read_annotations(shared / RELEASE)
    for topic, source in sources.items():
        text = words(" ".join(source.sentences))
        vocabulary, sequences = set(text), set(zip(text, text[1:], text[2:], strict=False))
        quoted = [
            words(passage)
            for annotation in annotations
            if annotation.topic == topic
            for passage in annotation.reference_texts
        ]
        single = [word for passage in quoted for word in passage]
        triple = [three for q in quoted for three in zip(q, q[1:], q[2:], strict=False)]
        assert sum(word in vocabulary for word in single) >= 0.99 * len(single), topic
        assert sum(three in sequences for three in triple) >= 0.95 * len(triple), topic


def test_every_article_of_the_topics_keeps_its_text_and_loses_its_page(shared):
    """All the articles, of many journals: a third to nine tenths of the words are the article."""
    seen = 0
    for path in sorted((shared / RELEASE).glob("data/*/Documents_Text/*.txt")):
        data = path.read_bytes()
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
        source = clean(text, id=path.stem, topic="x")
        kept = sum(len(sentence.split()) for sentence in source.sentences) / len(text.split())
        assert 0.33 < kept < 0.9, path
        assert 2 < len(source.title.split()) < 45, path
        assert not re.search(r"doi|PMCID|\d{4};|Author", source.title), path
        assert [sentence for sentence in source.sentences if DEBRIS.search(sentence)] == [], path
        seen += 1
    assert seen == 110
