"""The forms in which people have summaries and ratings, and the names of their columns; in Python too."""

from __future__ import annotations

import bz2
import gzip
import html
import json
import lzma
import warnings

import pandas as pd
import pytest
from commands import sera as run

import sera
from sera.errors import InputError
from sera.io.tables import ROLES
from sera.metrics.base import Caution

ROWS = [  # ROUGE-1-R: 1 of 2 words in the first, 2 of 4 (of two references) in the second
    {"doc_id": "1", "model": "m", "output": "cells die", "gold": "cells, swim"},
    {"doc_id": "2", "model": "m", "output": "fish swim", "gold": "fish eat"},
]
SCORED = [["1", "m", "0.5"], ["2", "m", "0.5"]]
SAID = "topic is doc_id, system is model, summary is output, reference is gold"


def put(path, content):
    packed = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}.get(path.suffix, bytes)
    path.write_bytes(packed(content.encode()))
    return path


def score(path, *arguments):
    """The scores by ROUGE-1-R, and what is said."""
    out = path.with_name("scores.tsv")
    said = run("score", path, *arguments, "--metrics", "ROUGE-1-R", "--out", out)
    table = pd.read_csv(out, sep="\t", dtype=str)
    return table[["topic", "system", "score"]].to_numpy().tolist(), said


CSV = 'doc_id,model,output,gold\n1,m,cells die,"cells, swim"\n2,m,fish swim,fish eat\n'
JSONL = "".join(json.dumps(row) + "\n" for row in ROWS)
FORMS = {
    "a.csv": CSV,
    "a.tsv": "doc_id\tmodel\toutput\tgold\n1\tm\tcells die\tcells, swim\n2\tm\tfish swim\tfish eat\n",
    "a.jsonl": JSONL,
    "a.json": json.dumps(ROWS),
    "indented.json": json.dumps(ROWS, indent=2),
    "objects.json": "\n".join(json.dumps(row, indent=2) for row in ROWS),
    "numbers.json": JSONL.replace('"1"', "1").replace('"2"', "2"),
    "a.csv.gz": CSV,
    "a.jsonl.xz": JSONL,
    "a.json.bz2": json.dumps(ROWS),
}


@pytest.mark.parametrize("name", FORMS)
def test_one_file_in_any_form_is_scored(tmp_path, name):
    path = put(tmp_path / name, FORMS[name])
    for arguments in ((path,), (path, path)):
        found, said = score(*arguments)
        assert found == SCORED
        assert said.splitlines()[0] == f"{path}: {SAID}"


class Frame:
    """A frame of another library."""

    def to_pandas(self):
        return pd.DataFrame(ROWS)


def test_a_frame_of_any_library_is_scored_and_a_warning_says_what_was_read():
    for frames in ((pd.DataFrame(ROWS),), (Frame(),), (frame := Frame(), frame)):
        with pytest.warns(Caution) as told:
            table = sera.score(*frames, metrics="ROUGE-1-R")
        assert [str(each.message) for each in told] == [f"the candidates: {SAID}"]
        assert told[0].filename == __file__
        assert table["score"].tolist() == [0.5, 0.5]
    own = pd.DataFrame(ROWS).set_axis(["topic", "system", "summary", "reference"], axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sera.score(own, metrics="ROUGE-1-R")["score"].tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    ("role", "name"),
    [(role, name) for role in ("topic", "system", "summary", "reference") for name in sum(ROLES[role], ())],
)
def test_each_known_name_is_read(tmp_path, role, name):
    names = {"topic": "topic", "system": "system", "summary": "summary", "reference": "reference"} | {
        role: name
    }
    path = put(tmp_path / "a.csv", CSV.replace("doc_id,model,output,gold", ",".join(names.values())))
    found, said = score(path)
    assert found == SCORED
    assert (f"{role} is {name}" in said) == (name not in ROLES[role][0])
    with pytest.warns(Caution) if name not in ROLES[role][0] else warnings.catch_warnings():
        assert sera.score(pd.read_csv(path), metrics="ROUGE-1-R")["score"].tolist() == [0.5, 0.5]


