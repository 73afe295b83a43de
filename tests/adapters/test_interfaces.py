"""The classes for torchmetrics and Hugging Face's evaluate, in these packages."""

from __future__ import annotations

from pathlib import Path

import evaluate
import pytest
import torch
from pairs import METRICS, pairs

from sera import metric
from sera.adapters.torchmetrics import SummaryScore

FILE = Path(__file__).parents[2] / "sera" / "adapters" / "hf_evaluate.py"


@pytest.fixture(scope="module")
def columns():
    table = pairs(30)
    return table["candidate"].tolist(), table["references"].tolist()


@pytest.fixture(scope="module")
def expected(columns):
    return {name: metric(name).score_all(*columns) for name in METRICS}


def test_torchmetrics_keeps_sums_over_batches_and_processes(columns, expected):
    candidates, references = columns
    parts = [SummaryScore(*METRICS), SummaryScore(*METRICS)]
    for number, part in enumerate(parts):
        part.update(candidates[number::2], references[number::2])
    # what a synchronisation of two processes does with states
    both = SummaryScore(*METRICS)
    both.total, both.count = sum(part.total for part in parts), sum(part.count for part in parts)
    both._update_count = 2
    found = both.compute()
    assert {name: value.item() for name, value in found.items()} == {
        name: pytest.approx(sum(scores) / 30, abs=1e-12) for name, scores in expected.items()
    }
    one = SummaryScore("ROUGE-1-F")
    assert one(["the cell"], [["a cell"]])["ROUGE-1-F"] == torch.tensor(0.5, dtype=torch.float64)
    one.reset()
    one.update(["fish"], [["fish"]])
    assert one.compute()["ROUGE-1-F"].item() == 1.0


def test_a_module_of_evaluate(columns, expected, tmp_path, monkeypatch):
    candidates, references = columns
    module = evaluate.load(str(FILE), cache_dir=str(tmp_path))
    found = module.compute(predictions=candidates, references=references, metrics=METRICS)
    assert found == {name: sum(scores) / 30 for name, scores in expected.items()}
    found = module.compute(
        predictions=candidates, references=references, metrics=METRICS, use_aggregator=False
    )
    assert found == expected
    alone = module.compute(predictions=["the cell"], references=["a cell"], metrics=["ROUGE-1-R"])
    assert alone == {"ROUGE-1-R": 0.5}
