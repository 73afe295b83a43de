"""The measured rates of recognition, from REALSumm's human labels."""

from __future__ import annotations

import numpy as np
import pytest

from sera.benchmarks.realsumm import REALSUMM, read_labels
from study.recognition.errors import MEASURED
from study.recognition.quality import RATES, confusion, decisions, rates
from study.recognition.recognisers import share, stems_in_order, whole

RELEASE = "data/benchmarks/lite3pyramid_realsumm"


def test_the_measured_rates_are_those_of_the_labels(shared):
    labels = read_labels(shared / RELEASE)
    scores, human = {"sentence": [], "whole": []}, []
    for topic in REALSUMM.read(release=shared / RELEASE):
        units = [stems_in_order(nugget.text) for nugget in topic.nuggets]
        kept = np.array([bool(unit) for unit in units])
        summaries = [[stems_in_order(sentence) for sentence in each.sentences] for each in topic.candidates]
        for name, recogniser in (("sentence", share), ("whole", whole)):
            found = [[recogniser(unit, each) for unit in units] for each in summaries]
            scores[name].append(np.array(found)[:, kept])
        human.append(np.array([labels[topic.id, each.system] for each in topic.candidates])[:, kept])
    for (recogniser, threshold), own in MEASURED.items():
        counts = confusion(decisions(scores[recogniser], threshold), human).sum(axis=0)
        measured = dict(zip(RATES, rates(counts), strict=True))
        expected = pytest.approx((own.sensitivity, own.specificity), abs=0.0006)
        assert (measured["recall"], measured["specificity"]) == expected
