"""The analyzers against values worked out by hand."""

import time

import pytest

from sera.errors import InputError
from sera.text import german_stems
from sera.text.analysis import analyzer, stem


def standard(text: str) -> list[str]:
    return analyzer("standard").tokens(text)


def english(text: str) -> list[str]:
    return analyzer("english").tokens(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("IL-2Rα/β (p<0.05)", ["il", "2rα", "β", "p", "0.05"]),
        ("1,234.5 1;2 1:2 a:b a.b,c a;b", ["1,234.5", "1;2", "1", "2", "a:b", "a.b", "c", "a", "b"]),
        ("1'000 a'b 'q' x.", ["1'000", "a'b", "q", "x"]),
        ("__init__ _ ___ 1_000 a_:b", ["__init__", "1_000", "a_", "b"]),
        ("a.1 1.a a1.b2", ["a", "1", "1", "a", "a1", "b2"]),
        ("nai\u0308ve mid\ufeffbom co\u00adop", ["nai\u0308ve", "mid\ufeffbom", "co\u00adop"]),
        ("\u0301alone", ["alone"]),
        ("x\u0301.\u0301y", ["x\u0301.\u0301y"]),
        ("遺伝子 ひら カタ 한국어 カb", ["遺", "伝", "子", "ひ", "ら", "カタ", "한국어", "カ", "b"]),
        ("カ_b 々a 漢\u0301", ["カ_b", "々a", "漢\u0301"]),
        ("ไทยภาษา xไ", ["ไทยภาษา", "x", "ไ"]),
        ("צה\"ל א'א ג' א\"", ['צה"ל', "א'א", "ג'", "א"]),
        ('א:א"א א"א:א', ["א:א", "א", 'א"א', "א"]),  # Lucene departs from UAX #29 here
        ("", []),
        (" \t\u2028 … _", []),
        # sequences of emoji
        ("a👍b © ★", ["a", "👍", "b", "©", "★"]),
        ("👩\u200d🔬👍🏽", ["👩\u200d🔬", "👍🏽"]),
        ("❤\ufe0f\u200d🔥 ❤\ufe0e", ["❤\ufe0f\u200d🔥", "❤"]),
        ("🇺🇸🇬🇧🇺", ["🇺🇸", "🇬🇧"]),
        ("1\ufe0f\u20e3 #\ufe0f\u20e3 # *", ["1\ufe0f\u20e3", "#\ufe0f\u20e3"]),
        ("🏴\U000e0067\U000e0062\U000e007f", ["🏴\U000e0067\U000e0062\U000e007f"]),
        ("ℹa ℹ\u200d👍 ℹ\u200dℹa", ["ℹa", "ℹ\u200d👍", "ℹ\u200dℹa"]),  # a letter and an emoji in one
    ],
)
def test_words_break_as_lucene_breaks_them(text, tokens):
    assert standard(text) == tokens


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("a" * 255, [255]),
        ("a" * 256, [255, 1]),
        ("a" * 600, [255, 255, 90]),
        ("\U00010428" * 130, [127, 3]),  # 254 UTF-16 units: a pair is never cut
        ("a" + "\U00010428" * 130, [128, 3]),
        ("a" * 254 + ".bb", [254, 2]),  # the full stop is the last that fits, and joins nothing
        ("a" * 253 + ".bb", [255, 1]),
        ("_" * 300 + "a", [255]),  # the first 46 see underscores only
        ("é" * 140 + " " + "b" * 130, [140, 130]),
    ],
)
def test_long_tokens_are_cut_at_255_units(text, lengths):
    assert [len(token) for token in standard(text)] == lengths


def test_words_of_analyzers():
    assert standard("İstanbul ΟΔΟΣ ΣΑΣ ẞ DİY K Å") == ["istanbul", "οδοσ", "σασ", "ß", "diy", "k", "å"]
    assert english("Crohn's CROHN'S Crohn’s Crohn＇s") == ["crohn"] * 4
    assert english("Crohn‘s 's this's") == ["crohn‘", "s"]  # ‘ is none: the stemmer took that s
    # positions leave gaps for stop words
    terms, positions = analyzer("english").positions("The role of the cells in a cell.")
    assert (terms, positions) == (["role", "cell", "cell"], [1, 4, 7])
    assert analyzer("standard").positions("The role of") == (["the", "role", "of"], [0, 1, 2])
    assert analyzer("english").positions("of the") == ([], [])
    assert analyzer("english").words("Of mice’s") == ["of", "mice’s"]
    # spans begin and end at the characters of the words
    assert analyzer("standard").spans(" A kinase-like, β.") == [(1, 2), (3, 9), (10, 14), (16, 17)]


