"""REALSumm: a small folder in its layout, read as it is, and what can be wrong with it."""

import pytest
import releases

from sera.benchmarks.realsumm import REALSUMM, read_labels
from sera.errors import InputError


@pytest.fixture
def small(tmp_path):
    """Two documents and one system."""
    return releases.put(tmp_path / "small", releases.REALSUMM)


def test_a_small_folder_is_read(small):
    first, second = REALSUMM.read(release=small)
    assert first.references[0].sentences == ("one .", "two")
    assert second.references[0].sentences == ("three .", "four")
    assert [topic.judgements[0].score for topic in (first, second)] == [0.5, 1]
    assert read_labels(small) == {("0", "s"): (True, False), ("1", "s"): (True,)}


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("ids.txt", "a\na\n", r"ids\.txt, line 2: repeats the id a\."),
        ("ids.txt", " a\nb\n", r"ids\.txt, line 1: the id ' a' has a blank at its end"),
        ("references.txt", "<t>one\n<t>two</t>\n", r"references\.txt, line 1: has text outside of <t>"),
        ("references.txt", "one\n", r"references\.txt: has 1 lines where ids\.txt has 2"),
        ("documents.txt", "\nThree .\n", r"documents\.txt, line 1: .*empty"),
        ("labels/s.label", "1\n1\t1\n", r"line 1: has 1 labels where SCUs\.txt has 2 units.*; line 2:"),
        ("labels/s.label", "2\t0\n1\n", r"s\.label, line 1: .*0 nor 1"),
        ("labels/s.label", None, "lacks labels/s.label"),
    ],
)
def test_faults_of_a_file_are_named_with_their_lines(small, file, text, problem):
    (small / file).unlink()
    if text is not None:
        (small / file).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        REALSUMM.read(release=small)
