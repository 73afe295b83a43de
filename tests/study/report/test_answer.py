"""The answer of a study: its numbers and verdicts."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT

from sera.evaluation.correlate import Scores
from study.claims.multiverse import METRICS
from study.report.answer import (
    SOURCES,
    VARIANTS,
    Value,
    answer,
    format_markdown,
    note,
    own_numbers,
    printed_table,
    verdict,
)

PRINTED = printed_table(ROOT / "resources/published/table2.tsv")


def own(weak=(0.82, 0.71, 0.91), lead=(-0.04, -0.3, 0.1), single=(-0.2, -0.3, -0.1)):
    """Mean rhos of ROUGE-1 and -L and of SERA's variants, and SERA's mean less ROUGE's at both levels."""
    return {
        ("systems", "rouge_weak"): Value(*weak),
        ("systems", "sera_high"): Value(0.72, 0.6, 0.8),
        ("systems", "sera_above_rouge"): Value(*lead),
        ("summaries", "sera_above_rouge"): Value(*single),
    }


def test_numbers_of_scores():
    """In every topic SERA ranks systems as P does, and ROUGE the other way round: 1 less -1.

    A resample of one system alone has no rho, and any other has these.
    """
    rows = [
        (topic, system, metric, value if metric.startswith(("SERA", "P")) else -value)
        for topic in "tu"
        for metric in (*METRICS, "P")
        for system, value in zip("abc", (0.1, 0.2, 0.3), strict=True)
    ]
    scores = Scores.from_table(pd.DataFrame(rows, columns=["topic", "system", "metric", "score"]))
    assert own_numbers(scores, "P", resamples=20, seed=1, confidence=95) == {
        ("systems", "rouge_weak"): (-1, -1, -1),
        ("systems", "sera_high"): (1, 1, 1),
        ("systems", "sera_above_rouge"): (2, 2, 2),
        ("summaries", "sera_above_rouge"): (2, 2, 2),
    }


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (["no", "no"], "no (no: 2 of 2)"),
        (["yes"], "yes (yes: 1 of 1)"),
        (["no", "undecided", "no"], "undecided (no: 2 of 3)"),
        (["yes", "no", "undecided"], "undecided (yes: 1, no: 1 of 3)"),
        (["undecided", "undefined"], "undecided (0 of 2)"),
    ],
)
def test_a_verdict_is_what_all_intervals_say(said, expected):
    assert verdict(said) == expected


def test_without_other_results():
    found = answer(own(), paper=PRINTED, files={})
    assert list(found) == ["question", "paper", "here", "verdict"]
    # printed: the mean of (.174, .116, .229, .261, .29, .261), that of SERA's twelve, and .841 less .456
    assert found.iloc[:, 1:].to_numpy().tolist() == [
        ["0.22", "0.82 (0.71 to 0.91): no", "no (no: 1 of 1)"],
        ["0.84", "0.72 (0.60 to 0.80): undecided", "undecided (0 of 1)"],
        ["+0.39", "−0.04 (−0.30 to +0.10): undecided", "undecided (0 of 1)"],
        ["not asked", "−0.20 (−0.30 to −0.10): no", "no (no: 1 of 1)"],
    ]


