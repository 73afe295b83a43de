"""Multi-SummEval: a small folder in its layout, and what can be wrong with it."""

from __future__ import annotations

import pytest

from sera.benchmarks import BENCHMARKS
from sera.benchmarks.multi_summeval import ZH
from sera.errors import InputError
from sera.records import Judgement

SCORES = "id,model,focus,coverage\n2,BERT,0.5,-1.25\n2,PG,-0.5,1\n"


@pytest.fixture
def small(tmp_path):
    for kind in ("gold", "pred_BERT", "pred_PG"):
        (tmp_path / "ZH" / kind).mkdir(parents=True)
        (tmp_path / "ZH" / kind / "000002").write_text(f"{kind} one .\ntwo .")
    (tmp_path / "ZH/score.csv").write_text(SCORES)
    return tmp_path


def test_a_topic(small):
    (topic,) = ZH.read(release=small)
    assert topic.id == "2" and topic.references[0].sentences == ("gold one .", "two .")
    assert topic.candidates[1].sentences == ("pred_PG one .", "two .")
    assert topic.judgements[1] == Judgement("2", "BERT", "coverage", -1.25)
    assert ZH.judged(small) == (["BERT", "PG"], ["focus", "coverage"])
    assert len(ZH.inputs(release=small)) == 4
    assert BENCHMARKS.load("multi_summeval_zh") is ZH and ZH.RELEASE == ("Multi-SummEval, Chinese", 135)


@pytest.mark.parametrize(
    ("scores", "problem"),
    [
        (SCORES + "2,PG,0,0\n", "score.csv, line 4: repeats PG of 2"),
        (SCORES + "3,PG,high,0\n", "score.csv, line 4: has no usable could not convert"),
        (SCORES + "3,PG,0,0\n", "ZH: lacks gold/3, pred_BERT/3, pred_PG/3"),
        ("id,model,focus,coverage\n", "score.csv: holds no judgement"),
        ("id,focus\n1,2\n", "score.csv, line 2: has no usable 'model'"),
    ],
)
def test_what_is_wrong(small, scores, problem):
    (small / "ZH/score.csv").write_text(scores)
    with pytest.raises(InputError) as raised:
        ZH.inputs(release=small)
    assert problem in str(raised.value)
