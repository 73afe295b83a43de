"""A study that scores by BERTScore, on a small model with drawn weights."""

from __future__ import annotations

import sys

import pytest

pytest.importorskip("torch")

import pandas as pd  # noqa: E402
from checkouts import checkout, configure, planned_jobs, ran  # noqa: E402
from small_encoders import make_models  # noqa: E402

from sera import metric  # noqa: E402
from sera.evaluation.tables import read_tsv  # noqa: E402
from sera.io import records  # noqa: E402
from sera.io.scores import read_signatures  # noqa: E402
from sera.metrics.scoring import comparisons
from sera_guided.encoders import Encoder  # noqa: E402

NAMES = ["BERTScore-P", "BERTScore-R", "BERTScore-F"]


def test_its_scores_are_among_the_others(tmp_path):
    model = make_models(tmp_path)["bert"]
    study = checkout(tmp_path / "study")
    configure(
        study,
        encoder=model,
        guided={"python": sys.executable, "gpus": 0, "folds": 5, "seeds": 1, "settings": {}},
        metrics={"BERTScore": {"layer": 2}},
    )
    out = study / "results/demo"
    files = ("scores.tsv", "signatures.tsv", "correlations.tsv", "tables/rougek_table7.tsv")
    ran(study, "--", *(f"results/demo/{file}" for file in files))

    scores = pd.read_csv(out / "scores.tsv", sep="\t", dtype={"topic": str})
    by_model = scores[scores["metric"].isin(NAMES)].set_index(["topic", "system", "metric"])["score"]
    of_rouge = scores[scores["metric"] == "ROUGE-1-F"].set_index(["topic", "system"]).index
    assert set(by_model.index.droplevel("metric")) == set(of_rouge) and len(by_model) == 3 * len(of_rouge)
    encoder = Encoder(model)
    f1 = metric("BERTScore-F", encoder=encoder, layer=2)
    candidates = records.read_all([out / "summaries.jsonl", out / "baselines.jsonl"], records.Candidate)
    references = records.read(out / "references.jsonl", records.Reference)
    for candidate, against in list(comparisons(candidates, references))[::7]:
        found = by_model[candidate.topic, candidate.system, "BERTScore-F"]
        assert found == pytest.approx(f1.score(candidate, against), abs=1e-5)

    signatures = read_signatures(out / "signatures.tsv")
    assert signatures["BERTScore-F"].startswith(f"BERTScore-F|model:{model}|layer:2|")
    assert "BERTScore" not in (out / "scores/left_out.tsv").read_text()
    correlations = (out / "correlations.tsv").read_text()
    table7 = read_tsv(out / "tables/rougek_table7.tsv")
    assert all(name in correlations and name in set(table7["against"]) for name in NAMES)
    known = table7[table7["against"].isin(NAMES)]["pearson"].astype(float).dropna()
    assert len(known) and known.between(-1, 1).all()

    # another model in the folder, or another layer, is scored again
    assert "score_bert" not in planned_jobs(study)
    assert "score_bert" in planned_jobs(study, "--config", "metrics={BERTScore: {layer: 1}}")
    with open(f"{model}/vocab.txt", "a") as vocabulary:
        vocabulary.write("new\n")
    assert "score_bert" in planned_jobs(study)
