"""Content words and stems, worked out by hand."""

import pytest

from sera.text import content


@pytest.mark.parametrize(
    ("text", "language", "stems"),
    [
        ("The cells divide, however.", "en", ["cell", "divid"]),
        # -er goes and the umlaut with it; ß is ss, then -e goes
        ("DIE Häuser der Straße", "de", ["haus", "strass"]),
        ("Ha\u0308user fu\u0308r Bil\u00addung", "de", ["haus", "bildung"]),
        ("Häuser für die Zellen", "en", ["häuser", "für", "die", "zellen"]),
    ],
)
def test_stems_without_stop_words(text, language, stems):
    assert content.stems(text, language) == stems


def test_words_keep_stop_words():
    assert content.words("Die Fußball-Übung, z.B.", "de") == ["die", "fußball", "übung", "z.b"]


def test_each_language_has_its_stop_words():
    assert "however" in content.stop_words() and "jedoch" not in content.stop_words("de")
    assert "dass" in content.stop_words("de") and "dass" not in content.stop_words()
