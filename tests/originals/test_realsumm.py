"""REALSumm: read as it is, and ROUGE beside what its authors published for the same summaries.

The released texts are not in every place those that were scored. Where they are can be told: a published
recall is a fraction of the reference's number of words, a precision one of the candidate's. The scored texts
were tokenised as the Penn Treebank's are (``did n't``), which the released ones are in part.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from collections import Counter

import pandas as pd
import pytest

from sera import metric
from sera.benchmarks import realsumm
from sera.errors import InputError
from sera.metrics.rouge.measures import Rouge

POINTER = "abs_ptr_generator_out_pointer_gen_cov"
NAMES = {
    f"rouge_{kind.lower()}_{word}": f"ROUGE-{kind}-{letter}"
    for kind in ("1", "2", "L")
    for word, letter in (("f_score", "F"), ("precision", "P"), ("recall", "R"))
}


@pytest.fixture(scope="module")
def topics(shared):
    return realsumm.read(release=shared / "data/realsumm")


@pytest.fixture(scope="module")
def published(shared):
    table = pd.read_csv(shared / "data/realsumm/published_scores.tsv", sep="\t", dtype={"doc_id": str})
    return table.assign(name=table["split"] + "_" + table["system"]).set_index(["doc_id", "name"])


def treebank(sentences):
    return [re.sub(r"(?i)(\w)n't", r"\1 n't", sentence) for sentence in sentences]


def words(sentences):
    return len(re.findall("[a-z0-9]+", " ".join(sentences).lower()))


def is_fraction_of(score, count):
    return abs(round(score * count) / count - score) <= 6e-6


def test_every_file_is_read(topics):
    assert [topic.id for topic in topics] == [str(number) for number in range(100)]
    assert {len(topic.candidates) for topic in topics} == {25}
    first = topics[0]
    assert first.source.id == "cnndm1017"
    assert first.source.sentences[1] == "and they are struggling in the aftermath ."
    assert len(first.references[0].sentences) == 3
    assert len(first.nuggets) == 10
    assert len(first.candidates[0].sentences) == 3


def test_judgements_are_those_published(topics, published, fidelity):
    """In the published table the rows of abs_bart_out are those of ext_bart_out, in every column."""
    scores = published.drop(columns=["split", "system"]).sort_index()
    both = [scores.xs(name, level="name") for name in ("abs_bart_out", "ext_bart_out")]
    pd.testing.assert_frame_equal(*both)
    differing = Counter(
        judgement.system
        for topic in topics
        for judgement in topic.judgements
        if abs(judgement.score - published.loc[(topic.id, judgement.system), "litepyramid_recall"]) > 1e-12
    )
    assert differing == {"abs_bart_out": 75}
    fidelity(
        "judgements of REALSumm",
        original="the published table",
        on="summaries of REALSumm",
        values=2500,
        equal=2500 - differing.total(),
        agreement="to twelve decimals",
        but="one system has another's scores in the published table",
    )


def test_rouge_is_the_published_where_the_texts_are(topics, published, fidelity):
    metrics = {column: metric(name, stem=True, stop=False) for column, name in NAMES.items()}
    same, compared, others = Counter(), 0, Counter()
    for topic in topics:
        reference = treebank(topic.references[0].sentences)
        for candidate in topic.candidates:
            if candidate.system == "abs_bart_out":  # not its scores, see above
                continue
            row, summary = published.loc[(topic.id, candidate.system)], treebank(candidate.sentences)
            scored = is_fraction_of(row["rouge_1_recall"], words(reference)) and is_fraction_of(
                row["rouge_1_precision"], words(summary)
            )
            if not scored:
                continue
            compared += 1
            if candidate.system == POINTER:  # its texts were scored as one sentence each
                summary, against = [" ".join(summary)], [" ".join(reference)]
            else:
                against = reference
            values = Rouge.score_together(list(metrics.values()), summary, [against])
            equal = {
                column: abs(value - row[column]) < 1.5e-5
                for column, value in zip(metrics, values, strict=True)
            }
            same.update(column for column in equal if equal[column])
            if not (equal["rouge_1_recall"] and equal["rouge_2_recall"]):
                others[topic.id] += 1
    assert compared == 2099  # of 2,400: the others were scored on texts of other lengths
    for kind in ("rouge_1", "rouge_2"):
        assert min(same[column] for column in same if column.startswith(kind)) == 2091
    # What is left has the length by chance: two documents, whose references differ in a word.
    assert others == {"32": 7, "4": 1}
    # ROUGE-L is told by sentences too, whose ends the released texts do not keep in every place.
    assert min(same[column] for column in same if column.startswith("rouge_l")) == 1994
    fidelity(
        "metric `ROUGE`: scores",
        original="the published table of REALSumm",
        on="summaries of REALSumm",
        values=compared * len(metrics),
        equal=same.total(),
        agreement="to 1.5e-5",
        but="two references differ in a word, and sentences end elsewhere in ROUGE-L's texts",
    )


@pytest.mark.parametrize(
    ("file", "change", "problem"),
    [
        ("SCUs.txt", None, "lacks SCUs.txt"),
        ("labels/abs_bart_out.label", None, r"lacks labels/abs_bart_out\.label"),
        ("summaries/abs_bart_out.summary", None, r"lacks summaries/abs_bart_out\.summary"),
        ("references.txt", lambda text: text.split("\n", 1)[1], "99 lines where ids.txt has 100"),
        (
            "documents.txt",
            lambda text: "\n" + text.split("\n", 1)[1],
            r"documents\.txt, line 1: is an empty line",
        ),
        (
            "labels/abs_bart_out.label",
            lambda text: "2" + text[1:],
            r"abs_bart_out\.label, line 1: .*neither 0 nor 1",
        ),
        (
            "labels/abs_bart_out.label",
            lambda text: "0\t" + text,
            r"abs_bart_out\.label, line 1: has 11 labels where SCUs.txt has 10 units",
        ),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(shared, tmp_path, file, change, problem):
    folder = tmp_path / "realsumm"
    shutil.copytree(shared / "data/realsumm", folder, copy_function=shutil.copyfile)
    folder.chmod(0o755)
    for path in folder.rglob("*"):
        path.chmod(0o755)
    if change is None:
        (folder / file).unlink()
    else:
        text = (folder / file).read_text(encoding="utf-8")
        (folder / file).write_text(change(text), encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        realsumm.read(release=folder)


@pytest.fixture
def small(tmp_path):
    """Two documents and one system."""
    folder = tmp_path / "small"
    for name, text in {
        "ids.txt": "a\nb\n",
        "documents.txt": "One . Two .\nThree .\n",
        "references.txt": "<t> one . </t> <t>two</t>\nthree . four\n",
        "SCUs.txt": "u1\tu2\nu3\n",
        "summaries/s.summary": "one .\nthree .\n",
        "labels/s.label": "1\t0\n1\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_small_folder_is_read(small):
    first, second = realsumm.read(release=small)
    assert first.references[0].sentences == ("one .", "two")
    assert second.references[0].sentences == ("three .", "four")
    assert [topic.judgements[0].score for topic in (first, second)] == [0.5, 1]


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        ("ids.txt", "a\na\n", r"ids\.txt, line 2: repeats a$"),
        ("ids.txt", "a\u202e\nb\n", r"ids\.txt, line 1: the id .* has the character U\+202E in it"),
        ("ids.txt", " a\nb\n", r"ids\.txt, line 1: the id ' a' has a blank at its end"),
        (
            "references.txt",
            "<t>one\n<t>two</t>\n",
            r"references\.txt, line 1: has text outside of <t> and </t>",
        ),
        ("references.txt", "<t>one</t> or\n</t>\n", r"line 1: has text outside .*; line 2: has text outside"),
        (
            "labels/s.label",
            "1\n1\t1\n",
            r"label: line 1: has 1 labels where SCUs\.txt has 2 units.*; line 2:",
        ),
    ],
)
def test_faults_of_a_file_are_named_with_their_lines(small, file, text, problem):
    (small / file).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        realsumm.read(release=small)


def test_a_systems_name_is_any_text_that_is_a_name(small):
    name = 'my "best"|$x {y}, \u00e9'
    for file in ("summaries/s.summary", "labels/s.label"):
        (small / file).rename((small / file).with_stem(name))
    assert realsumm.judged(small) == ([name], ["litepyramid_recall"])
    assert realsumm.read(release=small)[0].candidates[0].system == name
    (small / "summaries/ x.summary").write_text("one\ntwo\n")
    with pytest.raises(InputError, match="the system ' x' has a blank at its end"):
        realsumm.inputs(release=small)


def test_links_and_pipes_are_refused(small, tmp_path):
    for file in ("SCUs.txt", "labels/s.label"):
        (small / file).rename(tmp_path / "elsewhere")
        (small / file).symlink_to(tmp_path / "elsewhere")
        with pytest.raises(InputError, match=f"{file}: is a link. No link in a release is followed"):
            realsumm.inputs(release=small)
        (small / file).unlink()
        os.mkfifo(small / file)
        with pytest.raises(InputError, match=f"{file}: is a pipe"):
            realsumm.inputs(release=small)
        (small / file).unlink()
        (tmp_path / "elsewhere").rename(small / file)


def test_marks_without_end_and_many_ids_cost_no_time(small):
    begun = time.process_time()
    (small / "references.txt").write_text("<t>" * 200_000 + "\n<t>x</t>\n")
    with pytest.raises(InputError, match="line 1: has text outside"):
        realsumm.read(release=small)
    (small / "ids.txt").write_text("".join(f"{n}\n" for n in range(50_000)))
    with pytest.raises(InputError, match="has 2 lines where ids.txt has 50000"):
        realsumm.read(release=small)
    assert time.process_time() - begun < 5


def test_a_unit_that_stands_twice_is_logged(small, caplog):
    (small / "SCUs.txt").write_text("u\tu\nv\n")
    realsumm.read(release=small)
    assert [record.getMessage() for record in caplog.records] == [
        f"{small}/SCUs.txt, line 1: the content unit 'u' stands twice"
    ]
