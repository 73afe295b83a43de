"""Cleaning the articles of the topics of TAC 2014 BiomedSumm."""

from __future__ import annotations

import re

import pytest

from sera.benchmarks.tac2014 import read, read_annotations
from sera.benchmarks.tac2014.article import clean

RELEASE = "data/tac2014/TAC_2014_BiomedSumm_Training_Data"

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
def sources(shared):
    return {topic.id: topic.source for topic in read(release=shared / RELEASE)}


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


def test_nothing_of_the_pages_is_in_a_sentence(sources):
    for source in sources.values():
        for sentence in source.sentences:
            assert not DEBRIS.search(sentence), sentence
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

    for topic, source in sources.items():
        text = words(" ".join(source.sentences))
        vocabulary, sequences = set(text), set(zip(text, text[1:], text[2:], strict=False))
        quoted = [
            words(passage)
            for annotation in read_annotations(shared / RELEASE)
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
