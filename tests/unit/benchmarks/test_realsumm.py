"""REALSumm: a small folder in its layout, read as it is, and what can be wrong with it."""

import pytest
from releases import REALSUMM, put

from sera.benchmarks import realsumm
from sera.errors import InputError


@pytest.fixture
def small(tmp_path):
    """Two documents and one system."""
    return put(tmp_path / "small", REALSUMM)


def test_a_small_folder_is_read(small, caplog):
    first, second = realsumm.read(release=small)
    assert first.references[0].sentences == ("one .", "two")
    assert second.references[0].sentences == ("three .", "four")
    assert [topic.judgements[0].score for topic in (first, second)] == [0.5, 1]
    (small / "SCUs.txt").write_text("u\tu\nv\n")
    realsumm.read(release=small)
    assert [record.getMessage() for record in caplog.records] == [
        f"{small}/SCUs.txt, line 1: the content unit 'u' is there twice"
    ]
    assert realsumm.read_labels(small) == {("0", "s"): (True, False), ("1", "s"): (True,)}
    (small / "labels/s.label").write_text("1\n1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 1: has 1 labels where SCUs\.txt has 2 units"):
        realsumm.read_labels(small)


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("ids.txt", "a\na\n", r"ids\.txt, line 2: repeats the id a\."),
        ("ids.txt", "a\u202e\nb\n", r"ids\.txt, line 1: the id .* has the character U\+202E in it"),
        ("ids.txt", " a\nb\n", r"ids\.txt, line 1: the id ' a' has a blank at its end"),
        ("references.txt", "<t>one\n<t>two</t>\n", r"references\.txt, line 1: has text outside of <t>"),
        ("references.txt", "<t>one</t> or\n</t>\n", r"lines 1, 2: has text outside"),
        ("references.txt", "one\n", r"references\.txt, line 2: .*1 lines where ids\.txt has 2"),
        ("documents.txt", "\nThree .\n", r"documents\.txt, line 1: .*empty"),
        ("labels/s.label", "1\n1\t1\n", r"line 1: has 1 labels where SCUs\.txt has 2 units.*; line 2:"),
        ("labels/s.label", "2\t0\n1\n", r"s\.label, line 1: .*0 nor 1"),
        *((name, None, f"lacks {name}") for name in ("SCUs.txt", "labels/s.label", "summaries/s.summary")),
    ],
)
def test_faults_of_a_file_are_named_with_their_lines(small, file, text, problem):
    (small / file).unlink()
    if text is not None:
        (small / file).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        realsumm.read(release=small)


@pytest.mark.parametrize("file", ["SCUs.txt", "labels/s.label"])
def test_links_are_refused(small, tmp_path, file):
    (small / file).rename(tmp_path / "elsewhere")
    (small / file).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match=f"{file}: is a link"):
        realsumm.inputs(release=small)
