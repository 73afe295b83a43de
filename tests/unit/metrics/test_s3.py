"""S3: its features, training beside scikit-learn, leaving topics out, files that were changed by hand."""

import numpy as np
import pandas as pd
import pytest
from commands import put_texts, sera
from made_scores import JUDGEMENT_HEAD, SCORE_HEAD, put_table
from sklearn.svm import SVR

from sera import metric
from sera.errors import InputError
from sera.io.records import Candidate, Reference, Section, Source
from sera.io.scores import read_scores
from sera.metrics.configure import Resources
from sera.metrics.s3.features import BEST, FULL
from sera.metrics.s3.model import Model, features_of, load
from sera.metrics.s3.training import available, feature_scores, impossible, leave_one_topic_out, train
from sera.vectors.word_vectors import WordVectors
from study.workflow.s3 import scores_of_others, table_scores, training_judgements

VECTORS = WordVectors(["ax", "bx", "cx"], np.array([[1, 0], [4, 3], [0, 1]]), "three")
WORDS = "ax bx cx cell kinase binds fish swims".split()


@pytest.fixture(scope="module")
def texts():
    """Six topics with five systems; the judgement is near the share of the reference's words."""
    draw = np.random.default_rng(2)
    candidates, references, sources, judgements = [], [], [], []
    for topic in map(str, range(6)):
        gold = draw.choice(WORDS, 6)
        references.append(Reference(topic, "A", (" ".join(gold),)))
        sentences = (" ".join(draw.choice(WORDS, 8)), " ".join(gold))
        sources.append(Source(topic, topic, sections=(Section("", sentences),)))
        for system in "abcde":
            said = draw.choice(WORDS, 6)
            candidates.append(Candidate(topic, system, (" ".join(said),)))
            judgements.append((topic, system, "pyramid", len(set(said) & set(gold)) / 6 + draw.normal() / 20))
    return candidates, references, sources, pd.DataFrame(judgements, columns=JUDGEMENT_HEAD.split())


@pytest.fixture(scope="module")
def judgements(texts):
    return texts[3]


@pytest.fixture(scope="module")
def features():
    return available(Resources(vectors=VECTORS), sources=True)


@pytest.fixture(scope="module")
def table(texts, features):
    return feature_scores(features, *texts[:3])


def test_features(features):
    assert [one.name for one in features] == [name for name in FULL if not name.startswith("Frame")]
    assert len(FULL) == len(set(FULL)) == 20 and set(BEST) < set(FULL)
    [rouge] = features_of(["ROUGE-1-R"], Resources())
    assert rouge.score("the cats", "the cat sat") == pytest.approx(2 / 3, abs=1e-5)


def by_summary(table):
    return table.pivot(index=["topic", "system"], columns="metric", values="score")


def normalised(judgements):
    means = judgements.groupby("topic")["score"].transform("mean")
    return judgements["score"] - means + judgements["score"].mean()


def test_predictions_are_those_of_scikit_learn(texts, judgements, features, table, fidelity):
    for name, wanted in (("S3-best", 6), ("S3-full", 18)):
        model = train(name, features, table, judgements)
        wide = by_summary(table)[list(model.features)]
        beside = SVR(C=1, epsilon=0.1, gamma=1 / wanted).fit(wide.to_numpy(), normalised(judgements))
        assert len(model.features) == wanted
        assert np.abs(model.predict(wide.to_numpy()) - beside.predict(wide.to_numpy())).max() < 1e-12
        subject = f"metric `S3`: {name}"
        fidelity(subject, "predictions of made-up texts", len(wide), "scikit-learn", "to 1e-12")
        assert model.trained == {"judgement": "pyramid", "summaries": 30, "topics": 6, "C": 1, "epsilon": 0.1}


def test_a_topic_plays_no_part_in_its_own_scores(judgements, features, table):
    scores = leave_one_topic_out(table, judgements)
    assert list(scores["metric"].unique()) == ["S3-best", "S3-full"] and len(scores) == 60
    for name in ("S3-best", "S3-full"):
        without = train(name, features, table[table["topic"] != "3"], judgements[judgements["topic"] != "3"])
        wide = table[table["topic"] == "3"].pivot(index="system", columns="metric", values="score")
        mine = scores[(scores["topic"] == "3") & (scores["metric"] == name)]["score"]
        assert mine.tolist() == without.predict(wide[list(without.features)].to_numpy()).tolist()
    changed = judgements.assign(score=judgements["score"].where(judgements["topic"] != "3", 9.0))
    again = leave_one_topic_out(table, changed)
    assert again[again["topic"] == "3"].equals(scores[scores["topic"] == "3"])
    assert not again[again["topic"] == "2"].equals(scores[scores["topic"] == "2"])


