"""Scores that come with a release: read, marked, and written as a part of a study's scores."""

from __future__ import annotations

import pytest

from sera.errors import InputError
from sera.io.records import GivenScore
from sera.io.scores import read_given, read_scores, read_signatures, write_given
from sera.metrics import falling


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
    assert list(read_scores(scores)["metric"]) == list(read_signatures(signatures))
    assert falling(["JS-2", "given:JS-2"]) == ["JS-2"]  # nothing is known of what is given


def test_a_table_of_given_scores_needs_a_line(tmp_path):
    path = tmp_path / "given.tsv"
    path.write_text("topic\tsystem\tmetric\tscore\n")
    with pytest.raises(InputError, match=r"given\.tsv: holds no score\. Add a line for each score"):
        read_given(path)
    path.write_text("topic\tsystem\tmetric\tscore\nt\ts\tm\thigh\n")
    with pytest.raises(InputError, match=r"given\.tsv, line 2: score 'high' is not a number"):
        read_given(path)
