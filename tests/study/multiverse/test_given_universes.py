"""The multiverse of a given benchmark: universes by hand, and one beside the ordinary evaluation."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pandas as pd
import pytest
from commands import sera as command

from sera.errors import InputError
from sera.evaluation.correlation.correlate import Scores, at_level
from sera.io import records
from sera.io.records import Candidate, Reference
from sera.metrics import metric
from sera.metrics.scoring import canonical_name, score
from study.claims.files import read_claims
from study.multiverse.given import (
    GivenEffects,
    GivenStudy,
    chosen_references,
    draw_universes,
    fixed_values,
    given_choice_table,
    given_claim_table,
    given_effects,
    given_universe_table,
    given_values,
    given_variance_table,
    possible,
)

WORDS = "the kinase binds strongly bound cells dying of inhibited growth in mice".split()
SYSTEMS = ("a", "b", "c", "d", "e")
UNIVERSE = {
    **{"references": "all", "which": "first", "several": "pooled", "stem": "yes", "stop": "no"},
    **{"dialect": "ROUGE-1.5.5", "level": "system", "coefficient": "spearman", "systems": "all"},
    **{"judgement": "H", "judges": "all", "left_out": "", "judge": ""},
}


def text(random):
    return (" ".join(random.choice(WORDS, 9)) + ".", " ".join(random.choice(WORDS, 7)) + ".")


@pytest.fixture(scope="module")
def study():
    random = np.random.default_rng(3)
    topics = [f"t{number}" for number in range(4)]
    judges = pd.DataFrame(
        [
            (t, s, name, judge, float(random.integers(1, 6)))
            for name, known in (("H", ("x", "y")), ("K", ("z",)))
            for t in topics
            for s in SYSTEMS
            for judge in known
        ],
        columns=["topic", "system", "judgement", "judge", "score"],
    )
    means = judges.groupby(["topic", "system", "judgement"], sort=False)["score"].mean().reset_index()
    return GivenStudy(
        [Candidate(t, s, text(random)) for t in topics for s in SYSTEMS],
        [Reference(t, annotator, text(random)) for t in topics for annotator in "ABC"],
        means,
        judges,
    )


@pytest.fixture(scope="module")
def claims(tmp_path_factory):
    path = tmp_path_factory.mktemp("claims") / "claims.yaml"
    path.write_text(
        "source: ours\nclaims:\n"
        "- {name: one_above_two, quote: q, formula: ROUGE-1-F > ROUGE-2-F}\n"
        "- {name: skip, quote: q, formula: ROUGE-S-R > ROUGE-L-P, coefficients: [spearman]}\n",
        encoding="utf-8",
    )
    return read_claims(path)


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"level": "summary", "coefficient": "kendall", "several": "best", "stop": "yes"},
        {"level": "global", "coefficient": "pearson", "judges": "one", "judge": "y"},
        {"systems": "all but one", "left_out": "c", "judgement": "K", "stem": "no"},
        {"references": "1", "several": "one reference"},
        {"dialect": "rouge-score", "several": "best"},
    ],
)
def test_a_universe_is_the_ordinary_evaluation_with_its_settings(study, claims, changed):
    universe = UNIVERSE | changed
    found = given_effects(study, [universe, UNIVERSE | {"stem": "no"}], claims, resamples=3)
    gold = [each for each in study.references if universe["references"] == "all" or each.annotator == "A"]
    settings = {"stem": universe["stem"] == "yes", "dialect": universe["dialect"]}
    if universe["dialect"] == "ROUGE-1.5.5":
        multi = universe["several"] if universe["several"] != "one reference" else "pooled"
        settings |= {"stop": universe["stop"] == "yes", "multi": multi}
    names = ["ROUGE-1-F", "ROUGE-2-F"]
    table = score([metric(name, **settings) for name in names], study.candidates, gold, label=canonical_name)
    judged = study.judgements
    if universe["judge"]:
        judged = study.judges[study.judges["judge"] == universe["judge"]]
    judged = judged[judged["judgement"] == universe["judgement"]].rename(columns={"judgement": "metric"})
    both = pd.concat([table, judged[["topic", "system", "metric", "score"]]])
    scores = Scores.of(both[both["system"] != universe["left_out"]])
    one, two = (
        at_level(scores, name, universe["judgement"], universe["level"])[universe["coefficient"]]
        for name in names
    )
    assert found.effects[0, 0] == pytest.approx(one - two, abs=1e-11)
    assert np.isnan(found.effects[0, 1]) == (universe["coefficient"] != "spearman" or "dialect" in changed)
    if "dialect" in changed:
        assert found.reasons == {"skip": "there are no scores by ROUGE-S-R"}


def test_universes_are_drawn_alike_and_a_larger_number_begins_with_the_smaller(study):
    values = given_values(study.most_references, study.of_judges)
    assert values["references"] == ["1", "2", "all"] and values["judges"] == ["all", "one"]
    drawn = draw_universes(values, 900, systems=SYSTEMS, judges=study.of_judges)
    assert drawn[:50] == draw_universes(values, 50, systems=SYSTEMS, judges=study.of_judges)
    assert draw_universes(values, 50, systems=SYSTEMS, judges=study.of_judges, seed=1) != drawn[:50]
    levels = Counter(each["level"] for each in drawn)
    assert all(abs(count - 300) < 5 * (900 * 2 / 9) ** 0.5 for count in levels.values()) and len(levels) == 3
    assert all(each == possible(each) for each in drawn)
    assert {each["judge"] for each in drawn if each["judgement"] == "H"} == {"", "x", "y"}
    assert {each["judges"] for each in drawn if each["judgement"] == "K"} == {"all"}
    assert {each["left_out"] for each in drawn} == {"", *SYSTEMS}


def test_a_universe_has_no_value_that_its_dialect_lacks():
    google = possible(UNIVERSE | dict(dialect="rouge-score", stop="yes"))
    assert (google["stop"], google["several"]) == ("no", "best")
    assert possible(UNIVERSE | {"references": "1"})["several"] == "one reference"
    assert possible(UNIVERSE | {"which": "draw 1"})["which"] == "first"  # all references


def test_references_are_the_first_or_drawn_from_each_topic():
    gold = [Reference(t, annotator, ("x",)) for t in ("s", "t") for annotator in "ABCDEF"] + [
        Reference("u", "A", ("x",))
    ]

    def names(*arguments):
        return [
            "".join(r.annotator for r in chosen_references(gold, *arguments) if r.topic == t) for t in "stu"
        ]

    assert names("2", "first") == ["AB", "AB", "A"] and names("all", "first") == ["ABCDEF", "ABCDEF", "A"]
    drawn = names("3", "draw 1")
    assert drawn == names("3", "draw 1") and drawn != names("3", "draw 2")
    assert names("3", "draw 2")[0] != names("3", "draw 2")[1]  # each topic has its own draw
    assert list(map(len, drawn)) == [3, 3, 1] and drawn[2] == "A"


def test_a_choice_is_fixed_to_a_value_that_it_has(study):
    values = given_values(1, study.of_judges)
    assert values["references"] == ["all"] and values["several"] == ["one reference"]
    assert fixed_values(values, {"level": "system"})["level"] == ["system"]
    with pytest.raises(InputError, match="there is no choice 'levels'. Use level."):
        fixed_values(values, {"levels": "system"})
    with pytest.raises(InputError, match="the choice stem has no value 'maybe' here. Use no, yes."):
        fixed_values(values, {"stem": "maybe"})


def test_the_answers_of_four_universes_by_hand(claims):
    """Effects .3, .1, -.2 and none: the claim holds in two of three."""
    universes = [
        UNIVERSE | dict(stem=stem, left_out=out, systems="all but one" if out else "all")
        for stem, out in (("yes", ""), ("yes", "a"), ("no", ""), ("no", "b"))
    ]
    effects = np.array([[0.3], [0.1], [-0.2], [np.nan]])
    resampled = np.stack([effects - 0.2, effects + 0.3], axis=1)  # (universe, resample, claim)
    found = GivenEffects(effects, resampled, {"one_above_two": "a correlation is undefined"})
    (row,) = given_claim_table(claims[:1], found, 100).to_dict("records")
    assert (row["holds"], row["fails"], row["undefined"]) == (2, 1, 1)
    assert row["share"] == pytest.approx(2 / 3) and row["error"] == pytest.approx((2 / 9 / 3) ** 0.5)
    assert (row["low"], row["high"]) == pytest.approx((1 / 3, 1)) and row["verdict"] == "open"
    assert row["effect_50"] == pytest.approx(0.1) and row["why_undefined"] == "a correlation is undefined"
    choices = given_choice_table(universes, claims[:1], found).set_index(["choice", "value"])
    assert choices.loc[("stem", "yes"), ["universes", "share", "effect"]].tolist() == pytest.approx(
        [2, 1, 0.2]
    )
    assert choices.loc[("stem", "no"), ["undefined", "share"]].tolist() == [1, 0]
    assert choices.loc[("left_out", "a"), ["universes", "share"]].tolist() == [1, 1]
    variance = given_variance_table(universes, claims[:1], found).set_index("choice")
    # mean 1/15: between 2 (2/15)^2 + (4/15)^2 = 24/225, all (7/30)^2 + (1/30)^2 + (8/30)^2 = 114/900
    assert variance.loc["stem", "explained"] == pytest.approx(96 / 114)
    table = given_universe_table(universes, claims[:1], found, 100)
    assert table["one_above_two"].tolist() == ["holds", "holds", "fails", "undefined"]
    assert table.loc[0, ["one_above_two_low", "one_above_two_high"]].tolist() == pytest.approx([0.1, 0.6])


def test_the_command_writes_tables_and_curves(study, claims, tmp_path):
    records.write(tmp_path / "c.jsonl", study.candidates)
    records.write(tmp_path / "r.jsonl", study.references)
    study.judges.to_csv(tmp_path / "j.tsv", sep="\t", index=False)
    (tmp_path / "claims.yaml").write_text(
        "source: ours\nclaims:\n- {name: mine, quote: best of all, formula: ROUGE-1-F > ROUGE-2-F}\n"
        "- {name: other, quote: q, formula: ROUGE-1-F > BLEU}\n"
    )
    names = {"candidates": "c.jsonl", "references": "r.jsonl", "judgements": "j.tsv", "claims": "claims.yaml"}
    given = [f"--{name}={tmp_path / file}" for name, file in {**names, "out": "o"}.items()]
    given += ["--universes=12", "--resamples=3", "--fix=level=system", "--fix", "dialect=ROUGE-1.5.5"]
    assert "Undefined: other: there are no scores by BLEU" in command("multiverse", *given)
    table = pd.read_csv(tmp_path / "o/universes.tsv", sep="\t")
    assert len(table) == 12 and set(table["level"]) == {"system"} and set(table["other"]) == {"undefined"}
    assert "best of all" in (tmp_path / "o/mine.svg").read_text(encoding="utf-8")
    assert not (tmp_path / "o/other.svg").exists()
    assert "Write CHOICE=VALUE" in command("multiverse", *given, "--fix=level", code=2)
