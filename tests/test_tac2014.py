"""Reading TAC 2014 BiomedSumm and its nuggets: a made release with every oddity, then the real one."""

import gzip
import json
import logging
import re

import pytest

from sera.benchmarks.tac2014 import Span, inputs, read, read_annotations
from sera.errors import InputError
from sera.records import Citance, Nugget

RELEASE = "data/tac2014/TAC_2014_BiomedSumm_Training_Data"
PYRAMIDS = "data/tac2014/TAC-Pyramid-Annotations"

BODY = "We made a made-up gene and we looked at what it does in the cells of mice, of flies and of men. " * 3
ARTICLE = (
    f"A Gene Named for a Test\nA. Author1, B. Author2\nShow more\nAbstract\n{BODY}\n\nReferences\n1. None.\n"
)


def record(number, annotator, citation="It was cited [1].", **changed):
    fields = {
        "Topic ID": "D1401_TRAIN",
        "Citance Number": str(number),
        "Reference Article": " Smith, A.txt",
        "Citing Article": "O'Shea.txt",
        "Citation Marker Offset": " 13-16",
        "Citation Marker": "[1]",
        "Citation Offset": "0-17",
        "Citation Text": f" {citation}",
        "Reference Offset": "['10-20', '30-40']",
        "Reference Text": "One | thing: it ... another  thing",
        "Discourse Facet": "Method_Citation",
        "Annotator": f"{annotator},",
    }
    fields.update(changed)
    return " | ".join(f"{key}: {value}" for key, value in fields.items() if value is not None) + " |"


@pytest.fixture
def made(tmp_path):
    """The folders of a made release of one topic and of its nuggets."""
    topic = tmp_path / "release/data/D1401_TRAIN"
    for part in ("Annotation", "Documents_Text", "Summary"):
        (topic / part).mkdir(parents=True)
    (topic / "Documents_Text/.DS_Store").write_bytes(b"\0")
    (topic / "Documents_Text/Smith,A.txt").write_bytes(
        b"\xef\xbb\xbf" + ARTICLE.replace("\n", "\r\n").encode()
    )
    (topic / "Documents_Text/O'Shea.txt").write_bytes(
        "It was cited [1]. “Na\u00efve”\n\nEnd.".encode("cp1252")
    )
    for letter in "ABCE":
        lines = record(1, letter), "", record(2, letter, "Long one." if letter in "BC" else "Other one.")
        (topic / f"Annotation/D1401_TRAIN.{letter}.ann.txt").write_bytes("\r\n".join(lines).encode())
        name = f"D1401_TRAIN.{letter}.{'Summary' if letter == 'E' else 'summary'}.txt"
        text = f"\ufeff\rOne is by {letter} here. Two.\r\rThree  and\tfour.\r"
        (topic / "Summary" / name).write_bytes(text.encode())
    pyramid = tmp_path / "pyramid/annotations"
    pyramid.mkdir(parents=True)
    (pyramid / "d1401-A.ann").write_text(
        "T1\t0 3\tOne\nT2\t22 27\tThree\n#1\tNote T1\tno\n", encoding="utf-8"
    )
    (pyramid / "d1401-B.ann").write_text("T1\tNugget 0 3;18 21\tOne Two\n", encoding="utf-8")
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
    assert [(d.id, d.text) for d in topic.documents][0] == (
        "D1401-O'Shea",
        "It was cited [1]. “Naïve”\n\nEnd.",
    )
    assert topic.documents[1].text.startswith("A Gene Named for a Test\n\nA. Author1")
    assert topic.nuggets == (
        Nugget("D1401", "A", "One"),
        Nugget("D1401", "A", "Three"),
        Nugget("D1401", "B", "One Two"),
    )
    assert [r.getMessage() for r in caplog.records] == ["topic D1401 has no nuggets of annotators C, E"]


def test_one_citance_for_each_number_with_the_text_of_most_annotators(made):
    release, _ = made
    path = release / "data/D1401_TRAIN/Annotation/D1401_TRAIN.E.ann.txt"
    path.write_text(
        "\n".join((record(1, "E", "It was cited here."), record(2, "E", "Long one."))), encoding="utf-8"
    )
    [topic] = read(release=release)
    assert topic.citances == (
        Citance("D1401", "O'Shea", "It was cited [1]."),
        Citance("D1401", "O'Shea", "Long one."),
    )


def test_of_equal_votes_the_longest_text_is_the_citance(made):
    release, _ = made  # "Other one." and "Long one." have two votes each
    [topic] = read(release=release)
    assert topic.citances[1].text == "Other one."


