"""ROUGE against its papers' examples and values worked out by hand."""

import random
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest

from sera import Summary, metric
from sera.errors import InputError
from sera.metrics.base import Caution
from sera.metrics.rouge import measures
from sera.metrics.rouge.combine import _round
from sera.metrics.rouge.counts import Compared
from sera.metrics.rouge.measures import Rouge
from sera.metrics.rouge.preparation import Preparation, exceptions, vocabulary
from sera.metrics.rouge.subsequences import union_marks, union_marks_weighted
from sera.metrics.rouge.tokens import tokenize
from sera.resources import lines, stop_words
from sera.text.tokenizers import TOKENIZERS

RAW = {"stem": False, "stop": False}
WAYS = ("pooled", "best", "jackknife")


# Lin (2004): the paper's own examples

POLICE = "police killed the gunman"


@pytest.mark.parametrize(
    ("candidate", "program", "paper"),
    [
        # ROUGE-2, L, S, SU. The program's SU adds the unigrams of all tokens but the last, the paper's all.
        # 3 of 6 pairs; police, the: 5 of 9; 3 words
        ("police kill the gunman", (0.33333, 0.75, 0.5, 0.55556), (1 / 3, 3 / 4, 3 / 6, 6 / 10)),
        # 1 pair; the (gunman ends S1): 2 of 9; 3 words
        ("the gunman kill police", (0.33333, 0.5, 0.16667, 0.22222), (1 / 3, 2 / 4, 1 / 6, 4 / 10)),
        # 2 pairs; the, police: 4 of 9; 4 words
        ("the gunman police killed", (0.66667, 0.5, 0.33333, 0.44444), (2 / 3, 2 / 4, 2 / 6, 6 / 10)),
        # S5: no pair; the, killed: 2 of 9; 4 words
        ("gunman the killed police", (0.0, 0.25, 0.0, 0.22222), (0.0, 1 / 4, 0.0, 0.4)),
    ],
)
def test_the_sentences_of_sections_3_and_5(candidate, program, paper):
    for dialect, expected in ((RAW, program), ({"dialect": "paper"}, paper)):
        metrics = [Rouge.parse(f"ROUGE-{size}-F", **dialect) for size in ("2", "L", "S", "SU")]
        assert Rouge.score_together(metrics, candidate, [POLICE]) == [*expected]


def test_subsequences_of_lin_2004():
    candidate = ["w1 w2 w6 w7 w8", "w1 w3 w8 w9 w5"]
    reference = ["w1 w2 w3 w4 w5"]
    assert metric("ROUGE-L-R", **RAW).score(Summary(candidate), [reference]) == 0.8
    assert metric("ROUGE-L-P", **RAW).score(Summary(candidate), [reference]) == 0.4
    assert metric("ROUGE-L-R", **RAW).score(Summary(candidate[::-1]), [reference]) == 0.8
    as_one_sentence = " ".join(candidate[::-1])  # w1 w3 w5, or w1 w2
    assert metric("ROUGE-L-R", **RAW).score(as_one_sentence, [reference]) == 0.6
    together, apart = "a b c d h i k", "a h b k c i d"
    text = "a b c d e f g"
    weighted = Rouge("W", part="P", weight=2, **RAW)
    assert weighted.score(together, [text]) == 0.57143  # (4^2 / 7^2)^(1/2), as in section 4
    assert weighted.score(apart, [text]) == 0.57143  # the paper: 0.286. The four are one run of the reference
    assert weighted.score(text, [apart]) == 0.28571  # (4 * 1^2 / 7^2)^(1/2)
    recall = Rouge("W", part="R", weight=2, **RAW)
    assert recall.score(together, [text]) == 0.08163  # (4^2 / (7^2)^2)^(1/2): the weight a second time


@pytest.mark.parametrize(
    ("gap", "precision", "recall"),
    [
        (0, 0.0, 0.0),  # the reference has ab bc cd, the candidate ac
        (1, 1.0, 0.2),  # and ac bd
        (2, 1.0, 0.16667),  # and ad
        (None, 1.0, 0.16667),
    ],
)
def test_a_gap_is_the_number_of_tokens_between_the_two_of_a_pair(gap, precision, recall):
    scores = [Rouge("S", part=part, gap=gap, **RAW).score("a c", ["a b c d"]) for part in "PR"]
    assert scores == [precision, recall]


# The subsequence that is marked, against the plain table


