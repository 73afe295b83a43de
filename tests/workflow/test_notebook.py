"""The notebook runs, and prints what it shows."""

from __future__ import annotations

import nbformat
import pytest
from conftest import ROOT
from notebook import executed, printed

NOTEBOOK = ROOT / "docs/evaluate-a-metric.ipynb"


@pytest.fixture(scope="module")
def kept() -> nbformat.NotebookNode:
    return nbformat.read(NOTEBOOK, as_version=4)


def test_a_fresh_run_prints_what_the_notebook_shows(kept):
    assert printed(executed(NOTEBOOK)) == printed(kept)


def test_numbers_worked_out_by_hand(kept):
    texts = printed(kept)
    # the kinase: 1 of 3 bigrams of the candidate and of 5 of the reference
    assert texts[0] == "0.25"
    # ROUGE-L, pooled: fish, swim of the first reference's 5 words, and ships, sail of the second's 2, so that
    # recall is 4 of 7; each reference meets the candidate's 4 words, so that precision is 4 of 8.
    # ROUGE-2: 1 of 2 bigrams and 1 of 1; then 1 of 1 beside each of two references of 1 bigram.
    assert texts[1].splitlines() == ["0.53333", "[0.66667, 0.5]"]
    # Ada and 3 of Monday, Ada and 3
    assert texts[4].strip() == str(2 / 3)
