"""The evaluation of metrics beside scipy's and scikit-learn's numbers, published examples and plain loops."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT
from made_scores import scores_of
from scipy import stats
from sklearn.metrics import ndcg_score

from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.coefficients import COEFFICIENTS, coefficients
from sera.evaluation.correlate import correlate, level_coefficients
from sera.evaluation.evaluate import best_systems
from sera.evaluation.s3_tables import failures
from sera.evaluation.significance import (
    benjamini_hochberg,
    compare,
    differences,
    holm,
    permutation,
    smallest_rho,
    williams,
)
from sera.evaluation.tables import format_table
from study.published.tables import add_published_s3, read_of_dataset

PUBLISHED = ROOT / "resources" / "published"


def peers(x, y, depth=None):
    """The four coefficients as scipy and scikit-learn have them."""
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return [np.nan] * 4
    return [
        stats.pearsonr(x, y).statistic,
        stats.spearmanr(x, y).statistic,
        stats.kendalltau(x, y, variant="b").statistic,
        ndcg_score([y], [x], k=depth),
    ]


@pytest.mark.parametrize("items", [3, 9, 25, 60, 300])
@pytest.mark.parametrize("decimals", [None, 1, 0])
def test_coefficients_of_repeated_items_equal_their_peers(items, decimals, fidelity):
    random = np.random.default_rng(items)
    for _ in range(10):
        x, y = random.normal(size=items), 3 * random.random(items)
        if decimals is not None:
            x, y = np.round(x, decimals), np.round(y, decimals)
        weights = random.multinomial(items, np.full(items, 1 / items))
        repeated = np.repeat(np.arange(items), weights)
        assert coefficients(x, y) == pytest.approx(peers(x, y), abs=1e-12, nan_ok=True)
        expected = peers(x[repeated], y[repeated])
        assert coefficients(x, y, weights) == pytest.approx(expected, abs=1e-12, nan_ok=True)
        assert coefficients(x, y, depth=4)[3] == pytest.approx(peers(x, y, 4)[3], nan_ok=True)
        missing = np.where(weights == 0, np.nan, x)
        assert coefficients(missing, y, weights) == pytest.approx(expected, abs=1e-12, nan_ok=True)
        subject = "coefficients: Pearson, Spearman, Kendall, NDCG"
        on = "drawn numbers, with ties and without"
        fidelity(subject, on, 3 * len(expected), "scipy and scikit-learn", "to 1e-12")


def test_ndcg_by_hand():
    # ranks 2 and 3 are tied: both items there count the mean of 1/log2(3) and 1/2
    gained = 1 * 1 + (4 + 0) * (0.6309297536 + 0.5) / 2 + 2 * 0.4306765581
    assert coefficients(np.array([9, 5, 5, 1]), np.array([1, 4, 0, 2]))[3] == pytest.approx(
        gained / (4 * 1 + 2 * 0.6309297536 + 1 * 0.5)
    )
    assert coefficients(np.array([9, 5, 1]), np.array([0, 1, 2]), depth=1)[3] == 0


def test_what_is_undefined_stays_so():
    up, same = np.array([1.0, 2, 3]), np.ones(3)
    assert np.isnan(coefficients(same, up)).all() and np.isnan(coefficients(up, same)).all()
    assert np.isnan(coefficients(up[:2], up[:2])).all()
    assert np.isnan(coefficients(np.array([1, 2, np.nan]), up)).all()
    assert list(np.isnan(coefficients(up, up - 2))) == [False, False, False, True]  # a negative gain
    assert np.isnan(williams(0.5, 0.2, 0.1, 3)).all()
    assert np.isnan(williams(0.5, 0.5, 1.0, 9)).all()
    assert np.isnan(williams(0.5, np.nan, 1.0, 9)).all()


def test_levels_by_hand():
    # the third topic is undefined by M for one system, the fourth has the same judgement for all
    x = [[1, 2, 3, 4], [4, 3, 1, 2], [1, 2, 4, np.nan], [1, 2, 3, 4]]
    y = [[0, 1, 0, 2], [3, 2, 0, 1], [1, 0, 2, 5], [2, 2, 2, 2]]
    scores = scores_of(M=x, H=y)
    x, y = np.array(x), np.array(y)
    row = level_coefficients(scores, "M", "H", "system")
    kept = [0, 1, 3]
    assert [row[name] for name in COEFFICIENTS] == pytest.approx(
        peers(x[kept].mean(axis=0), y[kept].mean(axis=0))
    )
    assert (row["systems"], row["topics"], row["undefined"]) == (4, 3, 1)
    row = level_coefficients(scores, "M", "H", "summary")
    of_topics = [peers(x[0], y[0]), peers(x[1], y[1]), peers(x[2, :3], y[2, :3])]
    assert [row[name] for name in COEFFICIENTS] == pytest.approx(np.mean(of_topics, axis=0))
    assert row["spearman"] == pytest.approx((0.6324555 + 1 + 0.5) / 3)
    assert (row["topics"], row["undefined"]) == (3, 1)
    row = level_coefficients(scores, "M", "H", "global")
    known = ~np.isnan(x)
    assert [row[name] for name in COEFFICIENTS] == pytest.approx(peers(x[known], y[known]))
    assert (row["topics"], row["undefined"]) == (4, 1)


def test_one_system_and_no_topic_are_undefined_and_counted():
    one = scores_of(M=[[1], [2], [3]], H=[[1], [2], [4]])
    for level in ("system", "summary"):
        (row,) = correlate(one, [("M", "H")], level=level, bootstrap=Bootstrap("both", 20)).to_dict("records")
        assert np.isnan([row[name] for name in COEFFICIENTS]).all() and np.isnan(row["pearson_low"])
        assert row["undefined_draws"] == 20
    assert level_coefficients(one, "M", "H", "summary")["undefined"] == 3
    none = scores_of(M=np.full((2, 4), np.nan), H=np.ones((2, 4)))
    for level in ("system", "summary", "global"):
        row = correlate(none, [("M", "H")], level=level, bootstrap=Bootstrap("both", 20)).iloc[0]
        assert np.isnan(row["pearson"]) and row["topics"] == 0
        assert row["undefined"] == (8 if level == "global" else 2)


@pytest.mark.parametrize("level", ["system", "summary", "global"])
@pytest.mark.parametrize("draws", ["systems", "topics", "both"])
def test_intervals_equal_those_of_a_loop_over_resamples(level, draws, fidelity):
    random = np.random.default_rng(5)
    judged = np.round(random.random((6, 7)), 1)
    scored = judged + 0.4 * random.random((6, 7))
    scored[2, 3] = np.nan
    bootstrap = Bootstrap(draws, 60, 3)
    row = correlate(scores_of(M=scored, H=judged), [("M", "H")], level=level, bootstrap=bootstrap).iloc[0]
    if level == "system":
        scored, judged = (np.delete(side, 2, axis=0) for side in (scored, judged))
    assert (bootstrap.draw_topics(len(judged)) == 1).all() == (draws == "systems")
    assert (bootstrap.draw_systems(7) == 1).all() == (draws == "topics")
    found = []
    often = zip(bootstrap.draw_topics(len(judged)), bootstrap.draw_systems(7), strict=True)
    for topic_times, system_times in often:
        assert topic_times.sum() == len(judged) and system_times.sum() == 7
        topics = np.repeat(np.arange(len(judged)), topic_times)
        systems = np.repeat(np.arange(7), system_times)
        x, y = scored[topics][:, systems], judged[topics][:, systems]
        if level == "system":
            x, y = np.round(x.mean(axis=0), 12), np.round(y.mean(axis=0), 12)
            found.append(peers(x, y))
        elif level == "global":
            known = ~np.isnan(x)
            found.append(peers(x[known], y[known]))
        else:
            rows = [peers(a[~np.isnan(a)], b[~np.isnan(a)]) for a, b in zip(x, y, strict=True)]
            found.append(np.nanmean(rows, axis=0))
    for name, values in zip(COEFFICIENTS, np.transpose(found), strict=True):
        assert [row[f"{name}_low"], row[f"{name}_high"]] == pytest.approx(
            np.nanpercentile(values, [2.5, 97.5])
        )


@pytest.mark.parametrize(
    ("one", "other", "between", "number", "t", "p"),
    [
        # Howell, Statistical Methods for Psychology, 6th edition, p. 262
        (0.80, 0.72, 0.89, 26, 1.361, 0.187),
        # the documentation of r.test in R's package psych
        (0.693458895410494, 0.695966022434845, 0.988475791500198, 5105, -1.6448, 0.1000759),
    ],
)
def test_williams_equals_published_examples(one, other, between, number, t, p, fidelity):
    found = williams(one, other, between, number)
    assert found == pytest.approx((t, p), abs=6e-4)
    assert found[1] == pytest.approx(p, abs=0.0005 if p > 0.15 else 5e-8)
    assert williams(other, one, between, number) == pytest.approx((-found[0], found[1]))
    subject = "significance: Williams' test"
    on = "their examples"
    fidelity(subject, on, 2, "Howell's textbook and the manual of R's package psych", "as far as printed")


@pytest.mark.parametrize("level", ["system", "summary"])
def test_permutation_equals_the_enumeration_of_all_exchanges(level, fidelity):
    random = np.random.default_rng(4)
    judgements = random.random((2, 4))
    x, y = judgements + 0.3 * random.random((2, 4)), 9 * random.random((2, 4))
    every = np.array(list(product([False, True], repeat=8))).reshape(-1, 2, 4)
    p = permutation(x, y, judgements, level, every)

    def difference(x, y):
        if level == "system":
            return np.subtract(*(peers(side.mean(axis=0), judgements.mean(axis=0)) for side in (x, y)))
        return np.subtract(
            *(
                np.mean([peers(a, b) for a, b in zip(side, judgements, strict=True)], axis=0)
                for side in (x, y)
            )
        )

    x, y = ((side - side.mean()) / side.std() for side in (x, y))
    observed = np.abs(difference(x, y))
    all_differences = np.array(
        [np.abs(difference(np.where(swap, y, x), np.where(swap, x, y))) for swap in every]
    )
    as_great = (all_differences >= observed - 1e-12).sum(axis=0)
    assert p == pytest.approx((1 + as_great) / 257)
    assert 0 < p[0] < 1


@pytest.mark.parametrize("resamples", [8, 4000])
def test_systems_are_exchanged_by_hand(resamples):
    """PERM-SYSTEMS of three systems, two metrics with the same standardised scores in another order.

    The judgement is 1, 2, 3; A is 1, 2, 3 and B 3, 1, 2, so rho is 1 and -1/2, and the difference 3/2. Of the
    exchanges, those of none and of all keep it; that of the first system gives 3, 2, 3 (rho 0) and 1, 1, 2
    (.866), that of the second 1, 1, 3 (.866) and 3, 2, 2 (-.866), whose difference 1.732 is greater, and that
    of the third 1, 2, 2 (.866) and 3, 1, 3 (0). The other three are the same with the metrics exchanged.
    """
    a, b, judged = (np.array([row], float) for row in ([1, 2, 3], [3, 1, 2], [1, 2, 3]))
    scores = scores_of(A=a, B=b, H=judged)
    table = differences(
        scores, [("A", "B")], "H", bootstrap=Bootstrap("systems", resamples), names=["spearman"]
    )
    assert list(table["difference"]) == pytest.approx([1.5, 1.5])
    assert list(table["permutation_p"]) == pytest.approx([4 / 8, 4 / 8])  # all exchanges: none, all, two


def test_corrections_by_hand():
    p = np.array([0.01, 0.04, np.nan, 0.03, 0.005])
    assert holm(p) == pytest.approx([0.03, 0.06, np.nan, 0.06, 0.02], nan_ok=True)
    assert benjamini_hochberg(p) == pytest.approx([0.02, 0.04, np.nan, 0.04, 0.02], nan_ok=True)
    assert np.isnan(holm(np.array([np.nan]))).all() and np.isnan(benjamini_hochberg(np.array([np.nan]))).all()


def test_the_smallest_rho_that_is_more_than_chance():
    # as statistical tables print them (two-sided, 5%); of four items 2 of 24 orders have |rho| 1
    format_table = {5: 1.0, 6: 0.886, 7: 0.786, 8: 0.738, 9: 0.700}
    assert {items: round(smallest_rho(items), 3) for items in format_table} == format_table
    assert [smallest_rho(items) for items in (0, 1, 2, 3, 4)] == [None] * 5
    # more items: the rho whose t has exactly the p
    for items in (10, 50):
        rho = smallest_rho(items)
        t = rho * np.sqrt((items - 2) / (1 - rho**2))
        assert 2 * stats.t.sf(t, items - 2) == pytest.approx(0.05)


def test_every_two_metrics_are_compared_on_the_same_summaries():
    random = np.random.default_rng(9)
    judgements = random.random((5, 6))
    values = {name: judgements + random.random((5, 6)) for name in "ABC"}
    values["B"][1, 2] = np.nan
    table = compare(
        scores_of(**values, H=judgements), ["A", "B", "C"], "H", bootstrap=Bootstrap("both", 30, 1)
    )
    assert len(table) == 3 * 2 * 4
    assert list(table["level"]) == ["system"] * 12 + ["summary"] * 12
    row = table[(table["metric"] == "A") & (table["other"] == "B")].iloc[0]
    kept = [0, 2, 3, 4]
    a, b, h = (side[kept].mean(axis=0) for side in (values["A"], values["B"], judgements))
    r = [stats.pearsonr(*two).statistic for two in ((a, h), (b, h), (a, b))]
    assert row["difference"] == pytest.approx(r[0] - r[1])
    assert [row["williams_t"], row["williams_p"]] == pytest.approx(williams(*r, 6))
    first = table[table["coefficient"] == "pearson"].iloc[:3]
    assert list(first["williams_holm"]) == list(holm(first["williams_p"].to_numpy()))
    assert row["difference_low"] < row["difference"] < row["difference_high"]
    assert table[table["coefficient"] != "pearson"]["williams_p"].isna().all()
    pd.testing.assert_frame_equal(
        table,
        compare(scores_of(**values, H=judgements), ["A", "B", "C"], "H", bootstrap=Bootstrap("both", 30, 1)),
    )


def test_a_comparison_without_a_result_has_its_reason():
    judged = np.array([[1.0, 2, 3, 5], [2, 1, 4, 6]])
    scores = scores_of(A=judged**2, B=3 * judged**2, C=np.ones((2, 4)), H=judged)
    table = compare(scores, ["A", "B", "C"], "H", bootstrap=Bootstrap("systems", 5))
    undefined = table[(table["metric"] == "A") & (table["other"] == "C")]
    assert (
        undefined[["difference", "difference_low", "williams_p", "permutation_p_same_systems"]]
        .isna()
        .all(axis=None)
    )
    assert undefined["why_undefined"].iloc[0] == "all systems have the same score by C"
    assert table["why_undefined"].iloc[0].startswith("Williams' test: the two metrics' scores are the same")


def test_failure_is_the_share_of_topics_below_the_threshold():
    judgements = [[0, 1, 2, 3]] * 4 + [[1, 1, 1, 1]]
    scored = [[0, 1, 2, 3], [0, 2, 1, 3], [1, 2, 0, 3], [3, 2, 1, 0], [1, 2, 3, 4]]
    scores = scores_of(**{"M": scored, "JS-ref-1": scored, "H": judgements})
    # r and rho of the topics: 1, 0.8, 0.4, -1, undefined
    table = failures(scores, [("M", "H"), ("JS-ref-1", "H")], falling=["JS-ref-1"]).set_index("metric")
    assert list(table.loc["M", ["pearson_failure", "spearman_failure"]]) == [0.5, 0.5]
    assert list(table.loc["JS-ref-1", ["pearson_failure", "spearman_failure"]]) == [0.75, 0.75]
    values = [peers(np.array(a), np.array(b))[3] for a, b in zip(scored[:4], judgements[:4], strict=True)]
    assert set(table["ndcg_failure"]) == {np.mean(np.array(values) < 0.85)}


def test_the_best_systems_are_compared_alone():
    judgements = np.array([[5, 4, 3, 3, 1, 0], [5, 4, 3, 3, 1, 0]])
    scored = np.array([[3, 2, 1, 0, 9, 9], [3, 2, 1, 0, 9, 9]])
    table = best_systems(scores_of(M=scored, H=judgements), [("M", "H")], [3, 4, 5, 6])
    assert list(table["best"]) == [3, 4, 5]  # six are all
    assert list(table["systems"]) == [4, 4, 5]  # the third and the fourth are judged the same
    assert table.loc[0, "pearson"] == pytest.approx(stats.pearsonr([3, 2, 1, 0], [5, 4, 3, 3]).statistic)
    assert table.loc[2, "kendall"] == pytest.approx(
        stats.kendalltau([3, 2, 1, 0, 9], [5, 4, 3, 3, 1]).statistic
    )


def test_published_numbers_stand_beside_those_of_the_same_data():
    table = pd.DataFrame(
        {"metric": ["new", "ROUGE-2-R", "ROUGE-1-R"], "against": ["Pyramid"] * 3, "pearson": [0.1, 0.2, 0.3]}
    )
    published = read_of_dataset(PUBLISHED / "s3_table1.tsv", "/data/tac2009")
    joined = add_published_s3(published, table)
    assert list(joined["metric"]) == ["ROUGE-1-R", "ROUGE-2-R", "new"]
    assert list(joined["pearson_s3"])[:2] == [0.8085, 0.8031] and np.isnan(joined.loc[2, "pearson_s3"])
    assert "r S3" in format_table(joined)
