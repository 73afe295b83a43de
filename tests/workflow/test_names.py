"""Names are text: what passes `sera.names.check` comes through tables, figures, runs and pages as it is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from checkouts import checkout, configure, ran
from tables import check_forms

from sera import names
from sera.errors import InputError
from sera.evaluation import tables
from sera.io.records import Candidate, Reference
from sera.io.scores import read_scores
from study.workflow.query_texts import collect_texts

NFC, NFD = "\u00e9", "e\u0301"


def test_a_system_named_as_an_annotators_summary_has_to_be_it():
    gold = Reference("t", "A", ("Words.",))
    assert collect_texts([Candidate("t", "human_A", ("Words.",))], [gold]) == {"t:human_A": ("Words.",)}
    with pytest.raises(InputError, match="the system 'human_A' has another summary of topic 't' than"):
        collect_texts([Candidate("t", "human_A", ("Other words.",))], [gold])


@pytest.mark.parametrize("name", ["a/b", "..", "-rf", "é" * 101])
def test_what_cannot_be_the_name_of_a_file_is_refused(name):
    with pytest.raises(InputError, match="cannot be the name of a file"):
        names.check_file_name("topic", name)


# The whole study
# ---------------

SYSTEMS = ["a\"b|c$d{e}#f<g>'h", "../x", "nan", "01", "human_Z", "__proto__", NFC, NFD]
TOPICS = ["a:b", "</script>{x}$\\frac$", '../x "|']
JUDGEMENTS = ["</script>{x}$\\frac$", 'r "|*[l](u)`']
ANNOTATORS = ['a"b', "</script>", "__proto__"]
WORDS = "cells divide when the kinase binds and the gene is lost in yeast".split()


def benchmark(folder: Path) -> Path:
    """A folder whose every name is odd; all systems are judged."""
    folder.mkdir()
    records: dict[str, list[dict]] = {"sources": [], "references": [], "candidates": [], "nuggets": []}
    rows = [["topic", "system", "judgement", "score"]]
    for place, topic in enumerate(TOPICS):
        text = [" ".join(WORDS), f"It was seen in {place} cases."]
        records["sources"].append({"topic": topic, "id": f"{topic} %20", "title": topic, "sentences": text})
        for number, annotator in enumerate(ANNOTATORS):
            gold = [" ".join(WORDS[number : number + 9])]
            records["references"].append({"topic": topic, "annotator": annotator, "sentences": gold})
            records["nuggets"].append({"topic": topic, "annotator": annotator, "text": WORDS[number + 3]})
        for number, system in enumerate(SYSTEMS):
            words = WORDS[: 1 + (7 * number + place) % 12]
            records["candidates"].append({"topic": topic, "system": system, "sentences": [" ".join(words)]})
            rows += [[topic, system, name, str((5 * number + place) % 11)] for name in JUDGEMENTS]
    for name, lines in records.items():
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    (folder / "judgements.tsv").write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return folder


def test_every_table_of_the_study_has_the_names(tmp_path):
    folder = checkout(tmp_path / "study")
    configure(folder, candidates={}, resamples=20)
    ran(folder, "--config", f"benchmark={benchmark(tmp_path / 'odd')}")
    results = folder / "results/odd"
    scores = read_scores(results / "scores.tsv")
    assert set(scores["system"]) == set(SYSTEMS) and set(scores["topic"]) == set(TOPICS)
    assert {scores["metric"].map(str).value_counts().max()} == {len(SYSTEMS) * len(TOPICS)}
    for name in ("system_level", "summary_level", "global_level", "table2"):
        table = tables.read_tsv(results / f"tables/{name}.tsv")
        assert set(table["against"]) == set(JUDGEMENTS), name
        assert set(table.dropna(subset="systems")["systems"]) <= {len(SYSTEMS)} or name == "global_level"
    means = tables.read_tsv(results / "tables/rougek_table5.tsv")
    assert list(dict.fromkeys(means["system"])) == SYSTEMS
    for path in (results / "tables").glob("*.tsv"):
        check_forms(path)
    text = (results / "tables/rougek_table5.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [re.match(r"\| ((?:[^\\|]|\\.)*?) *\|", line)[1] for line in (lines[0], *lines[2:])]
    assert set(cells[1:]) == set(map(tables.markdown, SYSTEMS))
