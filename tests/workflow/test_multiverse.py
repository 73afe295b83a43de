"""The multiverse: which universes there are, what is decided in each, and what they answer together."""

from __future__ import annotations

import math
import shutil
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from checkouts import checkout, configure, copy_of_the_study, planned_jobs, ran
from conftest import ROOT
from tables import check_forms
from test_reruns import changed

from sera.errors import InputError
from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.correlate import Scores, correlation, level_coefficients
from sera.io.records import Document, as_candidate
from sera.io.scores import read_scores
from sera.retrieval.index import build_part
from sera.retrieval.lucene import open_index
from sera.summarizers import summarize
from study.claims import multiverse as claims
from study.claims.sentences import SIDES
from study.demo.benchmark import DEMO
from study.demo.truth import read_truth
from study.multiverse import answers, permutation_tests
from study.multiverse import cells as stages
from study.multiverse import choices as dimensions
from study.multiverse import universes as worlds
from study.settings.settings import read_config

CONFIG = read_config(ROOT / "config.yaml")
DIMENSIONS = CONFIG["multiverse"]["dimensions"]
SYSTEMS = CONFIG["systems"]


# Universes
# ---------


def test_all_combinations_where_they_are_few():
    few = {**{name: values[:1] for name, values in DIMENSIONS.items()}, "mu": [500, 2000]}
    few["systems"] = ["all", "leave_one_out"]
    found = dimensions.universes(few, SYSTEMS, sample=20)
    assert dimensions.count_universes(few, SYSTEMS) == len(found) == 2 * (1 + 9)
    assert {(u["mu"], len(u["members"])) for u in found} == {(500, 9), (500, 8), (2000, 9), (2000, 8)}
    # the nine subsets together weigh as much as the one whole
    assert sum(u["weight"] for u in found if u["systems"] == "leave_one_out") == pytest.approx(2)
    assert sum(u["weight"] for u in found if u["systems"] == "all") == 2


def test_a_sample_is_seeded_and_nested():
    hundred = dimensions.universes(DIMENSIONS, SYSTEMS, sample=100, seed=1)
    assert hundred == dimensions.universes(DIMENSIONS, SYSTEMS, sample=300, seed=1)[:100]
    assert hundred != dimensions.universes(DIMENSIONS, SYSTEMS, sample=100, seed=2)
    assert sum(u["weight"] for u in hundred) == 100
    for u in hundred:
        assert u["members"] in dimensions.members(u["systems"], SYSTEMS)
    three = [u["mu"] for u in dimensions.universes(DIMENSIONS, SYSTEMS, sample=600, seed=1)]
    assert all(abs(three.count(mu) - 200) < 50 for mu in (500, 1000, 2000))  # more than 4 deviations


def test_a_dimension_that_grows_changes_nothing_else():
    before = dimensions.universes(DIMENSIONS, SYSTEMS, sample=300)
    after = dimensions.universes({**DIMENSIONS, "mu": [*DIMENSIONS["mu"], 4000]}, SYSTEMS, sample=300)
    changed = [(one, other) for one, other in zip(before, after, strict=True) if one != other]
    assert 40 < len(changed) < 110  # a fourth of 300
    assert all({**one, "mu": 4000} == other for one, other in changed)


def test_universes_that_are_drawn_twice_weigh_twice():
    few = {**{name: values[:1] for name, values in DIMENSIONS.items()}, "systems": ["subsets_of_6", "all"]}
    found = dimensions.universes(few, SYSTEMS, sample=60)
    assert len(found) < 60 and sum(u["weight"] for u in found) == 60
    assert 20 < next(u["weight"] for u in found if u["systems"] == "all") < 40


def test_every_subset_of_systems_of_a_size_is_a_set_of_its_own():
    assert len(dimensions.members("subsets_of_6", SYSTEMS)) == math.comb(9, 6) == 84
    assert dimensions.members("leave_one_out", "abcd")[0] == ("a", "b", "c")
    for value, systems in (("subsets_of_9", SYSTEMS), ("subsets_of_2", SYSTEMS), ("leave_one_out", "abc")):
        with pytest.raises(InputError, match="multiverse.dimensions.systems"):
            dimensions.members(value, systems)


def test_what_the_study_lacks_cannot_be_a_choice():
    dimensions.check_dimensions(DIMENSIONS, SYSTEMS, CONFIG["baselines"])
    lacking = ([], "with_baselines"), (["human"], "with_baselines"), (["lead"], "with_humans")
    for baselines, value in lacking:
        with pytest.raises(InputError, match=f"multiverse.dimensions.systems: {value}"):
            dimensions.check_dimensions({**DIMENSIONS, "systems": [value]}, SYSTEMS, baselines)