def test_each_judgement_has_its_own_models_of_initial_topics(judgements, features, table):
    """The scores behind the paper's tables, of topics 0 to 3; the others are update sets."""
    names = {"0": "D0801-A", "1": "D0802-A", "2": "D0803-A", "3": "D0804-A", "4": "D0801-B", "5": "D0802-B"}
    renamed = table.assign(topic=table["topic"].map(names))
    pyramid = judgements.assign(topic=judgements["topic"].map(names))
    other = pyramid.assign(judgement="responsiveness", score=1 - pyramid["score"] ** 2)
    both = pd.concat([pyramid, other], ignore_index=True)
    scores = table_scores(renamed, both)
    initial = renamed[renamed["topic"].str.endswith("A")]
    assert set(scores["topic"]) == set(initial["topic"]) and len(initial["topic"].unique()) == 4
    assert scores[scores["metric"].isin(FULL)].equals(initial.reset_index(drop=True))
    for judgement in ("pyramid", "responsiveness"):
        wanted = leave_one_topic_out(initial, both, judgement, ["S3-full"])["score"].tolist()
        label = f"S3-full(judgement={judgement})"
        assert scores[scores["metric"] == label]["score"].tolist() == wanted
    known = leave_one_topic_out(renamed, both, "pyramid", ["S3-best"]).assign(score=9.0)
    # what is known is used only if no topic is left out
    assert 9.0 not in set(table_scores(renamed, both, {"pyramid": known})["score"])
    assert 9.0 in set(table_scores(table, judgements, {"pyramid": known})["score"])
    few = pyramid[pyramid["topic"] == "D0801-A"]
    assert not table_scores(renamed, few)["metric"].str.startswith("S3").any()


def test_other_summaries_are_scored_by_models_of_the_judged_ones(judgements, features, table):
    others = table[table["system"] == "a"].assign(system="new")
    scores = scores_of_others(others, table, judgements, "pyramid")
    known = leave_one_topic_out(table, judgements)
    # they equal summaries of the study, and the models are the study's
    assert set(scores["system"]) == {"new"} and len(scores) == 2 * 6
    wanted = known[known["system"] == "a"]["score"].tolist()
    assert scores["score"].tolist() == pytest.approx(wanted, abs=1e-12)
    few = judgements[judgements["topic"] == "0"]
    assert scores_of_others(others, table, few, "pyramid").empty


def test_judgements_to_train_on(tmp_path):
    """Those in a file, or the defined Pyramid scores of the systems."""
    put_table(tmp_path / "j.tsv", JUDGEMENT_HEAD, "t a H 1")
    assert training_judgements(tmp_path / "j.tsv", [], ["b"]).to_numpy().tolist() == [["t", "a", "H", 1.0]]
    put_table(tmp_path / "p.tsv", SCORE_HEAD, "t a Pyramid 0.5", "t b Pyramid nan", "t human_A Pyramid 1")
    found = training_judgements(None, [tmp_path / "p.tsv"], ["a", "b"])
    assert found.to_dict("records") == [{"topic": "t", "system": "a", "judgement": "Pyramid", "score": 0.5}]


def test_the_metric_gives_what_the_model_predicts(texts, judgements, features, table):
    model = train("S3-full", features, table, judgements)
    mine = metric("S3-full", model=model, vectors=VECTORS)
    wide = by_summary(table)[list(model.features)]
    predicted = model.predict(wide.to_numpy()).tolist()
    assert feature_scores([mine], *texts[:3])["score"].tolist() == pytest.approx(predicted, abs=1e-12)
    assert mine.signature.split("|")[:3] == ["S3-full", "features:18", f"model:{model.digest}"]
    with pytest.raises(InputError, match=r"TF\*IDF-1 compares with the article"):
        mine.score("ax", "bx")


def test_a_summary_with_an_undefined_feature_is_left_out(judgements, features, table):
    undefined = (table["topic"] == "1") & (table["system"] == "b") & (table["metric"] == "JS-ref-2")
    holed = table.assign(score=table["score"].mask(undefined))
    assert train("S3-best", features, holed, judgements).trained["summaries"] == 29
    fewer = judgements[(judgements["topic"] != "1") | (judgements["system"] != "b")]
    without = train("S3-best", features, table, fewer)
    assert without.digest == train("S3-best", features, holed, judgements).digest
    scores = leave_one_topic_out(holed, judgements, names=["S3-best"])
    assert scores["score"].isna().sum() == 1 and scores["score"].isna()[6]  # topic 1, system b


def test_what_cannot_be_learnt_from_is_told(judgements, features, table):
    with pytest.raises(InputError, match="S3-best is made of .*, but there is no ROUGE-WE-1-R, ROUGE-WE-2-R"):
        train("S3-best", available(Resources()), table, judgements)
    with pytest.raises(InputError, match="there is no judgement 'quality'. Name one of pyramid"):
        train("S3-best", features, table, judgements, "quality")
    two = pd.concat([judgements, judgements.assign(judgement="quality")])
    with pytest.raises(InputError, match="there are several judgements. Name one of pyramid, quality"):
        train("S3-best", features, table, two)
    with pytest.raises(InputError, match="no summary with a judgement and all features"):
        train("S3-best", features, table, judgements.assign(system=judgements["system"] + "x"))
    one = judgements[judgements["topic"] == "1"]
    with pytest.raises(InputError, match="needs two topics or more"):
        leave_one_topic_out(table, one)
    reasons = impossible(table, one)
    assert list(reasons) == ["S3-best", "S3-full"]
    assert {reason[:31] for reason in reasons.values()} == {"leaving one topic out needs two"}
    assert impossible(table, judgements) == {}


