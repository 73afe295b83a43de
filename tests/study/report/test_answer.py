"""The answer of a study: its numbers and verdicts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT

from sera.evaluation.correlate import Bootstrap, Scores
from study.claims.multiverse import METRICS
from study.report.answer import Value, answer, format_markdown, own_effects, printed_table

PRINTED = printed_table(ROOT / "resources/published/table2.tsv")


def own(weak=(0.31, 0.2, 0.4), lead=(-0.04, -0.3, 0.1), single=(-0.2, -0.3, -0.1)):
    """Effects: 0.512 less ROUGE-1's and -L's mean, SERA's mean less 0.618, and SERA's less ROUGE's."""
    return {
        ("systems", "rouge_weak"): Value(-weak[0], -weak[2], -weak[1]),
        ("systems", "sera_high"): Value(0.102, -0.018, 0.182),
        ("systems", "sera_above_rouge"): Value(*lead),
        ("summaries", "sera_above_rouge"): Value(*single),
    }


def test_effects_of_scores():
    """In every topic SERA ranks three systems as Pyramid does, and ROUGE the other way round: 1 less -1."""
    rows = [
        (topic, system, metric, value if metric.startswith(("SERA", "P")) else -value)
        for topic in "tu"
        for metric in (*METRICS, "P")
        for system, value in zip("abc", (0.1, 0.2, 0.3), strict=True)
    ]
    scores = Scores.from_table(pd.DataFrame(rows, columns=["topic", "system", "metric", "score"]))
    found = own_effects(scores, "P", Bootstrap("topics", 20, 1), 95)
    assert found["systems", "sera_above_rouge"] == pytest.approx((2, 2, 2))
    assert found["summaries", "sera_above_rouge"] == pytest.approx((2, 2, 2))
    assert found["systems", "rouge_weak"] == pytest.approx((1.512, 1.512, 1.512))
    assert found["systems", "sera_high"] == pytest.approx((0.382, 0.382, 0.382))


def test_without_other_results():
    found = answer(own(), paper=PRINTED, files={})
    rows = [list(row.values())[1:] for row in found["rows"]]
    # printed: the mean of (.174, .116, .229, .261, .29, .261), that of SERA's twelve, and .841 less .456
    assert rows[0] == ["0.22", "0.82 (0.71 to 0.91)", "not run", "not run", "not run", "–", "no"]
    assert rows[1][:2] + rows[1][-1:] == ["0.84", "0.72 (0.60 to 0.80)", "undecided"]
    assert rows[2][:2] + rows[2][-1:] == ["+0.39", "−0.04 (−0.30 to +0.10)", "undecided"]
    assert rows[3][:2] + rows[3][-1:] == ["not asked", "−0.20 (−0.30 to −0.10)", "no"]


def test_with_other_results(tmp_path):
    keys = {"question": ["systems", "summaries"], "claim": "sera_above_rouge", "coefficient": "spearman"}
    claims = pd.DataFrame(
        {**keys, "effect_5": -0.4, "effect_50": [0.05, -0.16], "effect_95": 0.4, "share": [0.59, 0.06]}
    ).assign(universes=450, undefined=3)
    weak = {"question": "systems", "claim": "rouge_weak", "effect_50": -0.158, "share": 0.17}
    claims = pd.concat([claims, claims.head(1).assign(**weak)])
    null = pd.DataFrame(
        {
            **keys,
            "null_share": 0.5,
            "p_share": [0.3, 1.0],
            "p_share_contrary": [0.7, 0.001],
            "share": [0.6, 0.1],
        }
    )
    more = pd.DataFrame(
        {
            "question": ["systems"], "coefficient": "spearman", "systems": 39, "families": 12,
            "effect": -0.11, "low_families": -0.38, "high_families": 0.04,
            "rouge": 0.8, "rouge_low": 0.5, "rouge_high": 0.9,
            "sera": 0.69, "sera_low": 0.2, "sera_high": 0.8,
        }
    )  # fmt: skip
    meta = pd.DataFrame(
        {
            "question": ["systems", "summaries"] * 2, "contrast": ["means"] * 2 + ["best"] * 2,
            "coefficient": "spearman", "benchmarks": 7, "effect": [0.12, -0.05, -0.01, -0.21],
            "low": [-0.04, -0.21, -0.25, -0.3], "high": [0.28, 0.12, 0.23, -0.12],
        }
    )  # fmt: skip
    files = {}
    for name, table in {"claims": claims, "null": null, "more_systems": more, "meta": meta}.items():
        files[name] = tmp_path / f"{name}.tsv"
        table.to_csv(files[name], sep="\t", index=False)
    found = answer(own(lead=(0.2, 0.1, 0.3)), paper=PRINTED, files=files)
    assert list(found["rows"][2].values())[3:] == [
        "+0.05 (−0.40 to +0.40)", "59%; 50%", "−0.11 (−0.38 to +0.04)",
        "+0.12 (−0.04 to +0.28); best against best −0.01 (−0.25 to +0.23)", "undecided",
    ]  # fmt: skip
    assert found["rows"][3]["verdict"] == "no"
    assert found["rows"][0]["more systems"] == "0.80 (0.50 to 0.90)"


def test_a_synthetic_study_has_no_verdicts():
    found = answer(own(), paper=None, files={})
    assert {row["verdict"] for row in found["rows"]} == {"none: synthetic"}
    assert found["filled"] == ["question", "here, 95% interval", "verdict"]
    assert format_markdown(found).count("\n|") == 5


def test_undefined_effects_are_told():
    found = answer(own(lead=(np.nan,) * 3), paper=PRINTED, files={})
    assert found["rows"][2]["here, 95% interval"] == "undefined"
