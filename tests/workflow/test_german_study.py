"""The parts of a study that read German, on a made folder of the DBS corpus's layout."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest
import yaml
from checkouts import checkout, configure, snakemake
from conftest import ROOT
from releases import put

from rules.checks import check_language, check_settings
from sera.errors import InputError

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
        "dbs-nuggets.tsv": ["TOPIC_ID\tUSER_ID\tTEXT\tREVISED_TEXT\tREDUNDANT_IS_BEST"],
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
    configure(folder, candidates={})
    settings = ["benchmark=dbs", f"data={release}", "vectors=null", "analyzer=standard"]
    files = [f"results/dbs/scores/{name}.tsv" for name in ("rouge", "s3")]
    run = snakemake(folder, "--config", *settings, "language=de", "--", *files)
    assert run.returncode == 0, run.stderr
    rouge = pd.read_csv(folder / files[0], sep="\t", dtype={"topic": str})
    rouge = rouge.set_index(["topic", "system", "metric"])["score"]
    assert rouge["1", "x", "ROUGE-1-R"] == 1.0  # haus arzt gross: the settings stem and stop
    assert rouge["2", "y", "ROUGE-1-R"] == 0.0
    trained = pd.read_csv(folder / files[1], sep="\t").set_index(["topic", "system", "metric"])["score"]
    assert trained[1, "x", "S3-full"] > trained[1, "y", "S3-full"]
    assert "|language:de|" in (folder / "results/dbs/scores/s3.signatures.tsv").read_text()
    left_out = (folder / "results/dbs/scores/left_out.tsv").read_text()
    assert "S3-resp-released\tit reads English, and the language is de\n" in left_out
    run = snakemake(folder, "--dry-run", "--config", *settings, "language=de")
    said = "SERA and Pyramid read English, not de, so the whole study cannot be run"
    assert run.returncode and said in run.stdout + run.stderr


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            {"benchmark": "dbs"},
            "config: language: en, and the benchmark dbs is in another. Set language to de.",
        ),
        (
            {"language": "de"},
            "config: analyzer: english stems English, and the language is de. Set analyzer to standard.",
        ),
        ({"language": "fr"}, "config: language: 'fr' is not one of en, de"),
        ({"benchmark": "dbs", "language": "de", "analyzer": "standard"}, None),
    ],
)
def test_the_language_is_checked_before_any_job(settings, said):
    config = yaml.safe_load((ROOT / "config.yaml").read_text()) | settings
    if said is None:
        check_language(config)
        return
    with pytest.raises(InputError, match=re.escape(said)):
        check_settings(config, ROOT / "schemas/config.schema.yaml")
        check_language(config)