def test_smaller_shares_of_the_articles_are_within_larger_ones(tmp_path):
    build_part([Document(str(number), "cell") for number in range(500)], tmp_path / "index")
    whole = open_index(tmp_path / "index")
    ids = {share: set(stages.part_of_index(whole, share, {"7"}).ids) for share in (1, 0.5, 0.1)}
    assert {"7"} < ids[0.1] < ids[0.5] < ids[1] == set(whole.ids)
    assert abs(len(ids[0.5]) - 250) < 50 and abs(len(ids[0.1]) - 50) < 30


# Claims
# ------


def published() -> np.ndarray:
    table = pd.read_csv(ROOT / "resources/published/table2.tsv", sep="\t", comment="#").set_index("metric")
    return table.loc[list(claims.METRICS), list(CORRELATIONS)].to_numpy()


def test_the_papers_own_table_decides_its_claims():
    effects = dict(zip([(c.name, by) for c, by in claims.OUTCOMES], claims.effects(published()), strict=True))
    # by hand: the mean of twelve, 9.381 / 12, less the mean of 21, 12.65 / 21 ...
    sera = [.823, .788, .848, .641, .859, .806, .631, .687, .838, .766, .834, .860]  # fmt: skip
    assert effects["sera_above_rouge", "pearson"] == pytest.approx(
        sum(sera) / 12 - published()[:21, 0].sum() / 21
    )
    assert effects["sera_5_above_every_rouge", "spearman"] == pytest.approx(0.941 - 0.841)
    assert effects["rouge_2_3_above_1_l", "pearson"] == pytest.approx(
        (0.816 + 0.824 + 0.803) / 3 - (0.454 + 0.262 + 0.520) / 3
    )
    assert effects["rouge_3_highest", "pearson"] == pytest.approx(0.878 - 0.860)
    assert effects["np_5_best_of_sera", "kendall"] == pytest.approx(1 - 0.857)
    assert effects["dis_np_10_best_of_sera", "pearson"] == pytest.approx(0.860 - 0.859)
    assert effects["np_above_plain", "spearman"] == pytest.approx(
        (1 + 0.941 + 0.941 + 0.941) / 4 - (0.941 + 0.647 + 0.824 + 0.824) / 4
    )
    assert effects["dis_helps_reduced_queries_more", "pearson"] == pytest.approx(
        (0.838 + 0.766 + 0.834 + 0.860 - 0.848 - 0.641 - 0.859 - 0.806) / 4
        - (0.631 + 0.687 - 0.823 - 0.788) / 2
    )
    fail = {claim for claim, effect in effects.items() if not effect > 0}
    assert fail == {("kw_above_plain", "spearman"), ("kw_above_plain", "kendall")}


def test_a_claim_that_names_no_side_of_rouge_is_decided_by_each():
    names = [(claim.name, by) for claim, by in claims.OUTCOMES]
    sides = list(SIDES)
    tables = np.broadcast_to(published(), (4, 33, 3))
    found = {
        side: dict(zip(names, effects, strict=True))
        for side, effects in zip(sides, claims.effects(tables, sides), strict=True)
    }
    # lower one of ROUGE-2 and -3 less higher one of ROUGE-1 and -L, in the paper's Table 2
    two_three = [found[side]["rouge_2_3_above_1_l", "pearson"] for side in "FPR"]
    assert two_three == pytest.approx([0.816 - 0.454, 0.824 - 0.262, 0.803 - 0.520])
    precision = [0.257, 0.824, 0.875, 0.262, 0.344, 0.338, 0.418]
    assert found["P"]["sera_above_rouge", "pearson"] == pytest.approx(9.381 / 12 - sum(precision) / 7)
    assert found["P"]["best_sera_above_best_rouge", "kendall"] == pytest.approx(1 - 0.69)
    # "all ROUGE correlation values" leaves nothing open
    for name in (("sera_5_above_every_rouge", "spearman"), ("rouge_1_l_lowest", "pearson")):
        assert len({of[name] for of in found.values()}) == 1


def test_a_tie_does_not_hold_and_what_lacks_is_undefined():
    table = np.full((33, 3), 0.1) + 0.2  # with round-off
    decided = answers.outcomes(claims.effects(table))
    # 0.3 is weak; all other claims compare metrics, or ask for more
    assert [claims.OUTCOMES[place][0].name for place in np.flatnonzero(decided)] == ["rouge_weak"]
    table[claims.METRICS.index("SERA-KW-5"), 1] = np.nan
    decided = dict(
        zip([(c.name, by) for c, by in claims.OUTCOMES], answers.outcomes(claims.effects(table)), strict=True)
    )
    assert decided["sera_above_rouge", "spearman"] == worlds.UNDEFINED_OUTCOME
    assert decided["sera_above_rouge", "kendall"] == 0 == decided["np_above_plain", "spearman"]


