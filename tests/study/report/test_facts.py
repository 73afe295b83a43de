"""The facts of a study's page."""

from __future__ import annotations

import pytest
from conftest import ROOT

from study.published import RECOGNITION_RELEASED
from study.report.answer import say
from study.report.facts import recognised_judgement

DEFAULT = "Pyramid|threshold:0.75|tiers:text|size:candidate|recogniser:sentence|sera:0.2.0"


def whose(judgement, signature, *, people):
    signatures = {"ROUGE-1-F": "ROUGE-1-F", "Pyramid": signature}
    made = recognised_judgement(judgement, signatures, ROOT / RECOGNITION_RELEASED, people=people)
    return say("whose", made) if made else ""


def test_a_programs_judgement_is_told_with_its_agreement_with_people():
    assert whose("Pyramid", DEFAULT, people=True) == (
        "Pyramid is a program's judgement, not people's: people marked nuggets in the gold summaries, and a "
        "program finds them in the systems' summaries; on news, its r with people's judgement is 0.81 over "
        "25 systems, but −0.05 (−0.45 to 0.49) over the 11 that copy sentences, as these systems do, and "
        "whose ranking by people is itself uncertain (reliability 0.58); a program that looks in the whole "
        "summary, not in one sentence, would have 0.58 there."
    )
    assert "nuggets are marked in the gold" in whose("Pyramid", DEFAULT, people=False)


@pytest.mark.parametrize("signature", [DEFAULT.replace("0.75", "0.5"), DEFAULT.replace("sentence", "whole")])
def test_the_agreement_of_the_default_counts_for_no_other_recogniser(signature):
    assert whose("Pyramid", signature, people=True).endswith("finds them in the systems' summaries.")


@pytest.mark.parametrize("judgement", ["pyramid", "litepyramid_recall"])  # TAC 2009's, by people
def test_of_peoples_judgements_nothing_is_told(judgement):
    assert whose(judgement, DEFAULT, people=False) == ""
