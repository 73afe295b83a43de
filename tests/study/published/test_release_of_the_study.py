"""The released scores of TAC 2014 give the numbers that the repository shows."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT

from sera.benchmarks import load_benchmark
from sera.evaluation.correlate import Scores, level_coefficients
from sera.evaluation.tables import TEXTS, read_tsv
from sera.io.scores import add_judgements, read_scores
from study.claims.multiverse import METRICS, OUTCOMES, effects
from study.multiverse.answers import read_answer, share
from study.multiverse.more_systems import (
    WHOLE,
    answer_numbers,
    answer_table,
    reliability_table,
    topics_table,
)
from study.multiverse.universes import outcomes, table2
from study.published import POOLED_RELEASED, RELEASED
from study.published.comparison import read_expected
from study.published.released import release
from study.report.replication import write_released_replication

FOLDER = ROOT / RELEASED
SETTINGS = json.loads((FOLDER / "provenance.json").read_text(encoding="utf-8"))["settings"]


@pytest.fixture(scope="module")
def scores():
    """The scores and Pyramid of the nine systems."""
    table = add_judgements(read_scores(FOLDER / "scores.tsv.gz"), FOLDER / "judgements.tsv")
    return Scores.from_table(table, SETTINGS["systems"])


def test_the_expected_numbers_are_those_of_the_released_scores(scores):
    expected = read_expected(ROOT / "resources/expected/tac2014.tsv").table
    assert len(expected) == 33
    for row in expected.to_dict("records"):
        found = level_coefficients(scores, row["metric"], row["against"])
        for name in ("pearson", "spearman", "kendall"):
            assert found[name] == pytest.approx(row[name], abs=6e-7), (row["metric"], name)


def test_the_benchmark_has_the_systems_that_are_judged_and_the_baselines(scores):
    topics = load_benchmark("tac2014_scores").read(release=FOLDER)
    systems, judgements = load_benchmark("tac2014_scores").judged(FOLDER)
    assert (len(topics), judgements, sorted(systems)) == (20, ["Pyramid"], sorted(SETTINGS["systems"]))
    judged = {each.system for topic in topics for each in topic.judgements}
    assert {"lead", "oracle", "human_A"} <= judged - set(systems)
    assert {len(topic.references) + len(topic.candidates) for topic in topics} == {0}
    given = {(topic.id, each.system, each.metric): each.score for topic in topics for each in topic.given}
    place = [scores.topics.index(topics[0].id), scores.systems.index("lsa")]
    # 0.3 and 0.1 + 0.2 are tied, and so the same number in the array
    assert given[topics[0].id, "lsa", "SERA-5"] == pytest.approx(scores.metric("SERA-5")[*place], rel=1e-12)


@pytest.fixture(scope="module")
def claims():
    """The effects and shares of the claims, from every universe's choices and Table 2."""
    universes = read_answer(FOLDER / "multiverse/universes.tsv.gz")
    tables = read_tsv(
        FOLDER / "multiverse/tables.tsv.gz", texts=("question", "universe", "metric", "benchmark")
    )
    found = []
    for question, of in universes.groupby("question", sort=False):
        cells = tables[tables["question"] == question]
        assert list(cells["metric"][: len(METRICS)]) == list(METRICS)
        values = cells[["pearson", "spearman", "kendall"]].to_numpy().reshape(len(of), len(METRICS), 3)
        effect = effects(values, list(of["rouge_side"]))
        effect[np.abs(effect) < 2e-6] = 0  # the tables have six decimals, so this is a tie
        weights = of["weight"].to_numpy()
        kept = effect[weights > 0]
        rows = {"claim": [claim.name for claim, _ in OUTCOMES], "coefficient": [name for _, name in OUTCOMES]}
        rows |= {f"effect_{q}": np.nanpercentile(kept, q, axis=0) for q in (5, 50, 95)}
        found.append(pd.DataFrame(rows).assign(question=question, share=share(outcomes(effect), weights)))
    return pd.concat(found, ignore_index=True)


def test_the_universes_give_the_claims(claims):
    written = read_answer(FOLDER / "multiverse/claims.tsv")
    both = claims.merge(written, on=["question", "claim", "coefficient"], validate="one_to_one")
    assert len(both) == len(written) > 80
    for name in ("effect_5", "effect_50", "effect_95", "share"):
        np.testing.assert_allclose(both[f"{name}_x"], both[f"{name}_y"], atol=3e-6)


def test_the_released_scores_give_the_released_answer(scores):
    """A change of the statistics that moves the answer fails here: `python -m study publish released`."""
    systems = pd.read_csv(FOLDER / "more_systems/systems.tsv", sep="\t")
    families = dict(zip(systems["system"], systems["family"], strict=True))
    more = Scores.from_table(read_scores(FOLDER / "more_systems/scores.tsv.gz"))
    sampling = {name: SETTINGS[name] for name in ("seed", "confidence")}
    found = pd.concat([answer_table(scores, **sampling), answer_table(more, families, **sampling)])
    written = read_tsv(FOLDER / "more_systems/answer.tsv", texts=[*TEXTS, "question", "judgement"])
    written = written.drop(columns="benchmark")
    pd.testing.assert_frame_equal(
        found.reset_index(drop=True), written.iloc[: len(found)], check_dtype=False, atol=6e-7
    )
    by_whole = answer_numbers(table2(more, "system", against=WHOLE))["effect"]
    assert written.iloc[-6:-3]["effect"].to_numpy() == pytest.approx(by_whole, abs=6e-7)
    for name, table in {"reliability": reliability_table, "by_topics": topics_table}.items():
        values = read_tsv(FOLDER / f"more_systems/{name}.tsv").drop(columns="benchmark")
        given = () if table is reliability_table else (SETTINGS["seed"],)
        again = pd.concat([table(part, *given) for part in (scores, more)], ignore_index=True)
        pd.testing.assert_frame_equal(values, again, check_dtype=False, atol=6e-7)