# Answers
# -------


def seen(
    tables: np.ndarray, resampled: np.ndarray | None = None, misread: np.ndarray | None = None
) -> worlds.Results:
    """What was seen, where only the tables matter."""
    count, outcomes = len(tables), len(claims.OUTCOMES)
    drawn = np.zeros((count, 2, outcomes), np.uint8) if resampled is None else resampled
    twice = np.repeat(claims.effects(tables)[:, None], 2, axis=1)
    return worlds.Results(
        tables,
        bounds=np.full((count, outcomes, 2), np.nan),
        resampled=drawn,
        resampled_both=drawn,
        halves=twice,
        yardsticks=twice,
        true=np.full_like(tables, np.nan),
        misread=twice if misread is None else misread,
    )


def ahead(*differences: float) -> np.ndarray:
    """Tables where SERA's correlations are so much above ROUGE's 0.3; NaN makes one of SERA's undefined."""
    tables = np.full((len(differences), 33, 3), 0.3)
    for table, difference in zip(tables, differences, strict=True):
        if math.isnan(difference):
            table[claims.METRICS.index("SERA-5")] = np.nan
        else:
            table[21:] += difference
    return tables


def universe(**chosen) -> dimensions.Universe:
    return {
        **{name: values[0] for name, values in DIMENSIONS.items()},
        "members": tuple("abcd"),
        "weight": 1.0,
    } | chosen


def test_shares_are_counted_and_nothing_is_dropped():
    universes = [universe(weight=0.0), *(universe(weight=w) for w in (1, 1, 2, 1))]
    resampled = np.zeros((5, 2, len(claims.OUTCOMES)), np.uint8)
    resampled[1:3, 0] = 1  # of the first draw two of weight 1 hold, of the second none; all are defined
    table = answers.claim_table(
        universes, seen(ahead(0.5, 0.1, -0.1, 0.2, math.nan), resampled), published(), 100
    )
    row = table[(table["claim"] == "sera_above_rouge") & (table["coefficient"] == "pearson")].iloc[0]
    assert (row["holds"], row["fails"], row["undefined"], row["universes"]) == (2, 1, 1, 4)
    assert row["share"] == (1 + 2) / (1 + 1 + 2)
    assert (row["low"], row["high"]) == (0, 2 / 5)
    assert row["paper"] == "holds" == row["own"] and row["own_effect"] == pytest.approx(0.5)
    lines = answers.universe_table(universes, seen(ahead(0.5, 0.1, -0.1, 0.2, math.nan)))
    assert list(lines["universe"]) == ["own", 1, 2, 3, 4] and list(lines["undefined"]) == [0, 0, 0, 0, 3]
    assert list(lines["sera_above_rouge_pearson"]) == ["holds", "holds", "fails", "holds", "undefined"]


def test_shares_if_recognition_errs_are_over_universes_and_draws():
    universes = [universe(weight=0.0), universe(weight=1.0), universe(weight=2.0)]
    tables = ahead(0.5, 0.1, -0.1)
    misread = np.full((3, 2, len(claims.OUTCOMES)), np.nan)
    misread[0] = 1
    misread[1] = 0.1  # the universe of weight 1 in both draws
    misread[2, 1] = [0.2 if claim.name == "sera_above_rouge" else -0.2 for claim, _ in claims.OUTCOMES]
    table = answers.claim_table(universes, seen(tables, misread=misread), published()).set_index("claim")
    names = [f"{what}_misread" for what in ("share", "low", "high", "defined")]
    # defined are 1 of the first draw, 1 + 2 of the second, of 3 each
    expected = np.array([[1, 1, 1, 4 / 6]] * 3)
    assert table.loc["sera_above_rouge", names].to_numpy() == pytest.approx(expected)
    assert list(table.loc["rouge_3_highest", names]) == pytest.approx([(1 + 1) / 4, 1 / 3, 1, 4 / 6])


