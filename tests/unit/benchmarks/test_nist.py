"""NIST's layouts, DUC 2001 to TAC 2011, in small folders of invented texts; each number is written out."""

import pytest
import releases
from releases import NIST_ARTICLE as ARTICLE
from releases import put, summaries

from sera.benchmarks import nist
from sera.errors import InputError
from sera.io.records import Section

# Set, peer, modified score, units, repetitions, annotator, score by 3 models, linguistic quality, overall
PEERS_2008 = """\
D0801-A 0 0.25 3 0 F 0.24 4 2
D0801-A 1 0.5 6 1 F 0.48 3 3
D0801-A 2 1.125 9 0 F 1.01 5 5
D0801-B 0 0.0 0 0 G 0.0 2 1
D0801-B 1 0.375 4 2 G 0.36 1 2
D0801-B 2 0.625 5 0 G 0.6 4 4
"""
MODELS_2008 = "D0801-A A 11 F 0.7 5 5\nD0801-B A 12 G 0.8 5 5\n"


@pytest.fixture
def tac2008(tmp_path):
    """Systems 0 to 2 were judged; 3 was scored by ROUGE alone."""
    files = summaries("UpdateSumm08_eval", ["D0801-A", "D0801-B"], peers=(0, 1, 2, 3))
    return put(
        tmp_path / "tac2008",
        files
        | {
            "UpdateSumm08_eval/manual/manual.peer": PEERS_2008,
            "UpdateSumm08_eval/manual/manual.model": MODELS_2008,
            "UpdateSumm08_eval/manual/manual.peer.avg": "0 0.125 1.5 0 0.12 3 1.5\n",
            "UpdateSumm08_eval/manual/peers/D0801-A.M.100.C.1": "<peer/>",
            "UpdateSumm08_eval/BE/BEpeers/D0801-A.M.100.C.1": "rain|fall",
            "UpdateSumm08_eval/.DS_Store": b"\0",
        },
    )


def by_name(topic):
    found = {}
    for each in topic.judgements:
        found.setdefault(each.judgement, {})[each.system] = each.score
    return found


def test_tac_2008(tac2008):
    first, second = nist.read(release=tac2008)
    assert [first.id, second.id] == ["D0801-A", "D0801-B"]
    assert by_name(first) == {
        "modified_pyramid": {"0": 0.25, "1": 0.5, "2": 1.125},
        "responsiveness": {"0": 2, "1": 3, "2": 5},
        "linguistic_quality": {"0": 4, "1": 3, "2": 5},
    }
    assert by_name(second) == {
        "modified_pyramid": {"0": 0, "1": 0.375, "2": 0.625},
        "responsiveness": {"0": 1, "1": 2, "2": 4},
        "linguistic_quality": {"0": 2, "1": 1, "2": 4},
    }
    assert [(one.annotator, one.sentences) for one in first.references] == [
        ("A", ("Rain fell.", "Rivers rose", "much")),
        ("B", ("Rain fell.", "Rivers rose", "much")),
    ]
    assert [one.system for one in second.candidates] == ["0", "1", "2", "3"]
    assert second.candidates[3].sentences == ("Rain fell.", "Rivers rose", "much", "3.")
    assert first.source.sections == () and first.documents == () and first.nuggets == ()
    judgements = ["modified_pyramid", "responsiveness", "linguistic_quality"]
    assert nist.judged(tac2008) == (["0", "1", "2"], judgements)
    names = [path.relative_to(tac2008 / EVAL).as_posix() for path in nist.inputs(release=tac2008)]
    assert len(names) == 2 * 2 + 2 * 4 + 1
    assert names[0] == "ROUGE/models/D0801-A.M.100.C.A" and names[-1] == "manual/manual.peer"