def marks_of_table(xs: str, ys: str, weight: float | None) -> list[bool]:
    """The whole table cell by cell, as it is defined."""
    m, n = len(xs), len(ys)
    score = [[0.0] * (n + 1) for _ in range(m + 1)]
    run = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            if xs[i - 1] == ys[j - 1]:
                k = run[i - 1][j - 1]
                gain = score[i - 1][j - 1]
                score[i][j] = gain + 1 if weight is None else gain + (k + 1) ** weight - k**weight
                run[i][j] = k + 1
            else:
                score[i][j] = max(score[i - 1][j], score[i][j - 1])
    marks = [False] * m
    i, j = m, n
    while i > 0 and j > 0:
        if xs[i - 1] == ys[j - 1]:
            marks[i - 1] = True
            i, j = i - 1, j - 1
        elif score[i - 1][j] >= score[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return marks


@pytest.mark.parametrize("weight", [None, 1.2, 2.0])
def test_marks_are_those_of_the_plain_table(weight: float | None):
    draw = random.Random(11)
    for longest in [20] * 500 + [200] * 20:  # a word has 64 columns
        letters = "abcdefghijklmnopqrstuvwxyz"[: draw.choice((1, 2, 3, 5, 9, 26))]
        *references, one, two = ("".join(draw.choices(letters, k=draw.randint(0, longest))) for _ in range(4))
        reference, starts = numbered(references)
        candidate = numbered([one, two])
        if weight is None:
            got = union_marks(reference, starts, *candidate, 26)
        else:
            powers = np.array([k**weight for k in range(longest + 1)], float)
            got = union_marks_weighted(reference, starts, *candidate, 26, powers)
        expected = []
        for sentence in references:
            tables = [marks_of_table(sentence, other, weight) for other in (one, two)]
            expected += [a or b for a, b in zip(*tables)]
        assert got.tolist() == expected, (references, one, two)


def numbered(sentences: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Letters a to z as numbers, with where the sentences start."""
    numbers = [ord(letter) - ord("a") for letter in "".join(sentences)]
    return np.array(numbers, np.int64), np.cumsum([0, *map(len, sentences)])


# From text to tokens


def test_from_text_to_tokens():
    text = "Naïve p<0.05; State-of-the-Art --- 3'-UTR µm ÉTÉ ‘x’"
    expected = b"na ve p 0 05 state of the art 3 utr m t x".split()
    assert tokenize(text.encode()) == expected
    # "second" is a stop word, "seconds" is none, though its stem is "second".
    words = "the second mutation seconds after being treated".split()
    forms = map(Preparation(stem=True, stop=True).form, words)
    assert [form for form in forms if form is not None] == ["mutat", "second", "treat"]
    # a tokenizer of one's own serves other scripts
    candidate, reference = "клетки опухоли растут", ["клетки растут"]
    with pytest.warns(Caution, match="no word"):
        assert metric("ROUGE-1-R").score(candidate, reference) == 0.0
    assert metric("ROUGE-1-R", tokenizer=str.split).score(candidate, reference) == 1.0
    assert metric("ROUGE-L-P", tokenizer=str.split).score(candidate, reference) == 0.66667


def test_tokenizers_by_name():
    mixed = "naïve पूर्व 細胞のp53, サー"
    assert [split(mixed) for split in TOKENIZERS.values()] == [
        ["na", "ve", "p53"],
        ["naïve", "पूर्व", "細胞のp53", "サー"],
        ["naïve", "पूर्व", "細", "胞", "の", "p53", "サ", "ー"],
    ]
    candidate, reference = "今天天气很好", ["今天天气不错"]  # 4 of 6 characters, 3 of 5 pairs
    assert metric("ROUGE-2-R(tokenizer=characters)").score(candidate, reference) == 0.6
    google = metric("ROUGE-1-P", tokenizer="characters", dialect="rouge-score")
    assert google.score(candidate, reference) == 4 / 6
    assert metric("ROUGE-1-R", tokenizer="unicode").score(candidate, reference) == 0
    assert "|tokenizer:unicode|" in metric("ROUGE-1-R", tokenizer="unicode").signature
    assert metric("ROUGE-1-R", tokenizer="ascii") == metric("ROUGE-1-R")
    with pytest.raises(InputError, match="tokenizer is 'words'. Give ascii, unicode or characters"):
        metric("ROUGE-1-R", tokenizer="words")


WEATHER = Summary(["今天", "天气", "很好"])


@pytest.mark.parametrize(
    ("selector", "tokenizer", "candidate", "reference", "expected"),
    [
        ("ROUGE-1-F(words=4)", "characters", "今天天气很好", "今天天气坏了", 1.0),
        ("ROUGE-1-F(words=5)", "characters", "今天天气很好", "今天天气坏了", 0.8),
        ("ROUGE-1-P(words=2)", "characters", "今天天气很好", "今天", 1.0),
        ("ROUGE-L-R(words=3)", "characters", WEATHER, Summary(["今天", "天好"]), 1.0),
        ("ROUGE-1-F(words=3,dialect=paper)", "characters", "細胞が増える", "細胞がない", 1.0),
        ("ROUGE-1-F(words=3)", list, "abcdef", "abcxyz", 1.0),
        ("ROUGE-1-F(words=3)", iter, "abcdef", "abcxyz", 1.0),
        ("ROUGE-1-F(words=2)", "unicode", "well-fed cell", "well-fed mouse", 1.0),
        ("ROUGE-1-F(words=1)", None, "well-fed cell", "well-fed mouse", 1.0),
        ("ROUGE-1-F(words=1,language=de)", None, "Rhein-Main ist", "Rhein-Main war", 1.0),
        ("ROUGE-1-F(words=2,stop=true)", str.split, "the cell divides", "the cell grows", 1.0),
        ("ROUGE-1-F(bytes=12)", "characters", "今天天气很好", "今天天气坏了", 1.0),
    ],
)
def test_a_limit_counts_the_words_of_the_tokenizer(selector, tokenizer, candidate, reference, expected):
    assert metric(selector, tokenizer=tokenizer).score(candidate, reference) == expected


def test_stop_words_of_a_file(tmp_path):
    path = tmp_path / "stop"
    path.write_text("Kinase\n\nthe\n")
    one = metric("ROUGE-1-R", stop_words=str(path), stem=True)
    # of "a", "kinases" and "move", which is stemmed, the candidate has all but "a"
    assert one.score("the kinases moving", ["the a kinase kinases move"]) == 0.66667
    assert metric(str(one)) == one and one.stop and "stop_words=" in str(one) and "stop=" not in str(one)
    before = one.signature
    path.write_text("kinase\n")
    assert metric(str(one)) != one and metric(str(one)).signature != before != metric("ROUGE-1-R").signature
    for text, problem in (("a b\n", "stop, line 1: 'a b' is not one word"), ("\n", "stop: holds no word")):
        path.write_text(text)
        with pytest.raises(InputError, match=problem):
            metric(str(one))


# What is counted, against the plain definition


@pytest.mark.parametrize("letters", ["ab", "abcdefgh", "abcdefghijklmnopqrstuvwxyz"])
def test_counts_are_those_of_the_plain_definition(letters: str):
    draw = random.Random(3)
    words = vocabulary(Preparation(tokenizer=list, **RAW))
    for _ in range(150):
        candidate, *references = (
            "".join(draw.choices(letters, k=draw.choice((0, 1, 2, 3, 10, 60))))
            for _ in range(draw.randint(2, 4))
        )
        texts = words.prepare([*([reference] for reference in references), [candidate]])
        count = len(references)
        compared = Compared(texts, np.array([0, count]), np.array([count, count + 1]), 9)
        for n in (1, 2, 3, 9):
            ngrams = [Counter(text[i : i + n] for i in range(len(text) - n + 1)) for text in references]
            ours = Counter(candidate[i : i + n] for i in range(len(candidate) - n + 1))
            assert compared.shared[n - 1].tolist() == [(ours & theirs).total() for theirs in ngrams]
        for gap in (None, 0, 1, 4, 100):
            assert compared.shared_pairs(gap).tolist() == [
                (pairs(candidate, gap) & pairs(reference, gap)).total() for reference in references
            ]
        but_last = [Counter(text[:-1]) for text in (candidate, *references)]
        assert compared.shared_but_last().tolist() == [(but_last[0] & each).total() for each in but_last[1:]]


def pairs(text: str, gap: int | None) -> Counter[str]:
    return Counter(
        text[i] + text[j]
        for i in range(len(text))
        for j in range(i + 1, len(text))
        if gap is None or j - i - 1 <= gap
    )


# Texts with little in them


@pytest.mark.parametrize("empty", [[], [""], ["— …"], ["the of and"], "µ"])
def test_a_text_without_tokens_scores_zero(empty: list[str] | str):
    metrics = [metric(name, multi=multi, stop=True) for name in Rouge.names() for multi in WAYS]
    zeros = [0.0] * len(metrics)
    assert Rouge.score_together(metrics, empty, ["Cells divide."]) == zeros
    assert Rouge.score_together(metrics, "Cells divide.", [empty, empty]) == zeros
    assert Rouge.score_together(metrics, empty, [empty]) == zeros


def test_short_texts():
    names = [name for name in Rouge.names() if name.endswith("F")]
    scores = {name: metric(name, stem=True).score("Cells", ["cell"]) for name in names}
    ones = {name for name, score in scores.items() if score == 1.0}
    assert ones == {"ROUGE-1-F", "ROUGE-L-F", "ROUGE-W-1.2-F"}
    assert all(score in (0.0, 1.0) for score in scores.values())
    # an empty reference among others adds nothing to the recall
    scores = [metric(f"ROUGE-1-{part}").score("cell wall", ["cell wall", ""]) for part in "PRF"]
    assert scores == [0.5, 1.0, 0.66667]  # the candidate's two tokens are counted once for each reference
    # Both reference sentences match "cell", which the candidate has once.
    scores = [metric(f"ROUGE-L-{part}", **RAW).score("cell", [["cell", "cell"]]) for part in "PRF"]
    assert scores == [1.0, 0.5, 0.66667]


def test_one_of_several_references():
    for multi in WAYS:
        with pytest.raises(InputError, match="no reference"):
            metric("ROUGE-1-F", multi=multi).score("cells", [])
    precision = Rouge("1", part="P", multi="best", **RAW)
    assert precision.score("a b b", ["a", "b b"]) == 0.33333
    assert precision.score("a b b", ["b b", "a"]) == 0.66667
    # with one reference all ways agree
    text, reference = ["a b c d a b", "c d e"], ["b a c d", "e a b c"]
    for name in Rouge.names():
        scores = {metric(name, multi=multi, **RAW).score(Summary(text), [reference]) for multi in WAYS}
        assert len(scores) == 1
    # 20/45 and 20/41 have 40/86 = 0.465116, printed 0.46512; from 0.44444 and 0.48780 it is 0.46511.
    candidate = " ".join([f"s{i}" for i in range(20)] + [f"c{i}" for i in range(25)])
    reference = " ".join([f"s{i}" for i in range(20)] + [f"r{i}" for i in range(21)])
    assert metric("ROUGE-1-F", **RAW).score(candidate, [reference]) == 0.46511


# Several references

CANDIDATE = "a b c d"
REFERENCES = ["a b x y z", "a b c u", "a"]  # hits 2, 3, 1


@pytest.mark.parametrize(
    ("multi", "expected"),
    [
        ("pooled", {"P": 0.5, "R": 0.6, "F": 0.54545}),  # 6 of 12, 6 of 10
        ("best", {"P": 0.25, "R": 1.0, "F": 0.4}),  # the third has the highest recall
        # P 0.5 0.75 0.25, R 0.4 0.75 1, F 0.44444 0.75 0.4; best of each pair, then the mean
        ("jackknife", {"P": 0.66667, "R": 0.91667, "F": 0.64815}),
    ],
)
def test_ways_to_treat_several_references(multi: str, expected: dict[str, float]):
    got = {part: Rouge("1", part=part, multi=multi, **RAW).score(CANDIDATE, REFERENCES) for part in "PRF"}
    assert got == expected


# Names, settings, and many at once


def test_names_and_word_lists():
    names = Rouge.names()
    assert len(names) == len(set(names)) == 45
    assert names[:3] == ["ROUGE-1-P", "ROUGE-1-R", "ROUGE-1-F"] and names[-1] == "ROUGE-SU4-F"
    assert len({Rouge.describe(name) for name in names}) == 45
    # the 17 measures of Lin (2004), section 6, and S1, SU1
    more = Rouge.names(gaps=[9, 1, 4])
    assert more[:45] == names and len(more) == 57
    assert [name for name in more[45:] if name.endswith("F")] == [
        "ROUGE-S1-F", "ROUGE-SU1-F", "ROUGE-S9-F", "ROUGE-SU9-F"
    ]  # fmt: skip
    for name in ("ROUGE-W-2-R", "ROUGE-W-1.75-F", "ROUGE-S0-P", "ROUGE-SU12-R"):
        assert Rouge.parse(name).name == metric(name).name == str(Rouge.parse(name)) == name
    # word lists are whole
    assert (len(lines("smart_stop_words.txt")), len(stop_words())) == (598, 596)
    assert len(exceptions()) == 5930 and exceptions()["oxen"] == "ox"


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        # hits 2, 3, 1 of 5, 4, 1 words
        (1, (2 / 5, 2 / 5, 2 / 5)),
        (2, (5 / 9, 3 / 4, (2 / 5 + 3 / 4) / 2)),
        (None, (0.6, 1.0, 0.91667)),
        (9, (0.6, 1.0, 0.91667)),
    ],
)
def test_the_first_references_alone(first: int | None, expected: tuple[float, ...]):
    metrics = [Rouge("1", part="R", multi=multi, first_references=first) for multi in WAYS]
    found = Rouge.score_together([*metrics, Rouge("1", part="R")], CANDIDATE, REFERENCES)
    assert found == [*(round(each, 5) for each in expected), 0.6]
    assert ("first_references" in metrics[0].signature) == (first is not None)


# Rows together


WORDS = "the a of kinase kinases binding binds protein cell cells divides dividing naïve p53 x".split()
SETTINGS = [
    {"stem": True, "stop": True, "multi": "best", "beta": 2.0},
    {"multi": "jackknife"},
    {"multi": "jackknife", "left_out": True},
    {"first_references": 2, "words": 9},
    {"bytes": 40, "stop": True},
    {"tokenizer": str.split},
    {"tokenizer": "characters", "words": 9},
    {"language": "de"},
    {"dialect": "rouge-score", "stem": True},
    {"dialect": "paper", "stem": True, "multi": "jackknife"},
]


def rows(seed: int, count: int) -> list:
    """Candidates with one to four references, of which neighbours may have the same; texts may be empty."""
    draw = random.Random(seed)

    def text():
        sentences = [
            " ".join(draw.choices(WORDS, k=draw.choice([0, 1, 3, 30]))) for _ in range(draw.randint(0, 3))
        ]
        return draw.choice([Summary(sentences), tuple(sentences), " ".join(sentences)])

    found: list = []
    for _ in range(count):
        same = found and draw.random() < 0.4
        references = found[-1][1] if same else [text() for _ in range(draw.randint(1, 4))]
        found.append((text(), references, None))
    return found


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_rows_together_have_the_scores_of_each_alone(settings, monkeypatch):
    monkeypatch.setattr(measures, "AT_ONCE", 70)
    texts = rows(len(str(settings)), 200)
    sizes = ["1", "2", "3", "9", "L", "Lsum" if settings.get("dialect") == "rouge-score" else "SU4"]
    metrics = [Rouge.parse(f"ROUGE-{size}-{part}", **settings) for size in sizes for part in "PRF"]
    metrics += [Rouge("2", part="R"), Rouge("L", part="R", multi="best")]
    alone = [Rouge.score_together(metrics, *row) for row in texts]
    np.testing.assert_array_equal(Rouge.score_rows(metrics, texts), alone)
    assert Rouge.score_rows(metrics, []).shape == (0, len(metrics))


def test_a_score_beside_the_middle_of_two_is_rounded_as_python_rounds():
    words = [f"w{number}" for number in range(640)]
    texts = [(" ".join(words[:hits]), [" ".join(words)], None) for hits in range(641)]
    parts = [Rouge("1", part=part) for part in "PRF"]
    alone = [Rouge.score_together(parts, *row) for row in texts]
    np.testing.assert_array_equal(Rouge.score_rows(parts, texts), alone)
    assert alone[10][1] == 0.01562  # 1 / 64 = 0.015625: half to even
    draw = random.Random(8)
    near = [(draw.randrange(10**5) + 0.5) / 1e5 for _ in range(2000)]
    for value in [*(place / 64 for place in range(65)), *near, *(draw.random() for _ in range(2000))]:
        for number in (value, np.nextafter(value, 0), np.nextafter(value, 1)):
            assert _round(number) == _round.function(number) == round(float(number), 5)


def test_the_first_scores_need_no_compiler():
    code = """
import random, sys
from sera import Summary, metric
random.seed(3)
draw = lambda: Summary([" ".join(random.choices("abcdefgh", k=9)) for _ in range(3)])
pairs = [(draw(), [draw(), draw()]) for _ in range(1500)]
metrics = [metric(f"ROUGE-{each}-F", stem=True, stop=True) for each in ("1", "3", "L", "W-1.2")]
few = [[each.score(*pair) for pair in pairs[:4]] for each in metrics]
assert "numba" not in sys.modules
assert few == [each.score_all(*zip(*pairs))[:4] for each in metrics]
assert "numba" in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
