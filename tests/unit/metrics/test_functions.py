"""Metrics of functions, and several metrics at once."""

import math

import pandas as pd
import pytest
from commands import sera as run

import sera
from sera.errors import InputError
from sera.io.records import Candidate, Reference, Source
from sera.metrics.base import Caution


def test_a_function_is_a_metric_by_its_name():
    @sera.metric_function("Longer", falling=True)
    def longer(candidate, references):
        """Lines of a summary beyond those of its longest reference. By nobody."""
        return len(candidate.split("\n")) - max(len(each.split("\n")) for each in references)

    one = sera.metric("Longer")
    assert one.score(sera.Summary(["a", "b", "c"]), ["x", ["x", "y"]]) == 1 and one.score("a. b", ["c"]) == 0
    assert one.falling and longer("a b", ["c"]) == 0
    assert one.signature.startswith("Longer|function:test_functions.test_a_function")
    assert sera.score(["a\nb"], ["c"], ["Longer", "ROUGE-1-F"])["score"].tolist() == [1.0, 0.0]
    sera.metric_function("Longer")(lambda candidate, references: None)  # a notebook's cell that runs again
    with pytest.raises(InputError, match="^the score by Longer is None, which is not a number"):
        sera.metric("Longer").score("a", ["b"])
    with pytest.raises(InputError, match="^'ROUGE-mine' cannot be added: ROUGE is a metric family of sera"):
        sera.metric_function("ROUGE-mine")(longer)


def overlap(candidate, references):
    """Shared letters."""
    return float(len(set(candidate) & set("".join(references))))


def test_a_function_is_given_beside_names():
    table = sera.score(["abc", "xyz"], ["abd", "x"], [overlap, "ROUGE-1-F"])
    assert table["metric"].tolist() == ["overlap", "ROUGE-1-F"] * 2
    assert table["score"].tolist() == [2.0, 0.0, 1.0, 0.0]
    assert sera.score("abc", ["abd"], overlap)["score"].tolist() == [2.0]


def test_a_third_parameter_receives_the_article():
    @sera.metric_function("Copied")
    def copied(candidate, references, source):
        return float(candidate in source)

    @sera.metric_function("Known")
    def known(candidate, references, source=None):
        return -1.0 if source is None else float(candidate in source)

    assert sera.score(["a", "b"], metrics=["Copied", "Known"], sources=["x a", "x"], references=["r", "r"])[
        "score"
    ].tolist() == [1, 1, 0, 0]
    assert sera.metric("Known").score("a", ["r"]) == -1
    with pytest.raises(InputError, match="^Copied compares with the article"):
        sera.metric("Copied").score("a", ["r"])


def test_an_exception_is_noted_and_the_other_scores_stay():
    def inverse(candidate, references):
        return 1 / len(candidate)

    texts = [
        Candidate("t", name, sentences) for name, sentences in (("a", ("four",)), ("b", ()), ("c", ("xy",)))
    ]
    with pytest.warns(Caution, match="^inverse: undefined for the summary of topic .t. by .b.: the"):
        table = sera.score(texts, [Reference("t", "A", ("x",))], [inverse, "ROUGE-1-F"])
    scores = table[table["metric"] == "inverse"]
    assert scores["score"].tolist()[::2] == [0.25, 0.5] and math.isnan(scores["score"].iloc[1])
    note = "undefined: the function raised ZeroDivisionError: division by zero"
    assert scores["note"].tolist() == ["", note, ""] and len(table) == 6


def test_a_function_of_two_texts_is_told_that_it_receives_a_list():
    def overlap(candidate, reference):
        return len({*candidate.split()} & {*reference.split()})

    with pytest.warns(Caution, match="'split' .it receives a text, and a list of its"):
        sera.score(["a b"], [["a"]], overlap)


def test_a_function_in_a_file_is_a_metric_of_the_command_line(tmp_path):
    (tmp_path / "lengths.py").write_text("def count(text):\n    return len(text.split())\n")
    (tmp_path / "mine.py").write_text(
        "from lengths import count\n\ndef longer(candidate, references):\n    return count(candidate) - 1\n"
    )
    for name, lines in (("c.txt", "a b c\nd\n"), ("r.txt", "a\nd\n"), ("bad.py", "1 / 0\n")):
        (tmp_path / name).write_text(lines)
    texts = ["score", tmp_path / "c.txt", tmp_path / "r.txt", "--out", tmp_path / "s.tsv"]
    run(*texts, "--metrics", f"{tmp_path}/mine.py:longer,ROUGE-1-F")
    table = pd.read_csv(tmp_path / "s.tsv", sep="\t")
    assert table["metric"].tolist() == ["longer", "ROUGE-1-F"] * 2
    assert table["score"].tolist() == [2.0, 0.5, 0.0, 1.0]
    for metric, problem in (
        ("mine.py:shorter", "mine.py: has no function shorter; it has count, longer"),
        ("none.py:x", "none.py: there is no such file of a metric"),
        ("bad.py:x", "bad.py: cannot be run: ZeroDivisionError: division by zero"),
    ):
        assert problem in run(*texts, "--metrics", f"{tmp_path}/{metric}", code=2)


def test_the_parts_of_a_measure_are_scored_together():
    rouge = sera.metric("ROUGE-1")
    assert rouge.score("a b c d", ["a b x"]) == {
        "ROUGE-1-P": 0.5, "ROUGE-1-R": 0.66667, "ROUGE-1-F": 0.57143
    }  # fmt: skip
    several = sera.metric("ROUGE-1-P", "ROUGE-L-R(stem=true)")
    assert several.score_all(["a b", "c"], [["a"], "c"]) == {
        "ROUGE-1-P": [0.5, 1.0], "ROUGE-L-R(stem=true)": [1.0, 1.0]
    }  # fmt: skip
    assert sera.score("a", ["a"], "ROUGE-2(stem=true)")["metric"].tolist() == [
        f"ROUGE-2-{part}(stem=true)" for part in "PRF"
    ]
    with pytest.raises(InputError, match="^there is no metric 'ROUGE-X'"):
        sera.metric("ROUGE-X")
    with pytest.raises(InputError, match="^there is no reference to score against"):
        rouge.score("a", [])
    with pytest.raises(InputError, match="^the candidate is "):
        rouge.score(["a", "b"], ["c"])
    with pytest.raises(InputError, match="^KL-1 compares with the article"):
        sera.metric("KL-1", "ROUGE-1-F").score("a", ["b"])
    article = Source("t", "i", sections=())
    assert math.isnan(sera.metric("KL-1", "ROUGE-1-F").score("a", ["b"], article)["KL-1"])
