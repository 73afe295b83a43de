"""More systems than the nine: their list, reliabilities and families."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT

from sera.evaluation.correlate import Scores
from sera.summarizers import NINE, summarizer
from study.claims.multiverse import METRICS, ROUGE
from study.multiverse import more_systems as more

SYSTEMS = more.read_systems(ROOT / "study/resources/more_systems.yaml")


def test_the_list_has_every_summarizer_and_each_system_once():
    assert {*NINE, "lead", "random"} == {system.family for system in SYSTEMS}
    assert len({system.name for system in SYSTEMS}) == len(SYSTEMS) == 38
    for system in SYSTEMS:
        summarizer(system.family, **system.parameters)
    named = {system.name: system for system in SYSTEMS}
    assert named["mmr (trade_off=0.3)"].parameters == {"trade_off": 0.3}
    assert (named["random (seed=2)"].seed, named["random (seed=2)"].parameters) == (2, {})


def test_reliability_of_a_table_by_hand():
    """Topics (1, 2, 6) and (3, 4, 8): the systems differ alike on both, so the means are exact.

    With 7 in place of 8: means 2, 3, 6.5 and grand mean 23/6; between = 2 * (121/36 + 25/36 + 256/36) / 2 =
    402/36; residuals are -1/6, -1/6, 1/3 and their contraries, within = 2 * (1/36 + 1/36 + 4/36) / 2 = 6/36.
    """
    assert more.reliability(np.array([[1.0, 2, 6], [3, 4, 8]])) == 1
    assert more.reliability(np.array([[1.0, 2, 6], [3, 4, 7]])) == pytest.approx(1 - 6 / 402)
    assert np.isnan(more.reliability(np.array([[1.0, 2, 6]])))
    assert np.isnan(more.reliability(np.array([[1.0, 1], [2, 2]])))


def test_a_drawn_family_brings_all_of_its_systems():
    counts = more.draw_families(["a", "b", "a", "c"], 50, 1)
    assert (counts[:, 0] == counts[:, 2]).all() and counts.max() > 1
    assert (counts[:, [0, 1, 3]].sum(axis=1) == 3).all()  # as many families as there are


def scores(systems="abcd"):
    """SERA ranks the systems as Pyramid does and ROUGE the other way round, on every topic alike."""
    rows = [
        (topic, system, metric, (place + 1) * (-1 if metric in ROUGE else 1))
        for topic in map(str, range(6))
        for metric in (*METRICS, "Pyramid")
        for place, system in enumerate(systems)
    ]
    return Scores.from_table(pd.DataFrame(rows, columns=["topic", "system", "metric", "score"]))


def test_without_noise_there_is_no_interval():
    families = dict(zip("abcd", "vwxy", strict=True))
    answer = more.answer_table(scores(), families, seed=1, confidence=95)
    assert answer["question"].tolist() == ["systems"] * 3 + ["summaries"] * 3
    assert answer["coefficient"].tolist() == ["pearson", "spearman", "kendall"] * 2
    pd.testing.assert_frame_equal(answer, more.answer_table(scores(), seed=1, confidence=95))
    assert (answer["systems"][0], answer["families"][0], answer["topics"][0]) == (4, 4, 6)
    for end in ("", "_low", "_high"):
        assert answer[f"effect{end}"].tolist() == pytest.approx([2] * 6)
        assert answer[f"sera{end}"].tolist() == pytest.approx([1] * 6)
        assert answer[f"rouge{end}"].tolist() == pytest.approx([-1] * 6)
    by_topics = more.topics_table(scores(), 1)
    assert by_topics["topics"].unique().tolist() == [5, 6]
    assert by_topics[["effect", "low", "high"]].to_numpy() == pytest.approx(2)
    assert more.reliability_table(scores())["icc"].tolist() == [1, 1, 1]