def test_features_without_any_value_are_passed_over(judgements, table):
    """As those of the article where a benchmark brings no articles."""
    article = table["metric"].str.match("TF|Cov|KL|JS-[12]")
    empty = table.assign(score=table["score"].where(~article))
    assert impossible(empty, judgements) == {}
    scores, without = (
        leave_one_topic_out(some, judgements, names=["S3-full"]) for some in (empty, table[~article])
    )
    assert scores["score"].tolist() == without["score"].tolist()
    nothing = table.assign(score=np.nan)
    assert "there is no ROUGE-1-R" in impossible(nothing, judgements)["S3-full"]


# Files


@pytest.fixture
def saved(texts, features, table, tmp_path):
    train("S3-best", features, table, texts[3]).save(tmp_path / "model.json")
    return tmp_path / "model.json"


def test_a_model_comes_back_to_the_last_digit(saved, judgements, features, table, tmp_path):
    model, again = train("S3-best", features, table, judgements), load(saved)
    assert again.digest == model.digest and again.trained == model.trained
    again.save(saved.with_name("again.json"))
    assert saved.with_name("again.json").read_bytes() == saved.read_bytes()
    rows = np.random.default_rng(0).random((9, 6))
    assert np.array_equal(model.predict(rows), again.predict(rows))
    Model("S3-best", ("JS-ref-1",), ("",), 0.5, 0.25, np.empty((0, 1)), np.empty(0)).save(tmp_path / "m.json")
    assert load(tmp_path / "m.json").predict(np.ones((2, 1))).tolist() == [0.25, 0.25]


def test_a_model_needs_the_vectors_of_its_training(saved):
    other = WordVectors(["ax"], np.array([[1, 0]]), "others")
    with pytest.raises(InputError, match=r"was trained with ROUGE-WE-1-R\|vectors:three\|.*, and here is"):
        metric("S3-best", model=load(saved), vectors=other)
    with pytest.raises(InputError, match="ROUGE-WE-1-R compares words by their vectors, but none are given"):
        metric("S3-best", model=load(saved))
    with pytest.raises(InputError, match="the model is one of S3-best, not of S3-full"):
        metric("S3-full", model=load(saved), vectors=VECTORS)
    with pytest.raises(InputError, match="S3-best needs a trained model. Name one: --model FILE"):
        metric("S3-best").score("a", "b")


# The command line


@pytest.fixture
def files(texts, tmp_path):
    candidates, references, sources, judgements = texts
    put_texts(tmp_path, candidates=candidates, references=references, sources=sources)
    judgements.to_csv(tmp_path / "h.tsv", sep="\t", index=False)
    (tmp_path / "vectors.txt").write_text("ax 1 0\nbx 4 3\ncx 0 1\n")
    return tmp_path


def of_texts(files):
    return [files / "candidates.jsonl", files / "references.jsonl"]


def test_train_score_and_evaluate(files, texts, judgements, table):
    given = [*of_texts(files), "--judgements", files / "h.tsv", "--vectors", files / "vectors.txt"]
    said = sera("research", "s3", *given, "--model", files / "m.json")
    assert said == f"S3-best of 6 features, trained on 30 summaries of 6 topics, in {files / 'm.json'}\n"
    assert "there is nothing to write. Give --model" in sera("research", "s3", *given, code=2)
    named = ["--model", files / "m.json", "--vectors", files / "vectors.txt"]
    names = "S3-best,ROUGE-WE-1-R,AVG_SIM"
    sera("score", "--metrics", names, *of_texts(files), *named, "--out", files / "o.tsv")
    scores = by_summary(read_scores(files / "o.tsv"))
    wide = by_summary(table)
    assert np.allclose(scores["ROUGE-WE-1-R"], wide["ROUGE-WE-1-R"])
    assert np.allclose(scores["S3-best"], load(files / "m.json").predict(wide[list(BEST)].to_numpy()))

    full = ["--sources", files / "sources.jsonl", "--model-of", "S3-full", "--out", files / "e.tsv"]
    said = sera("research", "s3", *given, *full)
    assert said.startswith("without Frame-1, Frame-2: give --vectors, --framenet and --sources")
    beside = leave_one_topic_out(table, judgements, names=["S3-full"])["score"].tolist()
    assert read_scores(files / "e.tsv")["score"].tolist() == pytest.approx(beside, abs=1e-12)
