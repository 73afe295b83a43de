"""Figures: Figure 2 of ROUGE-K's paper, and a figure in a page."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote
from xml.etree import ElementTree

import pandas as pd
import pytest

from sera.reporting.figures import plt, recall_by_length, save
from sera.reporting.page import Part, picture, render

COLUMNS = ["metric", "system", "length", "recall", "summaries", "undefined", "keywords"]
ROWS = [
    *(("ROUGE-K", "b", 1, 0.5, 4, 0, 9), ("ROUGE-K", "b", 2, 0.25, 2, 2, 3)),
    *(("ROUGE-K", "a", 1, 0.75, 4, 0, 9), ("ROUGE-K", "a", 2, float("nan"), 0, 2, 0)),
    ("ROUGE-K-TFIDF", "a", 1, 0.1, 4, 0, 9),
]


def test_a_line_per_system_and_the_number_of_keywords_below():
    figure = recall_by_length(pd.DataFrame(ROWS, columns=COLUMNS), title="SYNTHETIC t")
    (axes,) = figure.axes
    lines = {line.get_label(): line.get_xydata().tolist() for line in axes.lines}
    assert list(lines) == ["b", "a"] and lines["b"] == [[1, 0.5], [2, 0.25]]
    assert lines["a"][0] == [1, 0.75] and lines["a"][1][1] != lines["a"][1][1]
    assert [text.get_text() for text in axes.get_xticklabels()] == ["1\n(9)", "2\n(3)"]
    assert axes.get_ylim() == (0, 1) and figure._suptitle.get_text() == "SYNTHETIC t"
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["b", "a"]
    plt.close(figure)


def test_a_page_draws_a_figure_as_its_file_does(tmp_path):
    name = """a<b> & "c" 'd' 0.123456 %20 #1 id="x_1" ρ"""
    figure, axes = plt.subplots(figsize=(3, 2))
    axes.plot([1, 2], label=name)
    axes.legend()
    save(figure, tmp_path / "own", ["svg"])
    (tmp_path / "page.html.j2").write_text(
        '{% extends "base.html.j2" %}{% block one %}{{ picture(drawn) }}{% endblock %}', encoding="utf-8"
    )
    content = {"title": "T", "heading": "H", "drawn": picture(tmp_path / "own.svg", name)}
    images = []

    class Images(HTMLParser):
        def handle_starttag(self, tag, attributes):
            images.extend([dict(attributes)] if tag == "img" else [])

    Images().feed(render([Part("one", "One")], content, tmp_path / "page.html.j2"))
    (image,) = images
    assert (image["width"], image["height"], image["alt"]) == ("288", "192", name)  # 96 pixels an inch
    address, _, drawing = image["src"].partition(",")
    assert address == "data:image/svg+xml"
    drawn, written = map(_read_texts, (unquote(drawing), (tmp_path / "own.svg").read_text(encoding="utf-8")))
    assert list(drawn) == list(written) and name in drawn
    assert list(drawn.values()) == pytest.approx(list(written.values()), abs=0.01)
    assert {*re.findall(r"url\(#(\w+)\)", unquote(drawing))} <= {
        *re.findall(r' id="(\w+)"', unquote(drawing))
    }


def _read_texts(drawing):
    """Where the texts of a drawing begin."""
    texts = ElementTree.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text")
    return {text.text: float(text.get("x", "nan")) for text in texts}