def test_tac_2009_to_2011(tmp_path):
    tac2009 = put(tmp_path / "tac2009", releases.tac2009())
    first, second = nist.read(release=tac2009)
    assert by_name(first) == {
        "modified_pyramid": {"0": 0.025, "1": 0.125, "2": 0.225},
        "responsiveness": {"0": 10, "1": 9, "2": 8},
        "linguistic_quality": {"0": 4, "1": 5, "2": 6},
    }
    assert by_name(second) == by_name(first)
    assert first.references[1].sentences == (
        "Rain fell in the U.S. on Monday.",
        "Rivers rose in the valley of the Rh\u00f4ne.",
    )
    # articles are sources and documents
    assert first.source.id == first.source.topic == "D0901-A"
    assert first.source.sections == (
        Section("Floods & rain", ("Rain fell on 5 < 6 days.", "Rivers rose .", "&e; No more")),
        Section("", ("Fish swim.", "Birds fly")),
    )
    assert second.source.sections == (Section("", ("A map.",)),)
    assert [(one.id, one.content) for one in first.documents] == [
        ("D0901-A-APW_1", "Floods & rain\n\nRain fell on 5 < 6 days. Rivers rose . &e; No more"),
        ("D0901-A-APW_2", "Fish swim. Birds fly"),
    ]
    assert {path.name for path in nist.inputs(release=tac2009)} > {"APW_1", "APW_2", "APW_3"}


HEAD = "2006 DUC summaries\n\nD = set\n\n\nset  selector  assessor  peer  score\n"


@pytest.fixture
def duc2006(tmp_path):
    """Pyramids of one topic and two systems, one of them annotated twice; humans are among the peers."""
    topics = ["D0601", "D0602"]
    files = summaries("NISTeval", topics, peers=()) | {
        name.replace("models", "peers"): text
        for name, text in summaries("NISTeval2", topics, peers=(1, 10, 2)).items()
    }
    grades = [("D0601", "1", 2), ("D0601", "2", 3), ("D0601", "10", 4), ("D0601", "A", 5)]
    grades += [("D0602", "1", 1), ("D0602", "2", 5), ("D0602", "10", 3), ("D0602", "A", 5)]
    tables = {
        "overall": [f"{topic} C Z {peer} {grade}" for topic, peer, grade in grades],
        "content": [f"{topic} C Z {peer} {6 - grade}" for topic, peer, grade in grades],
    }
    questions = [f"D0601 C Z {peer} {question} {question}" for peer in (1, 2) for question in range(1, 6)]
    return put(
        tmp_path / "duc2006",
        files
        | {f"NISTeval/responsiveness/{name}.table": HEAD + "\n".join(rows) for name, rows in tables.items()}
        | {
            "NISTeval/linguistic_quality/linguistic_quality.table": HEAD + "\n".join(questions) + "\n",
            "scoring/2006_modified_scores.txt": "D0602\t01\t0.5\t6\t0\t114\tMitre\t1\t2\t3\t4\t5\t3\n"
            "D0602\t2\t0.25\t3\t0\t114\tMitre\t1\t2\t3\t4\t5\t3\n"
            "D0602\t1\t0.75\t8\t0\t120\tMitre\t1\t2\t3\t4\t5\t3\n",
            "scoring/2006_content.table": "what the Pyramids' makers had",
        },
    )


def test_duc_2006(duc2006):
    first, second = nist.read(release=duc2006)
    assert [one.system for one in first.candidates] == ["1", "2", "10"]
    assert by_name(first) == {
        "responsiveness": {"1": 2, "2": 3, "10": 4},
        "content_responsiveness": {"1": 4, "2": 3, "10": 2},
        "grammaticality": {"1": 1, "2": 1},
        "non_redundancy": {"1": 2, "2": 2},
        "referential_clarity": {"1": 3, "2": 3},
        "focus": {"1": 4, "2": 4},
        "structure_and_coherence": {"1": 5, "2": 5},
    }
    assert by_name(second) == {
        "modified_pyramid": {"1": 0.625, "2": 0.25},  # (0.5 + 0.75) / 2, by two annotators
        "responsiveness": {"1": 1, "2": 5, "10": 3},
        "content_responsiveness": {"1": 5, "2": 1, "10": 3},
    }
    assert [one.annotator for one in first.references] == ["A", "B"]
    assert nist.judged(duc2006)[0] == ["1", "2", "10"]


