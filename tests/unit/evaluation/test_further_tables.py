"""The further tables of `sera evaluate`: each number is that of its function; what the command writes."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from commands import sera as command

from sera.evaluation.correlation.correlate import Bootstrap, Scores
from sera.evaluation.evaluate import FURTHER_TABLES, JUDGE_TABLES, TEXT_TABLES, tables_of
from sera.evaluation.pairs.pairwise import calibrate, close_pairs, pairwise_accuracy, soft_pairwise_accuracy
from sera.evaluation.people.judges import krippendorff_alpha
from sera.evaluation.tables import read_tsv

ALL = (*FURTHER_TABLES, *TEXT_TABLES, *JUDGE_TABLES)
RANDOM = np.random.default_rng(12)
JUDGED = np.round(np.arange(6) / 3 + RANDOM.random((8, 6)), 1)
GOOD = JUDGED + 0.2 * RANDOM.random((8, 6))
SCORES = Scores(
    ("Good", "H", "Mistakes", "None"),
    tuple(f"t{i}" for i in range(8)),
    tuple(f"s{i}" for i in range(6)),
    np.array([GOOD, JUDGED, -GOOD, np.full((8, 6), np.nan)]),
)


def test_each_number_is_that_of_its_function_and_falling_metrics_are_turned():
    bootstrap = Bootstrap("topics", 60, 3)
    tables = tables_of(SCORES, ["H"], FURTHER_TABLES, falling=["Mistakes"], bootstrap=bootstrap)
    assert list(tables) == ["pairwise", "clusters", "power"]
    table = tables["pairwise"].set_index("metric")
    row = table.loc["Good"]
    means = GOOD.mean(axis=0), JUDGED.mean(axis=0)
    assert row["accuracy"] == pairwise_accuracy(*means)
    assert row["accuracy_low"] <= row["accuracy"] <= row["accuracy_high"]
    assert row["soft_accuracy"] == soft_pairwise_accuracy(GOOD, JUDGED, permutations=60, seed=3)
    assert row["close_accuracy"] == close_pairs(*means).accuracy and row["close_pairs"] == 4
    for ending, grouping in (("", "topic"), ("_by_system", "system"), ("_of_all", "all")):
        found = calibrate(GOOD, JUDGED, grouping)
        assert (row[f"acc_eq{ending}"], row[f"epsilon{ending}"]) == (found.accuracy, found.epsilon)
    same = [name for name in table.columns if name != "why_undefined"]
    assert table.loc["Mistakes", same].tolist() == pytest.approx(row[same].tolist())
    assert np.isnan(table.loc["None", "accuracy"])
    assert table.loc["None", "why_undefined"].startswith("on no topic do all systems have a score by None")
    clusters = tables["clusters"].set_index(["coefficient", "metric"])
    assert clusters.loc[("pearson", "Mistakes"), "value"] == pytest.approx(np.corrcoef(*means)[0, 1])
    assert len(tables["power"]) == 3 * 4 * 4 and set(tables["power"]["metrics"]) == {2}


def test_all_pairs_of_many_summaries_are_left_out(monkeypatch):
    monkeypatch.setattr("sera.evaluation.pairs.pairwise.MOST_PAIRED", 47)
    tables = tables_of(SCORES, ["H"], FURTHER_TABLES, bootstrap=Bootstrap("both", 5))
    row = tables["pairwise"].set_index("metric").loc["Good"]
    assert np.isnan(row["acc_eq_of_all"]) and row["why_undefined"] == "acc_eq of all: more than 47 summaries"
    assert not np.isnan(row["acc_eq_by_system"])


@pytest.fixture
def files(tmp_path):
    judges = {name: JUDGED + np.round(0.3 * RANDOM.random((8, 6)), 2) for name in "xyz"}
    with open(tmp_path / "s.tsv", "w") as scores, open(tmp_path / "h.tsv", "w") as judged:
        print("topic", "system", "metric", "score", sep="\t", file=scores)
        print("topic", "system", "judgement", "judge", "score", sep="\t", file=judged)
        for topic in range(8):
            for system in range(6):
                for metric, value in (("Good", GOOD[topic, system]), ("Noise", RANDOM.random())):
                    print(f"t{topic}", f"s{system}", metric, value, sep="\t", file=scores)
                for judge, values in judges.items():
                    line = (f"t{topic}", f"s{system}", "H", judge, values[topic, system])
                    print(*line, sep="\t", file=judged)
    with open(tmp_path / "c.jsonl", "w") as candidates, open(tmp_path / "a.jsonl", "w") as sources:
        for topic in range(8):
            words = [f"w{number}" for number in RANDOM.permutation(30)]
            sections = [{"title": "", "sentences": [" ".join(words)]}]
            print(json.dumps({"topic": f"t{topic}", "id": "i", "sections": sections}), file=sources)
            for system in range(6):
                own = [*words[: int(RANDOM.integers(1, 9))], *["new"] * int(RANDOM.integers(0, 5))]
                record = {"topic": f"t{topic}", "system": f"s{system}", "sentences": [" ".join(own)]}
                print(json.dumps(record), file=candidates)
    return tmp_path, np.stack(list(judges.values()))


def test_the_command_writes_all_tables_and_names_those_of_an_earlier_run(files):
    folder, judges = files
    given = ("evaluate", folder / "s.tsv", "--judgements", folder / "h.tsv", "--resamples", 40, "--all")
    texts = ("--candidates", folder / "c.jsonl", "--sources", folder / "a.jsonl")
    said = command(*given, *texts, "--out", folder / "t")
    assert said.endswith(f"2 metrics by H, over systems; 13 tables in {folder / 't'}\n")
    tables = {name: read_tsv(folder / "t" / f"{name}.tsv") for name in ALL}
    (alpha,) = tables["judges"].to_dict("records")
    assert alpha["alpha_interval"] == pytest.approx(krippendorff_alpha(judges.reshape(3, -1)), abs=1e-6)
    level = read_tsv(folder / "t" / "system_level.tsv").set_index("metric")
    redrawn = tables["system_level_judges"].set_index("metric")
    assert redrawn["pearson"].tolist() == level.loc[redrawn.index, "pearson"].tolist()
    assert tables["partial"].groupby("controls").size().to_dict() == {
        "extractiveness": 6,
        "length": 6,
        "length and extractiveness": 6,
    }
    for name in ALL:
        assert (folder / "t" / f"{name}.md").exists() and (folder / "t" / f"{name}.tex").exists()
    means = pd.read_csv(folder / "h.tsv", sep="\t").drop(columns="judge")
    means = means.groupby(["topic", "system", "judgement"], as_index=False).mean()
    means.to_csv(folder / "h.tsv", sep="\t", index=False)
    said = command(*given, "--out", folder / "t")
    assert "Of an earlier run, since this one does not write them: ceilings.md, ceilings.tex, ceil" in said
    again = read_tsv(folder / "t" / "system_level.tsv").set_index("metric")
    assert again["pearson"].tolist() == pytest.approx(level["pearson"].tolist(), abs=2e-6)


def test_texts_and_judges_that_do_not_fit_are_refused(files):
    folder, _ = files
    given = ["evaluate", folder / "s.tsv", "--judgements", folder / "h.tsv", "--out", folder / "t"]
    said = command(*given, "--sources", folder / "a.jsonl", code=2)
    assert "--sources needs --candidates. Name the summaries too." in said
    lines = (folder / "c.jsonl").read_text().splitlines(keepends=True)
    (folder / "c.jsonl").write_text("".join(lines[2:]))
    said = command(*given, "--candidates", folder / "c.jsonl", code=2)
    assert "2 judged summaries have no text, as that of s0 for t0. Add them to the candidates" in said
    judged = (folder / "h.tsv").read_text().splitlines(keepends=True)
    (folder / "h.tsv").write_text("".join([*judged, judged[1]]))
    assert "h.tsv, line 146: H of s0 for t0 by x stands twice" in command(*given, code=2)
    assert not (folder / "t").exists()
