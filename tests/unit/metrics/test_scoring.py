"""Who is compared with whom: annotators with the others' references, systems with all or one fewer."""

import math

import pandas as pd
import pytest

import sera
from sera import metric
from sera.errors import InputError
from sera.io.records import Candidate, Nugget, Reference, Source, as_candidate
from sera.metrics.base import Summary
from sera.metrics.configure import Resources, equip
from sera.metrics.pyramid import Pyramid
from sera.metrics.rouge.measures import Rouge
from sera.metrics.scoring import Comparison, compared_scores, compared_sets, comparisons, score
from sera.metrics.sera import RunRankings

TEXTS = {"A": "a b c d e", "B": "a v w x y", "C": "a b w x y", "D": "a b c d e"}
REFERENCES = [Reference("t", annotator, (text,)) for annotator, text in TEXTS.items()]
SYSTEM = Candidate("t", "s", ("a b w x y",))
OF_PEOPLE = {"human_A": 1.0, "human_B": 0.8, "human_C": 0.8, "human_D": 1.0}
PEOPLE = [as_candidate(reference) for reference in REFERENCES]


def scores_of(name: str, candidates, references=REFERENCES, jackknifed=False, **settings) -> dict[str, float]:
    table = score([metric(name, **settings)], candidates, references, jackknifed=jackknifed)
    return dict(zip(table["system"], table["score"], strict=True))


@pytest.mark.parametrize("jackknifed", [False, True])
def test_the_jackknife_leaves_no_second_reference_out_for_an_annotator(jackknifed):
    # human_A against B .2, C .4, D 1; human_B against A .2, C .8, D .2; human_C against A .4, B .8, D .4.
    # The system against A .4, B .8, C 1, D .4: the best is .8 without C, else 1; (1 + 1 + .8 + 1) / 4 = .95
    found = scores_of("ROUGE-1-R", [*PEOPLE, SYSTEM], jackknifed=jackknifed, multi="jackknife")
    assert found == {**OF_PEOPLE, "s": pytest.approx(0.95)}


def test_the_jackknife_of_an_annotator():
    texts = {"A": "z", "B": "a b c d e", "C": "a"}
    references = [Reference("t", annotator, (text,)) for annotator, text in texts.items()]
    human = Candidate("t", "human_A", ("a b",))
    parts = [metric(f"ROUGE-1-{part}", multi="jackknife") for part in "PRF"]
    # B: P 1, R .4, F .57143; C: P .5, R 1, F .66667
    assert compared_scores(parts, Comparison([human], references)).tolist() == [[1.0, 1.0, 0.66667]]
    assert [one.with_one_left_out().signature for one in parts] == [one.signature for one in parts]
    assert metric("ROUGE-1-P").with_one_left_out() == metric("ROUGE-1-P")
    assert isinstance(parts[0].with_one_left_out(), Rouge)
    # an annotator without a reference is jackknifed as a system
    stranger = Candidate("t", "human_E", SYSTEM.sentences)
    assert scores_of("ROUGE-1-R", [stranger], multi="jackknife") == {"human_E": 0.95}


def test_systems_meet_one_reference_less_where_annotators_are_compared_with_them():
    # the best reference is C, 1, and without it B, .8
    assert scores_of("ROUGE-1-R", [*PEOPLE, SYSTEM], multi="best")["s"] == 1.0
    jackknifed = scores_of("ROUGE-1-R", [*PEOPLE, SYSTEM], multi="best", jackknifed=True)
    assert jackknifed == {**OF_PEOPLE, "s": pytest.approx((1 + 1 + 0.8 + 1) / 4)}
    references = [Reference("t", "A", ("a b",)), Reference("t", "B", ("a x y z",))]
    candidates = [Candidate("t", "s", ("a",))]
    assert scores_of("ROUGE-1-R", candidates, references) == {"s": 0.33333}  # 2 hits of 6 tokens
    assert scores_of("ROUGE-1-R", candidates, references, jackknifed=True) == {"s": (1 / 4 + 1 / 2) / 2}
    alone = references[:1]  # a single reference is kept
    assert scores_of("ROUGE-1-R", candidates, alone, jackknifed=True) == {"s": 0.5}


def test_units_and_tiers_are_those_of_the_remaining_annotators():
    texts = {"A": "kinase zebrafish", "B": "kinase protein", "C": "protein"}
    references = [Reference("t", annotator, (text,)) for annotator, text in texts.items()]
    marked = [("A", "kinase"), ("A", "zebrafish"), ("B", "kinase"), ("C", "protein")]
    nuggets = Pyramid.from_records(Nugget("t", annotator, text) for annotator, text in marked)
    candidates = [Candidate("t", "s", ("kinase zebrafish",)), as_candidate(references[0])]
    # tiers: kinase 2, zebrafish 1, protein 2; found 2 + 1 of at most 2 + 2
    assert scores_of("Pyramid", candidates, references, nuggets=nuggets) == {"s": 3 / 4, "human_A": 1 / 2}
    # without A: kinase 1, protein 2; found 1 of at most 2. Without B: all tiers 1; found 2 of 2. Without C:
    # kinase 2, zebrafish 1; found 3 of 3.
    assert scores_of("Pyramid", candidates, references, nuggets=nuggets, jackknifed=True) == {
        "s": pytest.approx((1 / 2 + 1 + 1) / 3),
        "human_A": 1 / 2,
    }
    # NaN if no annotator but one marked a nugget
    alone = {("t", "A"): ("kinase",)}
    assert math.isnan(scores_of("Pyramid", candidates, references, nuggets=alone, jackknifed=True)["s"])