def test_duc_2005(tmp_path):
    """The Pyramids' topics lack their D; a system's summary may be empty."""
    files = summaries("results", ["D301", "d324"], peers=(4, 5))
    files["results/ROUGE/peers/D301.M.100.C.5"] = ""
    files["results/ROUGE/extras/D301.M.100.C.E"] = "Not one of the models."
    files["results/responsiveness/responsiveness.table"] = HEAD + "D301 I X 4 3\nD301 I X 5 1\n"
    files["processed_pans.txt"] = (
        "324 4 0.5521 0.3869 10 1 9 C 4 3 2 1 5 3 none\n"
        "324 A 0.8 0.7 20 1 9 C 5 5 5 5 5 5 none\n"
        "324 5 0 0 0 0 9 C 4 3 2 1 5 3 none\n"
    )
    first, second = nist.read(release=put(tmp_path, files))
    assert by_name(first) == {"responsiveness": {"4": 3, "5": 1}}
    assert by_name(second) == {"pyramid": {"4": 0.5521, "5": 0}, "modified_pyramid": {"4": 0.3869, "5": 0}}
    assert first.candidates[1].sentences == () and len(first.references) == 2


def remove(*names):
    def change(folder):
        for name in names:
            for path in folder.glob(name):
                path.unlink()

    return change


def rows(old, new, table="UpdateSumm08_eval/manual/manual.peer"):
    def change(folder):
        text = (folder / table).read_text(encoding="utf-8")
        assert old in text
        (folder / table).write_text(text.replace(old, new), encoding="utf-8")

    return change


EVAL = "UpdateSumm08_eval"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (remove(f"{EVAL}/ROUGE/models/*"), r"tac2008: lacks ROUGE/models"),
        (remove(f"{EVAL}/manual/manual.peer"), r"lacks a table of scores \(manual\.peer, "),
        ({"docs/D0801A/D0801A-A/APW": ARTICLE}, r"docs: has no article for topic D0801-B"),
        ({f"{EVAL}/ROUGE/models/D0801-A.M.100.C.A": "\n"}, r"models/D0801-A\.M\.100\.C\.A: is empty"),
        (remove(f"{EVAL}/ROUGE/models/D0801-B*"), r"ROUGE/models: has no model for topic D0801-B"),
        (remove(f"{EVAL}/ROUGE/peers/*.2"), r"manual\.peer: line 3: system 2 has no summary .*; line 6: sys"),
        (rows("D0801-B 1 0.375 4 2 G 0.36 1 2\n", ""), "has no modified_pyramid of 1 for topic D0801-B"),
        (rows("0.48 3 3", "0.48 3"), r"manual\.peer, line 2: is not a row of 9 columns"),
        (rows("1 0.5", "1 nan"), "line 2: modified_pyramid 'nan' is not a number from 0 to 10"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(tac2008, change, problem):
    put(tac2008, change) if isinstance(change, dict) else change(tac2008)
    with pytest.raises(InputError, match=problem):
        nist.read(release=tac2008)


# The tables and summaries of SEE: DUC 2001 to 2003


def test_duc_2002(tmp_path):
    duc2002 = put(tmp_path / "models", releases.duc2002())  # a name that is none of the release
    topics = nist.read(release=duc2002)
    assert [topic.id for topic in topics] == ["D061", "D062"]
    scores = [{"coverage": {"1": 0.5, "2": 0.25}}, {"coverage": {"1": 0.125, "2": 0.75}}]
    assert [by_name(topic) for topic in topics] == scores
    # the model first, by the sentences of the peers
    assert [(one.annotator, one.sentences) for one in topics[0].references] == [
        ("B", ("Rain fell on Monday.", "Rivers rose.")),
        ("A", ("It rained.",)),
    ]
    assert [one.sentences for one in topics[1].candidates] == [("Rain & wind .", "D062 flooded."), ()]
    assert topics[0].source.sections == () and topics[0].documents == ()
    assert nist.judged(duc2002) == (["1", "2"], ["coverage"])
    assert len(nist.inputs(release=duc2002)) == 11
