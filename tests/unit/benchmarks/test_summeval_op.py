"""SummEval-OP: two small parallel files in its layout, and what can be wrong with them."""

from __future__ import annotations

import copy
import json

import pytest

from sera.benchmarks import summeval_op
from sera.errors import InputError
from sera.records import Judgement

MEANS = dict.fromkeys(summeval_op.OPINION_DIMENSIONS, 4.33)
WHOLE = {
    "reviews": {"rev1": "Nice boots. They fit.", "rev2": "Too narrow."},
    "summaries": {
        "human-summaries": {"summary": "Narrow.", "dimensions": MEANS},
        "gpt": {"summary": "Nice. But narrow.", "dimensions": MEANS},
    },
}
SINGLE = {
    "reviews": ["Nice boots. They fit.", "Too narrow."],
    "summaries": ["Narrow.", "Nice. But narrow."],
    **{key: [[5, 4, 4], [4, 4, 5]] for key in summeval_op.OPINION_DIMENSIONS.values()},
}


def write(folder, whole, single):
    for name, row in (("summeval-op.jsonl", whole), ("summeval-op-detailed.jsonl", single)):
        (folder / "annotated_dataset").mkdir(exist_ok=True)
        (folder / "annotated_dataset" / name).write_text(json.dumps(row) + "\n")
    return folder


def test_the_persons_summary_is_the_reference(tmp_path):
    (topic,) = summeval_op.read(release=write(tmp_path, WHOLE, SINGLE))
    assert [(each.annotator, each.sentences) for each in topic.references] == [("human", ("Narrow.",))]
    assert [each.system for each in topic.candidates] == ["gpt"]
    assert [section.sentences for section in topic.source.sections][1] == ("Too narrow.",)
    assert topic.judgements[:3] == tuple(
        Judgement("0", "gpt", "Relevance", score, f"judge_{number}")
        for number, score in enumerate((4.0, 4.0, 5.0), 1)
    )
    assert len(topic.judgements) == 7 * 3
    assert summeval_op.judged(tmp_path)[0] == ["gpt"]
    assert summeval_op.inputs(release=tmp_path / "annotated_dataset") == summeval_op.inputs(release=tmp_path)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda one: one["summaries"].reverse(), "has other texts than summeval-op.jsonl"),
        (lambda one: one["sp"].reverse(), None),  # both have the mean 4.33
        (lambda one: one["sp"].__setitem__(1, [1, 1, 1]), "has another mean of Specificity of gpt"),
        (lambda one: one.pop("fl"), "is no product of the release: KeyError('fl')"),
    ],
)
def test_both_files_belong_together(tmp_path, change, problem):
    single = copy.deepcopy(SINGLE)
    change(single)
    write(tmp_path, WHOLE, single)
    if problem is None:
        assert summeval_op.read(release=tmp_path)[0].judgements[-1].score == 5
        return
    with pytest.raises(InputError) as raised:
        summeval_op.read(release=tmp_path)
    assert f"summeval-op-detailed.jsonl, line 1: {problem}" in str(raised.value)
