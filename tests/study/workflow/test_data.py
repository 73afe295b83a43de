"""What planning reads of a study's data (study/workflow/data.py)."""

from __future__ import annotations

import json

import pytest

from sera.benchmarks import load_benchmark
from sera.errors import InputError
from study.workflow.data import read_data

RECORDS = {
    "candidates.jsonl": {"topic": "t", "system": "s", "sentences": ["A cell."]},
    "references.jsonl": {"topic": "t", "annotator": "A", "sentences": ["A cell."]},
    "sources.jsonl": {"topic": "t", "id": "a", "sentences": ["A cell."]},
    "nuggets.jsonl": {"topic": "t", "annotator": "A", "text": "cell"},
}


@pytest.fixture
def folders(tmp_path):
    (tmp_path / "own").mkdir()
    for name, record in RECORDS.items():
        (tmp_path / "own" / name).write_text(json.dumps(record) + "\n")
    (tmp_path / "own/judgements.tsv").write_text(
        "topic\tsystem\tjudgement\tscore\tjudge\nt\ts\tcontent\t1\tann\nt\ts\tcontent\t2\tbob\n"
    )
    (tmp_path / "pmc/part").mkdir(parents=True)
    (tmp_path / "pmc/part/PMC1.xml").touch()
    return {"release": str(tmp_path / "own"), "pyramids": None, "pmc_oa": str(tmp_path / "pmc")}


def test_the_files_and_names_of_a_benchmark_and_its_articles(folders):
    data = read_data("folder", load_benchmark("folder"), folders)
    files = sorted(f"{folders['release']}/{name}" for name in (*RECORDS, "judgements.tsv"))
    assert (sorted(data.files), data.collection) == (files, [])
    assert (data.systems, data.judgements, data.has_nuggets) == (["s"], ["content"], True)
    assert (data.packages, list(data.brings)) == (["part"], ["judges"])
    assert data.inputs == [*data.files, f"{folders['pmc_oa']}/part/PMC1.xml"]


def test_a_package_with_the_name_of_a_part_of_the_index_is_refused(folders, tmp_path):
    (tmp_path / "pmc/part").rename(tmp_path / "pmc/topics")
    with pytest.raises(InputError, match="the index has a part of this name. Rename it."):
        read_data("folder", load_benchmark("folder"), folders)