def test_an_annotation_has_its_twelve_fields_cleaned(made):
    release, _ = made
    annotations = read_annotations(release)
    assert [(a.annotator, a.citance) for a in annotations] == [(c, n) for c in "ABCE" for n in (1, 2)]
    first = annotations[0]
    assert (first.topic, first.reference, first.citing, first.facet) == (
        "D1401",
        "Smith, A",
        "O'Shea",
        "Method",
    )
    assert (first.marker_span, first.marker) == (Span(13, 16), "[1]")
    assert (first.citation_span, first.citation) == (Span(0, 17), "It was cited [1].")
    assert first.reference_spans == (Span(10, 20), Span(30, 40))
    assert first.reference_texts == ("One | thing: it", "another thing")


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"Reference Text": None}, "the record has no 'Reference Text'"),
        ({"Annotator": None}, "the record has no 'Annotator'"),
        ({"Citance Number": "one"}, "'Citance Number' is not a number: one"),
        ({"Citation Offset": "about 12"}, "'Citation Offset' is not start-end: about 12"),
        ({"Reference Offset": "[]"}, r"'Reference Offset' is not start-end: \[\]"),
    ],
)
def test_a_malformed_record_is_told_with_path_and_line(made, changed, problem):
    release, _ = made
    path = release / "data/D1401_TRAIN/Annotation/D1401_TRAIN.B.ann.txt"
    path.write_text(record(1, "B") + "\n\n" + record(2, "B", **changed), encoding="utf-8")
    with pytest.raises(InputError, match=rf"D1401_TRAIN\.B\.ann\.txt, line 3: {problem}"):
        read_annotations(release)


def test_both_spellings_of_a_key_are_taken(made):
    release, _ = made
    path = release / "data/D1401_TRAIN/Annotation/D1401_TRAIN.A.ann.txt"
    path.write_text(record(1, "A").replace("Reference Offset", "Reference offset"), encoding="utf-8")
    assert read_annotations(release)[0].reference_spans == (Span(10, 20), Span(30, 40))


def test_the_folders_above_and_below_do_too(made):
    release, pyramid = made
    expected = inputs(release=release, pyramids=pyramid)
    assert len(expected) == 4 + 2 + 4 + 2
    assert expected == sorted(expected) and all(path.is_file() for path in expected)
    for folder in (release.parent, release / "data", release / "data/D1401_TRAIN"):
        assert [p.resolve() for p in inputs(release=folder, pyramids=pyramid / "annotations")] == expected
    assert len(inputs(release=release)) == 10


def test_what_is_missing_is_told_all_at_once_and_how_to_get_it(made):
    release, pyramid = made
    for path in (
        release / "data/D1401_TRAIN/Summary/D1401_TRAIN.B.summary.txt",
        release / "data/D1401_TRAIN/Annotation/D1401_TRAIN.C.ann.txt",
    ):
        path.unlink()
    with pytest.raises(InputError) as error:
        inputs(release=release, pyramids=pyramid)
    assert str(error.value).startswith(f"{release / 'data'}: lacks ")
    for part in (
        "D1401_TRAIN/Annotation/*.ann.txt (3 of 4)",
        "D1401_TRAIN/Summary/*.summary.txt (3 of 4)",
        "NIST",
    ):
        assert part in str(error.value)


def test_a_wrong_folder_is_told_with_where_the_data_is_to_be_had(made, tmp_path):
    release, pyramid = made
    (tmp_path / "empty").mkdir()
    for folder, problem in ((tmp_path / "none", "no such folder"), (tmp_path / "empty", "holds no topic")):
        with pytest.raises(InputError, match=f"{folder.name}: .*{problem}.*agreement"):
            inputs(release=folder)
    for folder, problem in ((tmp_path / "none", "no such folder"), (tmp_path / "empty", "holds no nuggets")):
        with pytest.raises(
            InputError, match=f"{folder.name}: .*{problem}.*github.com/acohan/TAC-Pyramid-Annotations"
        ):
            inputs(release=release, pyramids=folder)


def test_an_empty_summary_is_an_error_that_names_the_file(made):
    release, _ = made
    (release / "data/D1401_TRAIN/Summary/D1401_TRAIN.C.summary.txt").write_bytes("\ufeff\r\r".encode())
    with pytest.raises(InputError, match=r"D1401_TRAIN\.C\.summary\.txt: the summary is empty"):
        read(release=release)


def test_a_reference_article_that_is_not_there_is_an_error(made):
    release, _ = made
    (release / "data/D1401_TRAIN/Documents_Text/Smith,A.txt").unlink()
    with pytest.raises(InputError, match=r"lacks the reference article Smith, A\.txt"):
        read(release=release)


