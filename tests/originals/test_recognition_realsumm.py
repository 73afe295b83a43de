"""The measured rates of recognition, from REALSumm's human labels."""

from __future__ import annotations

import numpy as np
import pytest

from sera.benchmarks import realsumm
from sera.metrics.recognition import StemsInOrder, share, stems_in_order, whole
from study.recognition.errors import MEASURED, MEASURED_BY_STEMS
from study.recognition.quality import RATES, confusion, decisions, rates

RELEASE = "data/benchmarks/lite3pyramid_realsumm"


@pytest.fixture(scope="module")
def judged(shared):
    """Of each topic the units' stems, the labels, and the scores by recogniser."""
    labels = realsumm.read_labels(shared / RELEASE)
    found = []
    for topic in realsumm.read(release=shared / RELEASE):
        units: list[StemsInOrder] = [stems_in_order(nugget.text) for nugget in topic.nuggets]
        summaries = [[stems_in_order(sentence) for sentence in each.sentences] for each in topic.candidates]
        scores = {
            name: np.array([[recogniser([unit], each) for unit in units] for each in summaries])
            for name, recogniser in (("sentence", share), ("whole", whole))
        }
        of_topic = np.array([labels[topic.id, each.system] for each in topic.candidates])
        found.append((np.array([len(set(unit)) for unit in units]), of_topic, scores))
    return found


def _measured(judged, recogniser, threshold, stems=None):
    kept = [(sizes == stems) if stems else sizes > 0 for sizes, _, _ in judged]
    found = [
        decisions([scores[recogniser]], threshold)[0][:, these]
        for (_, _, scores), these in zip(judged, kept, strict=True)
    ]
    labels = [of_topic[:, these] for (_, of_topic, _), these in zip(judged, kept, strict=True)]
    measured = dict(zip(RATES, rates(confusion(found, labels).sum(axis=0)), strict=True))
    return measured["recall"], measured["specificity"]


def test_the_measured_rates_are_those_of_the_labels(judged):
    for (recogniser, threshold), own in MEASURED.items():
        expected = pytest.approx((own.sensitivity, own.specificity), abs=0.0006)
        assert _measured(judged, recogniser, threshold) == expected
    for (recogniser, threshold), by_stems in MEASURED_BY_STEMS.items():
        for stems, own in ((2, by_stems[1]), (3, by_stems[3])):
            expected = pytest.approx((own.sensitivity, own.specificity), abs=0.0006)
            assert _measured(judged, recogniser, threshold, stems) == expected
