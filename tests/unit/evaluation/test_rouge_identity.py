"""Which ROUGE gives a printed number: counted by hand on a sentence, and the chance of a hit."""

import pandas as pd
import pytest
from commands import put_texts, sera

from sera.evaluation.rouge_identity import PrintedNumber, configurations, hit_probability, identify
from sera.io.records import Candidate, Reference

# of the reference's 6 words the candidate has 4 as they are (the, sat, on, mat) and 5 stemmed (cats)
CANDIDATES = [Candidate("t", "s", ("The cats sat.", "On mat."))]
REFERENCES = [Reference("t", "A", ("The cat sat on a mat.",))]


def hits(published, **chosen):
    rows = identify(CANDIDATES, REFERENCES, published, ["1"])
    for name, value in chosen.items():
        rows = rows[rows[name] == value]
    return rows[rows["hit"]]


def test_one_setting_decides_the_number():
    assert set(hits("0.6667", part="R")["stem"]) == {False}  # 4 / 6
    assert set(hits("0.8333", part="R")["stem"]) == {True}  # 5 / 6
    assert set(hits("83.33", part="R")["dialect"]) == {"ROUGE-1.5.5", "rouge-score"}
    assert hits("0.1234").empty
    # without the, on, a and sat (a Saturday): cats and mat, of cat and mat; 1.5.5 alone removes them
    of_stop = identify(CANDIDATES, REFERENCES, "0.5", ["1"]).query("stop and part == 'P' and not stem")
    assert of_stop["value"].tolist() == [0.5] and of_stop["hit"].all()
    assert set(of_stop["dialect"]) == {"ROUGE-1.5.5"}


def test_the_nearest_stand_first_and_a_mean_is_over_summaries():
    two = [*CANDIDATES, Candidate("u", "s", ("The cat sat on a mat.",))]
    gold = [*REFERENCES, Reference("u", "A", ("The cat sat on a mat.",))]
    rows = identify(two, gold, "0.8334", ["1"])
    assert rows["summaries"].unique().tolist() == [2]
    assert (rows.at[0, "part"], rows.at[0, "stem"]) == ("R", False)  # (4 / 6 + 1) / 2 = .83333
    distance = (rows["value"] - 0.8334).abs().round(12)
    assert distance.is_monotonic_increasing


def test_the_ways_to_make_one_number_of_several_scores():
    texts = {"t": "a b c", "u": "a x y z", "v": "a b"}
    three = [Candidate(topic, "s", (text,)) for topic, text in texts.items()]
    gold = [Reference(topic, "A", ("a b",)) for topic in texts]
    # R 2/2, 1/2, 2/2 and P 2/3, 1/4, 2/2; F .8, 1/3, 1
    rows = identify(three, gold, "0.5", ["1"])
    rows = rows[(rows["dialect"] == "rouge-score") & ~rows["stem"].astype(bool)]
    values = rows.set_index(["part", "aggregation"])["value"].to_dict()
    mean_p, mean_r = (2 / 3 + 1 / 4 + 1) / 3, 2.5 / 3
    assert values == {
        ("R", "mean"): pytest.approx(mean_r),
        ("P", "mean"): pytest.approx(mean_p),
        ("F", "mean"): pytest.approx((0.8 + 1 / 3 + 1) / 3),
        ("R", "median"): 1,
        ("P", "median"): pytest.approx(2 / 3),
        ("F", "median"): pytest.approx(0.8),
        ("F", "F of mean P and R"): pytest.approx(2 * mean_p * mean_r / (mean_p + mean_r)),
    }


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [("0.4416", 0.4416, 1e-4), (".44", 0.44, 1e-2), ("44.16", 0.4416, 1e-4), ("44", 0.44, 1e-2)],
)
def test_a_printed_number_has_its_digits(text, value, unit):
    printed = PrintedNumber.parse(text)
    assert (printed.value, printed.unit) == (pytest.approx(value), pytest.approx(unit))
    assert printed.matches(value + 0.49 * unit) and not printed.matches(value + 0.51 * unit)


def test_the_chance_of_a_hit():
    # printed to one digit the values are .2, .2, .5 and .6: 3 of the 5 numbers from .2 to .6
    rows = pd.DataFrame({"value": [0.2, 0.21, 0.5, 0.6, float("nan")]})
    assert hit_probability(rows, "0.3") == pytest.approx(3 / 5)
    assert hit_probability(pd.DataFrame({"value": [0.5, 0.5]}), "0.5") == 1
    ways = {named["references"] for named, _ in configurations(["1"], 2)}
    assert ways == {"pooled", "best", "jackknife", "first"}
    assert {named["references"] for named, _ in configurations(["1"], 1)} == {"one"}
    with_l = {(named["dialect"], named["sentences"]) for named, _ in configurations(["L"], 1)}
    assert with_l == {(d, s) for d in ("ROUGE-1.5.5", "rouge-score") for s in ("given", "one")}


@pytest.fixture
def files(tmp_path):
    return put_texts(tmp_path, candidates=CANDIDATES, references=REFERENCES)[1::2]


def identified(*arguments, code=0):
    return sera("research", "identify", *arguments, code=code)


def test_the_command(files, tmp_path):
    asked = ("--published", "0.8333", "--metrics", "ROUGE-1", "--out", tmp_path / "all.tsv")
    printed = identified(*files, *asked)
    assert "2 of 18 configurations give 0.8333. A number drawn evenly" in printed
    assert len((tmp_path / "all.tsv").read_text(encoding="utf-8").splitlines()) == 19
    printed = identified(*files, "--published", "0.1234")
    assert "None of 72 configurations gives 0.1234; the nearest are above." in printed
    printed = identified(*files, "--published", "1", "--metrics", "ROUGE-1-F", code=2)
    assert "names a part, and all three are tried. Write ROUGE-1." in printed
