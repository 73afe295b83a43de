"""Metrics beside true scores on the demo benchmark: candidates, their drift, the table and the figure."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from pmc_packages import extract

from sera.io.records import Candidate, Document, Section, Source
from sera.metrics import FAMILIES, metric
from sera.metrics.scoring import canonical_name, score
from sera.metrics.sera import EngineRankings, Sera
from sera.retrieval.engines.embedded import open_index
from sera.retrieval.engines.index_building import build_part
from study.demo import benchmark as demo
from study.demo.correlation import SHOWN, SHOWN_BY_SIZE, by_drift_and_size, follow
from study.demo.drift import graded, reworded, true_scores
from study.demo.scores import rankings, sizes, without_search
from study.demo.truth import Statement, TrueFact, Truth, facts_in, read_truth
from study.demo.world import DemoSettings, relations
from study.report.figures import followed_truth

# A world of three facts, said in the article and in two gold summaries.
_A, _B, _C = ("TAR2", "tarn kinase 2"), ("MOR3", "morn ligase 3"), ("velpathy", "hereditary renal ataxia")
TRUTH = Truth(
    "D1",
    ("A", "B"),
    (
        TrueFact("F1", 2, "inhibits", _A, _B),
        TrueFact("F2", 1, "mutated", _B, _C),
        TrueFact("F3", 0, "inhibits", _B, _A),
    ),
    (
        Statement("We found that TAR2 inhibits MOR3.", ("F1",)),
        Statement("Defects of MOR3 cause velpathy.", ("F2",)),
        Statement("Strikingly, TAR2 is silenced by MOR3.", ("F3",)),
        Statement("TAR2 inhibits MOR3, and MOR3 is mutated in velpathy.", ("F1", "F2")),
    ),
)


def said(*sentences: str, system: str = "x") -> Candidate:
    return Candidate("D1", system, sentences)


# True scores and graded candidates.


@pytest.mark.parametrize(
    ("sentences", "as_printed", "modified"),
    [
        # two gold summaries state three facts together: X is ceil(3 / 2) = 2, and 2 + 1 the most
        (["We found that TAR2 inhibits MOR3."], 2 / 2, 2 / 3),
        (["Strikingly, TAR2 is silenced by MOR3.", "Defects of MOR3 cause velpathy."], 1 / 2, 1 / 3),
    ],
)
def test_true_scores_of_candidates_made_by_hand(sentences, as_printed, modified):
    got = {j.judgement: j.score for j in true_scores([said(*sentences)], {"D1": TRUTH})}
    assert got == pytest.approx({"True-Pyramid": as_printed, "True-Pyramid-Modified": modified})


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> Path:
    """A small demo benchmark in which facts have the same words everywhere."""
    folder = tmp_path_factory.mktemp("truth") / "demo"
    demo.generate(DemoSettings(topics=3, articles=40, wording=0), folder)
    return folder


@pytest.fixture(scope="module")
def topics(world):
    return list(demo.read(release=world / "release", pyramids=world / "pyramids", cleaning="full"))


@pytest.fixture(scope="module")
def truths(world) -> dict[str, Truth]:
    return read_truth(world / "truth.jsonl")


@pytest.fixture(scope="module")
def candidates(topics, truths) -> list[Candidate]:
    return [each for topic in topics for each in graded(truths[topic.id], topic.source, 250, seed=7)]


def test_graded_candidates_state_the_share_of_heavy_facts_that_their_level_says(candidates, truths):
    for candidate in candidates:
        heavy = [fact.id for fact in truths[candidate.topic].facts if fact.weight > 1]
        stated = set(facts_in(candidate.sentences, truths[candidate.topic])) & set(heavy)
        wanted = round(int(candidate.system.removeprefix("graded_")) * len(heavy) / 10)
        assert wanted - 3 <= len(stated) <= wanted, candidate.system
        assert 220 <= sum(len(sentence.split()) for sentence in candidate.sentences) <= 250
    assert len(candidates) == 33 and len(set(candidates)) == 33


def test_graded_candidates_are_of_the_article_in_its_order(candidates, topics):
    for candidate in candidates:
        article = next(topic.source for topic in topics if topic.id == candidate.topic).sentences
        places = [article.index(sentence) for sentence in candidate.sentences]
        assert places == sorted(set(places))


def test_graded_candidates_of_a_short_article():
    sentences = ("We found that TAR2 inhibits MOR3.", "It was cold.", "Defects of MOR3 cause velpathy.")
    source = Source("D1", "x", sections=(Section("", sentences),))
    worst, *_, best = graded(TRUTH, source, 100, seed=1)
    assert worst.sentences == sentences[1:] and best.sentences == sentences  # F2 is in one gold summary alone
    assert graded(TRUTH, source, 3, seed=1)[-1].sentences == ("It was cold.",)


# Drift.


def test_drift_0_leaves_candidates_as_they_are(candidates, truths):
    assert reworded(candidates, truths, 0, seed=7) == candidates


def test_drift_1_leaves_no_clause_and_no_name():
    got = [
        reworded([said(sentence)], {"D1": TRUTH}, 1, seed=seed)[0].sentences[0]
        for seed in range(40)
        for sentence in ("Hereditary renal ataxia was rare.", "TAR2 inhibits MOR3 (Figure 2).")
    ]
    clauses = next(relation.clauses for relation in relations() if relation.name == "inhibits")
    others = {clause.format(a="tarn kinase 2", b="morn ligase 3") for clause in clauses[1:]}
    assert set(got) == {"Velpathy was rare.", *(f"{o[0].upper()}{o[1:]} (Figure 2)." for o in others)}


def test_case_belongs_to_the_place_and_to_the_name():
    texts = {
        sentence
        for seed in range(60)
        for sentence in reworded(
            [said("Tarn kinase 2 inhibits MOR3.")], {"D1": TRUTH}, 0.5, seed=seed
        )[0].sentences
    }  # fmt: skip
    assert {
        "MOR3 is silenced by tarn kinase 2.",
        "TAR2 inhibits MOR3.",
        "Tarn kinase 2 inhibits MOR3.",
    } <= texts
    assert not any("Tarn" in text[1:] or text[0] == "t" for text in texts)


def test_a_name_inside_a_word_is_no_name():
    sentence = "TAR21 and pre-MOR3 and TAR2-like were seen."
    assert reworded([said(sentence)], {"D1": TRUTH}, 1, seed=1)[0].sentences == (sentence,)


def clauses_of(fact: TrueFact) -> set[str]:
    """Every text that states the fact, in lower case."""
    ways = next(relation.clauses for relation in relations() if relation.name == fact.relation)
    pairs = itertools.product(fact.subject, fact.object)
    return {way.format(a=a, b=b).lower() for a, b in pairs for way in ways}


@pytest.mark.parametrize("drift", [0.5, 1])
def test_reworded_candidates_state_the_same_facts_and_no_others(candidates, truths, drift):
    stating = {fact: clauses_of(fact) for truth in truths.values() for fact in truth.facts}
    changed = 0
    for old, new in zip(candidates, reworded(candidates, truths, drift, seed=7), strict=True):
        for before, after in zip(old.sentences, new.sentences, strict=True):
            facts = truths[old.topic].facts
            expected = set(facts_in([before], truths[old.topic]))
            assert {fact.id for fact in facts if any(c in after.lower() for c in stating[fact])} == expected
            changed += bool(expected) and before != after
    assert changed > 200


def test_what_a_drift_changes_a_greater_one_changes_in_the_same_way():
    old = [said("Hereditary renal ataxia was rare.", "It was MOR3.", system=f"{n}") for n in range(50)]
    least, half, whole = (
        [sentence for each in reworded(old, {"D1": TRUTH}, drift, seed=7) for sentence in each.sentences]
        for drift in (0, 0.5, 1)
    )
    assert all(b in (a, c) and a != c for a, b, c in zip(least, half, whole, strict=True))
    assert 30 < sum(a != b for a, b in zip(least, half, strict=True)) < 70


# Scores.


@pytest.fixture(scope="module")
def index(world, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("truth_index") / "index"
    build_part((item for item in extract(world / "pmc_oa") if isinstance(item, Document)), folder)
    return folder


@pytest.fixture(scope="module")
def tables(topics, truths, candidates, index) -> dict[tuple[float, int], pd.DataFrame]:
    """Scores by drift and articles, of words that are the same everywhere but for the drift."""
    references = [reference for topic in topics for reference in topic.references]
    sources = [topic.source for topic in topics]
    nuggets = [nugget for topic in topics for nugget in topic.nuggets]
    metrics, _ = without_search(open_index(index), nuggets, None, {"ROUGE": {"stem": True, "stop": True}})
    found = {}
    for drift in (0.0, 1.0):
        new = reworded(candidates, truths, drift, seed=7)
        found[drift, 0] = score(metrics, new, references, sources, label=canonical_name)
        ranked = rankings(new, references, open_index(index), 10)
        found[drift, 40] = score([metric(n, rankings=ranked) for n in Sera.names()], new, references)
    return found


@pytest.fixture(scope="module")
def true(candidates, truths) -> pd.DataFrame:
    rows = [(j.topic, j.system, j.judgement, j.score) for j in true_scores(candidates, truths)]
    return pd.DataFrame(rows, columns=["topic", "system", "metric", "score"])


@pytest.fixture(scope="module")
def table(tables, true) -> pd.DataFrame:
    return by_drift_and_size(tables, true)


@pytest.mark.slow
def test_with_the_references_words_rouge_follows_the_truth_and_with_others_less(table):
    rows = table[table["against"] == "True-Pyramid-Modified"].set_index(["metric", "drift"])
    for name in ("ROUGE-1-R", "ROUGE-2-F", "ROUGE-SU4-F"):
        assert rows.loc[name, 0.0]["system_pearson"] > 0.9
        assert rows.loc[name, 0.0]["summary_pearson"] > 0.9
        assert rows.loc[name, 1.0]["summary_pearson"] < rows.loc[name, 0.0]["summary_pearson"] - 0.2


def test_the_table_has_every_metric_at_every_drift(table):
    families = [f for f in FAMILIES if set(FAMILIES.needs(f)) <= {"source", "nuggets"}]
    plain = {(name, 0) for family in families for name in FAMILIES.load(family).names()}
    searched = {(name, 40) for name in Sera.names()}
    keys = ["metric", "articles", "drift", "against"]
    expected = {
        (name, articles, drift, against)
        for name, articles in plain | searched
        for drift in (0.0, 1.0)
        for against in ("True-Pyramid", "True-Pyramid-Modified")
    }
    assert len(table) == len(expected) > 250
    assert set(table[keys].itertuples(index=False, name=None)) == expected
    assert set(table["systems"]) == {11} and set(table["topics"]) == {3}


def test_families_that_cannot_be_had_are_named(index):
    _, missing = without_search(open_index(index), [], None, {})
    assert missing == "ROUGE-WE AVG_SIM Frame S3 S3-pyr-released S3-resp-released BERTScore".split()


def test_settings_reach_their_family(index):
    settings = {"ROUGE": {"stem": True}, "Pyramid": {"threshold": 0.5}}
    metrics, _ = without_search(open_index(index), [], None, settings)
    by_name = {each.name: each for each in metrics}
    assert not by_name["ROUGE-1-F"].stop and by_name["ROUGE-1-F"].stem
    assert by_name["Pyramid"].threshold == by_name["Pyramid-Modified"].threshold == 0.5
    assert (by_name["Pyramid"].size, by_name["Pyramid-Modified"].size) == ("candidate", "references")


def test_rankings_are_those_of_the_engine_and_queries_are_kept(candidates, topics, index):
    some, references = candidates[:3], list(topics[0].references)
    engine, queries = open_index(index), {}
    ranked = rankings(some, references, engine, 10, queries=queries)
    metrics = [
        Sera.parse(name, rankings=r) for r in (ranked, EngineRankings(engine)) for name in Sera.names()
    ]
    for candidate in some:
        scores = Sera.score_together(metrics, candidate, references)
        assert scores[:12] == scores[12:]
    assert sorted(queries) == ["np", "plain"] and {*map(len, queries.values())} == {7}
    assert rankings(some, references, engine, 10, queries=queries).runs == ranked.runs


def scored(name: str, values: list[list[float]]) -> pd.DataFrame:
    """A score table from values by topic and system."""
    rows = [(f"t{t}", f"s{s}", name, value) for t, row in enumerate(values) for s, value in enumerate(row)]
    return pd.DataFrame(rows, columns=["topic", "system", "metric", "score"])


def test_coefficients_worked_by_hand_and_undefined_ones_counted():
    scores = pd.concat([
        scored("m", [[1, 2, 3], [2, 1, 3], [1, 1, 1]]),  # rho 1, 1/2 and undefined
        scored("n", [[1, 2, 3], [np.nan, 1, 3], [3, 2, 1]]),  # rho 1, undefined (two left) and -1
    ])  # fmt: skip
    got = follow(scores, scored("true", [[1, 2, 3]] * 3)).set_index("metric")
    assert got.loc["m", "summary_spearman"] == pytest.approx(0.75)
    assert (got.loc["m", "summary_undefined"], got.loc["m", "system_undefined"]) == (1, 0)
    assert got.loc["m", "system_spearman"] == pytest.approx(np.sqrt(3) / 2)  # means 4/3, 4/3, 7/3: ranks tied
    assert got.loc["n", "summary_kendall"] == pytest.approx(0)
    assert (got.loc["n", "summary_undefined"], got.loc["n", "system_undefined"]) == (1, 1)
    assert np.isnan(got.loc["n", "system_pearson"])  # of two topics the means are 2, 2, 2
    assert got["why_undefined"].to_dict() == {
        "m": "",
        "n": "system level: all systems have the same score by n",
    }


@pytest.mark.parametrize(
    ("articles", "shares", "expected"),
    [(240, [1, 0.1, 0.5], [24, 120, 240]), (3, [0.1, 0.2, 1], [1, 3]), (40, [0.29], [12])],
)
def test_sizes(articles, shares, expected):
    assert sizes(articles, shares) == expected


def test_the_figure_has_a_panel_a_metric_and_says_what_is_not_there(table):
    part = table[table["against"] == "True-Pyramid"]
    figure = followed_truth(part, SHOWN, SHOWN_BY_SIZE, falling=["JS-ref-2"], title="T")
    panels = {axes.get_title(): axes for axes in figure.get_axes() if axes.get_title()}
    assert [*panels] == [
        name.replace("JS-ref", "−JS-ref") for name in dict.fromkeys((*SHOWN, *SHOWN_BY_SIZE))
    ]
    rows = part.set_index(["metric", "drift"])["system_spearman"]
    for name, sign in (("ROUGE-2-F", 1), ("−JS-ref-2", -1)):
        expected = [sign * rows[name.removeprefix("−"), drift] for drift in (0.0, 1.0)]
        assert list(panels[name].lines[1].get_ydata()) == expected
    assert [text.get_text() for text in panels["AVG_SIM"].texts] == ["not scored"]
    assert not panels["ROUGE-2-F"].texts
