"""Texts of a release that are not cut into sentences, and topics of them."""

import os

import pytest

from sera.benchmarks import release
from sera.errors import InputError
from sera.io.records import Document, Section


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cells divide. Fish swim.", ("Cells divide.", "Fish swim.")),
        ("cells divide . fish swim ? yes", ("cells divide .", "fish swim ?", "yes")),
        ("<pad> cells divide. fish, e.g. eels, swim. see figs. 1 and 2.</s>",
         ("cells divide.", "fish, e.g. eels, swim.", "see figs. 1 and 2.")),
        ("<s> one <n> two", ("one two",)),
        ("A rise of 2.5 cells was seen. it fell.", ("A rise of 2.5 cells was seen. it fell.",)),
        (" ", ()),
    ],
)  # fmt: skip
def test_sentences(text, expected):
    assert release.sentences(text) == expected


def test_without_an_article_the_references_are_searched():
    topic = release.topic("t", (), {"A": "One. Two.", "B": "Three."}, {"s": "Four."})
    assert topic.source.sections == () and topic.documents == [Document("t", "One. Two. Three.")]
    topic = release.topic("t", ["First. Second.", " ", "Third."], {"A": "One."}, {"s": "Four."})
    assert topic.source.sections == (Section("", ("First.", "Second.")), Section("", ("Third.",)))
    assert topic.documents[0].text == "First. Second. Third."
    assert topic.candidates[0].sentences == ("Four.",)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: None, "there is no such file"),
        (lambda path: path.symlink_to("/etc/hostname"), "is a link"),
        (os.mkfifo, "is a pipe"),
        (os.mkdir, "is a folder, not a file"),
    ],
)
def test_what_is_not_a_file_is_refused(tmp_path, make, problem):
    make(path := tmp_path / "a.txt")
    with pytest.raises(InputError, match=rf"a\.txt: {problem}"):
        release.check_file(path)


def test_in_the_place_of_a_folder_neither_a_link_nor_a_file_is_taken(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path)
    (tmp_path / "file").touch()
    for name, problem in (("link", "is a link"), ("file", "is not a folder")):
        with pytest.raises(InputError, match=f"{name}: {problem}"):
            release.is_folder(tmp_path / name)
    assert not release.is_folder(tmp_path / "none") and release.is_folder(tmp_path)
