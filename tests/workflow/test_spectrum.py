"""Summaries over the range of a metric's scores in a study: what is sampled, and how metrics agree on it."""

from __future__ import annotations

import pandas as pd
import pytest
from checkouts import checkout, configure, planned, ran

from sera.io import records
from sera.io.records import Candidate, Reference, Section, Source, read

# Topic t0 has the words a0 to g0. The reference is "a0 b0 c0 d0."
SENTENCES = ("A{0} b{0}.", "C{0} e{0}.", "F{0} g{0}.", "D{0} a{0}.")
TARGETS = ("spectrum/scores.tsv", "tables/spectrum.tsv")


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A checkout and a benchmark with three initial sets and an update set, and four judged systems."""
    root = tmp_path_factory.mktemp("spectrum")
    mine = root / "mine"
    names = ["D0801-A", "D0801-B", "D0802-A", "D0803-A"]
    texts = {name: [each.format(place) for each in SENTENCES] for place, name in enumerate(names)}
    gold = [f"a{place} b{place} c{place} d{place}." for place in range(4)]
    sources = [Source(name, name, "", (Section("", tuple(text)),)) for name, text in texts.items()]
    candidates = [
        Candidate(name, f"s{number}", (texts[name][number],)) for name in names for number in range(4)
    ]
    references = [Reference(name, "A", (text,)) for name, text in zip(names, gold, strict=True)]
    for kind, some in (("sources", sources), ("references", references), ("candidates", candidates)):
        records.write(mine / f"{kind}.jsonl", some)
    worth = (1.0, 0.5, 0.1, 0.9)
    lines = [f"{name}\ts{number}\tcontent\t{worth[number]}" for name in names for number in range(4)]
    (mine / "judgements.tsv").write_text("\n".join(["topic\tsystem\tjudgement\tscore", *lines]) + "\n")
    folder = checkout(root / "study")
    configure(folder, candidates={}, benchmark=str(mine), length="2 words", resamples=20)
    return folder


def run(folder, **spectrum):
    configure(folder, spectrum={"topics": 2, "samples": 4, "population": 100, "generations": 12, **spectrum})
    ran(folder, *(f"results/mine/{each}" for each in TARGETS))


def test_nothing_is_sampled_unless_a_metric_is_named(own):
    configure(own, spectrum={"topics": 2, "samples": 4, "population": 20, "generations": 12, "fitness": None})
    assert not {"sample_spectrum", "score_spectrum"} & planned(own)


def test_a_range_of_summaries_and_the_agreement_on_it(own):
    run(own, fitness="ROUGE-1-R")
    results = own / "results/mine"
    # summaries of one sentence; the update set is left out, and the first two initial sets are sampled
    samples = read(results / "spectrum/samples.jsonl", Candidate)
    assert [(each.topic, each.system, each.sentences) for each in samples] == [
        (f"D080{topic}-A", f"sample_0{place}", (SENTENCES[number].format(name),))
        for topic, name in ((1, 0), (2, 2))
        for place, number in ((1, 0), (2, 3), (3, 1), (4, 2))
    ]
    # recall of a b c d: a and b, d and a, c alone, nothing
    fitness = pd.read_csv(results / "spectrum/fitness.tsv", sep="\t")
    assert fitness["score"].tolist() == [0.5, 0.5, 0.25, 0] * 2
    table = pd.read_csv(results / "tables/spectrum.tsv", sep="\t")
    assert set(table["against"]) == {"fitness"} and set(table["topics"]) <= {0, 2}
    table = table.set_index("metric")
    assert float(table.loc["ROUGE-1-R", "pearson"]) == pytest.approx(1)
    # ROUGE-2-R finds a b alone: 1/3, 0, 0, 0 beside 2, 2, 1, 0: r = 3/4 / sqrt(3/4 * 11/4) = sqrt(3/11)
    assert float(table.loc["ROUGE-2-R", "pearson"]) == pytest.approx((3 / 11) ** 0.5, abs=1e-5)
    assert "S3-full" in table.index and "SERA-5" not in table.index
    caption = (results / "tables/spectrum.md").read_text()
    assert "The fitness is ROUGE-1-R; on average over topics, the samples have 0.000 to 0.500." in caption
    assert "Settings that are not the library's defaults: ROUGE (stem=true,stop=true)" in caption


def test_s3_samples_by_models_of_the_other_topics(own):
    run(own, fitness="S3-full")
    table = pd.read_csv(own / "results/mine/tables/spectrum.tsv", sep="\t", index_col="metric")
    # the fitness and the study's own scores come from the same models
    assert float(table.loc["S3-full", "pearson"]) == pytest.approx(1)
    fitness = pd.read_csv(own / "results/mine/spectrum/fitness.tsv", sep="\t")
    scores = pd.read_csv(own / "results/mine/spectrum/scores.tsv", sep="\t")
    learnt = scores[scores["metric"] == "S3-full"]["score"].tolist()
    assert sorted(fitness["score"]) == pytest.approx(sorted(learnt), abs=1e-9)
