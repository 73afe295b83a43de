"""A column of the matrix, by hand: metrics that are the judgement, its contrary, or nothing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sera.matrix.column import (
    AT_RANDOM,
    CELL_COLUMNS,
    EFFECT_COLUMNS,
    OF_LENGTH,
    ONE_JUDGE,
    column_facts,
    lengths,
    matrix_column,
)
from sera.multiverse.claims import METRICS
from sera.records import Candidate, Reference

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
    return matrix_column("made", scores, judgements, CANDIDATES, judges=judges, resamples=20, permutations=20)


def cell(column, metric, level="system", coefficient="spearman"):
    rows = column[0].set_index(["metric", "level", "coefficient"])
    return rows.loc[(metric, level, coefficient)]


@pytest.mark.parametrize("level", ["system", "summary"])
@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall"])
def test_more_is_better_for_every_metric(column, level, coefficient):
    assert cell(column, "SERA-5", level, coefficient)["value"] == pytest.approx(1)
    assert cell(column, "ROUGE-1-F", level, coefficient)["value"] == pytest.approx(-1)
    assert cell(column, "JS-2", level, coefficient)["value"] == pytest.approx(1)  # less is better


def test_the_kind_of_each_row_is_said(column):
    kinds = {name: cell(column, name)["kind"] for name in ("SERA-5", "given:own", OF_LENGTH, AT_RANDOM)}
    assert kinds == {"SERA-5": "metric", "given:own": "given", OF_LENGTH: "floor", AT_RANDOM: "floor"}
    assert cell(column, ONE_JUDGE)["kind"] == "ceiling"
    assert list(column[0].columns) == CELL_COLUMNS and list(column[1].columns) == EFFECT_COLUMNS


def test_floors_and_the_ceiling(column):
    assert cell(column, OF_LENGTH)["value"] == pytest.approx(1)  # 2, 3, 4 and 5 words
    of_random = cell(column, AT_RANDOM)
    # of four systems in random order the mean of rho is 0, and its standard deviation 1 / sqrt(3)
    assert abs(of_random["value"]) < 4 / np.sqrt(3 * 1000)
    assert (of_random["low"], of_random["high"]) == (-1, 1)
    # x with the mean of y and z, which is flat: undefined; so is y; z with that of x and y: -1
    assert cell(column, ONE_JUDGE)["value"] == pytest.approx(-1)


def test_ranks_leave_out_floors_and_share_ties(column):
    # SERA's 12 variants, JS and the given metric tie in the first place, and ROUGE's 21 come next
    assert {cell(column, name)["rank"] for name in ("SERA-5", "SERA-DIS-NP-10", "JS-2", "given:own")} == {1}
    assert cell(column, "ROUGE-1-F")["rank"] == 15
    assert np.isnan(cell(column, OF_LENGTH)["rank"]) and np.isnan(cell(column, "flat")["rank"])
    assert cell(column, "SERA-5")["cluster"] == 1
    assert np.isnan(cell(column, "SERA-5", "summary")["cluster"])


def test_an_undefined_cell_has_its_reason(column):
    flat = cell(column, "flat")
    assert np.isnan(flat["value"]) and flat["why_undefined"] == "all systems have the same score by flat"


def test_the_papers_claims_on_the_cells(column):
    claims = column[1].set_index(["claim", "level", "coefficient"])
    first = claims.loc[("sera_above_rouge", "system", "spearman")]
    assert (first["effect"], first["low"], first["high"], first["holds"]) == (2, 2, 2, "yes")  # 1 less -1
    steady = claims.loc[("sera_steadier_than_rouge", "system", "spearman")]
    assert (steady["effect"], steady["holds"]) == (0, "no")  # a tie is not better


def test_a_claim_without_its_metrics_is_undefined():
    scores = long({"metric": "SERA-5"}, lambda t, s: JUDGED[s])
    judgements = long({"judgement": "quality"}, lambda t, s: JUDGED[s])
    _, claims = matrix_column("made", scores, judgements, CANDIDATES, resamples=5, permutations=5)
    assert claims["effect"].isna().all() and set(claims["holds"]) == {""}
    assert set(claims["why_undefined"]) == {"there are no scores by ROUGE-1-F"}


def test_only_what_is_judged_counts():
    scores = long({"metric": "M"}, lambda t, s: JUDGED[s] if s != "d" else 0.0)
    judgements = long({"judgement": "quality"}, lambda t, s: JUDGED[s])
    judgements = judgements[(judgements["system"] != "d") & (judgements["topic"] != "t2")]
    cells, _ = matrix_column("made", scores, judgements, CANDIDATES, resamples=5, permutations=5)
    row = cells.set_index(["metric", "level", "coefficient"]).loc[("M", "summary", "spearman")]
    assert (row["value"], row["systems"], row["topics"]) == (pytest.approx(1), 3, 2)


def test_lengths_count_words_between_blanks():
    table = lengths([Candidate("t", "a", ("One, two-three", "four")), Candidate("t", "b", ())])
    assert table["score"].tolist() == [3, 0] and set(table["metric"]) == {OF_LENGTH}


def test_the_facts_of_a_column(column):
    references = [Reference(topic, "A", ("text",)) for topic in TOPICS] + [Reference("t0", "B", ("text",))]
    facts = column_facts("made", column[0], CANDIDATES, references, 12)
    assert facts.to_dict("records") == [
        {
            **{"benchmark": "made", "judgement": "quality", "systems": 4, "topics": 3, "summaries": 12},
            **{"references": 1.0, "documents": 12},
        }
    ]