def test_variance_is_that_of_the_choice_that_makes_it():
    universes = [
        universe(weight=0.0),
        *(universe(mu=mu, words=words) for mu in (500, 2000) for words in (100, 250) for _ in range(5)),
    ]
    tables = ahead(9, *(0.1 if u["mu"] == 500 else 0.3 for u in universes[1:]))
    table = answers.universe_table(universes, seen(tables)).assign(question="systems")
    table = answers.variance_table(table)
    of = table[(table["claim"] == "sera_above_rouge") & (table["coefficient"] == "kendall")]
    of = of.set_index("dimension")
    assert of.loc["mu", ["explained", "adjusted"]].tolist() == pytest.approx([1, 1])
    assert of.loc["length", "explained"] == pytest.approx(0)
    assert of.loc["interplay", "adjusted"] == pytest.approx(0)
    shares = answers.choice_table(universes, seen(tables))
    of = shares[(shares["claim"] == "sera_above_rouge") & (shares["dimension"] == "mu")].set_index("value")
    assert of["effect"].loc["500"].tolist() == pytest.approx([0.1] * 3)
    assert set(of["universes"]) == {10} and set(of["share"]) == {1}


def test_checks_count_in_their_own_shares_alone():
    """SERA is ahead in both universes of the study, and in neither of the two with one check each."""
    checks = ({}, {}, {"index_size": 0.1}, {"systems": "with_humans"})
    universes = [universe(weight=0.0), *(universe(index_size=1.0, systems="all") | each for each in checks)]
    results = seen(ahead(0.5, 0.1, 0.2, -0.1, -0.2))
    table = answers.claim_table(universes, results, published()).set_index(["claim", "coefficient"])
    row = table.loc["sera_above_rouge", "pearson"]
    assert (row["share"], row["universes"], row["effect_50"]) == (1, 2, pytest.approx(0.15))
    assert answers.universe_table(universes, results)["weight"].tolist() == [0, 1, 1, 0, 0]
    choices = answers.choice_table(universes, results)
    of = choices[(choices["claim"] == "sera_above_rouge") & (choices["coefficient"] == "pearson")]
    shares = {(row.dimension, row.value): (row.universes, row.share) for row in of.itertuples()}
    assert shares["index_size", "0.1"] == (1, 0) and shares["index_size", "1.0"] == (2, 1)
    assert shares["systems", "with_humans"] == (1, 0) and shares["systems", "all"] == (2, 1)


class Once(Bootstrap):
    """A bootstrap whose only draw has every topic and system once."""

    def draw_topics(self, number):
        return np.ones((1, number), np.int64)

    draw_systems = draw_topics


# The demo, whose truth is known
# ------------------------------

WORDS, CLEANING = 100, "full"
SET = (CLEANING, "study", f"{WORDS} words", "source")


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A demo in the same words everywhere: its universes in a few settings, and their cells."""
    folder = tmp_path_factory.mktemp("demo")
    shutil.unpack_archive(ROOT / "tests/data/plain_demo.tar.xz", folder / "data")
    topics = DEMO.read(release=folder / "data/release", pyramids=folder / "data/pyramids", cleaning=CLEANING)
    references = [r for topic in topics for r in topic.references]
    candidates = [
        summarize(name, topic.source, topic.citances, topic.references, words=WORDS)
        for name in ("lead", "luhn", "lexrank", "lsa", "mmr", "sumbasic", "random", "oracle")
        for topic in topics
    ]
    documents = [document for topic in topics for document in topic.documents]
    build_part(documents, folder / "index")
    chosen = {name: values[:1] for name, values in DIMENSIONS.items()}
    chosen |= dict(zip(dimensions.SETS, ([value] for value in SET), strict=True))
    chosen |= {"topic_documents": [True], "analyzer": ["english"], "keyword_threshold": ["query"]}
    chosen |= {"pyramid_size": ["candidate", "references"], "pyramid_threshold": [0.75, 1.0]}
    chosen |= {"rouge_stop": [True, False], "mu": [500, 2000], "level": ["system", "summary", "global"]}
    systems = tuple(sorted({candidate.system for candidate in candidates} - {"oracle"}))
    universes = dimensions.universes(chosen, systems, sample=100)
    candidates += map(as_candidate, references)
    texts = stages.collect_texts(candidates, references)
    queries = stages.queries_without_index(texts, [("plain", (True,)), ("np", (True, "textblob"))])
    engine = open_index(folder / "index")

    with_humans = [*universes, {**universes[0], "systems": "with_humans"}]

    def wanted(*parts):
        return {dimensions.cell_key(each, part) for each in with_humans for part in parts}

    nuggets = [nugget for topic in topics for nugget in topic.nuggets]
    made = [
        *stages.rouge_cells(wanted("rouge", "skip"), candidates, references),
        *stages.pyramid_cells(wanted("pyramid", "misread"), candidates, references, nuggets, draws=2, seed=1),
        *stages.sera_cells(wanted("plain", "np", "kw"), candidates, references, queries, engine),
        *stages.true_cells(wanted("truth"), candidates, read_truth(folder / "data/truth.jsonl")),
    ]
    return universes, dict(made)


def test_the_truth_is_recovered(demo):
    """What the true scores in Pyramid's place decide clearly, the multiverse decides alike."""
    universes, cells = demo
    draws = Bootstrap("both", 20, 1)
    own = [{**universes[0], "weight": 0.0}, *universes]
    results = worlds.compute(own, cells, sorted(worlds.universe_scores(universes[0], cells).systems), draws)
    table = answers.claim_table(own, results, published())
    clear = table[table["recovered"] != "open"]
    assert len(clear) >= 20
    assert set(clear["recovered"]) == {"yes"}, clear[clear["recovered"] == "no"]
    headline = table[table["claim"] == "sera_above_rouge"]
    assert (abs(headline["share"] - headline["true_share"]) < 0.2).all()
    assert (table["holds"] + table["fails"] + table["undefined"] == len(universes)).all()