LISTS = ["cells swim", "fish eat"]  # of 4 words, "cells" is the summary's


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", 'topic,system,summary,references\nt,m,cells die,"[""cells swim"", ""fish eat""]"\n'),
        ("a.jsonl", json.dumps({"topic": "t", "system": "m", "summary": "cells die", "references": LISTS})),
        ("a.jsonl", json.dumps({"topic": "t", "system": "m", "summary": "cells die", "gold": LISTS})),
    ],
)
def test_a_cell_may_have_a_list_of_references(tmp_path, name, content):
    path = put(tmp_path / name, content)
    options = ("--columns", "references=gold") if "gold" in content else ()
    assert score(path, *options)[0] == [["t", "m", "0.25"]]
    gold = put(
        tmp_path / f"gold-{name}", content.replace("summary", "comment").replace('"gold"', '"references"')
    )
    assert score(path, gold)[0] == [["t", "m", "0.25"]]  # numbered
    frame = pd.read_csv(path) if name == "a.csv" else pd.read_json(path, lines=True)
    chosen = {"references": "gold"} if "gold" in frame else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Caution)
        assert sera.score(frame, metrics="ROUGE-1-R", columns=chosen)["score"].tolist() == [0.25]


def test_a_table_of_references_may_have_lists_or_annotators(tmp_path):
    summaries = put(tmp_path / "s.jsonl", '{"topic": "t", "system": "human_A", "summary": "cells die"}\n')
    gold = put(tmp_path / "g.jsonl", '{"topic": "t", "references": {"A": "cells die", "B": "cells"}}\n')
    assert score(summaries, gold)[0] == [["t", "human_A", "1.0"]]  # by B alone
    put(gold, '{"topic": "t", "target": "fish swim"}\n{"topic": "t", "target": "cells swim"}\n')
    assert score(summaries, gold)[0] == [["t", "human_A", "0.25"]]


HEAD = "doc_id,model,output,gold\n"


