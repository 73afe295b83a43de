"""The answer of a study: its numbers, verdicts and words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT

from study.multiverse.more_systems import WHOLE
from study.report.answer import answer, printed_table, say, verdict

PRINTED = printed_table(ROOT / "resources/published/table2.tsv")
NUMBERS = ("effect", "rouge", "sera")


def numbers(systems=9, judgement="Pyramid", *, lead=(-0.04, -0.3, 0.1), rouge=(0.82, 0.3, 0.91)):
    """A table of `answer_table`; single summaries have another lead."""
    rows = []
    for question, effect in (("systems", lead), ("summaries", (-0.2, -0.3, -0.1))):
        row = {"question": question, "coefficient": "spearman", "judgement": judgement, "systems": systems}
        for name, values in zip(NUMBERS, (effect, rouge, (0.72, 0.63, 0.8)), strict=True):
            row |= dict(zip((name, f"{name}_low", f"{name}_high"), values, strict=True))
        rows += [row | {"topics": 20}, row | {"coefficient": "kendall", "effect": 9, "topics": 20}]
    return pd.DataFrame(rows)


@pytest.fixture
def files(tmp_path):
    """More systems and the pooled effects of two contrasts, as files."""
    more = pd.concat([numbers(38, lead=(-0.19, -0.4, -0.05), rouge=(0.8, 0.6, 0.9)), numbers(38, WHOLE)])
    columns = ["level", "contrast", "left_out", "releases", "effect", "low", "high"]
    columns += ["prediction_low", "prediction_high", "smallest"]
    pooled = [
        ("system", "means", "", 3, 0.12, -0.04, 0.28, -0.4, 0.6, 0.23),
        ("system", "means", "X", 2, 0.05, -0.1, 0.2, -0.4, 0.6, 0.3),
        ("system", "means", "Y", 2, 0.21, -0.1, 0.4, -0.4, 0.6, 0.3),
        ("system", "best", "", 3, 0.01, -0.1, 0.2, -0.4, 0.6, 0.3),
        ("summary", "means", "", 3, -0.11, -0.2, -0.02, -0.3, 0.1, 0.15),
        ("summary", "means", "X", 2, -0.1, -0.2, -0.02, -0.3, 0.1, 0.15),
        ("summary", "best", "", 3, -0.21, -0.3, -0.1, -0.4, 0.6, 0.3),
    ]
    made = {
        "more_systems": more,
        "pooled": pd.DataFrame(pooled, columns=columns),
    }
    for name, table in made.items():
        table.to_csv(tmp_path / f"{name}.tsv", sep="\t", index=False)
    return {name: tmp_path / f"{name}.tsv" for name in made}


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.01, 0.2, "yes"), (-0.2, -0.01, "no"), (-0.1, 0.1, "open"), (0, 0.1, "open"), (-0.1, 0, "open")],
)
def test_an_interval_that_includes_no_difference_leaves_the_question_open(low, high, expected):
    assert verdict(low, high) == expected


def test_the_verdict_is_that_of_all_releases(files):
    found = answer(numbers(), paper=PRINTED, files=files)
    assert [row["verdict"] for row in found["rows"]] == ["open", "no"]
    # printed: the mean of SERA's twelve, .841, less that of ROUGE's 21, .456
    assert found["rows"][0]["paper"] == pytest.approx(0.3857, abs=1e-4) and found["rows"][1]["paper"] is None
    own = [[source["systems"] for source in row["sources"]] for row in found["rows"]]
    assert own == [[9, 38]] * 2
    assert (found["rows"][0]["pooled"]["least"], found["rows"][0]["pooled"]["most"]) == (0.05, 0.21)
    # the mean of (.174, .116, .229, .261, .29, .261); the verdicts are those of 38 systems
    assert [round(row["paper"], 3) for row in found["levels"]] == [0.222, 0.841]
    assert [row["verdict"] for row in found["levels"]] == ["yes", "yes"]
    below = answer(numbers(38, rouge=(0.4, 0.3, 0.5)), paper=PRINTED, files={})
    assert [row["verdict"] for row in below["levels"]] == ["no", "yes"]


def test_the_table_in_markdown(files):
    found = answer(numbers(), paper=PRINTED, files=files)
    assert say("markdown_table", found, found["rows"]).splitlines() == [
        "| question | the paper | its articles | all releases | verdict |",
        "|---|---|---|---|---|",
        "| Is SERA better than ROUGE in ranking systems? | +0.39 | 9 systems: −0.04 (−0.30 to +0.10)<br>"
        "38 systems: −0.19 (−0.40 to −0.05) | +0.12 (−0.04 to +0.28) | "
        "open: only differences above 0.23 would be seen |",
        "| Is SERA better than ROUGE in ranking single summaries? | not asked | 9 systems: −0.20 (−0.30 to "
        "−0.10)<br>38 systems: −0.20 (−0.30 to −0.10) | −0.11 (−0.20 to −0.02) | no |",
    ]
    assert "| 0.22 | 9 systems: 0.82 (0.30 to 0.91)<br>38 systems: 0.80 (0.60 to 0.90) | yes |" in say(
        "markdown_table", found, found["levels"]
    )


def test_the_sentences(files):
    found = answer(numbers(), paper=PRINTED, files=files)
    assert say("found", found) == (
        "In ranking systems, it is open whether SERA is better than ROUGE: +0.12 (−0.04 to +0.28) over 3 "
        "releases of judged summaries; only differences above 0.23 would be seen. In ranking single "
        "summaries, ROUGE is better than SERA: −0.11 (−0.20 to −0.02) over 3 releases of judged summaries."
    )
    assert "The paper has +0.39 with nine systems." in say("asked", found)
    sure = say("sure", found, 95)
    assert sure.startswith(
        "Brackets hold 95% intervals: of a single data set, for other systems and as many topics; over all "
        "releases, for the mean of releases like these. What “would be seen” is found with 80% power. In rank"
    )
    assert "predicted between −0.40 and +0.60; without any one release, the mean is +0.05 to +0.21." in sure


def test_the_table_of_sensitivity(files):
    lines = say("sensitivity_table", answer(numbers(), paper=PRINTED, files=files)).splitlines()
    assert lines[2:] == [
        "| **means, ROUGE without stop words** | +0.12 (−0.04 to +0.28) | −0.11 (−0.20 to −0.02) |",
        "| best less best | +0.01 (−0.10 to +0.20) | −0.21 (−0.30 to −0.10) |",
        "| its articles alone, 38 systems | −0.19 (−0.40 to −0.05) | −0.20 (−0.30 to −0.10) |",
        "| the same, nuggets looked for in the whole summary | −0.04 (−0.30 to +0.10) | −0.20 (−0.30 to "
        "−0.10) |",
    ]


def test_a_study_has_no_verdict_without_releases_and_a_synthetic_one_none_at_all(files):
    found = answer(numbers(), paper=PRINTED, files={})
    assert say("heads", found, found["rows"]) == "question | the paper | its articles"
    assert say("heads", found, found["levels"]) == "question | the paper | its articles | verdict"
    found = answer(numbers(), paper=None, files=files)
    for rows in (found["rows"], found["levels"]):
        assert say("heads", found, rows) == "question | this study"
    assert say("found", found).startswith(
        "In ranking systems, SERA less ROUGE is −0.19 (−0.40 to −0.05) with"
    )


def test_undefined_numbers_are_told():
    found = answer(numbers(lead=(np.nan,) * 3), paper=PRINTED, files={})
    assert "| 9 systems: – (– to –) |" in say("markdown_table", found, found["rows"])
