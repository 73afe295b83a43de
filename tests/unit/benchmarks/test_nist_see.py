"""NIST's layouts of DUC 2002 and 2003, in small folders of invented texts; each number is written out."""

import numpy as np
import pytest
import releases
from releases import SEE_TABLE, put, see, see_row

from sera import metric
from sera.benchmarks import nist
from sera.errors import InputError
from sera.metrics.scoring import score


@pytest.fixture
def duc2002(tmp_path):
    return put(tmp_path / "models", releases.duc2002())  # a name that is none of the release


def judged(topics) -> dict[tuple[str, str], float]:
    return {(one.topic, one.system): one.score for topic in topics for one in topic.judgements}


def test_duc_2002(duc2002):
    topics = nist.read(release=duc2002)
    assert [topic.id for topic in topics] == ["D061", "D062"]
    assert judged(topics) == {
        ("D061", "1"): 0.5, ("D061", "2"): 0.25, ("D062", "1"): 0.125, ("D062", "2"): 0.75
    }  # fmt: skip
    # the model first, by the sentences of the peers
    assert [(one.annotator, one.sentences) for one in topics[0].references] == [
        ("B", ("Rain fell on Monday.", "Rivers rose.")),
        ("A", ("It rained.",)),
    ]
    assert [one.sentences for one in topics[1].candidates] == [("Rain & wind .", "D062 flooded."), ()]
    assert topics[0].source.sections == () and topics[0].documents == ()
    assert nist.judged(duc2002) == (["1", "2"], ["coverage"])
    assert len(nist.inputs(release=duc2002)) == 11
    topics = nist.read(release=duc2002)
    one = metric("ROUGE-1-R", first_references=1)
    table = score([one], [c for t in topics for c in t.candidates], [r for t in topics for r in t.references])
    # rain of "rain fell on monday rivers rose"
    assert np.allclose(table["score"], [1 / 6, 0, 1 / 6, 0], atol=5e-6)


def test_duc_2003_has_documents_and_plain_text(tmp_path):
    names = {by: f"D30001.P.010.T.{by}.APW19981016.0240" for by in "A1"}
    release = put(
        tmp_path / "duc2003",
        {
            "results/short.results.table1": see_row(
                "D30001", "1", "0.2", document="APW19981016.0240", words="10", columns=34
            ),
            f"abstracts/{names['A']}": "Rain fell\n",
            f"abstracts/{names['1']}.html": see("Rain"),
        },
    )
    (topic,) = nist.read(release=release)
    assert topic.id == "D30001-APW19981016.0240"
    assert judged([topic]) == {(topic.id, "1"): 0.2}
    assert topic.references[0].sentences == ("Rain fell",) and topic.candidates[0].sentences == ("Rain",)


def test_a_table_of_six_columns_for_duc_2001(tmp_path):
    table = "set type document words summarizer coverage\n" + "".join(
        f"{of_set} M - 100 {by} {coverage}\n"
        for of_set, by, coverage in map(
            str.split, ("D061 1 3", "D061 2 1", "D061 A 4", "D062 1 2.5", "D062 2 0")
        )
    )
    given = releases.duc2002() | {"abstracts/phase1/short.results.table": table}
    assert judged(nist.read(release=put(tmp_path / "duc2001", given))) == {
        ("D061", "1"): 3, ("D061", "2"): 1, ("D062", "1"): 2.5, ("D062", "2"): 0
    }  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"SEEpeers/D061.M.050.J.1.html": see("x")}, r"has summaries of 2 tasks: \*.M.050.\*, \*.M.100.\*"),
        ({"SEEpeers/sent/D062.M.100.J.2.html": None}, "has no summary by 2 for topic D062"),
        (
            {"SEEpeers/manual/D062.M.100.J.A.html": None, "SEEpeers/manual/D062.M.100.J.B.html": None,
             "SEEmodels/D062.M.100.J.B.html": None},
            "has no summary by a human for topic D062",
        ),
        ({"SEEpeers/manual/D061.M.100.J.A.html": see()}, "A.html: is empty: the summary of D061 by A"),
        ({"other/D061.M.100.J.1.html": see("x")}, "other/D061.M.100.J.1.html: differs from .*SEEpeers"),
        ({"abstracts/phase1/short.results.table": "a b\n"}, "holds no row of 6, 33 or 34 columns"),
        ({"abstracts/phase1/short.results.table": SEE_TABLE + "D061 M - 100\n"},
         "line 12: is not a row of SEE's table: it has 4 columns"),
        ({"abstracts/phase1/short.results.table": SEE_TABLE + see_row("D061", "1", "-1")},
         "line 12: coverage '-1' is not a number from 0 to 100"),
        ({"abstracts/phase1/short.results.table": SEE_TABLE + see_row("D061", "1", "0.5")},
         "line 12: this row is in line 4"),
        ({"abstracts/phase1/short.results.table": SEE_TABLE + see_row("D061", "1?", "0.5")},
         "line 12: summarizer '1\\?' is neither a number nor a letter"),
        ({"abstracts/phase1/short.results.table": see_row("D061", "1", "0.5", words="200")},
         "has no row of the summaries' task, type M of 100 words"),
        ({"abstracts/phase1/short.results.table": SEE_TABLE.replace(see_row("D061", "2", "0.25"), "")},
         "phase1: has no coverage of 2 for topic D061"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_reported(tmp_path, changes, problem):
    given = {name: text for name, text in (releases.duc2002() | changes).items() if text is not None}
    with pytest.raises(InputError, match=problem):
        nist.read(release=put(tmp_path / "duc2002", given))
