"""Tables of scores, judgements and preferences: read, and refused with file and line."""

import pytest
from made_scores import JUDGEMENT_HEAD, SCORE_HEAD, put_table

from sera.errors import InputError
from sera.evaluation.keyword_tables import read_preferences
from sera.io.records import GivenScore, Judgement, Preference
from sera.io.scores import (
    JUDGEMENT_COLUMNS,
    read_choices,
    read_given,
    read_judgements,
    read_judges,
    read_scores,
    read_signatures,
    write_choices,
    write_given,
    write_judgements,
    write_scores,
)
from sera.metrics import falling

JUDGED = "topic system judge judgement score"
PREFERRED = "topic system_a system_b judge preference"


def test_score_tables(tmp_path):
    path = put_table(tmp_path / "s.tsv", SCORE_HEAD, "t NA M 0.5", "t b M nan")
    table = read_scores(path)
    assert table["system"].to_list() == ["NA", "b"]
    write_scores(tmp_path / "again.tsv", table)
    assert (tmp_path / "again.tsv").read_bytes() == path.read_bytes()
    write_scores(tmp_path / "again.csv", table)
    assert (tmp_path / "again.csv").read_text() == "topic,system,metric,score\nt,NA,M,0.5\nt,b,M,nan\n"
    assert read_scores(tmp_path / "again.csv").equals(table)
    with pytest.raises(InputError, match="there is no such file; expected a table .* topic, system, judg"):
        read_judgements(tmp_path / "none.tsv")


@pytest.mark.parametrize(
    ("read", "lines", "problem"),
    [
        (read_scores, ["topic system score"], "has no column metric"),
        (read_scores, [SCORE_HEAD, "t a M high"], ", line 2: score 'high' is not a number"),
        (read_scores, [SCORE_HEAD, "1 b M 1", "1 b M 2"], ", line 3: M of b for 1 is there twice"),
        (read_judgements, [JUDGEMENT_HEAD, "t b H nan"], "'nan' is not a number. Write a number, or leave"),
        (read_scores, [SCORE_HEAD, "t b M 0,5"], "score '0,5' is not a number: it has a decimal comma"),
        (read_judgements, [JUDGEMENT_HEAD, "t a H 1", "t a H 1"], ", line 3: H of a for t is there twice"),
        (read_judgements, [JUDGEMENT_HEAD], ": holds no judgement"),
        (read_judgements, [JUDGED, "t a bob H 1", "t a bob H 3"], ", line 3: H of a for t by bob is there"),
        (read_choices, [PREFERRED, "t x y ann a"], ", line 2: the preference 'a' is not one of A, B, tie"),
        (read_choices, [PREFERRED, "t x x ann A"], ", line 2: 'x' is compared with itself"),
        (read_choices, [PREFERRED, "t x y ann A", "t y x ann A"], ", line 3: ann compares y with x for t"),
        (read_preferences, ["topic better worse"], ": holds no preference"),
    ],
)
def test_a_wrong_table_is_named_with_its_lines(tmp_path, read, lines, problem):
    path = put_table(tmp_path / "table.tsv", *lines)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value).startswith(str(path)) and problem in str(error.value)


def test_given_scores_are_marked(tmp_path):
    scores, signatures = tmp_path / "given.tsv", tmp_path / "given.signatures.tsv"
    given = [
        GivenScore("t", "s", "BERTScore", 0.875),
        GivenScore("t", "s", "given:JS-2", 0.5),
        GivenScore("t", "s", "ROUGE-1", float("nan")),
    ]
    write_given(scores, signatures, given)
    assert scores.read_text().splitlines() == [
        "topic\tsystem\tmetric\tscore",
        "t\ts\tgiven:BERTScore\t0.875",
        "t\ts\tgiven:JS-2\t0.5",
        "t\ts\tgiven:ROUGE-1\tnan",
    ]
    assert read_signatures(signatures)["given:JS-2"] == "given:JS-2|as released with the benchmark"
    assert list(read_given(scores)["metric"]) == list(read_signatures(signatures))
    assert falling(["JS-2", "given:JS-2"]) == ["JS-2"]  # nothing is known of what is given


# Judges and preferences


@pytest.fixture
def judged(tmp_path):
    rows = ["t a ann relevance 1", "t a bob relevance 2", "t b ann relevance 4", "t b  relevance 3.5"]
    return put_table(tmp_path / "judged.tsv", JUDGED, *rows, "t b bob relevance 5", "t c  relevance 2")


def test_the_score_of_several_judges_is_their_mean_unless_the_table_has_it(judged):
    table = read_judgements(judged)
    assert list(table.columns) == ["topic", "system", "judgement", "score"]
    assert table.to_numpy().tolist() == [
        ["t", "a", "relevance", 1.5],  # of 1 and 2
        ["t", "b", "relevance", 3.5],  # as the table has it, not 4.5
        ["t", "c", "relevance", 2.0],
    ]


def test_single_judges_are_kept_apart(judged):
    table = read_judges(judged)
    assert list(table.columns) == ["topic", "system", "judgement", "judge", "score"]
    assert list(table["judge"]) == ["ann", "bob", "ann", "", "bob", ""]
    again = judged.with_name("again.tsv")
    write_judgements(again, [Judgement(*row) for row in table[[*JUDGEMENT_COLUMNS, "judge"]].to_numpy()])
    assert read_judges(again).equals(table)
    write_judgements(again, [Judgement("t", "a", "relevance", 1.0)])
    assert again.read_text() == "topic\tsystem\tjudgement\tscore\nt\ta\trelevance\t1.0\n"
    assert list(read_judges(again)["judge"]) == [""]


def test_preferences(tmp_path):
    path = tmp_path / "preferences.tsv"
    given = [
        Preference("t", "x", "y", "ann", "A"),
        Preference("t", "x", "y", "bob", "B"),
        Preference("u", "y", "x", "", "tie"),
        Preference("u", "y", "z", "ann", "B"),
    ]
    write_choices(path, given)
    table = read_choices(path)
    assert [Preference(*row) for row in table.itertuples(index=False, name=None)] == given
    assert list(table.index) == [2, 3, 4, 5]
    # ties have no better one
    assert read_preferences(path).to_numpy().tolist() == [["t", "x", "y"], ["t", "y", "x"], ["u", "z", "y"]]
    put_table(path, "topic annotator better worse", "t1 x a b")
    assert read_preferences(path).to_numpy().tolist() == [["t1", "a", "b"]]
    put_table(path, "topic system_a system_b preference", "t x y A", "t x y A")
    assert list(read_choices(path)["judge"]) == ["", ""]  # of two people who are not named
