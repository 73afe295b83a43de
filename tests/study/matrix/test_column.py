"""A column of the matrix, by hand: metrics that are the judgement, its contrary, or nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sera.io.records import Candidate
from study.claims.multiverse import METRICS
from study.matrix.column import AT_RANDOM, lengths, matrix_column
from study.matrix.effects import OF_LENGTH, ONE_JUDGE, WITH, WITHOUT

TOPICS, SYSTEMS = ("t0", "t1", "t2"), ("a", "b", "c", "d")
JUDGED = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}
CANDIDATES = [
    Candidate(topic, system, ("one two", "three " * number))
    for topic in TOPICS
    for number, system in enumerate(SYSTEMS)
]


def long(named, score):
    return pd.DataFrame(
        [
            {"topic": topic, "system": system, **named, "score": score(topic, system)}
            for topic in TOPICS
            for system in SYSTEMS
        ]
    )


@pytest.fixture(scope="module")
def column():
    scores = pd.concat(
        [
            *(long({"metric": name}, lambda t, s: JUDGED[s]) for name in METRICS if "SERA" in name),
            *(long({"metric": name}, lambda t, s: -JUDGED[s]) for name in METRICS if "ROUGE" in name),
            long({"metric": "JS-2"}, lambda t, s: -JUDGED[s]),
            long({"metric": "given:own"}, lambda t, s: JUDGED[s] ** 2),
            long({"metric": "flat"}, lambda t, s: 1.0),
        ],
        ignore_index=True,
    )
    judgements = long({"judgement": "quality"}, lambda t, s: JUDGED[s])
    # two of three judges agree; the third has the contrary order
    judges = pd.concat(
        long({"judgement": "quality", "judge": name}, lambda t, s, sign=sign: sign * JUDGED[s])
        for name, sign in (("x", 1), ("y", 1), ("z", -1))
    )
    preferences = pd.DataFrame(
        [
            ("t0", "a", "b", "x", "B"),
            ("t0", "c", "a", "x", "A"),
            ("t1", "a", "b", "x", "A"),
            ("t1", "b", "c", "", "tie"),
        ],
        columns=["topic", "system_a", "system_b", "judge", "preference"],
    )
    stopped = [long({"metric": name}, lambda t, s: JUDGED[s]) for name in METRICS if "ROUGE" in name]
    return matrix_column(
        *("made", scores, judgements, CANDIDATES),
        judges=judges,
        rouge={WITHOUT: pd.concat(stopped)},
        preferences=preferences,
        resamples=20,
    )


def test_the_accuracy_on_pairs_of_systems_and_by_preferences(column):
    cells = column["cells"][column["cells"]["coefficient"] == "accuracy"].set_index("metric")
    assert set(cells["level"] + cells["judgement"]) == {"systemquality", "summarypreferences"}
    of_systems = cells.loc[cells["judgement"] == "quality", "value"]
    assert of_systems[["SERA-5", "ROUGE-1-F", "JS-2", "given:own"]].tolist() == [1, 0, 1, 1]
    assert of_systems["flat"] == 0 and AT_RANDOM not in of_systems.index
    found = cells[cells["judgement"] == "preferences"]
    # B over A twice on t0, and A over B on t1: two of three by the quality
    assert found.loc[["SERA-5", "JS-2"], "value"].tolist() == pytest.approx([2 / 3, 2 / 3])
    assert found.loc[["ROUGE-1-F", "flat"], "value"].tolist() == pytest.approx([1 / 3, 1 / 2])
    assert found.loc[OF_LENGTH, "kind"] == "floor" and found.at["SERA-5", "rank"] == 1
    assert set(found["topics"]) == {2} and set(found["systems"]) == {3}


def test_the_pairs_of_summaries_and_what_random_scores_have_of_them(column):
    # no judgements are tied: the best epsilon of the contrary is 0, and that of a flat metric changes nothing
    assert cell(column, "SERA-5", "summary", "acc_eq")["value"] == 1
    assert cell(column, "ROUGE-1-F", "summary", "acc_eq")["value"] == 0
    assert cell(column, "flat", "summary", "acc_eq")["value"] == 0
    of_random = cell(column, AT_RANDOM, "summary", "acc_eq")
    # 100 draws of three topics of six pairs; the mean of a topic's share is .5, its variance that of
    # (tau + 1) / 2 for four items, 2 (2 * 4 + 5) / (9 * 4 * 3) / 4
    assert abs(of_random["value"] - 0.5) < 4 * np.sqrt(26 / 108 / 4 / 300)
    assert 0 <= of_random["low"] < of_random["value"] < of_random["high"] <= 1
    assert np.isnan(cell(column, "SERA-5", "summary", "acc_eq")["low"])


def test_partial_correlations_take_out_length():
    # lengths rise with the judgement, but for two systems that change places on each topic
    shown = {"a": 2.0, "b": 1.0, "c": 3.0, "d": 4.0}
    scores = pd.concat(
        [
            long({"metric": "L"}, lambda t, s: shown[s]),
            long({"metric": "M"}, lambda t, s: {"a": 1.0, "b": 2.0, "c": 4.0, "d": 3.0}[s]),
        ]
    )
    judgements = long({"judgement": "quality"}, lambda t, s: shown[s])
    column = matrix_column("made", scores, judgements, CANDIDATES, resamples=5)
    for level in ("system", "summary"):
        # the length is 2, 3, 4, 5 words: rho of M and L is 1 - 6 * 4 / 60, of each with length .8
        expected = (0.6 - 0.8 * 0.8) / (1 - 0.8**2)
        assert cell(column, "M", level, "spearman_given_length")["value"] == pytest.approx(expected)
        assert cell(column, "L", level, "spearman_given_length")["value"] == pytest.approx(1)
    own = cell(column, OF_LENGTH, "system", "spearman_given_length")
    assert np.isnan(own["value"]) and "the controls explain all of a side" in own["why_undefined"]
    both = cell(column, "M", "system", "spearman_given_length_and_extractiveness")
    assert np.isnan(both["value"]) and both["why_undefined"] == "the articles are not known"


def cell(column, metric, level="system", coefficient="spearman"):
    rows = column["cells"].set_index(["metric", "level", "coefficient"])
    return rows.loc[(metric, level, coefficient)]


@pytest.mark.parametrize("level", ["system", "summary"])
@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
def test_more_is_better_for_every_metric(column, level, coefficient):
    assert cell(column, "SERA-5", level, coefficient)["value"] == pytest.approx(1)
    assert cell(column, "ROUGE-1-F", level, coefficient)["value"] == pytest.approx(-1)
    assert cell(column, "JS-2", level, coefficient)["value"] == pytest.approx(1)  # less is better


def test_floors_and_the_ceiling(column):
    assert cell(column, OF_LENGTH)["value"] == pytest.approx(1)  # 2, 3, 4 and 5 words
    of_random = cell(column, AT_RANDOM)
    # of four systems in random order the mean of rho is 0, and its standard deviation 1 / sqrt(3)
    assert abs(of_random["value"]) < 4 / np.sqrt(3 * 1000)
    assert (of_random["low"], of_random["high"]) == (-1, 1)
    # x with the mean of y and z, which is flat: undefined; so is y; z with that of x and y: -1
    assert cell(column, ONE_JUDGE)["value"] == pytest.approx(-1)


def test_one_judge_is_compared_with_rouge_by_the_others(column):
    row = column["differences"].set_index(["level", "metric"]).loc[("system", ONE_JUDGE)]
    # of the three judges only z has others who do not tie: -1, as ROUGE
    assert row["effect"] == pytest.approx(0) and row["systems"] == 4
    assert ("summary", ONE_JUDGE) in column["differences"].set_index(["level", "metric"]).index


def test_ranks_leave_out_floors_and_share_ties(column):
    # SERA's 12 variants, JS and the given metric tie in the first place, and ROUGE's 21 come next
    assert {cell(column, name)["rank"] for name in ("SERA-5", "SERA-DIS-NP-10", "JS-2", "given:own")} == {1}
    assert cell(column, "ROUGE-1-F")["rank"] == 15
    assert np.isnan(cell(column, OF_LENGTH)["rank"]) and np.isnan(cell(column, "flat")["rank"])


def test_the_contrasts_of_sera_and_rouge():
    # over systems, by the topic means: A follows the judgement, B has rho 1 - 6 * 2 / (4 * 15) = .8
    swapped = {"a": 2.0, "b": 1.0, "c": 3.0, "d": 4.0}
    of = {name: JUDGED if "SERA" in name or name.endswith("F") else swapped for name in METRICS}
    scores = pd.concat(
        long({"metric": name}, lambda t, s, own=own: own[s] if t != "t2" else 5 - own[s])
        for name, own in of.items()
    )
    judgements = long({"judgement": "quality"}, lambda t, s: JUDGED[s])
    contrary = pd.concat(
        long({"metric": name}, lambda t, s: -JUDGED[s]) for name in METRICS if "ROUGE" in name
    )
    rouge = {WITHOUT: scores[scores["metric"].str.startswith("ROUGE")], WITH: contrary}
    column = matrix_column("made", scores, judgements, CANDIDATES, rouge=rouge, resamples=2000)
    contrasts = column["contrasts"]
    assert set(contrasts["systems"]) == {4} and set(contrasts["topics"]) == {3}
    table = contrasts.set_index(["level", "contrast"])
    assert table["coefficient"].unique().tolist() == ["spearman", "pearson"]
    names = ["means", "means_without_tac2009_1_to_3", "best", "F", "P", "R", "sera5_rouge2"]
    found = table.loc["system"]["effect"]
    assert found[names].tolist() == pytest.approx([0.2 * 2 / 3, 0.2 * 2 / 3, 0, 0, 0.2, 0.2, 0])
    # r of 1, 2, 3, 4 and 2, 1, 3, 4, whose topic means are all of the same order, is .8 too
    assert found["means_pearson"] == pytest.approx(0.2 * 2 / 3)
    # at the summary level, t2 turns the order: rho is 1, 1 and -1, or .8, .8 and -.8
    found = table.loc["summary"]["effect"]
    third = 0.2 / 3
    assert found[names].tolist() == pytest.approx([third * 2 / 3, third * 2 / 3, 0, 0, third, third, 0])
    # ROUGE with stop words is the contrary of the judgement on each topic
    assert found["means_stop_words_kept"] == pytest.approx(1 / 3 + 1)
    # without a or b, as in 2 (3/4)^4 - (1/2)^4 = 57% of draws, there is no effect, and else it is above 0
    row = table.loc[("system", "P")]
    assert (row["low"], row["p"]) == (0, 1) and row["high"] > 0.2
    assert table.loc[("summary", "F"), "se"] == 0


def test_some_systems_of_tac_2009_are_left_out():
    systems = {"1": 4, "2": 5, "3": 6, "10": 1, "11": 2, "12": 3}
    turned = {name: -value if value > 3 else value for name, value in systems.items()}

    def scores_of(name, own):
        rows = [(t, s, name, value) for t in TOPICS for s, value in own.items()]
        return pd.DataFrame(rows, columns=["topic", "system", "metric", "score"])

    scores = pd.concat([scores_of("SERA-5", systems), scores_of("ROUGE-2-F", turned)])
    judgements = scores_of("pyramid", systems).rename(columns={"metric": "judgement"})
    contrasts = matrix_column("wikisera_tac2009", scores, judgements, resamples=5)["contrasts"]
    effects = contrasts[contrasts["level"] == "system"].set_index("contrast")
    assert effects.at["means_without_tac2009_1_to_3", "effect"] == 0
    # ranks 3, 2, 1, 4, 5, 6 beside 4, 5, 6, 1, 2, 3: the squares are 1, 9, 25 and 3 times 9
    assert effects.at["sera5_rouge2", "effect"] == pytest.approx(6 * 62 / 210)
    assert effects["systems"][["means", "means_without_tac2009_1_to_3"]].tolist() == [6, 3]


def test_variants_of_a_summarizer_are_drawn_together():
    other = {"a": 2.0, "b": 1.0, "c": 4.0, "d": 3.0}
    scores = pd.concat(
        [
            long({"metric": "SERA-5"}, lambda t, s: JUDGED[s]),
            long({"metric": "ROUGE-1-F"}, lambda t, s: other[s]),
        ]
    )
    judgements = long({"judgement": "Pyramid"}, lambda t, s: JUDGED[s])
    families = {"a": "x", "b": "x", "c": "y", "d": "y"}
    rouge = {WITHOUT: scores[scores["metric"] == "ROUGE-1-F"]}
    column = matrix_column("more", scores, judgements, families=families, rouge=rouge, resamples=200)
    contrasts = column["contrasts"]
    row = contrasts[contrasts["level"] == "system"].set_index("contrast").loc["means"]
    # rho of all is 1 - 6 * 4 / 60; if one family is drawn twice, -1: effects of .4 and of 2
    assert (row["effect"], row["low"], row["high"]) == pytest.approx((0.4, 0.4, 2))
    assert set(column["kinds"]["baseline"]) == {"ROUGE-1-F", f"ROUGE-1-F{WITHOUT}"}
    assert column["differences"]["metric"].unique().tolist() == ["ROUGE-1-F", "SERA-5"]
    kept = contrasts.set_index(["level", "contrast"]).loc[("system", "means_stop_words_kept")]
    assert np.isnan(kept["effect"])


def test_lengths_count_words_between_blanks():
    table = lengths([Candidate("t", "a", ("One, two-three", "four")), Candidate("t", "b", ())])
    assert table["score"].tolist() == [3, 0] and set(table["metric"]) == {OF_LENGTH}


def test_kinds_are_compared_with_rouge_1_on_the_same_summaries():
    good, bad = {"a": 1, "b": 2, "c": 3, "d": 4}, {"a": 4, "b": 3, "c": 2, "d": 1}
    scores = pd.concat(
        [
            long({"metric": "ROUGE-1-F"}, lambda t, s: bad[s]),
            long({"metric": "ROUGE-2-F"}, lambda t, s: good[s]),
            long({"metric": "given:QuestEval"}, lambda t, s: good[s]),
            long({"metric": "given:BLANC-help"}, lambda t, s: np.nan if (t, s) == ("t1", "a") else bad[s]),
            long({"metric": "given:GPT-4 (reason, then score, coherence)"}, lambda t, s: good[s]),
        ]
    )
    judgements = long({"judgement": "relevance"}, lambda t, s: good[s])
    column = matrix_column("made", scores, judgements, CANDIDATES, resamples=5)
    assert set(column["kinds"]["baseline"]) == {"ROUGE-1-F"}
    rows = column["kinds"].set_index(["level", "kind"])
    differences = column["differences"].set_index(["level", "metric"])["effect"]
    assert differences["system"].to_dict() == {
        **{"ROUGE-1-F": 0, "ROUGE-2-F": pytest.approx(2), "given:QuestEval": pytest.approx(2)},
        **{OF_LENGTH: pytest.approx(2)},
    }
    assert set(rows.index) == {
        (level, kind) for level in ("system", "summary") for kind in ("words", "questions")
    }
    assert set(rows["dimension"]) == {"relevance or coverage"}
    for level in ("system", "summary"):
        assert rows.loc[(level, "words"), "effect"] == pytest.approx(2)  # 1 less -1
        assert rows.loc[(level, "questions"), "effect"] == pytest.approx(1)  # the mean of 2 and 0
        assert rows.loc[(level, "questions"), "metrics"] == 2


def test_without_texts_contrasts_are_over_the_variants_that_are_there():
    good, bad = {"a": 1, "b": 2, "c": 3, "d": 4}, {"a": 4, "b": 3, "c": 2, "d": 1}
    scores = pd.concat(
        [
            long({"metric": "SERA-5"}, lambda t, s: good[s]),
            long({"metric": "ROUGE-1-F"}, lambda t, s: bad[s]),
        ]
    )
    judgements = long({"judgement": "pyramid"}, lambda t, s: good[s])
    column = matrix_column("made", scores, judgements, resamples=5)
    contrasts = column["contrasts"]
    effects = contrasts[contrasts["level"] == "system"].set_index("contrast")["effect"]
    assert effects[["means", "best", "F"]].tolist() == pytest.approx([2] * 3)
    assert np.isnan(effects["P"])
    assert "length" not in set(column["cells"]["metric"])
