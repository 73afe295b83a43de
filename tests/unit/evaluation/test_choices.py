"""Preferences between two summaries: their table, its faults, and its form with better and worse."""

from __future__ import annotations

import pytest

from sera.errors import InputError
from sera.evaluation.papers.keyword_tables import read_preferences
from sera.io.preferences import read_choices, write_choices
from sera.io.records import Preference

GIVEN = [
    Preference("t", "x", "y", "ann", "A"),
    Preference("t", "x", "y", "bob", "B"),
    Preference("u", "y", "x", "", "tie"),
    Preference("u", "y", "z", "ann", "B"),
]


def test_what_is_written_is_read(tmp_path):
    path = tmp_path / "preferences.tsv"
    write_choices(path, GIVEN)
    table = read_choices(path)
    assert [Preference(*row) for row in table.itertuples(index=False, name=None)] == GIVEN
    assert list(table.index) == [2, 3, 4, 5]


def test_the_judge_may_be_left_out(tmp_path):
    path = tmp_path / "preferences.tsv"
    path.write_text("topic\tsystem_a\tsystem_b\tpreference\nt\tx\ty\tA\nt\tx\ty\tA\n")
    assert list(read_choices(path)["judge"]) == ["", ""]  # of two people who are not named


def test_ties_have_no_better_one(tmp_path):
    path = tmp_path / "preferences.tsv"
    write_choices(path, GIVEN)
    assert read_preferences(path).to_numpy().tolist() == [["t", "x", "y"], ["t", "y", "x"], ["u", "z", "y"]]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("t\tx\ty\tann\ta", "line 3: the preference 'a' is none of A, B, tie"),
        ("t\tx\tx\tann\tA", "line 3: 'x' is compared with itself"),
        ("t\ty\tx\tann\tA", "line 3: ann compares y with x for t twice"),
        ("t\ty\tx\t ann\tA", "line 3: the judge ' ann' has a blank at its end"),
    ],
)
def test_faults_have_their_line(tmp_path, line, problem):
    path = tmp_path / "preferences.tsv"
    path.write_text(f"topic\tsystem_a\tsystem_b\tjudge\tpreference\nt\tx\ty\tann\tA\n{line}\n")
    with pytest.raises(InputError) as raised:
        read_choices(path)
    assert problem in str(raised.value)
