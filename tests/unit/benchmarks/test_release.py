"""Texts of a release that are not cut into sentences, and topics of them."""

import pytest

from sera.benchmarks import release
from sera.io.records import Document, Section


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cells divide. Fish swim.", ("Cells divide.", "Fish swim.")),
        ("cells divide . fish swim ? yes", ("cells divide .", "fish swim ?", "yes")),
        ("<pad> cells divide. fish, e.g. eels, swim. see figs. 1 and 2.</s>",
         ("cells divide.", "fish, e.g. eels, swim.", "see figs. 1 and 2.")),
        ("<s> one <n> two", ("one two",)),
        ("A rise of 2.5 cells was seen. it fell.", ("A rise of 2.5 cells was seen. it fell.",)),
        (" ", ()),
    ],
)  # fmt: skip
def test_sentences(text, expected):
    assert release.sentences(text) == expected


def test_without_an_article_the_references_are_searched():
    topic = release.topic("t", (), {"A": "One. Two.", "B": "Three."}, {"s": "Four."})
    assert topic.source.sections == () and topic.documents == [Document("t", "One. Two. Three.")]
    topic = release.topic("t", ["First. Second.", " ", "Third."], {"A": "One."}, {"s": "Four."})
    assert topic.source.sections == (Section("", ("First.", "Second.")), Section("", ("Third.",)))
    assert topic.documents[0].text == "First. Second. Third."
    assert topic.candidates[0].sentences == ("Four.",)
