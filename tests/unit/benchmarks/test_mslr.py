"""MSLR: a small folder in its layout, with gaps and preferences, and what can be wrong with it."""

from __future__ import annotations

import pytest

from sera.benchmarks import mslr
from sera.errors import InputError
from sera.records import Judgement, Preference

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
    for system in ("xAAAAAA", "xBBBBBB", "xCCCCCC"):
        rows = [("0", "r1", f"One of {system[1]}."), ("1", "r2", f"Two of {system[1]}.")]
        kept = rows[: 1 if system == "xAAAAAA" else 2]
        path = tmp_path / f"submissions/Cochrane/{system}.csv"
        table(path, ("", "ReviewID", "Generated"), *kept, by=",")
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
        ["r1", "Target one.", "BBBBBB", "One of B.", "AAAAAA", "One of A.", "Neither is more accurate (x)"],
        ["r2", "Target two.", "BBBBBB", "Two of B.", "AAAAAA", "Two of A.", ""],
    )
    return tmp_path


def test_facets_follow_the_key(small, caplog):
    first, second = mslr.read(release=small)
    assert mslr.judged(small)[0] == ["AAAAAA", "BBBBBB"]
    assert mslr.brings(small) == ("preferences", "judges")
    of_a1 = [each for each in first.judgements if each.judge == "A1"]
    assert {each.judgement: each.score for each in of_a1 if each.system == "AAAAAA"} == {
        **{"fluency": 2, "population": 1, "intervention": 0, "outcome": 2},
        **{"direction": 0, "strength": 1},
    }
    # an answer outside the key is no judgement; no direction in both is the same direction
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


def test_preferences(small):
    first, second = mslr.read(release=small)
    assert first.preferences == (
        Preference("r1", "AAAAAA", "BBBBBB", "A3", "B"),
        Preference("r1", "BBBBBB", "AAAAAA", "A3", "tie"),
    )
    assert second.preferences == ()


def test_another_text_than_the_submissions_is_refused(small):
    path = small / "data/Annotations/Data - A2.tsv"
    path.write_text(path.read_text().replace("One of A.", "Another."))
    with pytest.raises(InputError, match=r"A2\.tsv, line 2: has another summary of r1 than the files before"):
        mslr.read(release=small)
    (small / "data/Annotations/Data - A1.tsv").rename(small / "data/Annotations/B1.tsv")
    with pytest.raises(InputError, match="names no annotator, such as A1"):
        mslr.read(release=small)


def test_what_is_missing(tmp_path):
    with pytest.raises(InputError, match=r"lacks data/Annotations/\*\.tsv"):
        mslr.inputs(release=tmp_path)
