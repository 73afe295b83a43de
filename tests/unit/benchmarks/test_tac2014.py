"""Reading TAC 2014 BiomedSumm and its nuggets: a made release with every oddity."""

import logging

import pytest
from releases import put, record, tac2014

from sera.benchmarks.tac2014 import inputs, read, read_annotations
from sera.errors import InputError
from sera.io.records import Citance, Nugget


@pytest.fixture
def made(tmp_path):
    """The folders of a made release of one topic and of its nuggets."""
    put(tmp_path, tac2014())
    return tmp_path / "release", tmp_path / "pyramid"


def test_a_topic_is_read_with_all_its_parts(made, caplog):
    release, pyramid = made
    with caplog.at_level(logging.WARNING):
        [topic] = read(release=release, pyramids=pyramid)
    assert topic.id == "D1401"
    assert (topic.source.id, topic.source.title) == ("Smith,A", "A Gene Named for a Test")
    assert [section.title for section in topic.source.sections] == ["Abstract"]
    assert len(topic.source.sentences) == 3
    assert [(r.annotator, r.sentences) for r in topic.references] == [
        (letter, (f"One is by {letter} here.", "Two.", "Three and four.")) for letter in "ABCE"
    ]
    cited, article = topic.documents
    assert (cited.id, cited.text) == ("D1401-O'Shea", "It was cited [1]. “Naïve”\n\nEnd.")
    assert article.text.startswith("A Gene Named for a Test\n\nA. Author1")
    nuggets = (("A", "One"), ("A", "Three"), ("B", "One Two"))
    assert topic.nuggets == tuple(Nugget("D1401", *nugget) for nugget in nuggets)
    assert [r.getMessage() for r in caplog.records] == ["topic D1401 has no nuggets of annotators C, E"]


def test_one_citance_for_each_number_with_the_text_of_most_annotators(made):
    release, _ = made
    path = release / "data/D1401_TRAIN/Annotation/D1401_TRAIN.E.ann.txt"
    [topic] = read(release=release)
    assert topic.citances[1].text == "Other one."  # of two texts with two votes each, the longer
    path.write_text("\n".join((record(1, "E", "It was cited here."), record(2, "E", "Long one."))))
    [topic] = read(release=release)
    texts = ("It was cited [1].", "Long one.")
    assert topic.citances == tuple(Citance("D1401", "O'Shea", text) for text in texts)


def test_the_fields_of_an_annotation_are_cleaned(made):
    release, _ = made
    annotations = read_annotations(release)
    assert [(a.annotator, a.citance) for a in annotations] == [(c, n) for c in "ABCE" for n in (1, 2)]
    first = annotations[0]
    names = (first.topic, first.reference, first.citing, first.facet)
    assert names == ("D1401", "Smith, A", "O'Shea", "Method")
    assert (first.marker, first.citation) == ("[1]", "It was cited [1].")
    assert first.reference_texts == ("One | thing: it", "another thing")


def test_the_folders_above_and_below_do_too(made):
    release, pyramid = made
    expected = inputs(release=release, pyramids=pyramid)
    assert len(expected) == 4 + 2 + 4 + 2
    assert expected == sorted(expected) and all(path.is_file() for path in expected)
    for folder in (release.parent, release / "data", release / "data/D1401_TRAIN"):
        assert [p.resolve() for p in inputs(release=folder, pyramids=pyramid / "annotations")] == expected
    assert len(inputs(release=release)) == 10


def test_a_wrong_folder_is_told_with_where_the_data_is_to_be_had(made, tmp_path):
    release, pyramid = made
    (tmp_path / "empty").mkdir()
    where = "github.com/acohan/TAC-Pyramid-Annotations"
    for name, of_topics, of_nuggets in (
        ("none", "no such folder", "no such folder"),
        ("empty", "holds no topic", "holds no nuggets"),
    ):
        with pytest.raises(InputError, match=f"{name}: .*{of_topics}.*agreement"):
            inputs(release=tmp_path / name)
        with pytest.raises(InputError, match=f"{name}: .*{of_nuggets}.*{where}"):
            inputs(release=release, pyramids=tmp_path / name)


def topic_file(release, part, annotator):
    suffix = {"Annotation": "ann", "Summary": "summary"}[part]
    return release / f"data/D1401_TRAIN/{part}/D1401_TRAIN.{annotator}.{suffix}.txt"


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"Reference Text": None}, "no 'Reference Text'"),
        ({"Citance Number": "one"}, "'Citance Number' is not a number: 'one'"),
        ({"Topic ID": "D1402_TRAIN"}, "'Topic ID' is 'D1402_TRAIN', but the folder's topic is D1401"),
        ({"Annotator": "C"}, "'Annotator' is 'C', but the file's is B"),
        ({"Citance Number": "1"}, "citance 1 is there twice, first in line 1"),  # it would vote twice
    ],
)
def test_a_wrong_record_is_named_at_once_with_file_and_line(made, changed, problem):
    release, _ = made
    wrong = record(2, "B", **changed)
    topic_file(release, "Annotation", "B").write_text(record(1, "B") + "\n\n" + wrong, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read(release=release)
    assert "D1401_TRAIN.B.ann.txt, line 3: " in str(error.value) and problem in str(error.value)


@pytest.mark.parametrize("part", ["/Summary/D1401_TRAIN.A.summary.txt", ""])
def test_no_link_in_a_release_is_followed(made, tmp_path, part):
    release, _ = made
    path = release / f"data/D1401_TRAIN{part}"
    path.rename(tmp_path / "target")
    path.symlink_to(tmp_path / "target")
    with pytest.raises(InputError, match=f"{path.name}: is a link. Put there what it leads to"):
        inputs(release=release)


def test_the_faults_of_all_files_are_one_error(made):
    release, pyramid = made
    topic = release / "data/D1401_TRAIN"
    (topic / "Annotation/D1401_TRAIN.A.ann.txt").write_text("none\n")
    (topic / "Summary/D1401_TRAIN.C.summary.txt").write_text("")
    (pyramid / "annotations/d1401-B.ann").write_text("T1\tNugget x 3\tOne\n")
    with pytest.raises(InputError) as error:
        read(release=release, pyramids=pyramid)
    broken = ("D1401_TRAIN.A.ann.txt, line 1", "D1401_TRAIN.C.summary.txt", "d1401-B.ann, line 1")
    assert [name for name in broken if name in str(error.value)] == list(broken)
