"""Correlations of several studies side by side, worked out by hand."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from sera.evaluation.tables import read_tsv, write_table
from study.published.tables import beside_studies


def correlations(*rows):
    return pd.DataFrame(rows, columns=["metric", "against", "pearson", "spearman", "kendall"])


def test_each_further_study_has_its_change(tmp_path):
    own = correlations(("SERA-5", "Pyramid", 0.5, 0.25, 0.0), ("ROUGE-1-F", "Pyramid", 0.75, np.nan, 1.0))
    plain = correlations(("ROUGE-1-F", "Pyramid", 0.5, 0.5, 0.5), ("SERA-5", "Pyramid", 0.75, 0.0, 0.125))
    few = correlations(("SERA-5", "Pyramid", 0.5, 0.25, 0.0))
    table = beside_studies(own, {"unstemmed": plain, "few": few})
    assert list(zip(table["study"], table["metric"], strict=True)) == [
        ("unstemmed", "SERA-5"),
        ("unstemmed", "ROUGE-1-F"),
        ("few", "SERA-5"),
    ]
    assert table["pearson_change"].tolist() == [0.25, -0.25, 0.0]
    assert table["spearman_change"].tolist() == pytest.approx([-0.25, np.nan, 0.0], nan_ok=True)
    assert table["kendall_study"].tolist() == [0.125, 0.5, 0.0]
    write_table(tmp_path / "studies", table, caption="c", benchmark="b")
    again = read_tsv(tmp_path / "studies.tsv")
    assert again["study"].tolist() == ["unstemmed", "unstemmed", "few"]
    heading = (tmp_path / "studies.md").read_text().splitlines()[2]
    assert [cell.strip() for cell in heading.split("|")[1:8]] == [
        "study", "metric", "against", "r", "r study", "r change", "ρ"
    ]  # fmt: skip
