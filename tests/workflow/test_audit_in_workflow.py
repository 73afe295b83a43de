"""The audit as a target of the workflow."""

from __future__ import annotations

import pandas as pd
from tables import check_forms, check_latex


def test_the_workflow_makes_the_audit(tmp_path):
    from checkouts import checkout, planned, ran, refused

    folder = checkout(tmp_path / "study")
    ran(folder, "audit")
    made = folder / "results/audit"
    assert {"paragraphs.md", "audit.svg", "audit.png", "audit.pdf"} <= {path.name for path in made.iterdir()}
    counts = pd.read_csv(made / "summary.tsv", sep="\t").set_index("hypothesis")
    assert list(counts.loc["6_any", ["table2_fit", "table3_fit"]]) == [29, 24]
    check_forms(made / "audit.tsv")
    check_forms(made / "summary.tsv")
    check_forms(made / "joint.tsv")
    assert planned(folder, "audit") == set()
    published = folder / "resources/published/table3.tsv"
    published.write_text(published.read_text().replace("0.899\t0.828", "0.899\t0.818"))
    assert planned(folder, "audit") == {"audit"}
    printed = refused(folder, "audit", "--config", "studies={audit: {mu: 100}}")
    assert "the folder of that name is in use already" in printed
    check_latex([made / "audit.tex", made / "summary.tex", made / "joint.tex"], tmp_path)