def test_with_other_results(tmp_path):
    keys = {"question": ["systems", "summaries"], "claim": "sera_above_rouge", "coefficient": "spearman"}
    claims = pd.DataFrame(
        {**keys, "effect_5": -0.4, "effect_50": [0.05, -0.16], "effect_95": 0.4, "share": [0.59, 0.06]}
    )
    weak = {
        "question": "systems",
        "claim": "rouge_weak",
        "effect_50": -0.158,
        "effect_5": -0.3,
        "share": 0.17,
    }
    claims = pd.concat([claims, claims.head(1).assign(**weak)])
    null = pd.DataFrame({**keys, "null_share": 0.5})
    more = pd.DataFrame(
        {
            "question": ["systems"], "coefficient": "spearman", "effect": -0.11,
            "low_families": -0.38, "high_families": 0.04, "rouge": 0.8, "rouge_low": 0.5, "rouge_high": 0.9,
            "sera": 0.69, "sera_low": 0.2, "sera_high": 0.8,
        }
    )  # fmt: skip
    people = pd.DataFrame(
        {
            "metric": "ROUGE-2-F", "other": "SERA-5", "level": ["system", "summary"],
            "coefficient": "spearman",
            "difference": 0.18, "difference_low": [-0.01, 0.1], "difference_high": 0.43,
        }
    )  # fmt: skip
    meta = pd.DataFrame(
        {
            "question": ["systems", "summaries"] * 2, "contrast": ["means"] * 2 + ["best"] * 2,
            "coefficient": "spearman", "effect": [0.12, -0.05, -0.01, -0.21],
            "low": [-0.04, -0.21, -0.25, -0.3], "high": [0.28, 0.12, 0.23, -0.12],
        }
    )  # fmt: skip
    files = {}
    made = {"claims": claims, "null": null, "more_systems": more, "people": people, "meta": meta}
    for name, table in made.items():
        files[name] = tmp_path / f"{name}.tsv"
        table.to_csv(files[name], sep="\t", index=False)
    found = answer(own(lead=(0.2, 0.1, 0.3)), paper=PRINTED, files=files)
    assert list(found) == ["question", "paper", *SOURCES, *VARIANTS, "verdict"]
    rows = found.to_numpy().tolist()
    assert rows[0][3:4] + rows[0][-3:] == [
        "0.80 (0.50 to 0.90): undecided", "0.67 (0.11 to 0.81)", "17%", "undecided (no: 1 of 2)",
    ]  # fmt: skip
    assert rows[2][2:] == [
        "+0.20 (+0.10 to +0.30): yes", "−0.11 (−0.38 to +0.04): undecided",
        "−0.18 (−0.43 to +0.01): undecided", "+0.12 (−0.04 to +0.28): undecided",
        "−0.01 (−0.25 to +0.23): undecided", "+0.05 (−0.40 to +0.40)", "59%; 50%", "undecided (yes: 1 of 5)",
    ]  # fmt: skip
    assert rows[3][4] == "−0.18 (−0.43 to −0.10): no" and rows[3][-1] == "undecided (no: 3 of 4)"


def test_a_synthetic_study_has_no_verdicts():
    found = answer(own(), paper=None, files={})
    assert list(found) == ["question", "here"] and found["here"][0] == "0.82 (0.71 to 0.91)"
    assert format_markdown(found, 90).count("\n|") == 5
    assert format_markdown(found, 90).endswith(
        "\n\nIn brackets: 90% intervals over systems and topics. Numbers are Spearman's ρ, or SERA's less "
        "ROUGE's, each the mean of its variants. 0.51 and 0.62 are the highest mean ρ that the paper calls "
        "weak, and the lowest that it calls high."
    )


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        (["verdict"], {"verdict"}),
        (["more systems"], {"more systems"}),
        (["TAC 2009, people's Pyramid"], {"TAC 2009"}),
        (["other benchmarks, means"], {"other benchmarks", "Other benchmarks"}),
        (SOURCES[3:], {"other benchmarks", "Other benchmarks", "best:"}),
        (
            [*SOURCES, "verdict"],
            {"verdict", "more systems", "TAC 2009", "other benchmarks", "Other benchmarks", "best:"},
        ),
    ],
)
def test_the_note_explains_the_columns_that_are_there(columns, told):
    names = ("verdict", "more systems", "TAC 2009", "other benchmarks", "Other benchmarks", "best:")
    assert {name for name in names if name in note(["question", "here", *columns], 95)} == told


def test_undefined_numbers_are_told():
    found = answer(own(lead=(np.nan,) * 3), paper=PRINTED, files={})
    assert found["here"][2] == "undefined"