@pytest.mark.parametrize("text", ["_" * 30_000, "\u200d" * 30_000, "a" * 300_000, "#" + "\u0301" * 30_000])
def test_time_grows_with_the_text_alone(text):
    begin = time.process_time()
    standard(text)
    assert time.process_time() - begin < 2  # were it quadratic, 6 s and more


# The examples of Porter (1980), rule by rule, carried through all steps.
PORTER = (
    "caresses caress ponies poni ties ti caress caress cats cat feed feed agreed agre plastered "
    "plaster bled bled motoring motor sing sing conflated conflat troubled troubl sized size hopping "
    "hop tanned tan falling fall hissing hiss fizzed fizz failing fail filing file happy happi sky "
    "sky relational relat conditional condit rational ration valenci valenc hesitanci hesit digitizer "
    "digit conformabli conform radicalli radic differentli differ vileli vile analogousli analog "
    "vietnamization vietnam predication predic operator oper feudalism feudal decisiveness decis "
    "hopefulness hope callousness callous formaliti formal sensitiviti sensit sensibiliti sensibl "
    "triplicate triplic formative form formalize formal electriciti electr electrical electr hopeful "
    "hope goodness good revival reviv allowance allow inference infer airliner airlin gyroscopic "
    "gyroscop adjustable adjust defensible defens irritant irrit replacement replac adjustment adjust "
    "dependent depend adoption adopt homologou homolog communism commun activate activ angulariti "
    "angular homologous homolog effective effect bowdlerize bowdler probate probat rate rate cease "
    "ceas controll control roll roll"
).split()


def test_porters_examples():
    for word, expected in zip(PORTER[::2], PORTER[1::2]):
        assert stem(word) == expected


def test_the_stemmer_departs_from_1980_as_lucene_does():
    assert stem("archaeology") == "archaeolog"  # -logi
    assert stem("possibly") == "possibl"  # -bli
    assert [stem(word) for word in ("is", "as", "s", "ss")] == ["is", "as", "s", "ss"]
    assert stem("𝐀s") == "𝐀"  # three UTF-16 units
    assert [stem(word) for word in ("aed", "bed", "p53s", "αs-1s", "say", "by", "toy")] == [
        "a", "bed", "p53", "αs-1", "sai", "by", "toi",
    ]  # fmt: skip
    with pytest.raises(InputError, match="no analyzer 'englisch'.*english"):
        analyzer("englisch")


# German


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("straße", "strasse"),
        ("ärzte", "arzte"),
        ("aerzte", "arzte"),
        ("bauer", "bauer"),  # the u follows a vowel
        ("zuäe", "zuae"),  # an e after an umlaut is a letter of its own
        ("élan", "élan"),
    ],
)
def test_spellings_of_a_word_become_one(word, expected):
    assert german_stems.normalize(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("kindern", "kind"),
        ("ern", "ern"),
        ("hauses", "haus"),
        ("haus", "haus"),  # s after u stays
        ("kleinsten", "klein"),  # -en, then -st after n
        ("altesten", "alt"),  # -en, then -est
        ("besten", "best"),  # -en, then best is too short
        ("lehrerinnen", "lehrerinn"),
        ("été", "été"),
        ("hôtels", "hotel"),
    ],
)
def test_endings_are_taken_off(word, expected):
    assert german_stems.stem(word) == expected


def test_the_terms_of_a_german_text():
    german = analyzer("german")
    assert german.language == "de"
    text = "Die HÄUSER der Ärztinnen: für Fußball, dass daß"
    assert german.positions(text) == (["haus", "arztinn", "fussball", "dass"], [1, 3, 5, 6])
    # of the 232 stop words of queries, Lucene's index has one
    assert german.stop_terms() == {"dass"}