def test_the_sets_of_references():
    def names(jackknifed):
        return [
            (each.candidate.system, ["".join(r.annotator for r in some) for some in each.sets], each.left_out)
            for each in compared_sets([PEOPLE[0], SYSTEM], REFERENCES, jackknifed=jackknifed)
        ]

    assert names(False) == [("human_A", ["BCD"], True), ("s", ["ABCD"], False)]
    assert names(True) == [("human_A", ["BCD"], True), ("s", ["BCD", "ACD", "ABD", "ABC"], True)]
    assert [len(against) for _, against in comparisons([PEOPLE[0], SYSTEM], REFERENCES)] == [3, 4]
    run = {"t:s": "12", "t:human_A": "12", "t:human_B": "13", "t:human_C": "34"}
    names = ["SERA-2", "SERA-DIS-2"]
    metrics = equip(names, resources=Resources(rankings=RunRankings({"plain": run})))
    candidates, references = [Candidate("t", "s", ("x",))], REFERENCES[:3]
    plain = score(metrics, candidates, references)["score"]
    assert plain.tolist() == [pytest.approx(0.5)] * 2  # 1, 1/2 and 0; common documents have the same rank
    # without A 1/4, without B 1/2, without C 3/4
    assert score(metrics, candidates, references, jackknifed=True)["score"].tolist() == pytest.approx(
        plain.tolist()
    )


def test_running_text_has_the_scores_of_its_sentences():
    mine, gold = ["Cells divide in the wall.", "The kinase binds p53."], "The kinase binds p53. Cells divide."
    whole, pair = " ".join(mine), ["The kinase binds p53.", "Cells divide."]
    frames = [
        (
            pd.DataFrame({"topic": ["t"], "system": ["s"], "summary": [text]}),
            pd.DataFrame({"topic": ["t"], "reference": [of]}),
        )
        for text, of in ((whole, gold), (mine, pair), ("\n".join(mine), "\n".join(pair)))
    ]
    rouge = metric("ROUGE-L-F")
    # 6 of 9 and 6 of 6 words by sentences; as one, 4 of 9 and 4 of 6
    assert rouge.score(whole, gold) == rouge.score(Summary(mine), [Summary(pair)]) == 0.8
    assert rouge.score_all([whole, "\n".join(mine)], [[gold], gold]) == [0.8, 0.8]
    assert [sera.score(*pair_of, "ROUGE-L-F")["score"][0] for pair_of in frames] == [0.8] * 3
    assert (
        rouge.score(Summary([whole]), [Summary([gold])])
        == sera.score(*frames[0], "ROUGE-L-F", sentences="as given")["score"][0]
        == 0.53333
    )
    with pytest.raises(InputError, match='^sentences is .none.. Give "split" or "as given".'):
        sera.score(*frames[0], sentences="none")
    google = metric("ROUGE-Lsum-F", dialect="rouge-score")  # lines alone
    assert google.score(whole, gold) < google.score("\n".join(mine), "\n".join(pair)) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("topic", {"references": [Reference("Cafe\u0301", "Caf\u00e9", ("kinase",))]}),
        ("topic", {"sources": [Source("Cafe\u0301", "i", sections=())]}),
        ("topic", {"nuggets": [Nugget("Cafe\u0301", "Caf\u00e9", "kinase")]}),
        ("annotator", {"nuggets": [Nugget("Caf\u00e9", "Cafe\u0301", "kinase")]}),
        ("annotator", {"candidates": [Candidate("Caf\u00e9", "human_Cafe\u0301", ("kinase",))]}),
    ],
)
def test_names_that_differ_only_in_their_unicode_form_are_refused(kind, change):
    texts = {
        "candidates": [Candidate("Caf\u00e9", "s", ("kinase",))],
        "references": [Reference("Caf\u00e9", "Caf\u00e9", ("kinase",))],
        "nuggets": [Nugget("Caf\u00e9", "Caf\u00e9", "kinase")],
    }
    assert sera.score(**texts, metrics="Pyramid")["score"].tolist() == [1.0]
    with pytest.raises(InputError, match=f"^the {kind} .* only in its Unicode form. Write names in"):
        sera.score(**{**texts, **change}, metrics="Pyramid")
