"""The meta-analysis over releases, on examples worked out step by step."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from study.matrix.effects import MEANS
from study.matrix.pooling import choices_table, kinds_table, pool, pooled_table, releases_table


def test_equal_variances_by_hand():
    # mean .2, deviations -.3, -.1, .4: the sum of squares is .26, the variance .13 = tau squared + .01
    found = pool(np.array([-0.1, 0.1, 0.6]), np.full(3, 0.1))
    assert (found.effect, found.tau_squared) == (pytest.approx(0.2), pytest.approx(0.12))
    # Hartung and Knapp: sqrt(.13 / 3) by t(.975; 2) = 4.302653
    half = 4.302653 * np.sqrt(0.13 / 3)
    assert (found.low, found.high) == (pytest.approx(0.2 - half), pytest.approx(0.2 + half))
    # prediction: t(.975; 1) = 12.706205 by sqrt(.12 + .13 / 3)
    wide = 12.706205 * np.sqrt(0.12 + 0.13 / 3)
    assert found.prediction_low == pytest.approx(0.2 - wide)
    assert found.prediction_high == pytest.approx(0.2 + wide)


def test_unequal_variances_by_hand():
    # two effects: (1 - 0)^2 / (.1 + .3 + 2 tau squared) = 1, so tau squared is .3; the weights are 1 / .4 and
    # 1 / .6, the mean .4, and Hartung and Knapp's variance (2.5 * .16 + .36 / .6) / (25 / 6) = .24
    found = pool(np.array([0.0, 1.0]), np.sqrt([0.1, 0.3]))
    assert (found.effect, found.tau_squared) == (pytest.approx(0.4), pytest.approx(0.3))
    assert found.high == pytest.approx(0.4 + 12.706205 * np.sqrt(0.24))
    assert np.isnan(found.prediction_low)


def test_alike_effects_have_no_variance_between_them():
    # the sum of squares, 2 * .01 / .04 = .5, is below k - 1 = 2: Hartung and Knapp's error, sqrt(.01 / 3), is
    # less than that of the normal interval, .2 / sqrt(3), which counts
    found = pool(np.array([0.1, 0.2, 0.3]), np.full(3, 0.2))
    assert (found.effect, found.tau_squared) == (pytest.approx(0.2), 0)
    assert found.low == pytest.approx(0.2 - 4.302653 * 0.2 / np.sqrt(3))
    # t = sqrt(3), for which two degrees of freedom have the two-sided p 1 - t / sqrt(t ** 2 + 2)
    assert found.p == pytest.approx(1 - np.sqrt(3 / 5))
    # with 80% power: a t of noncentrality smallest / error exceeds 4.302653
    assert stats.nct.sf(4.302653, 2, found.smallest / (0.2 / np.sqrt(3))) == pytest.approx(0.8, abs=1e-4)


def test_the_trials_of_the_bcg_vaccine():
    # 13 trials (Colditz et al. 1994): vaccinated cases and others, then those not vaccinated; log risk ratios
    trials = """4 119 11 128 6 300 29 274 3 228 11 209 62 13536 248 12619 33 5036 47 5761 180 1361 372 1079
        8 2537 10 619 505 87886 499 87892 29 7470 45 7232 17 1699 65 1600 186 50448 141 27197 5 2493 3 2338
        27 16886 29 17825"""
    a, b, c, d = np.array(trials.split(), float).reshape(-1, 4).T
    effects, variances = np.log(a / (a + b) / (c / (c + d))), 1 / a - 1 / (a + b) + 1 / c - 1 / (c + d)
    found = pool(effects, np.sqrt(variances))
    assert (found.tau_squared, found.effect) == pytest.approx((0.3181, -0.715), abs=5e-5)
    weights = 1 / (variances + 0.3181)
    mean = (weights * effects).sum() / weights.sum()
    assert (weights * (effects - mean) ** 2).sum() == pytest.approx(12, abs=1e-3)


def effects(rows, **cells):
    table = pd.DataFrame(rows, columns=["benchmark", "level", "effect", "se"])
    ends = {"low": table["effect"] - 0.3, "high": table["effect"] + 0.3, "p": 0.04}
    return table.assign(judgement="j", systems=range(10, 10 + len(table)), topics=20, **ends, **cells)


ROWS = [
    *[("realsumm", "system", 0.1, 0.1), ("dialsummeval", "system", 0.6, 0.1)],
    *[("summeval", "system", -0.2, 0.05), ("summeval_llm_judges", "system", 0.0, 0.15)],
    *[("tac2014", "system", 9, 0.1), ("mslr", "system", 9, 0.0), ("own", "system", np.nan, 0.1)],
    ("opinsummeval", "summary", 0.25, 0.1),
]


def test_data_sets_of_a_release_are_one():
    table = releases_table(effects(ROWS, contrast=MEANS)).set_index(["level", "release"])
    assert list(table.index.get_level_values("release")) == [
        *("REALSumm", "DialSummEval", "SummEval", "OpinSummEval")  # not the paper's nine, nor the undefined
    ]
    row = table.loc[("system", "SummEval")]
    assert (row["kind_of_text"], row["systems"], row["topics"]) == ("news", 13, 20)
    assert row["data_sets"] == 2
    assert row[["effect", "low", "high", "se"]].tolist() == pytest.approx([-0.1, -0.4, 0.2, 0.1])


def test_releases_are_pooled_and_each_is_left_out():
    table = pooled_table(effects(ROWS, contrast=MEANS)).set_index(["level", "left_out"])
    # -.1, .1 and .6 with errors of .1, as above
    row = table.loc[("system", "")]
    assert (row["releases"], row["effect"], row["tau_squared"]) == (
        3,
        pytest.approx(0.2),
        pytest.approx(0.12),
    )
    assert row["low"] == pytest.approx(0.2 - 4.302653 * np.sqrt(0.13 / 3))
    # .1 and -.1: the sum of squares is 2, tau squared .02 - .01, and the error sqrt(.02 / 2)
    row = table.loc[("system", "DialSummEval")]
    assert (row["releases"], row["effect"], row["high"]) == (2, pytest.approx(0), pytest.approx(1.2706205))
    assert set(table.loc["system"].index) == {"", "REALSumm", "DialSummEval", "SummEval"}
    # one release has its own interval, and is not left out
    assert table.loc["summary"][["effect", "low", "high"]].to_numpy().tolist() == [
        pytest.approx([0.25, -0.05, 0.55])
    ]
    # two releases that differ much: t(.975; 1) by sqrt(.36 / 2) would be 5.4, and no difference is above 2
    far = [("realsumm", "system", 0.0, 0.01), ("mslr", "system", 0.6, 0.01)]
    assert pooled_table(effects(far, contrast="best"))[["low", "high"]].to_numpy().tolist() == [[-2, 2]]
    other = pooled_table(effects(ROWS, contrast="best"))
    assert set(other["left_out"]) == {""}


def test_a_second_hand_pools_alike():
    random = np.random.default_rng(3)
    for k in (3, 6, 11):
        means, errors = random.normal(0.2, 0.3, k), random.uniform(0.05, 0.3, k)
        found = pool(means, errors)

        def squares(tau, means=means, errors=errors):
            weights = 1 / (errors**2 + tau)
            return float((weights * (means - (weights @ means) / weights.sum()) ** 2).sum()), weights

        # by steps of Newton's method, as in the appendix of DerSimonian & Kacker (2007)
        tau = 0.0
        for _ in range(100):
            q, weights = squares(tau)
            mean = weights @ means / weights.sum()
            tau = max(0.0, tau + (q - (k - 1)) / float((weights**2 * (means - mean) ** 2).sum()))
        q, weights = squares(tau)
        mean, scale = weights @ means / weights.sum(), max(1.0, np.sqrt(q / (k - 1))) / np.sqrt(weights.sum())
        assert found.tau_squared == pytest.approx(tau, abs=1e-9)
        assert (found.low, found.high) == pytest.approx(stats.t.interval(0.95, k - 1, loc=mean, scale=scale))
        assert found.p == pytest.approx(2 * stats.t.sf(abs(mean) / scale, k - 1))


def test_kinds_are_pooled_over_releases_and_corrected():
    rows = [
        (name, "system", effect, 0.02)
        for effect, name in zip((0.3, 0.31, 0.32), ("realsumm", "mslr", "dialsummeval"), strict=True)
    ]
    own = {"dimension": "relevance or coverage", "baseline": "ROUGE-1-F", "metrics": 2}
    table = pd.concat(
        [
            effects(rows, kind="questions", reads="source", **own),
            effects(rows, kind="words", reads="reference", **own).assign(
                effect=lambda one: one["effect"] - 0.3
            ),
            effects(rows[:2], kind="learned", reads="reference", **own),
        ]
    )
    found = kinds_table(table).set_index("kind")
    assert found["releases"].to_dict() == {"questions": 3, "learned": 2, "words": 3}
    assert found.at["questions", "effect"] == pytest.approx(0.31)
    # Holm: the smaller of two p is doubled; a kind on two releases is not tested
    assert found.at["questions", "holm"] == pytest.approx(2 * found.at["questions", "p"])
    assert found.at["words", "holm"] == found.at["words", "p"] and np.isnan(found.at["learned", "holm"])


def test_a_metric_is_to_be_used_if_it_is_surely_above_on_most_releases():
    def rows(effect, *names):
        return [(name, "system", effect, 0.02) for name in names]

    news = ("realsumm", "summeval", "wikisera_tac2009")
    own = {"baseline": "ROUGE-1-F"}
    differences = pd.concat(
        [
            effects(rows(0.5, *news), metric="BERTScore-F", **own),
            effects(rows(-0.5, *news[:2]), metric="SERA-5", **own),
            effects(rows(0.01, *news), metric="ROUGE-2-F", **own),
            effects(rows(0.5, news[0]), metric="SERA-10", **own),
            effects(rows(0.5, *news), metric="length", **own),
            effects(rows(0.0, *news), metric="ROUGE-1-F", **own).assign(se=0.0),
            effects(rows(0.5, *news), metric="given:BERTScore-F", **own),
        ]
    )
    kinds = effects(rows(0.4, *news), kind="entailment", reads="source", metrics=1, **own)
    kinds = kinds.assign(dimension="relevance or coverage")
    found = choices_table(differences, kinds).set_index("metric")
    assert set(found["kind_of_text"]) == {"news"} and set(found["of"]) == {3}
    assert found["verdict"].to_dict() == {
        **{"BERTScore-F": "use", "SERA-5": "not", "ROUGE-2-F": "unknown", "entailment by the source": "use"},
        **{"SERA-10": "", "length": ""},
    }
    assert found.at["SERA-5", "releases"] == 2 and found.at["BERTScore-F", "systems"] == 10 + 11 + 12
    # four candidates: the smallest p is multiplied by four
    smallest = found["p"][found["holm"].notna()].min()
    assert found["holm"].min() == pytest.approx(4 * smallest)
