"""Boundaries in German sentences."""

from __future__ import annotations

import pytest

from sera.text.german_sentences import german_sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["Am 3. Oktober 1990 wurde gefeiert.", "Das war schön."],
        ["Im 19. Jahrhundert gab es z. B. keine Autos, d. h. man lief.", "Dr. Müller kam usw. nach Hause."],
        ["Sie kommt in die 5. Klasse.", "Über uns steht nichts."],
        ["Siehe S. 12 und Abb. 3 bzw. Nr. 4.", "Österreich liegt dort."],
        ["Er wohnt in der Goethestr. 5 in Ulm.", "Ist das so?", "Ja!"],
        ["Das Gesetz gilt ab dem 1.1.2000.", "Danach nicht."],
        ["Es sind 12.", "Danach kommen mehr."],
        ["Der Artikel (vgl. Abs. 2 Satz 1) gilt.", "Es kostet 3,5 Mio. Euro."],
    ],
)
def test_boundaries(sentences):
    assert german_sentences(" ".join(sentences)) == sentences


def test_a_missing_blank_hides_no_boundary():
    text = "Es kommt zu Konflikten.Deshalb lernen sie z.B. viel.Wie?"
    assert german_sentences(text) == ["Es kommt zu Konflikten.", "Deshalb lernen sie z.B. viel.", "Wie?"]


def test_a_blank_line_ends_a_sentence_and_a_line_end_does_not():
    assert german_sentences("Gewalt\n\nSie hat viele\nGesichter.") == ["Gewalt", "Sie hat viele Gesichter."]
    assert german_sentences(" \n ") == []
