"""The parts of a study that read German, on a made folder of the DBS corpus's layout."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest
from checkouts import checkout, configure, snakemake
from conftest import ROOT
from releases import put

from sera.errors import InputError
from sera.evaluation.tables import read_tsv
from study.settings.checks import check_language, check_settings
from study.settings.settings import read_config

SUMMARIES = {"x": "Die Häuser der Ärzte sind groß.", "y": "Nichts."}
REFERENCE = "Das große Haus des Arztes."


@pytest.fixture
def release(tmp_path):
    topics = ("1", "2")
    rows = {
        "dbs-topics.tsv": ["ID\tTOPIC", *(f"{topic}\tHaus" for topic in topics)],
        "dbs-summary.tsv": [
            "TOPIC_ID\tUSER_ID\tSUMMARY_TEXT",
            *(f"{topic}\t8\t{REFERENCE}" for topic in topics),
        ],
        "dbs-nuggets.tsv": [
            "TOPIC_ID\tUSER_ID\tTEXT\tREVISED_TEXT\tREDUNDANT_IS_BEST",
            *(f"{topic}\t8\tHäuser der Ärzte\t\t1" for topic in topics),
        ],
        "dbs-document-links.tsv": [
            "ID\tTOPIC_ID\tTITLE\tTEXT",
            *(f"{topic}\t{topic}\tHaus\tÄrzte haben Häuser." for topic in topics),
        ],
        "candidates.jsonl": [
            json.dumps({"topic": topic, "system": system, "sentences": [text]})
            for topic in topics
            for system, text in SUMMARIES.items()
        ],
        "judgements.tsv": [
            "topic\tsystem\tjudgement\tscore",
            *(f"{topic}\tx\tpyramid\t1" for topic in topics),
            *(f"{topic}\ty\tpyramid\t0" for topic in topics),
        ],
    }
    return put(tmp_path / "dbs", {name: "\n".join(lines) + "\n" for name, lines in rows.items()})


def test_german_scores_of_a_study(tmp_path, release):
    folder = checkout(tmp_path / "checkout")
    configure(folder, candidates={}, cutoffs=[5, 10], depth=10)
    settings = ["benchmark=dbs", f"data={release}", "vectors=null", "analyzer=german", "language=de"]
    files = [f"results/dbs/scores/{name}.tsv" for name in ("rouge", "s3", "sera", "pyramid_0.75", "rouge_k")]
    beside = "results/dbs/tables/s3_table1.tsv"
    run = snakemake(folder, "--config", *settings, "--", *files, beside)
    assert run.returncode == 0, run.stderr
    # Table 2 of S3's paper: the rows ROUGE-2 and KL-1
    printed = read_tsv(folder / beside).set_index(["metric", "against"])
    assert printed.loc[("ROUGE-2-R", "pyramid"), "pearson_s3"] == 0.8272
    assert printed.loc[("KL-1", "pyramid"), "ndcg_10_s3"] == 0.7348
    tables = (pd.read_csv(folder / file, sep="\t", dtype={"topic": str}) for file in files)
    scores = pd.concat(tables).set_index(["topic", "system", "metric"])["score"]
    assert scores["1", "x", "ROUGE-1-R"] == 1.0  # haus arzt gross: the settings stem and stop
    assert scores["2", "y", "ROUGE-1-R"] == 0.0
    assert scores["1", "x", "S3-full"] > scores["1", "y", "S3-full"]
    # the nugget is haus arzt, which x has; both retrieve the pages, which have haus and arzt, and y nothing
    assert (scores["1", "x", "Pyramid"], scores["1", "y", "Pyramid"]) == (1.0, 0.0)
    assert (scores["1", "x", "SERA-5"], scores["1", "y", "SERA-5"]) == (1.0, 0.0)
    assert {"SERA-KW-5", "SERA-DIS-5", "ROUGE-K-TFIDF"} <= set(scores.index.get_level_values("metric"))
    for file in files:
        signatures = (folder / file.replace(".tsv", ".signatures.tsv")).read_text().splitlines()[1:]
        assert signatures and all("|language:de|" in line for line in signatures)
    left_out = pd.read_csv(folder / "results/dbs/scores/left_out.tsv", sep="\t")
    without_model = left_out[left_out["reason"] == "the setting encoder is null"]
    assert set(without_model["metric"]) == {"BERTScore-P", "BERTScore-R", "BERTScore-F"}
    left_out = left_out[left_out["reason"] == "it reads English, and the language is de"]
    assert set(left_out["metric"]) == {
        *("SERA-NP-5", "SERA-NP-10", "SERA-DIS-NP-5", "SERA-DIS-NP-10"),
        *("ROUGE-K-TextRank", "Frame-1", "Frame-2", "S3-resp-released"),
    }
    run = snakemake(folder, "--dry-run", "--config", *settings)
    assert run.returncode == 0, run.stderr  # the whole study, without the multiverse


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"benchmark": "dbs"}, "config: language: en, and the benchmark"),
        ({"language": "de"}, "config: analyzer: english is for en, and"),
        ({"language": "fr"}, "config: language: 'fr' is not one of en, de"),
        ({"benchmark": "dbs", "language": "de", "analyzer": "german"}, None),
        ({"analyzer": "german"}, "config: analyzer: german is for de, and"),
    ],
)
def test_the_language_is_checked_before_any_job(settings, said):
    config = read_config(ROOT / "config.yaml") | settings
    if said is None:
        check_language(config)
        return
    with pytest.raises(InputError, match=re.escape(said)):
        check_settings(config, ROOT / "schemas/config.schema.yaml")
        check_language(config)
