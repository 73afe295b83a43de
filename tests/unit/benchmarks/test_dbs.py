"""The reader of the DBS corpus, on a made folder with the columns and escapes that its README describes."""

import pytest
from releases import put

from sera.benchmarks import BENCHMARKS, dbs
from sera.errors import InputError
from sera.io.records import Candidate, Judgement, Nugget, Reference, Section, Source

NUGGETS = (
    "ID\tTOPIC_ID\tDOC_ID\tUSER_ID\tTEXT\tCOREF_RESOLVED\tREVISED_TEXT\tREDUNDANT_CLUSTER\tREDUNDANT_IS_BEST\n"
    "1\t2\t3\t8\tüben… oft\tüben… oft\tSie üben oft.\t1\t1\n"
    "2\t2\t3\t8\tüben sie\t\t\t1\t0\n"
    "3\t2\t3\t10\tviele\\nÜbungen\t\t \t2\t1\n"
)
FILES = {
    "dbs-topics.tsv": "ID\tTOPIC\tNUM_DOCUMENTS\tSOURCE\n2\tÜben\t2\thttp://x\n",
    "dbs-document-links.tsv": (
        "ID\tTOPIC_ID\tTITLE\tTEXT_CONTACT-US\tSOURCE\n3\t2\tSeite drei\t\thttp://y\n4\t2\tVier\t\thttp://z\n"
    ),
    "dbs-summary.tsv": (
        "ID\tTOPIC_ID\tUSER_ID\tSUMMARY_NR\tSUMMARY_TEXT\n"
        "5\t2\t8\t1\tÜben\\n\\n=Wann=\\nAm 3. Oktober. Sie üben.Oft.\n"
        '6\t2\t10\t1\tSie "üben".\n'
    ),
    "dbs-nuggets.tsv": NUGGETS,
    "texts/3.txt": "Sie üben.\nIm 19. Jahrhundert auch.",
}
SYSTEM = '{"topic": "2", "system": "s", "sentences": ["Sie üben."]}\n'
JUDGED = "topic\tsystem\tjudgement\tscore\n2\ts\tpyramid\t0.5\n"


@pytest.fixture
def release(tmp_path):
    return put(tmp_path, FILES)


def test_topics(release, caplog):
    (topic,) = BENCHMARKS.load("dbs").read(release=release)
    text = ("Sie üben.", "Im 19. Jahrhundert auch.")
    assert topic.id == "2" and topic.source == Source("2", "2", "Üben", (Section("Seite drei", text),))
    assert topic.references == (
        Reference("2", "8", ("Üben", "=Wann=", "Am 3. Oktober.", "Sie üben.", "Oft.")),
        Reference("2", "10", ('Sie "üben".',)),
    )
    # the best nuggets alone; the second has no revised text
    assert topic.nuggets == (Nugget("2", "8", "Sie üben oft."), Nugget("2", "10", "viele Übungen"))
    (document,) = topic.documents
    assert (document.id, document.title, document.text) == ("2-3", "Seite drei", " ".join(text))
    assert topic.candidates == topic.judgements == topic.citances == ()
    assert "1 pages have no text and are left out" in caplog.text
    assert dbs.DBS.judged(release) == ([], []) and dbs.DBS.has_nuggets(release)
    tables = ["dbs-document-links.tsv", "dbs-nuggets.tsv", "dbs-summary.tsv", "dbs-topics.tsv"]
    assert [path.name for path in dbs.inputs(release=release)] == [*tables, "3.txt"]


def test_judged_summaries_of_ones_own(release):
    (release / "texts/3.txt").unlink()
    put(release, {"candidates.jsonl": SYSTEM})
    assert dbs.DBS.judged(release) == (["s"], [])
    put(release, {"judgements.tsv": JUDGED})
    assert dbs.DBS.judged(release) == (["s"], ["pyramid"])
    (topic,) = dbs.read(release=release)
    assert topic.candidates == (Candidate("2", "s", ("Sie üben.",)),)
    assert topic.judgements == (Judgement("2", "s", "pyramid", 0.5),)
    assert topic.source.sentences == () and topic.documents == ()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"dbs-topics.tsv": None}, "lacks dbs-topics.tsv. Get the DBS corpus"),
        ({"texts/3.txt": None}, "dbs-document-links.tsv: has no text of a page of topic 2. Ask the authors"),
        ({"dbs-summary.tsv": FILES["dbs-summary.tsv"] + "7\t2\n"}, "line 4: has 2 cells, not 5"),
        ({"dbs-topics.tsv": FILES["dbs-topics.tsv"] + "7\tLesen\t0\tx\n"}, "has no reference for topic 7"),
        (
            {"judgements.tsv": JUDGED, "candidates.jsonl": SYSTEM.replace('"s"', '"z"')},
            "system 's' is in none of the candidates",
        ),
    ],
)
def test_faults_are_one_line_with_file_and_remedy(release, changed, said):
    for name, text in changed.items():
        (release / name).unlink(missing_ok=True)
        put(release, {name: text} if text is not None else {})
    with pytest.raises(InputError) as error:
        dbs.read(release=release)
    assert said in str(error.value) and str(error.value).count("\n") <= 2
