"""German index terms against values worked out by hand; tests/originals has Lucene's answers."""

import pytest

from sera.text.analysis import analyzer
from sera.text.german_stems import normalized, stem


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("straße", "strasse"),
        ("ärzte", "arzte"),
        ("aerzte", "arzte"),
        ("goethe", "gothe"),
        ("fuesse", "fusse"),
        ("bauer", "bauer"),  # the u follows a vowel
        ("quelle", "quelle"),
        ("treue", "treue"),
        ("zuäe", "zuae"),  # an e after an umlaut is a letter of its own
        ("élan", "élan"),
    ],
)
def test_spellings_of_a_word_become_one(word, expected):
    assert normalized(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("kindern", "kind"),
        ("ern", "ern"),
        ("hauses", "haus"),
        ("haus", "haus"),  # s after u stays
        ("rades", "rad"),
        ("tags", "tag"),
        ("kleinsten", "klein"),  # -en, then -st after n
        ("kleinster", "klein"),
        ("altesten", "alt"),  # -en, then -est
        ("besten", "best"),  # -en, then best is too short
        ("lehrerinnen", "lehrerinn"),
        ("studenten", "student"),
        ("autos", "autos"),
        ("été", "été"),
        ("hôtels", "hotel"),
    ],
)
def test_endings_are_taken_off(word, expected):
    assert stem(word) == expected


def test_the_terms_of_a_german_text():
    german = analyzer("german")
    assert german.language == "de"
    text = "Die HÄUSER der Ärztinnen: für Fußball, dass daß"
    assert german.positions(text) == (["haus", "arztinn", "fussball", "dass"], [1, 3, 5, 6])
    # of the 232 stop words of queries, Lucene's index has one
    assert german.stop_terms() == {"dass"}
