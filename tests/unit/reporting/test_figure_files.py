"""Figures: Figure 2 of ROUGE-K's paper, and the form that a page holds of any figure."""

import re
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from sera.reporting.figures import plt, recall_by_length, save
from sera.reporting.overview import best_metrics
from sera.reporting.page import best_in_words, compact

COLUMNS = ["metric", "system", "length", "recall", "summaries", "undefined", "keywords"]
ROWS = [
    *(("ROUGE-K", "b", 1, 0.5, 4, 0, 9), ("ROUGE-K", "b", 2, 0.25, 2, 2, 3)),
    *(("ROUGE-K", "a", 1, 0.75, 4, 0, 9), ("ROUGE-K", "a", 2, float("nan"), 0, 2, 0)),
    ("ROUGE-K-TFIDF", "a", 1, 0.1, 4, 0, 9),
]


@pytest.mark.parametrize("narrow", [False, True])
def test_a_line_per_system_and_the_number_of_keywords_below(narrow):
    figure = recall_by_length(pd.DataFrame(ROWS, columns=COLUMNS), title="SYNTHETIC t", narrow=narrow)
    (axes,) = figure.axes
    lines = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
    assert list(lines) == ["b", "a"] and lines["b"] == [[1, 0.5], [2, 0.25]]
    assert lines["a"][0] == [1, 0.75] and lines["a"][1][1] != lines["a"][1][1]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["1\n(9)", "2\n(3)"]
    assert axes.get_ylim() == (0, 1) and figure._suptitle.get_text() == "SYNTHETIC t"
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["b", "a"]
    plt.close(figure)


def drawn(svg: str) -> list[tuple[str, list[float], str, str | None]]:
    """Each shape: its kind, the numbers of its place, its style, its text; ids and groups are left out."""
    root = ElementTree.fromstring(svg)
    styles = dict(re.findall(r"\.(c\d+){([^}]*)}", svg))
    found = []
    for each in root.iter():
        kind = each.tag.rpartition("}")[2]
        if kind in ("path", "use", "text"):
            transform = "" if "rotate(-0" in each.get("transform", "") else each.get("transform", "")
            place = " ".join([each.get("d", ""), each.get("x", ""), each.get("y", ""), transform])
            numbers = [float(number) for number in re.findall(r"-?[\d.]+", place)]
            found.append((kind, numbers, each.get("style") or styles.get(each.get("class", "")), each.text))
    return found


def test_a_page_holds_the_same_figure_in_fewer_bytes(tmp_path):
    table = pd.DataFrame(ROWS, columns=COLUMNS).replace({"system": {"b": 'id="x" 0.12345 <&> #a'}})
    save(recall_by_length(table, title='1.23456  style="y" # 2'), tmp_path / "figure", ["svg"])
    whole = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    small = compact(whole)
    assert len(small) < len(whole) / 1.8
    before, after = drawn(whole), drawn(small)
    assert len(before) == len(after) > 30
    for (kind, place, style, text), (own_kind, own_place, own_style, own_text) in zip(before, after):
        assert (own_kind, own_style, own_text) == (kind, style, text)
        assert own_place == pytest.approx(place, abs=0.0051)
    named = set(re.findall(r'(?:href="|url\()#([^")]+)', small))
    assert named <= set(re.findall(r' id="([^"]+)"', small)) and named


# The best metrics


def rows(**rho):
    names = ["metric", "spearman", "spearman_low", "spearman_high"]
    return pd.DataFrame([(name, value, 0.25, 0.75) for name, value in rho.items()], columns=names)


def test_the_best_metrics():
    one = best_metrics(rows(A=0.5, B=0.499998), "spearman")
    assert one == {"metrics": ["A"], "falling": [], "value": 0.5, "low": 0.25, "high": 0.75}
    assert best_in_words(one) == "A, 0.500 (0.25 to 0.75 over topics)"
    assert best_metrics(rows(A=np.nan), "spearman") is None and best_in_words(None) == "undefined"
    tied = best_metrics(rows(A=0.9, B=1.0, C=1.0 - 1e-9), "spearman")
    assert tied == {"metrics": ["B", "C"], "falling": [], "value": 1.0, "low": None, "high": None}
    assert best_in_words(tied) == "B and C, tied at 1.000"
    many = best_metrics(rows(**{f"M{number}": 0.5 for number in range(6)}), "spearman")
    assert best_in_words(many) == "6 metrics, tied at 0.500: M0, M1, M2, M3 and 2 more"
    falling = rows(A=0.5)
    falling.loc[1] = ["JS-2", -0.9, -1.0, -0.5]
    one = best_metrics(falling, "spearman")
    assert (one["metrics"], one["value"]) == (["JS-2"], -0.9)
    assert best_in_words(one) == "JS-2 (lower is better), −0.900 (−1.00 to −0.50 over topics)"
    falling.loc[2] = ["A2", 0.9, 0.5, 1.0]
    assert best_in_words(best_metrics(falling, "spearman")) == "JS-2 (lower is better) and A2, tied at 0.900"
