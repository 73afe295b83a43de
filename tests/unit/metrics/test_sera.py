"""SERA against values worked out by hand from the paper's section 3."""

import math

import pytest

from sera import metric
from sera.errors import InputError
from sera.io.records import Candidate, Reference
from sera.metrics.sera import EngineRankings, RunRankings, Sera, overlap, rank_biased_overlap
from sera.retrieval.engines import Hit


def test_example_of_the_paper():
    candidate, gold = ["d1", "d2", "d3", "d4"], ["d3", "d2", "d1", "d4"]
    assert overlap(candidate, [gold], 4) == 1.0
    # d2 and d4 at the same rank count 1/log 2, d1 and d3 two ranks apart 1/log 4; over 4/log 2
    assert overlap(candidate, [gold], 4, discounted=True) == pytest.approx((2 + 2 / 2) / 4)


def test_overlap_by_hand():
    candidate = ["a", "b", "c"]
    references = [["a", "b", "c"], ["c", "x", "y"], ["x", "y", "z"]]
    assert overlap(candidate, references, 3) == pytest.approx((1 + 1 / 3 + 0) / 3)
    # c stands two ranks apart: log 2 / log 4 = 1/2, over three documents
    assert overlap(candidate, references, 3, discounted=True) == pytest.approx((1 + 0.5 / 3 + 0) / 3)
    # the cut-off applies to both rankings
    assert overlap(["a", "b", "c"], [["c", "b", "a"]], 1) == 0.0
    assert overlap(["a", "b", "c"], [["c", "b", "a"]], 2) == 0.5
    # a short ranking gains nothing
    assert overlap(["a"], [["a", "b", "c", "d"]], 4) == 0.25
    assert overlap(["a", "b", "c", "d"], [["a"]], 4) == 0.25
    assert overlap(["a"], [["a", "b"]], 5, discounted=True) == 0.5
    # nothing is retrieved
    assert overlap([], [[]], 5) == 0.0
    assert overlap([], [["a"]], 5, discounted=True) == 0.0
    # one document in common, three ranks apart, of four
    far = overlap(list("axyz"), [list("uvwa")], 4, discounted=True)
    assert far == pytest.approx(math.log(2) / math.log(5) / 4)


def test_names_are_those_of_table_2_in_its_order():
    assert Sera.names()[12:] == ["SERA-POS-5", "SERA-POS-10", "SERA-RBO-5", "SERA-RBO-10"]
    assert Sera.names()[:12] == [
        "SERA-5", "SERA-10", "SERA-KW-5", "SERA-KW-10", "SERA-NP-5", "SERA-NP-10",
        "SERA-DIS-5", "SERA-DIS-10", "SERA-DIS-KW-5", "SERA-DIS-KW-10", "SERA-DIS-NP-5", "SERA-DIS-NP-10",
    ]  # fmt: skip
    for name in ("SERA-7", "SERA-DIS-NP-100", "SERA-KW-1"):
        assert str(metric(name)) == name


def test_from_kept_runs():
    runs = {"plain": {"t:s": ["a", "b"], "t:human_A": ["a", "c"], "t:human_B": ["b", "a"]}}
    candidate = Candidate("t", "s", ("x",))
    references = [Reference("t", "A", ("y",)), Reference("t", "B", ("z",))]
    rankings = RunRankings(runs)
    assert metric("SERA-2", rankings=rankings).score(candidate, references) == 0.75
    assert metric("SERA-1", rankings=rankings).score(candidate, references) == 0.5
    with pytest.raises(InputError, match="query formulation 'np'"):
        metric("SERA-NP-5", rankings=rankings).score(candidate, references)
    runs = {"plain": {"t:s": list("abcdef"), "t:human_A": list("fbcxyz")}}
    candidate, references = Candidate("t", "s", ()), [Reference("t", "A", ())]
    names = [f"SERA{dis}-{n}" for dis in ("", "-DIS") for n in (1, 3, 6)]
    metrics = [metric(name, rankings=RunRankings(runs)) for name in names]
    together = Sera.score_together(metrics, candidate, references)
    assert together == [m.score(candidate, references) for m in metrics]


class _Engine:
    """Ranks a document for each distinct word of the query, in the words' order."""

    analyzer, documents = "standard", 9

    def __init__(self):
        self.queries = []

    def search(self, queries, k, *, mu):
        self.queries += queries
        return [[Hit(word, 1.0) for word in dict.fromkeys(query.split())][:k] for query in queries]


def test_from_an_engine_each_text_is_searched_once():
    engine = _Engine()
    rankings = EngineRankings(engine, mu=500)
    one = metric("SERA-2", rankings=rankings)
    assert one.score("kinases phosphorylate", ["phosphorylate kinases", "kinases bind"]) == 0.75
    assert one.score("kinases bind", ["phosphorylate kinases"]) == 0.5
    assert len(engine.queries) == 3
    assert "mu:500" in one.signature and "documents:9" in one.signature


def test_signatures_have_the_settings_that_the_queries_depend_on():
    rankings = EngineRankings(_Engine(), noun_phrases="spacy:en_fake", query_stop=False)
    plain, phrases, words = (
        metric(f"SERA{each}-2", rankings=rankings).signature for each in ("", "-NP", "-KW")
    )
    assert "|query_stop:no|" in plain and "|query:np|noun_phrases:spacy:en_fake|query_stop:no|" in phrases
    assert "noun_phrases" not in plain + words and "query_stop" not in words


def test_rank_biased_overlap_by_hand():
    # p = .9; agreement at depth 1 is 1, at depth 2 it is 1/2: .1/.9 (.9 + .81/2) + .81/2
    assert rank_biased_overlap(["a", "b"], ["a", "c"]) == pytest.approx(0.55, abs=1e-12)
    # the shorter list is extrapolated by its own agreement, 1: .1/.9 (.9 + .81 (1/2 + 1/2)) + .81 (0 + 1)
    assert rank_biased_overlap(["a"], ["a", "c"]) == pytest.approx(1, abs=1e-12)
    # no agreement at depth 1, 2/2 at depth 2: .1/.9 * .81 + .81
    assert rank_biased_overlap(["a", "b"], ["b", "a"], 0.9) == pytest.approx(0.9, abs=1e-12)
    assert rank_biased_overlap("abc", "abc") == pytest.approx(1, abs=1e-12)
    assert rank_biased_overlap("abc", "xyz") == rank_biased_overlap("", "abc") == 0