def test_a_topic_without_nuggets_is_read_with_a_warning(made, caplog):
    release, pyramid = made
    for path in (pyramid / "annotations").iterdir():
        path.rename(path.with_name(path.name.replace("d1401", "d1499")))
    with caplog.at_level(logging.WARNING):
        [topic] = read(release=release, pyramids=pyramid)
    assert topic.nuggets == ()
    assert [r.getMessage() for r in caplog.records] == ["topic D1401 has no nuggets"]


def test_offsets_that_do_not_fit_are_counted_and_the_texts_taken(made, caplog):
    release, pyramid = made
    (pyramid / "annotations/d1401-A.ann").write_text("T1\t0 3\tOne\nT2\t0 3\tThree\n", encoding="utf-8")
    with caplog.at_level(logging.WARNING):
        [topic] = read(release=release, pyramids=pyramid)
    assert topic.nuggets[:2] == (Nugget("D1401", "A", "One"), Nugget("D1401", "A", "Three"))
    assert "1 of 2 offsets do not fit D1401_TRAIN.A.summary.txt" in caplog.records[0].getMessage()


@pytest.mark.parametrize("line", ["T2 0 3 Three", "T2\tx y\tThree", "T2\t0 3\t "])
def test_a_malformed_nugget_is_told_with_path_and_line(made, line):
    release, pyramid = made
    (pyramid / "annotations/d1401-A.ann").write_text(f"T1\t0 3\tOne\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"d1401-A\.ann, line 2: is not a nugget"):
        read(release=release, pyramids=pyramid)


# --- the real release: its ten shared topics ----------------------------------------------------


@pytest.fixture(scope="module")
def topics(shared):
    return read(release=shared / RELEASE, pyramids=shared / PYRAMIDS)


def test_every_file_of_the_release_is_an_input(shared):
    paths = inputs(release=shared / RELEASE, pyramids=shared / PYRAMIDS)
    assert len(paths) == 10 * (4 + 11 + 4) + 40
    assert not {path for path in (shared / RELEASE).rglob("*.txt")} - set(paths)


def test_the_real_topics_have_their_parts(topics):
    assert [topic.id for topic in topics] == [f"D14{n:02}" for n in range(1, 11)]
    sources = "Voorhoeve Westbrook Serrano Agami,Bernards Campbell Hanahan Toji Lewis Sherr Wang,Tang"
    assert [topic.source.id for topic in topics] == sources.split()
    letters = "ABCD ABCE BCDE BCDF BCDG BCDG BFGH BCDH BCDG FGHI"
    assert ["".join(r.annotator for r in topic.references) for topic in topics] == letters.split()
    assert [len(topic.documents) for topic in topics] == [11] * 10
    assert [len(topic.citances) for topic in topics] == [17, 14, 15, 12, 14, 15, 15, 15, 11, 16]
    assert sum(len(topic.nuggets) for topic in topics) == 701


def test_the_real_nuggets_fit_their_summaries(shared, caplog):
    with caplog.at_level(logging.WARNING):
        read(release=shared / RELEASE, pyramids=shared / PYRAMIDS)
    assert caplog.records == []


def test_the_real_references_say_what_the_recorded_ones_say(topics, shared):
    lines = (shared / "oracles/rouge155/tac_references.jsonl").read_text(encoding="utf-8").splitlines()
    recorded = {(r["topic"], r["annotator"]): " ".join(r["sentences"]) for r in map(json.loads, lines)}
    ours = {(r.topic, r.annotator): " ".join(r.sentences) for topic in topics for r in topic.references}
    assert ours.keys() == recorded.keys()
    for key, text in ours.items():
        assert text.split() == recorded[key].split()


def test_the_real_documents_say_what_the_recorded_ones_say(topics, shared):
    with gzip.open(shared / "oracles/lucene/documents.jsonl.gz", "rt", encoding="utf-8") as lines:
        recorded = {d["id"]: d["text"] for d in map(json.loads, lines) if d["id"].startswith("tac-")}
    ours = {f"tac-{re.sub(r'[^A-Za-z0-9-]', '_', d.id)}": d.text for topic in topics for d in topic.documents}
    assert len(recorded) == 110
    assert ours.keys() == recorded.keys()
    for id, text in ours.items():
        assert text.split() == recorded[id].split()


def test_every_real_record_is_read(shared):
    annotations = read_annotations(shared / RELEASE)
    assert len(annotations) == 576
    assert {a.annotator for a in annotations} == set("ABCDEFGHI")
    assert {a.facet for a in annotations} == {"Hypothesis", "Method", "Results", "Implication", "Discussion"}
    assert all(len(a.reference_spans) == len(a.reference_texts) <= 3 for a in annotations)
    assert all(a.marker and a.citation and a.citing for a in annotations)
