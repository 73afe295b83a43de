"""The facts of a study's page."""

from __future__ import annotations

import pytest

from study.report.facts import recognised_judgement


@pytest.mark.parametrize(
    ("judgement", "people", "expected"),
    [
        (
            "Pyramid",
            True,
            "Pyramid here is a program's judgement, not people's: people marked nuggets in the gold "
            "summaries, and a program finds them in the systems' summaries.",
        ),
        (
            "Pyramid",
            False,
            "Pyramid here is a program's judgement, not people's: nuggets are marked in the gold "
            "summaries, and a program finds them in the systems' summaries.",
        ),
        ("pyramid", False, ""),  # TAC 2009's, by people
        ("litepyramid_recall", False, ""),
    ],
)
def test_a_programs_judgement_is_told(judgement, people, expected):
    assert recognised_judgement(judgement, {"ROUGE-1-F", "Pyramid"}, people=people) == expected
