"""The published tables, and the reproduced ones beside them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT

from sera.errors import InputError
from sera.evaluation.coefficients import CORRELATIONS
from sera.evaluation.tables import caption, read_tsv, write_table
from sera.metrics import metric
from study.multiverse.choices import title_label
from study.published.tables import (
    compare_studies,
    join_published,
    judged_pairs,
    keep_metrics,
    read_published,
    readable_comparison,
)

PUBLISHED = ROOT / "resources" / "published"


def test_published_tables_are_the_papers():
    table2, table3 = (read_published(PUBLISHED / f"{name}.tsv") for name in ("table2", "table3"))
    assert (len(table2), len(table3)) == (33, 24)
    assert set(table2["against"]) == {"Pyramid"}
    assert set(table3["against"]) == {"ROUGE-2-F", "ROUGE-3-F"}
    rows = {(m, a): (r, rho, tau) for m, a, r, rho, tau in pd.concat([table2, table3]).to_numpy()}
    # read off the printed page
    assert rows["ROUGE-1-P", "Pyramid"] == (0.257, 0.116, 0)
    assert rows["ROUGE-W-1.2-R", "Pyramid"] == (0.626, 0.667, 0.552)
    assert rows["SERA-NP-5", "Pyramid"] == (0.859, 1.0, 1.0)
    assert rows["SERA-DIS-KW-10", "Pyramid"] == (0.766, 0.712, 0.729)
    assert rows["SERA-5", "ROUGE-2-F"] == (0.408, 0.522, 0.414)
    assert rows["SERA-KW-10", "ROUGE-3-F"] == (0.343, 0.029, 0)
    assert rows["SERA-DIS-NP-10", "ROUGE-3-F"] == (0.763, 0.725, 0.552)


def test_metrics_that_a_study_does_not_have_are_left_out():
    table3 = read_published(PUBLISHED / "table3.tsv")
    found = keep_metrics(table3, ["SERA-KW-10", "SERA-5", "ROUGE-2-F"])
    assert found["metric"].tolist() == ["SERA-5", "SERA-KW-10"] * 2


def test_every_published_metric_can_be_computed():
    for name in ("table2", "table3"):
        for row in read_published(PUBLISHED / f"{name}.tsv").itertuples():
            assert metric(row.metric).name == row.metric
            assert metric(row.against).name == row.against


def _reproduced(**changed):
    row = {"metric": "SERA-5", "against": "Pyramid", "pearson": 0.5, "spearman": -0.0001, "kendall": np.nan}
    row |= {f"{name}_{end}": 0.25 for name in ("pearson", "spearman", "kendall") for end in ("low", "high")}
    return pd.DataFrame(
        [
            row
            | {"systems": 9, "topics": 10, "undefined": 0, "undefined_draws": 3, "why_undefined": ""}
            | changed
        ]
    )


PAPER = pd.DataFrame(
    [["SERA-5", "Pyramid", 0.823, 0.941, 0.857]],
    columns=["metric", "against", "pearson", "spearman", "kendall"],
)


def test_beside(tmp_path):
    table = join_published(PAPER, _reproduced())
    assert list(table.columns[:8]) == [
        "metric", "pearson", "spearman", "kendall",
        "pearson_paper", "spearman_paper", "kendall_paper", "systems",
    ]  # fmt: skip
    assert table.loc[0, "pearson_difference"] == pytest.approx(-0.323)
    title = caption("table2", "demo (synthetic)")
    write_table(
        tmp_path / "table2",
        table,
        caption=title,
        benchmark="demo (synthetic)",
        cells=readable_comparison(table),
    )
    for suffix in (".tsv", ".md", ".tex"):
        assert "synthetic" in (tmp_path / f"table2{suffix}").read_text().lower()
    assert np.isnan(read_tsv(tmp_path / "table2.tsv").loc[0, "kendall"])


def test_the_demo_is_never_taken_for_the_papers_benchmark():
    assert caption("scatter", "demo (synthetic)").startswith("SYNTHETIC data, not comparable with the paper.")
    assert title_label("demo (synthetic)") == "demo, SYNTHETIC" and title_label("tac2014") == "tac2014"
    table = judged_pairs(read_published(PUBLISHED / "table2.tsv"), ["Pyramid"])
    assert list(table["metric"]) == list(read_published(PUBLISHED / "table2.tsv")["metric"])
    assert set(table) == {"metric", "against"}
    joined = join_published(PAPER.drop(columns=list(CORRELATIONS)), _reproduced())
    assert not [name for name in joined if name.endswith(("_paper", "_difference"))]


def test_tables_to_read(tmp_path):
    table = join_published(PAPER, _reproduced())
    write_table(
        tmp_path / "t", table, caption="c, $5 & 50% of {a_b}", benchmark="b", cells=readable_comparison(table)
    )
    row = (tmp_path / "t.md").read_text(encoding="utf-8").split("\n")[4]
    assert "| 0.500" in row and "| −0.323" in row and "| undefined" in row and "| 0.000 " in row
    text = (tmp_path / "t.tex").read_text()
    assert r"metric & r & r interval & r paper & r diff. & $\rho$ &" in text
    assert r"SERA-5 & 0.500 & 0.25 to 0.25 & 0.823 & $-$0.323 & 0.000" in text
    assert r"\caption{c, \$5 \& 50\% of \{a\_b\}}" in text


def test_a_published_metric_that_was_not_computed_is_undefined():
    table = join_published(PAPER, _reproduced(metric="SERA-10"))
    assert np.isnan(table.loc[0, "pearson"])
    assert table.loc[0, "why_undefined"] == "it was not scored"


def test_a_table_of_another_shape_is_refused(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("metric\tpearson\nROUGE-1-F\t0.1\n")
    with pytest.raises(InputError, match="Give it the columns metric, against"):
        read_published(path)


def correlations(*rows):
    return pd.DataFrame(rows, columns=["metric", "against", "pearson", "spearman", "kendall"])


def test_each_further_study_has_its_change():
    own = correlations(("SERA-5", "Pyramid", 0.5, 0.25, 0.0), ("ROUGE-1-F", "Pyramid", 0.75, np.nan, 1.0))
    plain = correlations(("ROUGE-1-F", "Pyramid", 0.5, 0.5, 0.5), ("SERA-5", "Pyramid", 0.75, 0.0, 0.125))
    few = correlations(("SERA-5", "Pyramid", 0.5, 0.25, 0.0))
    table = compare_studies(own, {"unstemmed": plain, "few": few})
    assert list(zip(table["study"], table["metric"], strict=True)) == [
        ("unstemmed", "SERA-5"),
        ("unstemmed", "ROUGE-1-F"),
        ("few", "SERA-5"),
    ]
    assert table["pearson_change"].tolist() == [0.25, -0.25, 0.0]
    assert table["spearman_change"].tolist() == pytest.approx([-0.25, np.nan, 0.0], nan_ok=True)
    assert table["kendall_study"].tolist() == [0.125, 0.5, 0.0]
