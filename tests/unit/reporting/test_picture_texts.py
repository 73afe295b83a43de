"""The alternative texts state what a figure shows."""

from __future__ import annotations

import numpy as np
import pandas as pd

from sera.reporting import picture_texts
from sera.reporting.overview import Panel


def comparison(paper=np.nan, **rho):
    return pd.DataFrame(
        [(name, value, paper) for name, value in rho.items()],
        columns=["metric", "spearman", "spearman_paper"],
    )


def test_comparison():
    table = comparison(
        **{"SERA-5": 0.5, "SERA-10": 0.25, "SERA-NP-5": -0.125, "ROUGE-1-F": 0.75, "JS-2": -0.9}
    )
    assert picture_texts.of_comparison(table, "Pyramid") == (
        "Spearman's ρ with Pyramid over systems: SERA from −0.12 to 0.50, median 0.25; ROUGE 0.75; "
        "other metrics, higher being better, 0.90."
    )
    published = comparison(0.875, **{"SERA-5": 0.5, "ROUGE-1-F": np.nan})
    assert picture_texts.of_comparison(published, "Pyramid") == (
        "Spearman's ρ with Pyramid over systems: SERA 0.50. Published: SERA 0.88; ROUGE 0.88."
    )


def test_cutoffs():
    lines = pd.DataFrame(
        {"SERA": [0.5, 0.25], "SERA-DIS": [0.0, 0.75], "SERA-KW": [np.nan, 0.1]}, index=[5, 10]
    )
    assert picture_texts.of_cutoffs(lines, "Pyramid") == (
        "Spearman's ρ of SERA with Pyramid is highest for SERA-DIS at cut-off 10 (0.75) "
        "and lowest for SERA-DIS "
        "at 5 (0.00). From 5 to 10 it rises for 1 of 2 variants."
    )
    assert picture_texts.of_cutoffs(lines, "Pyramid", "kendall").startswith(
        "Kendall's τ of SERA with Pyramid is"
    )
    assert "undefined at every cut-off" in picture_texts.of_cutoffs(lines * np.nan, "Pyramid")


def test_scatter():
    rho = pd.DataFrame([("M", "H", 0.5), ("N", "H", np.nan)], columns=["metric", "against", "spearman"])
    text = picture_texts.of_scatter(rho, pd.Series({"a": 1.0, "b": 3.0, "c": 2.0}), "H", ["M", "N"])
    assert text == "Spearman's ρ with H over 3 systems: M 0.50, N undefined. Highest by H: b; lowest: a."


def test_plane():
    means = pd.DataFrame(
        {"c": [0.2, 0.5, np.nan], "a": [0.0, 0.25, 0.75], "m": [0.0, 1 / 3, np.nan]},
        index=["lead", "mine", "yours"],
    )
    assert picture_texts.of_plane(means) == (
        "Content is highest for mine (0.50), abstraction for yours (0.75), MOULIN ROUGE for mine (0.33). "
        "Systems without abstraction, which copy the article: 1 of 3."
    )
    assert picture_texts.of_plane(means * np.nan) == "Content and abstraction are undefined for every system."


def test_metrics():
    names = ["Pyramid", "ROUGE-1-F", "ROUGE-2-F", "SERA-5", "SERA-10"]
    matrix = pd.DataFrame(1.0, index=names, columns=names)
    matrix.loc[["SERA-5", "SERA-10"], ["ROUGE-1-F", "ROUGE-2-F"]] = [[0.1, 0.2], [0.3, 0.4]]
    assert picture_texts.of_metrics(matrix) == (
        "How alike metrics rank the systems, as the median of Spearman's ρ: 1.00 within "
        "SERA, 1.00 within ROUGE, "
        "0.25 between SERA and ROUGE."
    )
    own = pd.DataFrame(
        [[1, 0.5, -0.5], [0.5, 1, 0.9], [-0.5, 0.9, 1]], index=list("HMN"), columns=list("HMN")
    )
    assert picture_texts.of_metrics(own) == (
        "Spearman's ρ between two metrics is highest for N and M (0.90) and lowest for N and H (−0.50)."
    )


def test_sensitivity():
    panels = {
        "rank cut-off of SERA": Panel(pd.DataFrame({"SERA": [0.5, 0.25]}), "Spearman's ρ", "H"),
        "smoothing μ": Panel(pd.DataFrame({"median": [-0.5], "low": [-1.0], "high": [1.0]}), "ρ less ρ"),
    }
    assert picture_texts.of_sensitivity(panels) == (
        "By rank cut-off of SERA, Spearman's ρ is from 0.25 to 0.50; by smoothing μ, the "
        "median of SERA's ρ less "
        "ROUGE's is from −0.50 to −0.50."
    )


def test_truth():
    columns = ["metric", "drift", "articles", "system_spearman"]
    lines = [
        ("A", 0, 0, 0.9),
        ("A", 1, 0, 0.5),
        ("JS-ref-2", 1, 0, -0.75),
        ("S", 1, 10, 0.9),
        ("S", 1, 240, 0.25),
    ]
    text = picture_texts.of_truth(pd.DataFrame(lines, columns=columns), ["A", "JS-ref-2", "S", "absent"])
    assert text == (
        "Where the wording drifts most (1), Spearman's ρ of systems' means with the true "
        "score is highest for "
        "JS-ref-2 (0.75) and lowest for S (0.25)."
    )


def test_audit():
    counts = pd.DataFrame(
        [(6, "any", 28, 33, 20, 24), (6, "one", 30, 33, 24, 24), (9, "any", 9, 33, 3, 24)],
        columns=["systems", "ties", "table2_fit", "table2_rows", "table3_fit", "table3_rows"],
    )
    assert picture_texts.of_audit(counts) == (
        "6 systems can give most of the printed pairs of coefficients: 28 of 33 rows of "
        "Table 2 and 20 of 24 rows "
        "of Table 3."
    )