def test_gold_summaries_and_baselines_join_as_one_system_each(demo):
    universes, cells = demo
    plain = worlds.universe_scores(universes[0], cells)
    humans = worlds.universe_scores({**universes[0], "systems": "with_humans"}, cells)
    baselines = worlds.universe_scores({**universes[0], "systems": "with_baselines"}, cells)
    assert set(humans.systems) - set(plain.systems) == {"human"}
    assert set(baselines.systems) - set(plain.systems) == {"oracle"}
    cell = cells[dimensions.cell_key(universes[0], "rouge")]
    people = [place for place, name in enumerate(cell.systems) if name.startswith("human_")]
    assert ((~np.isnan(cell.values[0][:, people])).sum(axis=1) == 4).all()  # annotators differ by topic
    assert humans.metric("ROUGE-1-F")[:, humans.systems.index("human")] == pytest.approx(
        np.nanmean(cell.values[0][:, people], axis=1)
    )


REFERENCES = [stages.Reference("t", *of) for of in (("A", ("alpha beta",)), ("B", ("alpha xi psi zeta",)))]
CANDIDATES = [stages.Candidate("t", "s", ("alpha",)), as_candidate(REFERENCES[0])]
NUGGETS = [stages.Nugget("t", *marked) for marked in (("A", "alpha"), ("A", "beta"), ("B", "xi"))]
OF_PYRAMID = (*SET, "candidate", 0.75, "text", "sentence")


def test_jackknifed_cells_by_hand():
    for part, expected in (("rouge", 0.33333), ("rouge-jackknifed", (1 / 2 + 1 / 4) / 2)):
        wanted = (part, *SET, False, False, "pooled")
        ((key, cell),) = stages.rouge_cells([wanted], CANDIDATES, REFERENCES)
        assert key == wanted and cell.systems == ("human_A", "s")
        recall = cell.metric("ROUGE-1-R")[0]
        assert recall.tolist() == [0.25, pytest.approx(expected)]
    for part, expected in (("pyramid", 1.0), ("pyramid-jackknifed", (1 + 0) / 2)):
        # Tiers: alpha 2, beta 1, xi 1; the candidate has alpha. Without A there is xi alone, which it lacks;
        # without B alpha and beta have tier 1.
        ((_, cell),) = stages.pyramid_cells([(part, *OF_PYRAMID)], CANDIDATES, REFERENCES, NUGGETS)
        assert cell.values[0, 0].tolist() == [0.0, expected]  # human_A meets xi alone


def test_cells_made_together_are_those_made_alone(tmp_path):
    texts = {"A": "alpha beta gamma", "B": "alpha xi psi zeta", "C": "beta the alpha"}
    references = [stages.Reference("t", annotator, (text,)) for annotator, text in texts.items()]
    candidates = [stages.Candidate("t", "s", ("alpha the beta",)), as_candidate(references[0])]
    nuggets = [stages.Nugget("t", *marked) for marked in (("A", "alpha beta"), ("A", "beta"), ("B", "xi"))]
    rouge = [
        (part, *SET, False, stop, multi, *([4] if part.startswith("skip") else []))
        for part in ("rouge", "skip", "rouge-jackknifed")
        for stop in (True, False)
        for multi in ("pooled", "best", "jackknife")
    ]
    pyramid = [
        (part, *SET, size, threshold, "text", recogniser)
        for part in ("pyramid", "misread", "misread-jackknifed")
        for size in ("candidate", "references")
        for threshold in (0.5, 1.0)
        for recogniser in ("sentence", "whole")
    ]

    def made(wanted):
        if wanted[0] in rouge:
            return list(stages.rouge_cells(wanted, candidates, references))
        return list(stages.pyramid_cells(wanted, candidates, references, nuggets, draws=3, seed=1))

    together = [*made(rouge), *made(pyramid)]
    stages.write_cells(tmp_path / "rouge.npz", together[: len(rouge)])
    stages.write_cells(tmp_path / "pyramid.npz", together[len(rouge) :])
    read_back = stages.read_cells([tmp_path / "rouge.npz", tmp_path / "pyramid.npz"])
    assert len(read_back) == len(together) == len(rouge) + len(pyramid)
    for key in [*rouge, *pyramid]:
        ((_, alone),) = made([key])
        found = read_back[key]
        assert (found.metrics, found.topics, found.systems) == (alone.metrics, alone.topics, alone.systems)
        assert np.array_equal(found.values, alone.values, equal_nan=True)


