"""Judging the sentences found for a citance: overlaps worked by hand."""

import numpy as np
import pytest
from commands import sera as run

from sera.benchmarks import Topic
from sera.io.records import Citance, Section, Source
from sera.summarizers.citation_context import CitationContext
from study.recognition.citation_contexts import (
    Judged,
    annotators_overlap,
    facet_agreement,
    judge,
    locate_passages,
    passage_overlap,
    spans,
    split_words,
)

SENTENCES = ("Salt slows the growth.", "Dorsin binds velactin (Fig. 1).", "Cells were washed twice a day.")
ARTICLE = [word for sentence in SENTENCES for word in split_words(sentence)]


@pytest.mark.parametrize(
    ("passage", "expected"),
    [
        ("dorsin binds Velactin", {4, 5, 6}),
        ("the growth. Dorsin binds", {2, 3, 4, 5}),  # over the end of a sentence
        ("Salt slows the growth. Legend of a figure. Cells were washed", {0, 1, 2, 3, 9, 10, 11}),
        ("velactin binds dorsin", set()),  # three words in a row are needed
        ("", set()),
    ],
)
def test_a_passage_is_located_by_its_words(passage, expected):
    assert locate_passages([passage], ARTICLE) == expected


def test_overlap_worked_by_hand():
    first, second, third = spans(SENTENCES)
    # Found are words 4 to 14. One annotator marked 4 to 6, all found; the other 0 to 3 and 9, one found.
    marked = (frozenset({4, 5, 6}), frozenset({0, 1, 2, 3, 9}))
    expected = ((3 / 11 + 1 / 11) / 2, (1 + 1 / 5) / 2, (6 / 14 + 2 / 16) / 2, 1)
    assert passage_overlap([second, third], marked) == pytest.approx(expected)
    assert passage_overlap([third], (frozenset({4, 5, 6}),)) == (0, 0, 0, 0)
    assert passage_overlap([first], (frozenset(range(4)),)) == (1, 1, 1, 1)
    assert passage_overlap([third, first], (frozenset(range(4)),))[3] == 0
    assert passage_overlap([], marked) == (0, 0, 0, 0)


def test_facets_of_any_and_of_most():
    votes = ("results", "results", "method", "discussion")
    assert facet_agreement("results", votes) == (1, 1)
    assert facet_agreement("method", votes) == (1, 0)
    assert facet_agreement("hypothesis", votes) == (0, 0)
    assert facet_agreement("method", ("results", "method")) == (1, 1)  # as many as any other


def test_a_system_is_judged_by_topic():
    citances = [
        Citance("T", "one", "Dorsin binds velactin."),
        Citance("T", "two", "Cells, washed as described."),
    ]
    source = Source("T", "a", sections=(Section("Results", SENTENCES),))
    rows = [
        Judged(citances[0], (frozenset({4, 5, 6}), frozenset({4, 5})), ("results", "discussion")),
        Judged(citances[1], (frozenset({0, 1, 2, 3}),), ("results", "results")),
    ]
    judged = [(Topic("T", source, (), tuple(citances)), rows)]
    overlaps, facets = judge(CitationContext(contexts=1, neighbours=0, others=0), judged)
    # The first citance finds the second sentence (5 words), the second the third, which nobody marked.
    np.testing.assert_allclose(overlaps, [[0.5 / 2, 1 / 2, (6 / 8 + 4 / 7) / 4, 1 / 2]])
    np.testing.assert_allclose(facets, [[1 / 2, 1 / 2]])  # discussion: any and most; method: none
    np.testing.assert_allclose(annotators_overlap([(judged[0][0], rows[:1])]), [[(2 / 3 + 1) / 2, 4 / 5]])


@pytest.mark.parametrize(
    ("command", "problem"), [("contexts", "holds no topic"), ("recognition", "lacks ids.txt, documents.txt")]
)
def test_the_commands_name_what_a_folder_lacks(tmp_path, command, problem):
    assert problem in run(command, tmp_path, code=2)
