"""MSLR: a small folder in its layout, with gaps and preferences, and what can be wrong with it."""

import pytest

from sera.benchmarks.mslr import MSLR
from sera.errors import InputError
from sera.io.records import Judgement, Preference

QUESTIONS = [
    "Is the generated summary fluent?",
    *(
        f"Is the *{what}* in the generated summary the same as the {what} in the target summary?"
        for what in ("population", "intervention", "outcome")
    ),
    *(f"What is the effect direction in the *{side}* summary?" for side in ("target", "generated")),
    *(f"What is the strength of the claim made in the *{side}* summary?" for side in ("target", "generated")),
]
HEAD = ["ExpID", "ReviewID", "Target Summary", "Generated Summary", *QUESTIONS]
FULL = ["2: Yes", "1: Partially", "0: No", "2: Yes", "(+1): Positive", "0: No effect", "2: M", "2: M"]
PARTLY = [
    "1: Somewhat",
    "N/A: No population in generated summary",
    "Other / uncertain (please comment)",
    "",
    "N/A: no effect direction is specified in the target summary",
    "N/A: no effect direction is specified in the generated summary",
    "N/A: No claim (there is no claim in the target summary)",
    "1: Weak claim",
]
CHOICE = "Which of A or B more accurately reflects the content? (Choices: A, B, Neither)"


def table(path, *rows, by="\t"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(by.join(row) + "\n" for row in rows))


@pytest.fixture
def small(tmp_path):
    for letter in "ABC":
        rows = [("0", "r1", f"One of {letter}."), ("1", "r2", f"Two of {letter}.")]
        path = tmp_path / f"submissions/Cochrane/x{letter * 6}.csv"
        table(path, ("", "ReviewID", "Generated"), *rows[: 1 if letter == "A" else 2], by=",")
    annotations = tmp_path / "data/Annotations"
    table(
        annotations / "Data - A1.tsv",
        HEAD,
        ["xAAAAAA", "r1", "Target  one.", "One of A.", *FULL],
        ["xBBBBBB", "r1", "Target one.", "One of B.", *PARTLY],
        ["xAAAAAA", "r2", "Target two.", "Two of A.", *FULL],
    )
    table(annotations / "Data - A2.tsv", HEAD, ["xAAAAAA", "r1", "Target one.", "One of A.", *FULL])
    head = ["review_id", "target", "sys_a", "A", "sys_b", "B", CHOICE]
    table(
        tmp_path / "data/Pairwise/annotated_samples/sample2 - A3 - Sheet1.tsv",
        head,
        ["r1", "Target one.", "AAAAAA", "One of A.", "BBBBBB", "One of B.", "B"],
        ["r2", "Target two.", "BBBBBB", "Two of B.", "AAAAAA", "Two of A.", "Neither is more accurate (x)"],
    )
    table(
        tmp_path / "data/Pairwise/annotated_samples/sample3 - A4 - Sheet1.tsv",
        head,
        ["r2", "Target two.", "BBBBBB", "Two of B.", "AAAAAA", "Two of A.", ""],
    )
    return tmp_path


def test_facets_follow_the_key(small, caplog):
    first, second = MSLR.read(release=small)
    assert MSLR.judged(small)[0] == ["AAAAAA", "BBBBBB"]
    of_a1 = [each for each in first.judgements if each.judge == "A1"]
    assert {each.judgement: each.score for each in of_a1 if each.system == "AAAAAA"} == {
        **{"fluency": 2, "population": 1, "intervention": 0, "outcome": 2},
        **{"direction": 0, "strength": 1},
    }
    # an answer outside the key is not a judgement; no direction in both is the same direction
    assert [each for each in of_a1 if each.system == "BBBBBB"] == [
        Judgement("r1", "BBBBBB", "fluency", 1.0, "A1"),
        Judgement("r1", "BBBBBB", "direction", 1.0, "A1"),
    ]
    assert {each.judge for each in first.judgements} == {"A1", "A2"}
    assert (
        "fluency has no judge for 1 of 4 summaries; all 2 systems are judged on 1 of 2 topics" in caplog.text
    )
    assert second.candidates[0].sentences == ("Two of A.",)  # of the annotated table
    assert first.references[0].sentences == ("Target one.",) and not first.source.sentences
    first, second = MSLR.read(release=small)
    assert first.preferences == (Preference("r1", "AAAAAA", "BBBBBB", "A3", "B"),)
    assert second.preferences == (Preference("r2", "BBBBBB", "AAAAAA", "A3", "tie"),)


A1, A2 = "data/Annotations/Data - A1.tsv", "data/Annotations/Data - A2.tsv"
A3 = "annotated_samples/sample2 - A3"
CSV = "submissions/Cochrane/xAAAAAA.csv"


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        (CSV, "r1,", "r1,,", "line 2: has 4 cells, not 3"),
        (CSV, "Generated", "Generate", "has no column Generated"),
        (A1, "Is the generated summary fluent?", "x", "lines 2, 3, 4: has no column that begins with 'Is"),
        (A3, "\tB\n", "\tBoth\n", "line 2: has the answer 'Both'"),
        (A3, "\tBBBBBB\tOne", "\tCCCCCC\tOne", "line 2: has the system 'CCCCCC'"),
    ],
)
def test_what_is_wrong_in_a_table_has_its_line(small, file, old, new, problem):
    path = next(path for path in small.rglob("*.*sv") if file in str(path))
    path.write_text(path.read_text().replace(old, new, 1))
    with pytest.raises(InputError) as raised:
        MSLR.read(release=small)
    assert path.name in str(raised.value) and problem in str(raised.value)


def test_each_annotator_has_one_file(small, tmp_path):
    (small / A1).with_name("Again - A1.tsv").write_text((small / A1).read_text())
    with pytest.raises(InputError, match=r"line 2: repeats the annotation of AAAAAA of r1 by A1.*Again - A1"):
        MSLR.read(release=small)
    (small / A1).rename(small / "data/Annotations/B1.tsv")
    with pytest.raises(InputError, match="names no annotator, such as A1"):
        MSLR.read(release=small)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"lacks data/Annotations/\*\.tsv"):
        MSLR.inputs(release=tmp_path / "empty")