def test_effects_of_misread_nuggets_are_studies_with_the_draws_in_place_of_pyramid(demo):
    universes, cells = demo
    of = [next(u for u in universes if u["level"] == level) for level in ("system", "summary", "global")]
    of += [{**of[0], "systems": "with_baselines"}, {**of[0], "systems": "with_humans"}]
    systems = sorted({name for each in of for name in worlds.universe_scores(each, cells).systems})
    results = worlds.compute(of, cells, systems, Once("both", 1))
    for row, each in enumerate(of):
        scores = worlds.universe_scores(each, cells)
        cell = cells[dimensions.cell_key(each, "misread")]
        for draw in range(2):
            values = scores.values.copy()
            of_system = dict(zip(cell.systems, cell.values[draw].T, strict=True))
            people = [of_system[name] for name in of_system if name.startswith("human_")]
            of_system["human"] = np.nanmean(people, axis=0)  # people join as one system
            judged = np.column_stack([of_system[name] for name in scores.systems])
            values[scores.metrics.index("Pyramid")] = judged
            expected = claims.effects(worlds.table2(replace(scores, values=values), each["level"]))
            assert results.misread[row, draw] == pytest.approx(expected, abs=1e-6, nan_ok=True)
    assert (results.misread[:, 0] != results.misread[:, 1]).any()


def test_halves_are_studies_of_their_topics(demo):
    universes, cells = demo
    of = universes[0]
    scores = worlds.universe_scores(of, cells)
    results = worlds.compute([of], cells, scores.systems, Once("both", 1))
    first = replace(scores, topics=scores.topics[:3], values=scores.values[:, :3])
    expected = claims.effects(worlds.table2(first, of["level"]))
    assert results.halves[0, 0] == pytest.approx(expected, nan_ok=True)
    assert worlds.topic_halves(5).tolist() == [[1, 1, 1, 0, 0], [0, 0, 0, 1, 1]]


def test_a_perfect_sera_is_ahead_and_a_useless_one_behind(demo):
    universes, cells = demo
    of = [u for u in universes if u["level"] == "system"]
    systems = worlds.universe_scores(of[0], cells).systems
    results = worlds.compute(of, cells, systems, Once("both", 1))
    place = claims.outcome_number("sera_above_rouge", "pearson")
    perfect, useless = (worlds.outcomes(results.yardsticks)[:, row, place].mean() for row in (0, 1))
    assert perfect > 0.5 and useless < 0.1
    again = worlds.compute(of[1:], cells, systems, Once("both", 1))  # whatever else is in the block
    assert np.array_equal(again.yardsticks, results.yardsticks[1:], equal_nan=True)


def test_permuted_effects_are_studies_with_permuted_judgements(demo):
    universes, cells = demo
    summarizers = universes[0]["members"]
    assignments = permutation_tests.draw_assignments(3, len(summarizers), seed=1)
    assert assignments[0].tolist() == list(range(len(summarizers)))
    for level in ("system", "summary", "global"):
        of = {**next(u for u in universes if u["level"] == level), "systems": "with_baselines"}
        for members, systems in ((summarizers, "with_baselines"), (summarizers[2:], "subsets_of_5")):
            some = {**of, "members": members, "systems": systems}  # a subset receives the others' scores too
            found = permutation_tests.permuted_effects(some, cells, summarizers, assignments)
            whole = worlds.universe_scores(of, cells)
            for row, order in enumerate(assignments):
                values = whole.values.copy()
                judged = whole.metric("Pyramid")
                places = [whole.systems.index(name) for name in summarizers]
                values[whole.metrics.index("Pyramid")][:, places] = judged[:, np.array(places)[order]]
                kept = [name for name in whole.systems if name in members or systems == "with_baselines"]
                expected = worlds.table2(replace(whole, values=values).keep_systems(kept), level)
                assert found[row] == pytest.approx(claims.effects(expected), nan_ok=True)


