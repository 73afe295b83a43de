"""The parts of a study that read German, on a made folder of the DBS corpus's layout."""

from __future__ import annotations

import pandas as pd
import pytest
from checkouts import checkout, configure, ran
from releases import put

from sera.evaluation.tables import read_tsv
from sera.io import records
from sera.io.records import Candidate

ROWS = {
    "dbs-topics.tsv": ["ID\tTOPIC", "{0}\tHaus"],
    "dbs-summary.tsv": ["TOPIC_ID\tUSER_ID\tSUMMARY_TEXT", "{0}\t8\tDas große Haus des Arztes."],
    "dbs-nuggets.tsv": [
        "TOPIC_ID\tUSER_ID\tTEXT\tREVISED_TEXT\tREDUNDANT_IS_BEST",
        "{0}\t8\tHäuser der Ärzte\t\t1",
    ],
    "dbs-document-links.tsv": ["ID\tTOPIC_ID\tTITLE\tTEXT", "{0}\t{0}\tHaus\tÄrzte haben Häuser."],
    "judgements.tsv": ["topic\tsystem\tjudgement\tscore", "{0}\tx\tpyramid\t1", "{0}\ty\tpyramid\t0"],
}
"""The heading of each file, and its rows on a topic."""


@pytest.fixture
def release(tmp_path):
    files = {
        name: "".join(f"{line}\n" for line in [head, *(row.format(topic) for topic in "12" for row in rows)])
        for name, (head, *rows) in ROWS.items()
    }
    said = [("x", "Die Häuser der Ärzte sind groß."), ("y", "Nichts.")]
    records.write(
        tmp_path / "dbs/candidates.jsonl",
        [Candidate(topic, system, (text,)) for topic in "12" for system, text in said],
    )
    return put(tmp_path / "dbs", files)


def test_german_scores_of_a_study(tmp_path, release):
    folder = checkout(tmp_path / "checkout")
    configure(folder, candidates={}, cutoffs=[5, 10], depth=10)
    settings = ["benchmark=dbs", f"data={release}", "vectors=null", "analyzer=german", "language=de"]
    files = [f"results/dbs/scores/{name}.tsv" for name in ("ROUGE", "S3", "SERA", "Pyramid", "ROUGE-K")]
    beside = "results/dbs/tables/s3_table1.tsv"
    ran(folder, "--config", *settings, "--", *files, beside)
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
        *("SERA-NP-5", "SERA-NP-10", "SERA-DIS-NP-5", "SERA-DIS-NP-10", "SERA-POS-5", "SERA-POS-10"),
        *("ROUGE-K-TextRank", "Frame-1", "Frame-2", "S3-resp-released"),
    }
    ran(folder, "--dry-run", "--config", *settings)  # the whole study, without the multiverse
