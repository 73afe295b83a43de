"""Summaries of a user's own: read in either form, and what is wrong told with file and line."""

from __future__ import annotations

import json

import pytest

from sera.errors import InputError
from sera.io.records import Candidate
from study.workflow.own_summaries import candidate_files, read_candidates

TOPICS = ["t2", "t1"]
RIGHT = [
    {"topic": "t1", "system": "theirs", "sentences": ["One.", "Two."]},
    {"topic": "t2", "system": "theirs", "sentences": [" Three."]},
]


def jsonl(folder, *records):
    path = folder / "own.jsonl"
    path.write_text("\n" + "".join(json.dumps(record) + "\n" for record in records))  # a blank line first
    return path


def test_a_file_is_read_in_the_order_of_the_topics_under_the_name_that_is_given(tmp_path):
    path = jsonl(tmp_path, *RIGHT)
    assert read_candidates(path, "mine", TOPICS) == [
        Candidate("t2", "mine", (" Three.",)),
        Candidate("t1", "mine", ("One.", "Two.")),
    ]
    assert candidate_files(path) == [str(path)]


def test_a_folder_has_a_text_a_topic_and_a_sentence_a_line(tmp_path):
    (tmp_path / "t1.txt").write_text("One.\r\n\n  Two. \n")
    (tmp_path / "t2.txt").write_text("Three.")
    (tmp_path / "README").write_text("not a summary")
    assert read_candidates(tmp_path, "mine", TOPICS) == [
        Candidate("t2", "mine", ("Three.",)),
        Candidate("t1", "mine", ("One.", "Two.")),
    ]
    assert candidate_files(tmp_path) == [f"{tmp_path}/t1.txt", f"{tmp_path}/t2.txt"]


@pytest.mark.parametrize(
    ("records", "problem"),
    [
        (RIGHT[:1], ": has no summary of topic t2. Add a summary of each."),
        ([*RIGHT, {**RIGHT[0], "topic": "t9"}], ", line 4: there is no topic 't9'. "),
        ([RIGHT[0], {**RIGHT[1], "sentences": [" "]}], ", line 3: the summary of topic 't2' is empty"),
        ([RIGHT[0], {"topic": "t2", "system": "x"}], ", line 3: has no field 'sentences'; it has "),
    ],
)
def test_what_is_wrong_in_a_file_is_told_with_its_line(tmp_path, records, problem):
    path = jsonl(tmp_path, *records)
    with pytest.raises(InputError) as error:
        read_candidates(path, "mine", TOPICS)
    assert str(error.value).startswith(f"{path}{problem}")


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("t3.txt", b"Three.", "t3.txt: there is no topic 't3'. Did you mean t1 or t2?"),
        ("t2.txt", b"caf\xe9", "t2.txt, line 1: is not UTF-8 text."),
    ],
)
def test_what_is_wrong_in_a_folder_is_told_with_its_file(tmp_path, name, content, problem):
    (tmp_path / "t1.txt").write_text("One.")
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError) as error:
        read_candidates(tmp_path, "mine", TOPICS)
    assert str(error.value).startswith(f"{tmp_path}/{problem}")