def test_the_same_systems_are_resampled_in_all_universes(demo):
    universes, cells = demo
    of = next(u for u in universes if u["level"] == "system")
    summarizers = of["members"]
    some = {**of, "members": summarizers[:5]}
    systems = (*sorted(summarizers), "oracle")
    bootstrap = Bootstrap("both", 30, 5)
    results = worlds.compute([of, some], cells, systems, bootstrap, summarizers=summarizers)
    drawn = bootstrap.draw_systems(len(summarizers))
    for row, members in enumerate((summarizers, some["members"])):
        scores = worlds.universe_scores({**of, "members": members}, cells)
        often = drawn[:, [systems.index(name) for name in scores.systems]]
        topics = bootstrap.draw_topics(len(scores.topics))
        expected = worlds.table2(scores, "system", topics=topics, systems=often)
        assert np.array_equal(results.resampled_both[row], worlds.outcomes(claims.effects(expected)))


@pytest.mark.parametrize("level", ["system", "summary", "global"])
def test_table2_is_the_correlation_of_each_metric(level):
    random = np.random.default_rng(3)
    values = np.round(random.normal(size=(34, 7, 5)), 2)
    values[3, 4, 2] = values[5, 1] = np.nan  # a missing summary, and a missing topic
    values[7, 6] = 1  # undefined
    scores = Scores((worlds.AGAINST, *claims.METRICS), tuple("abcdefg"), tuple("vwxyz"), values)
    for topics in (None, Bootstrap("topics", 20, 1).draw_topics(7)):
        found = worlds.table2(scores, level, topics=topics)
        for place, metric in enumerate(claims.METRICS):
            x, y = scores.metric(metric), scores.metric(worlds.AGAINST)
            kept = ~np.isnan(x + y).any(axis=1) if level == "system" else np.ones(7, bool)
            drawn = {} if topics is None else {"topics": topics[:, kept], "systems": np.ones((20, 5), int)}
            expected = correlation(x[kept], y[kept], level, **drawn)[..., :3]
            assert np.array_equal(found[..., place, :], expected, equal_nan=True), metric


def test_a_part_of_all_combinations_has_every_value():
    few = {**{name: values[:1] for name, values in DIMENSIONS.items()}, "mu": [500, 1000, 2000]}
    few |= {"length": DIMENSIONS["length"][:3], "rouge_stem": [True, False], "systems": ["all"]}
    found = dimensions.universes(few, SYSTEMS, sample=100)
    part = dimensions.sample_universes(found, 9)
    assert part == dimensions.sample_universes(found[::-1], 9) and len(part) == 9
    assert all(
        len({each[name] for each in part}) == len(few[name]) for name in ("mu", "length", "rouge_stem")
    )


# The workflow
# ------------