@pytest.mark.parametrize(
    ("name", "content", "options", "problem"),
    [
        ("a.csv", "id,document,system,summary,gold\n1,d,m,a,b\n", (), "a.csv: has id and document, and each"),
        ("a.csv", "topic,system,summary\nt,m,a\n", (), "a.csv: has no column reference; it has topic"),
        ("a.csv", HEAD + "1,m,a,b\n1,m,c,b\n", (), "line 3: system 'm' has two candidates for"),
        ("a.csv", HEAD + "1,m,a,b\n1,n,c,d\n", (), "a.csv: topic '1' has other references with the system n"),
        ("a.csv", HEAD + "1,m,a,\"['b', 'c']\"\n", ("references=gold",), "line 2: the text is a list, but"),
        ("a.csv", HEAD + '1,m,a,"[""b""]"\n', (), "line 2: the text in gold is a list, of references or"),
        ("a.csv", HEAD + "1,m,a,b\n", ("topic=docid",), "no table has the column 'docid', chosen as topic"),
        ("a.csv", HEAD + "1,m,a,b\n", ("topik=doc_id",), "there is no role of a column 'topik'. Did you"),
        ("a.csv", HEAD + "1,m,a,b\n", ("doc_id",), "--columns doc_id is not ROLE=COLUMN"),
        ("a.csv", HEAD + "1 ,m,a,b\n2,m,a,b\n1 ,n,a,b\n", (), "lines 2, 4: the topic '1 ' has a blank"),
        ("a.json", '[\n  {"id": "1", "model": "m", "output": 3,\n "gold": ""}]', (), "line 2: the text is 3"),
        ("a.json", '[\n  {"id": "1"},\n {"id" "2"}]', (), "line 3: is not JSON: Expecting ':' delimiter"),
        ("a.json", '[\n  {"id": "1"},\n {"id": "2"}', (), "line 3: is not JSON: Expecting ',' delimiter"),
        ("a.json", '[\n{"id": "1"},\n\n 5]', (), "line 4: is not a JSON object"),
        ("a.json", '{\n"id": "1"\n}\n{\n"id" "2"}', (), "line 5: is not JSON: Expecting ':' delimiter"),
        ("a.json", '{"topic": NaN}\n', (), "line 1: is not JSON: NaN is not a number"),
        ("a.jsonl", JSONL + '{"doc_id": "3", "model": "m"}\n', (), "line 3: has no field 'output'; it has"),
        ("a.jsonl", '{"topic": null, "system": "m", "text": "a", "gold": "b"}', (), "line 1: has no topic"),
        ("a", "topic,system,summary\nt,s,a\n", (), "a: is a table, not JSON. End the name of a"),
        ("a", "The kinase.\n", (), "a: is text, not JSON"),
        ("a.csv", '[{"topic": "t"}]\n', (), "a.csv: is a JSON array, not a table"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_the_remedy(tmp_path, name, content, options, problem):
    columns = ("--columns", *options) if options else ()
    said = run("score", put(tmp_path / name, content), *columns, code=2)
    assert problem in said


def test_columns_decide_in_each_table_that_has_them(tmp_path):
    frame = pd.DataFrame(
        {"id": ["1", "2"], "document": ["x", "x"], "system": "m", "candidate": "a", "raw": "b"}
    )
    gold = pd.DataFrame({"topic": ["1", "2"], "reference": ["a", "b"]})
    columns = {"topic": "id", "summary": "raw"}
    with pytest.warns(Caution, match="^the candidates: topic is id, summary is raw$"):
        table = sera.score(frame, gold, "ROUGE-1-R", columns=columns)
    assert table["score"].tolist() == [0.0, 1.0]
    remedy = 'Say which: --columns topic=COLUMN, in Python columns={"topic": COLUMN}.'
    with pytest.raises(InputError) as error:
        sera.score(frame, gold)
    assert str(error.value) == f"the candidates have id and document, and each may be the topic. {remedy}"
    frame.to_csv(tmp_path / "a.csv", index=False)
    gold.to_csv(tmp_path / "gold.csv", index=False)
    found, _ = score(tmp_path / "a.csv", tmp_path / "gold.csv", "--columns", "topic=id,summary=raw")
    assert found == [["1", "m", "0.0"], ["2", "m", "1.0"]]


# Ratings and scores

PAIRS = [(topic, system) for topic in range(3) for system in "abc"]
RATED = pd.DataFrame(PAIRS, columns=["doc_id", "model"]).assign(
    coherence=[1, 2, 3] * 3, fluency=[3.0, 1.5, 2] * 3, comment="fine"
)
LONG = pd.DataFrame(
    [(*pair, "coherence", judge, 2 * ord(pair[1]) + judge) for pair in PAIRS for judge in (0, 1)],
    columns=["doc_id", "model", "criterion", "rater", "rating"],
)
MINE = pd.DataFrame(PAIRS, columns=["topic", "system"]).assign(metric="mine", score=[1.0, 2, 3] * 3)
QUICK = {"resamples": 10}


def rho(table):
    return dict(zip(table["against"], table["spearman"]))


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "json", "csv.gz"])
def test_ratings_are_long_or_wide_in_any_form(tmp_path, form):
    path, out = tmp_path / f"h.{form}", tmp_path / "out"
    for frame, right in ((RATED, {"coherence": 1.0, "fluency": -0.5}), (LONG, {"coherence": 1.0})):
        if "json" in form:
            frame.to_json(
                path, orient="records", lines=form == "jsonl", indent=None if form == "jsonl" else 1
            )
        else:
            frame.to_csv(path, index=False, sep="\t" if form == "tsv" else ",")
        wide = MINE.pivot(index=["topic", "system"], columns="metric", values="score").reset_index()
        for scores in (MINE, wide):
            scores.to_csv(tmp_path / "s.csv", index=False)
            said = run("evaluate", tmp_path / "s.csv", path, "--resamples", 10, "--out", out)
            table = pd.read_csv(out / "system_level.tsv", sep="\t")
            assert rho(table) == right
            assert ("s.csv: metrics are mine\n" in said) == (scores is wide)
        names = "topic is doc_id, system is model"
        if frame is RATED:
            assert f"h.{form}: {names}, judgements are coherence, fluency (not comment: no numbers)\n" in said
        else:
            line = f"h.{form}: {names}, judgement is criterion, score is rating, judge is rater\n"
            assert said.count(line) == 1
        with pytest.warns(Caution, match=names):
            assert rho(sera.evaluate(MINE, frame, **QUICK)["system_level"]) == right


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("topic,system,H\nt,a,1\nt,b,high\n", "line 3: H 'high' is not a number. Write a number, or nan"),
        ("topic,system,H\nt,a,1\nt,a,2\n", "line 3: H of a for t is there twice. Keep one of them, or say"),
        (
            "topic,system,H\nt,a,x\n",
            "h.csv: has no column with numbers besides topic and system. Add a column",
        ),
        (
            "topic,H\nt,1\n",
            "h.csv: has no column system; it has topic, H. Name it as one of system, model, sy",
        ),
        ("topic,system,judgement,score\nt,a,H,\n", "line 2: score '' is not a number"),
    ],
)
def test_ratings_that_cannot_be_read_are_refused(tmp_path, content, problem):
    MINE.to_csv(tmp_path / "s.csv", index=False)
    assert problem in run("evaluate", tmp_path / "s.csv", put(tmp_path / "h.csv", content), code=2)