def test_the_pages_are_made_of_the_released_numbers(tmp_path):
    """If not: `python -m study publish multiverse benchmark=tac2014_scores` writes docs/replication.md."""
    write_released_replication(tmp_path / "replication.md", ROOT)
    page = (tmp_path / "replication.md").read_text(encoding="utf-8")
    assert (ROOT / "docs/replication.md").read_text(encoding="utf-8") == page
    if (ROOT / POOLED_RELEASED).exists():
        table = page[page.index("| question |") :].partition("\n\n")[0]
        assert table in (ROOT / "README.md").read_text(encoding="utf-8")


def test_readme_says_of_metrics_what_the_released_table_says():
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    table = read_tsv(ROOT / "resources/released/choices.tsv").set_index(["kind_of_text", "level"])
    for text in ("news", "scientific articles"):
        assert not (table.loc[(text, "system"), "verdict"] == "use").any()
    (row,) = table.loc[("dialogues", "summary")].query("metric == 'ROUGE-1-R'").to_dict("records")
    assert row["verdict"] == "use"
    numbers = "({effect:+.2f}, {low:+.2f} to {high:+.2f})".format(**row)
    assert f"for single summaries, ROUGE-1-R is better {numbers}; length alone may be, too (+0.43)" in readme
    rows = table.loc[("reviews and opinions", "system")]
    assert (rows["verdict"] == "use").sum() > (rows["verdict"] == "unknown").sum()
    (length,) = rows.loc[rows["metric"] == "length", "effect"]
    assert f"length alone ({length:+.2f} for systems)" in readme
    collection = (ROOT / "resources/collection.tsv").read_text(encoding="utf-8").splitlines()
    assert f"SERA searches {len(collection) - 1:,} articles" in readme


def test_readme_says_of_releases_what_the_pooled_table_says():
    table = read_tsv(ROOT / POOLED_RELEASED).query("contrast == 'means'").set_index("level")
    assert (table.loc["summary", "high"] < 0).all() and (table.loc["summary", "left_out"] != "").sum() == 10
    assert ((table.loc["system", "low"] < 0) & (table.loc["system", "high"] > 0)).all()


def test_readme_is_short():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.split()) <= 450 and len(readme.splitlines()) <= 60


def test_a_release_has_no_paths_and_no_texts(tmp_path):
    results = tmp_path / "results"
    for name in ("more_systems", "multiverse"):
        (results / name).mkdir(parents=True)
    folder = "/data/TAC"
    record = {
        "settings": {"systems": ["lsa"], "tac2014": f"{folder}/", "pyramids": None, "mu": 100},
        "inputs": [{"file": f"{folder}/a.txt", "sha256": "1"}, {"file": "own.jsonl", "sha256": "2"}],
    }
    (results / "provenance.json").write_text(json.dumps(record))
    lines = ["topic\tsystem\tmetric\tscore"]
    lines += [f"t\t{s}\t{m}\t0.{n}" for n, (s, m) in enumerate(
        [("lsa", "Pyramid"), ("lsa", "SERA-5"), ("lead", "Pyramid"), ("lead", "SERA-5")], 1
    )]  # fmt: skip
    (results / "scores.tsv").write_text("\n".join(lines) + "\n")
    (results / "signatures.tsv").write_text("metric\tsignature\nSERA-5\tSERA-5|mu:100\n")
    (results / "more_systems/scores.tsv").write_text("\n".join(lines) + "\n")
    names = ("more_systems/systems", "more_systems/answer", "multiverse/universes", "multiverse/claims")
    for name in (*names, "multiverse/null"):
        (results / f"{name}.tsv").write_text("question\nsystems\n")
    (tmp_path / "made/multiverse").mkdir(parents=True)
    (tmp_path / "made/multiverse/old.tsv").touch()
    made = release(results, tmp_path / "made")
    written = json.loads((made / "provenance.json").read_text())
    assert written["settings"] == {"systems": ["lsa"], "tac2014": "tac2014", "pyramids": None, "mu": 100}
    assert [each["file"] for each in written["inputs"]] == ["tac2014/a.txt", "own.jsonl"]
    assert sorted(path.name for path in (made / "multiverse").iterdir()) == [
        "claims.tsv", "null.tsv", "universes.tsv.gz",
    ]  # fmt: skip
    (topic,) = load_benchmark("tac2014_scores").read(release=made)
    assert [(each.system, each.score) for each in topic.judgements] == [("lsa", 0.1), ("lead", 0.3)]
    assert [(each.system, each.score) for each in topic.given] == [("lsa", 0.2), ("lead", 0.4)]
