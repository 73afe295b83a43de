"""SciTLDR and its judgements: a small folder in its layout, read as it is, and what can be wrong with it."""

import json

import pytest

from sera.benchmarks import scitldr
from sera.benchmarks.scitldr import INFORMATIVENESS
from sera.errors import InputError
from sera.io.records import Candidate, Judgement, Reference, Section

PAPERS = [
    dict(paper_id="p1", title="Cells", source=["Cells  divide.", " "], target=["Cells.", "Division."]),
    dict(paper_id="p2", title="Mice", source=["Mice run."], target=["Mice."]),
]
HEAD = "paper_id,title,auth_pr,tldr," + ",".join(INFORMATIVENESS.INFORMATION)
ROWS = [
    'p2,Mice,bart,"Mice, they run.",1,0,1,1,0,0',
    "p1,Cells,bart,Cells divide.,0,0,0,0,0,0",
    "p2,Mice,catts,Mice.,1,1,1,1,1,1",
    'p1,Cells,catts,"Cells ""divide"".",0,1,0,0,0,0',
]


def write(path, lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@pytest.fixture
def small(tmp_path):
    folder = tmp_path / "scitldr"
    write(folder / "SciTLDR-Data/SciTLDR-A/test.jsonl", map(json.dumps, PAPERS))
    write(folder / "analysis/tldr_pred_nuggets.csv", [HEAD, *ROWS])
    return folder


def test_papers_become_topics(small):
    first, second = scitldr.read(release=small)
    assert (first.id, first.source.id, first.source.title) == ("p1", "p1", "Cells")
    assert first.source.sections == (Section("", ("Cells divide.",)),)
    assert first.references == (
        Reference("p1", "author", ("Cells.",)),
        Reference("p1", "review_1", ("Division.",)),
    )
    assert [reference.annotator for reference in second.references] == ["author"]
    assert (second.documents[0].title, second.documents[0].text) == ("Mice", "Mice run.")
    assert not first.candidates and not first.judgements and not first.nuggets and not first.citances


def test_the_splits_that_are_there_and_a_folder_of_them(small):
    inside = small / "SciTLDR-Data/SciTLDR-A"
    assert [(name, len(topics)) for name, topics in scitldr.splits(release=small)] == [("test", 2)]
    write(inside / "train.jsonl", [json.dumps(PAPERS[0])])
    found = [(name, len(topics)) for name, topics in scitldr.splits(release=small)]
    assert found == [("train", 1), ("test", 2)]
    assert scitldr.read(release=inside) == scitldr.read(release=small)
    assert scitldr.inputs(release=inside) == [inside / "test.jsonl", inside / "train.jsonl"]


@pytest.mark.parametrize("kind", ["AIC", "FullText"])
def test_the_longer_inputs_have_more_sentences_and_the_same_summaries(small, kind):
    longer = [{**paper, "source": [*paper["source"], "The end."], "ic": True} for paper in PAPERS]
    write(small / f"SciTLDR-Data/SciTLDR-{kind}/test.jsonl", map(json.dumps, longer))
    abstracts, papers = scitldr.read(release=small), scitldr.read(release=scitldr.of_input(small, kind))
    assert papers[0].source.sections == (Section("", ("Cells divide.", "The end.")),)
    assert [paper.references for paper in papers] == [paper.references for paper in abstracts]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"target": ["A.", "  "]}, "line 2: has no sentence in source, or an empty summary in target"),
        ({"title": None}, "line 2: field 'title' is None"),
        ({"paper_id": "p1"}, "line 2: repeats the paper of line 1"),
    ],
)
def test_a_wrong_paper_is_named_with_its_line(small, change, problem):
    path = small / "SciTLDR-Data/SciTLDR-A/test.jsonl"
    write(path, map(json.dumps, [PAPERS[0], {**PAPERS[1], **change}]))
    with pytest.raises(InputError) as error:
        scitldr.read(release=small)
    assert f"{path}, {problem}" in str(error.value) and "github.com/allenai/scitldr" in str(error.value)
    path.unlink()
    with pytest.raises(InputError, match=r"SciTLDR-A: lacks test\.jsonl\. Get SciTLDR"):
        scitldr.inputs(release=small)


def test_judgements_are_the_number_of_kinds_of_information(small):
    assert INFORMATIVENESS.judged(small) == (["bart", "catts"], ["informativeness"])
    first, second = INFORMATIVENESS.read(release=small)
    assert first.candidates == (
        Candidate("p1", "bart", ("Cells divide.",)),
        Candidate("p1", "catts", ('Cells "divide".',)),
    )
    assert [each.score for each in first.judgements] == [0, 1]
    assert second.judgements == (
        Judgement("p2", "bart", "informativeness", 3),
        Judgement("p2", "catts", "informativeness", 6),
    )
    assert second.candidates[0].sentences == ("Mice, they run.",)
    assert second.references == scitldr.read(release=small)[1].references