def test_columns_say_which_holds_the_judgements(tmp_path):
    frame = LONG.rename(columns={"criterion": "what", "rating": "points"})
    columns = {"judgement": "what", "score": "points"}
    MINE.to_csv(tmp_path / "s.csv", index=False)
    frame.to_csv(tmp_path / "h.csv", index=False)
    said = run("evaluate", tmp_path / "s.csv", tmp_path / "h.csv", "--columns", "judgement=what,score=points")
    assert "judgement is what, score is points" in said and "1 metric by coherence" in said
    page = tmp_path / "page.html"
    run(
        "report",
        tmp_path / "s.csv",
        tmp_path / "h.csv",
        "--columns",
        "judgement=what,score=points",
        "--out",
        page,
    )
    with pytest.warns(Caution, match="judgement is what, score is points"):
        assert rho(sera.evaluate(MINE, frame, columns=columns, **QUICK)["system_level"]) == {"coherence": 1.0}
        sera.report(MINE, frame, page, name="mine", columns=columns, **QUICK)
    assert "columns={'judgement': 'what', 'score': 'points'}" in html.unescape(page.read_text())


def test_a_rating_that_is_missing_is_left_out_as_in_python(tmp_path):
    rated = RATED[["doc_id", "model"]].assign(H=[None, None, None, 1, 2, 3, 3, 2, 1])
    rated.to_csv(tmp_path / "h.csv", index=False)
    MINE.to_csv(tmp_path / "s.csv", index=False)
    run("evaluate", tmp_path / "s.csv", tmp_path / "h.csv", "--missing", "drop", "--out", tmp_path / "out")
    (topics,) = pd.read_csv(tmp_path / "out/system_level.tsv", sep="\t")["topics"]
    with pytest.warns(Caution):
        (own,) = sera.evaluate(MINE, rated, missing="drop", **QUICK)["system_level"]["topics"]
    assert topics == own == 2


def test_columns_say_what_average_and_compare_read(tmp_path):
    frame = RATED.rename(columns={"model": "who"})
    frame.to_csv(tmp_path / "s.csv", index=False)
    chosen = ("--columns", "system=who")
    said = run("average", tmp_path / "s.csv", *chosen, "--out", tmp_path / "a.tsv")
    assert "s.csv: topic is doc_id, system is who, metrics are coherence, fluency (not comment: no" in said
    with pytest.warns(Caution, match="topic is doc_id, system is who"):
        averages = sera.average(frame, columns={"system": "who"})
    assert averages["mean"].tolist() == [1.0, 3.0, 2.0, 1.5, 3.0, 2.0]
    printed = pd.read_csv(tmp_path / "a.tsv", sep="\t", keep_default_na=False)
    pd.testing.assert_frame_equal(averages, printed, check_dtype=False)
    run("compare", tmp_path / "s.csv", *chosen, "--out", tmp_path / "c.tsv")
    assert len(pd.read_csv(tmp_path / "c.tsv", sep="\t")) == 6  # three pairs of systems, two metrics
    for command in ("average", "compare"):
        said = run(command, tmp_path / "s.csv", "--columns", "system=whom", "--out", tmp_path / "x", code=2)
        assert "has no column system" in said
        MINE.to_csv(tmp_path / "m.csv", index=False)
        said = run(command, tmp_path / "m.csv", "--columns", "judge=whom", "--out", tmp_path / "x", code=2)
        assert "no table has the column 'whom', chosen as judge" in said
    with pytest.raises(InputError, match="no table has the column 'whom', chosen as judge"):
        sera.average(MINE, columns={"judge": "whom"})


@pytest.mark.parametrize(
    ("name", "content", "columns"),
    [
        ("a.csv", "doc_id,article\n1,Cells die. Mice swim.\n", ""),
        ("a.tsv", "doc_id\traw\n1\tCells die. Mice swim.\n", "article=raw"),
        ("a.jsonl", '{"topic": "1", "id": "a", "sentences": ["Cells die.", "Mice swim."]}\n', ""),
    ],
)
def test_articles_may_be_a_table(tmp_path, name, content, columns):
    """Two of the summary's three content words are in the article."""
    path, out = put(tmp_path / name, content), tmp_path / "out"
    summary = put(tmp_path / "s.csv", HEAD + "1,m,cells die slowly,cells die\n")
    options = ["--columns", columns] if columns else []
    words = put(tmp_path / "frequent.txt", "the\n")
    options += ["--metrics", "MOULIN-ROUGE-Novel-Word", "--frequent-words", words]
    said = run("score", summary, *options, "--sources", path, "--out", out)
    assert (f"{path}: topic is doc_id, article is" in said) == (name != "a.jsonl")
    assert pd.read_csv(out, sep="\t")["score"].tolist() == [pytest.approx(1 / 3, abs=1e-5)]
    if not columns:
        run("summarize", "--system", "lead", "--words", 2, "--sources", path, "--out", out)
        assert json.loads(out.read_text())["sentences"] == ["Cells die."]
    if name == "a.csv":
        put(path, "doc_id,article\n")
        assert "holds no source" in run("score", summary, *options, "--sources", path, "--out", out, code=2)
