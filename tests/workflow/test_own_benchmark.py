"""A benchmark of one's own: a folder of records, and what is wrong in it told with file and line."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pandas as pd
import pytest
from checkouts import checkout, configure, planned, planned_jobs, ran, refused
from commands import sera
from conftest import rows

from sera.benchmarks import folder as own
from sera.errors import InputError
from sera.evaluation.tables import read_tsv
from sera.io.records import Candidate, GivenScore, Judgement, Preference, read


def write(path, lines):
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def benchmark(path, topics=3, systems=4):
    """A folder with as many topics and systems; ``s0`` was judged best, the last one not at all."""
    path.mkdir()
    names = [f"t{number}" for number in range(topics)]
    kinds = {
        "candidates": [
            {"topic": topic, "system": f"s{number}", "sentences": [f"Word{number} of {topic}."]}
            for topic in names
            for number in range(systems)
        ],
        "references": [{"topic": topic, "annotator": "A", "sentences": ["Word0."]} for topic in names],
        "sources": [{"topic": topic, "id": f"a-{topic}", "sentences": [f"Of {topic}."]} for topic in names],
    }
    for kind, records in kinds.items():
        write(path / f"{kind}.jsonl", map(json.dumps, records))
    judged = [
        f"{topic}\ts{number}\tcontent\t{1 - number / 10}" for topic in names for number in range(systems - 1)
    ]
    write(path / "judgements.tsv", ["topic\tsystem\tjudgement\tscore", *judged])
    return path


@pytest.fixture
def mine(tmp_path):
    return benchmark(tmp_path / "mine")


def test_the_records_are_put_together_by_topic(mine):
    topics = own.read(release=mine)
    assert [topic.id for topic in topics] == ["t0", "t1", "t2"]
    assert topics[1].judgements == tuple(
        Judgement("t1", f"s{number}", "content", score) for number, score in enumerate([1.0, 0.9, 0.8])
    )
    assert [candidate.system for candidate in topics[1].candidates] == ["s0", "s1", "s2", "s3"]
    assert [document.id for document in topics[1].documents] == ["a-t1"]
    assert own.inputs(release=mine) == sorted(mine.iterdir())
    assert own.collection(mine) is None and not own.has_nuggets(mine)


def test_nuggets_and_a_collection_may_be_there(mine):
    write(mine / "nuggets.jsonl", ['{"topic": "t1", "annotator": "A", "text": "word"}'])
    write(mine / "documents.jsonl", ['{"id": "d", "text": "word"}'])
    assert [len(topic.nuggets) for topic in own.read(release=mine)] == [0, 1, 0]
    assert own.collection(mine) == mine / "documents.jsonl" and own.has_nuggets(mine)


def test_judges_preferences_and_given_scores_may_be_there(mine, caplog):
    rows = ["t0\ts0\tcontent\t1\tann", "t0\ts0\tcontent\t2\tbob", "t1\ts1\tcontent\t3\tann"]
    write(mine / "judgements.tsv", ["topic\tsystem\tjudgement\tscore\tjudge", *rows])
    write(mine / "preferences.tsv", ["topic\tsystem_a\tsystem_b\tpreference", "t1\ts0\ts3\tB"])
    write(mine / "given.tsv", ["topic\tsystem\tmetric\tscore", "t2\ts1\tBERTScore\t.5"])
    topics = own.read(release=mine)
    assert topics[0].judgements == (
        Judgement("t0", "s0", "content", 1.0, "ann"),
        Judgement("t0", "s0", "content", 2.0, "bob"),
    )
    assert topics[1].preferences == (Preference("t1", "s0", "s3", "", "B"),)
    assert topics[2].given == (GivenScore("t2", "s1", "BERTScore", 0.5),)
    assert own.brings(mine) == ("preferences", "given", "judges")
    assert own.inputs(release=mine) == sorted(mine.iterdir())
    # s0 and s1 on t0 and t1: two of four are judged, and no topic has both
    assert (
        "content has no judge for 2 of 4 summaries; all 2 systems are judged on 0 of 2 topics" in caplog.text
    )
    write(mine / "given.tsv", ["topic\tsystem\tmetric\tscore", "t2\ts9\tBERTScore\t.5"])
    with pytest.raises(InputError, match="given.tsv, line 2: system 's9' is in none of the candidates"):
        own.read(release=mine)


def test_where_lower_is_better_scores_are_turned(mine):
    rows = [f"t{topic}\ts{system}\terrors\t{1 + topic + system}" for topic in (0, 1) for system in (0, 1, 2)]
    write(mine / "judgements.tsv", ["topic\tsystem\tjudgement\tscore", "t0\ts0\tfluency\t7", *rows])
    given = ["t0\ts0\tdistance\t.5", "t0\ts1\tdistance\tnan", "t0\ts2\tdistance\t2"]
    write(mine / "given.tsv", ["topic\tsystem\tmetric\tscore", *given, "t0\ts0\tscore\t3"])
    write(mine / "falling.txt", ["errors", "", "distance"])
    first, second, _ = own.read(release=mine)
    scores = {(each.judgement, each.system): each.score for each in first.judgements}
    # errors are from 1 to 4: 5 minus each
    assert scores == {("fluency", "s0"): 7, ("errors", "s0"): 4, ("errors", "s1"): 3, ("errors", "s2"): 2}
    assert [each.score for each in second.judgements] == [3, 2, 1]
    distance = [each.score for each in first.given if each.metric == "distance"]
    assert distance == pytest.approx([2, math.nan, 0.5], nan_ok=True)
    assert [each.score for each in first.given if each.metric == "score"] == [3]
    assert own.inputs(release=mine) == sorted(mine.iterdir())
    write(mine / "falling.txt", ["errors", "error"])
    with pytest.raises(InputError, match="falling.txt, line 2: 'error' is neither a judgement nor"):
        own.read(release=mine)


CANDIDATE = '{"topic": "t0", "system": "%s", "sentences": ["%s"]}'
REFERENCE = '{"topic": "t0", "annotator": "%s", "sentences": ["%s"]}'


def drop(path, part):
    write(path, [line for line in rows(path) if part not in line])


def add(path, line):
    with open(path, "a", encoding="utf-8") as stream:
        stream.write(line + "\n")


def hold(path, line):
    write(path, [line])


@pytest.mark.parametrize(
    ("change", "name", "text", "problem"),
    [
        (lambda path, _: path.unlink(), "candidates.jsonl", "", "mine: lacks candidates.jsonl"),
        (Path.rename, "judgements.tsv", "other.tsv", "mine: lacks judgements.tsv, but holds"),
        (drop, "candidates.jsonl", '"t1", "system": "s2"', "candidates.jsonl: .* s2 .* t1"),
        (drop, "judgements.tsv", "t2\ts1\t", "judgements.tsv: .* s1 .* t2"),
        (drop, "sources.jsonl", '"t0"', "candidates.jsonl: lines 1, 2, .*: topic 't0' .*"),
        (add, "judgements.tsv", "t0\ts0\tcontent\t1", "judgements.tsv, line 11: .* twice"),
        (add, "judgements.tsv", "t9\ts0\tcontent\t1", "judgements.tsv, line 11: topic 't9'"),
        (add, "judgements.tsv", "t0\ts3\tcontent\tnan", "judgements.tsv, line 11: score 'nan'"),
        (add, "candidates.jsonl", CANDIDATE % ("s0", ""), "candidates.jsonl, line 13: .* twice, first"),
        (add, "references.jsonl", REFERENCE % ("B", " "), "references.jsonl, line 4: .* empty"),
        (add, "references.jsonl", '{"topic": "t0"}', "references.jsonl, line 4: .* 'annotator'"),
        (hold, "judgements.tsv.gz", "", "judgements.tsv: .* judgements.tsv.gz"),
        (hold, "judgements.tsv", "topic\tsystem\tjudgement\tscore", "judgements.tsv: holds no judgement"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(mine, monkeypatch, change, name, text, problem):
    monkeypatch.chdir(mine)
    change(mine / name, text)
    with pytest.raises(InputError, match=problem):
        own.read(release=mine)


def test_faults_of_all_kinds_come_at_once_with_a_line_each(mine):
    """A missing file hides none, nor one file the next."""
    (mine / "sources.jsonl").rename(mine / "sources.json")
    add(mine / "judgements.tsv", "t0\ts0\tfluency\tgood")
    add(mine / "references.jsonl", '{"topic": "t0"}')
    write(mine / "documents.jsonl", ['{"id": "d1", "text": "x"}', '{"text": "y"}'])
    with pytest.raises(InputError) as error:
        own.check(mine)
    places = ("", "/references.jsonl, line 4", "/judgements.tsv, line 11", "/documents.jsonl, line 2")
    assert [line.partition(": ")[0] for line in error.value.lines] == [f"{mine}{each}" for each in places]


def test_without_judgements_the_candidates_are_all_systems(mine):
    (mine / "judgements.tsv").unlink()
    assert own.judged(mine) == (["s0", "s1", "s2", "s3"], [])
    topics = own.read(release=mine)
    assert [len(topic.candidates) for topic in topics] == [4, 4, 4]
    assert not any(topic.judgements for topic in topics)
    (mine / "candidates.jsonl").unlink()
    assert own.judged(mine) == ([], []) and own.inputs(release=mine) == sorted(mine.iterdir())
    assert not any(topic.candidates for topic in own.read(release=mine))


@pytest.fixture(scope="module")
def judged_study(tmp_path_factory):
    """A checkout in which a benchmark of one's own has run: 3 topics, 7 systems, 6 of them judged.

    SERA searches 12 documents.
    """
    root = tmp_path_factory.mktemp("judged")
    folder = checkout(root / "study")
    configure(folder, candidates={}, resamples=20)
    mine = benchmark(root / "mine", systems=7)
    documents = [{"id": f"d{number}", "text": f"Word{number} of t{number % 3}."} for number in range(12)]
    write(mine / "documents.jsonl", map(json.dumps, documents))
    # ROUGE-1-P prefers s0 to the others on t1, and scores these alike
    chosen = ["t1\ts0\ts1\tann\tA", "t1\ts2\ts0\tann\tA", "t1\ts1\ts2\tann\tB", "t1\ts0\ts1\tbob\ttie"]
    write(mine / "preferences.tsv", ["topic\tsystem_a\tsystem_b\tjudge\tpreference", *chosen])
    ran(folder, "--config", f"benchmark={root / 'mine'}")
    return folder, root / "mine"


def test_it_runs_through_the_whole_workflow(judged_study):
    folder, _ = judged_study
    results = folder / "results/mine"
    scores = pd.read_csv(results / "scores.tsv", sep="\t")
    # the reference is "Word0."; s0 says "Word0 of t1.": without stop words one of its two words
    rouge = scores[scores["metric"] == "ROUGE-1-P"].set_index(["topic", "system"])["score"]
    assert rouge["t1", "s0"] == 0.5 and rouge["t1", "s1"] == 0
    assert set(scores["system"]) == {f"s{number}" for number in range(7)}
    assert {candidate.system for candidate in read(results / "baselines.jsonl", Candidate)} == {"s6"}
    table = pd.read_csv(results / "tables/system_level.tsv", sep="\t", index_col="metric")
    assert set(table["against"]) == {"content"} and set(table["systems"]) == {6}
    # means of s0 to s5: ROUGE-1-P 0.5, then 0; content 1, 0.9, to 0.5. r = 0.125 / sqrt(5/24 * 0.175)
    assert float(table.loc["ROUGE-1-P", "pearson"]) == pytest.approx(0.654654, abs=1e-6)
    # tau-b: five pairs agree, ten are tied on one side: 5 / sqrt(5 * 15)
    assert float(table.loc["ROUGE-1-P", "kendall"]) == pytest.approx(0.577350, abs=1e-6)
    names = "summary_level global_level differences top_systems s3_table1 s3_table3 s3_distribution table2"
    for name in [*names.split(), "table3", "rougek_table5", "rougek_table9"]:
        assert (results / f"tables/{name}.tsv").is_file(), name
    agreement = read_tsv(results / "tables/preferences.tsv").set_index("metric")
    counts = agreement.loc["ROUGE-1-P", ["accuracy", "pairs", "ties", "judges"]]
    assert counts.astype(float).tolist() == [0.5, 4, 1, 2]
    # the tables that follow S3's paper have ROUGE with S3's settings, and no other ROUGE
    of_s3 = pd.read_csv(results / "scores/s3_tables.tsv", sep="\t")
    assert "S3-full(judgement=content)" in set(of_s3["metric"])
    table1 = pd.read_csv(results / "tables/s3_table1.tsv", sep="\t")
    assert [name for name in table1["metric"] if "ROUGE-1" in name] == ["ROUGE-1-R"]
    assert {"S3-full", "SERA-5"} <= set(table1["metric"])
    assert "ROUGE is stemmed and keeps stop words" in (results / "tables/s3_table1.md").read_text()
    assert "pyramid_threshold" not in {path.stem for path in (results / "tables").iterdir()}
    table2 = pd.read_csv(results / "tables/table2.tsv", sep="\t")
    assert set(table2["against"]) == {"content"} and not [name for name in table2 if "paper" in name]


def test_without_judgements_all_is_scored_and_nothing_correlated(judged_study, tmp_path, monkeypatch):
    folder, _ = judged_study
    mine = benchmark(tmp_path / "unjudged")
    (mine / "judgements.tsv").unlink()
    (tmp_path / "frequent.txt").write_text("cells\nmice\n")
    ran(folder, "--config", f"benchmark={mine}", f"frequent_words={tmp_path / 'frequent.txt'}")
    results = folder / "results/unjudged"
    assert "collection:list of 2 words|" in (results / "signatures.tsv").read_text()
    assert "frequent.txt" in (results / "provenance.json").read_text()
    scores = pd.read_csv(results / "scores.tsv", sep="\t")
    assert set(scores["system"]) == {"s0", "s1", "s2", "s3"}
    rouge = scores[scores["metric"] == "ROUGE-1-P"].set_index(["topic", "system"])["score"]
    assert rouge["t1", "s0"] == 0.5
    assert not (results / "correlations.tsv").exists()
    figures = {path.stem for path in (results / "figures").iterdir()}
    assert figures == {"rougek_figure2", "texts"}
    assert {path.stem for path in (results / "tables").iterdir()} == {
        *(f"rougek_table{number}" for number in range(4, 10)),
        *("rougek_table8_pairs", "rougek_figure2"),
    }
    page = (results / "report.html").read_text(encoding="utf-8")
    assert "<h1>How well do summaries of unjudged score?</h1>" in page
    assert 'id="no-judgements"' in page and 'id="correlations"' not in page
    monkeypatch.chdir(folder)
    shown = sera("show", f"benchmark={mine}")
    assert "The benchmark has no judgements and no content units: nothing is correlated." in shown
    assert "Metrics left out: S3-best, S3-full: there are no judgements to learn from" in shown


def test_without_candidates_the_summarizers_write_the_summaries(judged_study, tmp_path):
    folder, _ = judged_study
    mine = benchmark(tmp_path / "unwritten")
    (mine / "judgements.tsv").unlink()
    (mine / "candidates.jsonl").unlink()
    rules = planned(folder, "--config", f"benchmark={mine}", "systems=[lexrank,citation_lexrank]")
    assert {"summarize", "analyse_keywords", "write_report"} <= rules
    assert not {"correlate", "evaluate", "tabulate"} & rules
    printed = refused(folder, "--config", f"benchmark={mine}", "systems=[citation_lexrank]")
    assert "config: systems: all of them need citances, which the benchmark lacks" in printed
    write(mine / "nuggets.jsonl", ['{"topic": "t1", "annotator": "A", "text": "word"}'])
    assert {"tabulate", "correlate"} <= planned(folder, "--config", f"benchmark={mine}")


def test_a_name_that_is_taken_and_a_further_study_without_judgements(judged_study, tmp_path):
    folder, mine = judged_study
    own = f"candidates={{s1: {mine}/candidates.jsonl}}"
    assert "the benchmark has a system s1" in refused(folder, "--config", f"benchmark={mine}", own)
    unjudged = benchmark(tmp_path / "unjudged")
    (unjudged / "judgements.tsv").unlink()
    rules = planned(folder, "--config", f"studies={{unjudged: {{benchmark: {unjudged}}}}}")
    assert {"tabulate", "unjudged_gather_scores"} <= rules and "unjudged_tabulate" not in rules


def test_the_matrix_has_a_column_for_it(judged_study):
    folder, mine = judged_study
    asked = ("matrix", "--config", f"matrix={{mine: {{benchmark: {mine}}}}}")
    assert planned_jobs(folder, *asked) == {"mine_evaluate_column": 1, "write_matrix": 1, "matrix": 1}
    ran(folder, *asked)
    cells = pd.read_csv(folder / "results/matrix/cells.tsv", sep="\t", na_values="undefined")
    assert set(cells["benchmark"]) == {"mine"} and {"length", "random"} < set(cells["metric"])
    own = cells[(cells["level"] == "system") & (cells["kind"] == "metric")].set_index(
        ["metric", "coefficient"]
    )
    system_level = pd.read_csv(
        folder / "results/mine/tables/system_level.tsv", sep="\t", na_values="undefined"
    ).set_index("metric")
    for name in ("ROUGE-1-F", "SERA-5"):
        assert own.at[(name, "pearson"), "value"] == pytest.approx(system_level.at[name, "pearson"], abs=1e-6)
    assert (folder / "results/matrix/matrix.md").is_file()
    assert planned_jobs(folder, *asked) == {}