DRAWN = {"universes": 50, "resamples": 10, "permutations": 19, "exchanges": 19, "permuted": 4}
DRAWN["misread"] = 2
FEW = {
    **{name: values[:1] for name, values in DIMENSIONS.items()},
    "length": ["250 words"],
    "index_size": [1],
    "rouge_stop": [True, False],
    "mu": [500, 2000],
    "level": ["system", "summary"],
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A copy of the small study that has run, its multiverse and the audit."""
    study = copy_of_the_study(tmp_path_factory.mktemp("multiverse") / "study")
    configure(study, multiverse={**DRAWN, "dimensions": FEW})
    ran(study, "multiverse", "audit")
    return study


def test_the_answers_list_the_universes_of_both_questions_without_verdicts(run):
    out = run / "results/demo"
    universes = answers.read_answer(out / "multiverse/universes.tsv")
    assert list(universes["question"]) == ["systems"] * 5 + ["summaries"] * 5
    assert list(universes["universe"]) == ["own", "1", "2", "3", "4"] * 2
    assert list(universes["level"]) == ["system"] * 5 + ["summary"] * 5
    text = (out / "multiverse/replication.md").read_text(encoding="utf-8")
    # the demo is synthetic: no verdict on the paper's claims, on the page or in the tables
    assert "| question | this study |" in text and "The paper's Table 2" not in text
    assert "paper" not in answers.read_answer(out / "multiverse/claims.tsv")


def test_the_audit_is_made_of_the_published_tables(run):
    made = run / "results/audit"
    counts = pd.read_csv(made / "summary.tsv", sep="\t").set_index("hypothesis")
    assert list(counts.loc["6_any", ["table2_fit", "table3_fit"]]) == [29, 24]
    for name in ("audit", "summary"):
        check_forms(made / f"{name}.tsv")
    assert {"paragraphs.md", "audit.svg", "audit.png", "audit.pdf"} <= {path.name for path in made.iterdir()}
    assert planned_jobs(run, "audit") == {}
    with changed(run / "resources/published/table3.tsv", "0.899\t0.828", "0.899\t0.818"):
        assert planned_jobs(run, "audit") == {"audit": 1}


def test_a_drawn_universe_is_the_study_with_its_settings(tmp_path):
    """All 99 correlations of Table 2, of a universe that differs from the study's defaults."""
    of = {**DIMENSIONS, "index_size": [1.0], "scorer": ["lucene"], "noun_phrases": ["textblob"]}
    of |= {"skip_gap": [None], "rouge_side": ["all"], "systems": ["all"], "level": ["system"]}
    systems = ["lexrank", "luhn", "sumbasic", "kl", "mmr"]
    (drawn,) = dimensions.universes(of, systems, sample=1, seed=CONFIG["seed"])
    named = ("order", "cleaning", "figures", "topic_documents", "analyzer", "mu", "query_stop")
    named += ("keyword_threshold",)
    settings = {name: drawn[name] for name in named}
    settings["length"] = drawn["length"]
    settings["summarizers"] = {"study": "sumy", "papers": "papers"}[drawn["summarizers"]]
    for family in ("pyramid", "rouge"):
        own = {name: drawn[f"{family}_{name}"] for name in CONFIG[family] if f"{family}_{name}" in drawn}
        settings[family] = {**CONFIG[family], **own}
    assert sum(drawn[name] != CONFIG[name] for name in named) >= 3
    folder = checkout(tmp_path / "study")
    settings |= {"systems": systems, "baselines": [], "candidates": {}}
    settings |= {"demo": {"topics": 2, "articles": 20}}
    configure(folder, **settings, multiverse={**DRAWN, "universes": 1, "dimensions": of})
    out = folder / "results/demo"
    ran(folder, "results/demo/multiverse/blocks/0.npz", "results/demo/scores.tsv")
    scores = Scores.from_table(read_scores(out / "scores.tsv"), systems)
    results = worlds.read_results([out / "multiverse/blocks/0.npz"])
    for place, metric in enumerate(claims.METRICS):
        row = level_coefficients(scores, metric, "Pyramid")
        expected = [row[name] for name in CORRELATIONS]
        for universe_ in results.tables[:, place]:  # the study's own, and the drawn one
            assert np.array_equal(universe_, expected, equal_nan=True), metric


def test_the_page_shows_the_multiverse_and_the_audit_of_this_run(run):
    ran(run)  # the page shows what was there
    text = (run / "results/demo/report.html").read_text(encoding="utf-8")
    assert 'id="no-' not in text
    for figure in (run / "results/demo").rglob("*.svg"):
        assert "SYNTHETIC" in figure.read_text(encoding="utf-8"), figure
    assert planned_jobs(run) == {}
    assert planned_jobs(run, "multiverse") == {}
    # by other settings it is made again, and the page does not show it
    followed = {"score_universes_sera", "compute_universes", "write_replication"}
    assert followed <= planned_jobs(run, "multiverse", "--config", "mu=100").keys()
    assert "write_report" in planned_jobs(run, "--config", "mu=100")
    assert "write_replication" not in planned_jobs(run, "multiverse", "--config", "depth=30")


def test_one_more_value_plans_only_the_jobs_that_it_changes(run):
    def planned(**grown):
        configure(run, multiverse={**DRAWN, "dimensions": {**FEW, **grown}})
        return planned_jobs(run, "multiverse")

    after = {
        **{"compute_universes": 1, "permute_universes": 4, "answer_universes": 1},
        **{"write_replication": 1, "multiverse": 1},
    }
    assert planned() == {}
    assert planned(pyramid_threshold=[0.5, 1.0]) == {"score_universes": 1, **after}
    assert planned(index_size=[1, 0.5]) == {"score_universes_sera": 1, **after}
    scored = {"score_universes": 3, "score_universes_sera": 1}
    of_summaries = {"summarize_universes": 1, "formulate_universes": 1, **scored}
    assert planned(order=["source", "choice"]) == {**of_summaries, **after}
    both = {"extract_universes": 2, "index_universes": 1, "score_universes_sera": 1}
    assert planned(figures=[False, True]) == {**both, **after}
    # the universes of the other question go, and those of this one stay
    assert planned(level=["system"]) == {name: 1 for name in after if name != "permute_universes"}
