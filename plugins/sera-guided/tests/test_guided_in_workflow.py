"""A study trains its systems, writes summaries with them and scores these; the model is tiny."""

from __future__ import annotations

import json
import shutil
import sys

import pytest

pytest.importorskip("torch")

import pandas as pd  # noqa: E402
from checkouts import ROOT, checkout, configure, planned_jobs, ran  # noqa: E402

from sera.io import records  # noqa: E402
from sera.io.records import Candidate, Source  # noqa: E402

SHORT = {"epochs": 1, "batch": 2, "accumulation": 1, "beams": 1, "source_tokens": 64, "summary_tokens": 12}
GUIDED_HERE = {"python": sys.executable, "gpus": 0, "folds": 2, "seeds": 1, "settings": SHORT}
THREE = {"systems": ["tdsum", "rwenc", "lexrank"], "baselines": [], "candidates": {}, "guided": GUIDED_HERE}


def topics_of(path):
    return [one.topic for one in records.read(path, Source)]


def test_a_study_trains_writes_and_scores(tmp_path):
    """Four topics in two parts: each system is trained twice, and summarises what it was not trained on."""
    study = checkout(tmp_path / "study")
    demo = {"topics": 4, "articles": 40}
    shutil.copy(ROOT / "study/demo/demo.tar.xz", study / "study/demo")  # the small one has three topics
    configure(study, **THREE, demo=demo, vectors=None, cutoffs=[5])
    ran(study, "--", "results/demo/scores.tsv")
    out = study / "results/demo"
    scores = pd.read_csv(out / "scores.tsv", sep="\t", dtype={"topic": str})
    all_topics = topics_of(out / "sources.jsonl")
    rouge = scores[scores["metric"] == "ROUGE-1-F"].set_index(["topic", "system"])["score"]
    assert set(rouge.index) == {(topic, system) for topic in all_topics for system in THREE["systems"]}
    assert rouge.between(0, 1).all()
    parts = []
    for fold in ("0", "1"):
        folder = out / "guided" / fold
        kinds = ("train_sources", "dev_sources", "sources")
        seen, chosen_by, tested = (topics_of(folder / f"{kind}.jsonl") for kind in kinds)
        assert sorted([*seen, *chosen_by, *tested]) == sorted(all_topics)
        parts += tested
        for system in ("tdsum", "rwenc"):
            log = (folder / system / "training.tsv").read_text().splitlines()
            # one topic with four gold summaries, two of them in an update
            assert log[0] == "update\tpass\tloss\tROUGE-1-F\tseconds" and len(log) == 3
    assert sorted(parts) == sorted(all_topics)
    written = records.read(out / "summaries/tdsum.jsonl", Candidate)
    assert sorted(one.topic for one in written) == sorted(all_topics)

    target = ["--", "results/demo/scores.tsv"]
    assert planned_jobs(study, *target) == {}
    configure(study, guided={**GUIDED_HERE, "settings": {**SHORT, "strength": 2}})
    again = planned_jobs(study, *target)
    assert (again["train_guided"], again["generate_guided"]) == (4, 2) and "split_topics" not in again


def test_a_benchmark_with_training_data_has_one_model_of_each_system(tmp_path):
    """Papers in SciTLDR-A's form: trained on ``train``, the best pass by ``dev``, summaries of ``test``."""
    release = tmp_path / "scitldr"
    (release / "SciTLDR-Data/SciTLDR-A").mkdir(parents=True)
    for split, count in {"train": 4, "dev": 2, "test": 3}.items():
        lines = [
            {
                "paper_id": f"{split}{number}",
                "title": "Deep nets",
                "source": [f"We study deep nets of size {number}.", "They learn."],
                "target": [f"Deep nets of size {number} learn."],
            }
            for number in range(count)
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (release / f"SciTLDR-Data/SciTLDR-A/{split}.jsonl").write_text(text)
    study = checkout(tmp_path / "study")
    configure(study, **THREE, benchmark="scitldr", data=str(release))
    target = ["--", "results/scitldr/summaries/tdsum.jsonl"]
    ran(study, *target)
    out = study / "results/scitldr"
    assert [folder.name for folder in (out / "guided").iterdir()] == ["0"]
    assert topics_of(out / "guided/0/train_sources.jsonl") == ["train0", "train1", "train2", "train3"]
    assert topics_of(out / "guided/0/dev_sources.jsonl") == ["dev0", "dev1"]
    written = records.read(out / "summaries/tdsum.jsonl", Candidate)
    assert [(one.topic, one.system) for one in written] == [(f"test{n}", "tdsum") for n in range(3)]
    assert planned_jobs(study, *target) == {}
