"""The command line on files of a user's own."""

import math

import pandas as pd
import pytest
from commands import sera
from made_scores import JUDGEMENT_HEAD, SCORE_HEAD, put_table

from sera.evaluation.tables import read_tsv
from sera.io import records
from sera.io.records import Candidate, Document, Nugget, Query, Reference, Section, Source

TEXTS = ("c.jsonl", "r.jsonl")


@pytest.fixture
def files(tmp_path, monkeypatch):
    """The folder in which the commands run."""
    monkeypatch.chdir(tmp_path)
    gold = Reference("t", "A", ("Kinases phosphorylate p53 in cells.",))
    candidates = [
        Candidate("t", "good", ("The kinase phosphorylates p53.", "Cells then die.")),
        Candidate("t", "bad", ("Fish swim in the sea.",)),
        records.as_candidate(gold),
    ]
    references = [gold, Reference("t", "B", ("p53 is phosphorylated by a kinase, and cells die.",))]
    records.write(tmp_path / "c.jsonl", candidates)
    records.write(tmp_path / "r.jsonl", references)
    nuggets = [Nugget("t", "A", "phosphorylate p53"), Nugget("t", "B", "cells die")]
    records.write(tmp_path / "n.jsonl", nuggets)
    texts = ["kinase p53", "cells die", "fish swim", "sea"]
    records.write(tmp_path / "d.jsonl.gz", [Document(f"d{i}", text) for i, text in enumerate(texts)])
    records.write(tmp_path / "q.jsonl", [Query("q1", "fish in the sea"), Query("q2", "of the")])
    return tmp_path


def scores(path):
    table = pd.read_csv(path, sep="\t")
    noted = table["score"].isna().any() or table["metric"].str.startswith("SERA").any()  # a small index
    assert list(table.columns) == ["topic", "system", "metric", "score", *(["note"] if noted else [])]
    return {(row.system, row.metric): row.score for row in table.itertuples()}


def test_rouge_is_given_the_settings_that_are_named(files):
    def signature(*options):
        given = ("--metrics", "ROUGE-L-F", *TEXTS, "--out", "s.tsv", "--signatures", *options)
        return sera("score", *given).splitlines()[0].rsplit("|", 1)[0]

    assert signature() == "ROUGE-L-F|stem:no|stop:kept|refs:pooled|alpha:0.5"
    removed = signature("--stop", "--multi", "jackknife", "--words", 5)
    assert removed == "ROUGE-L-F|stem:no|stop:removed|refs:jackknife|alpha:0.5|words:5"
    google = signature("--dialect", "rouge-score", "--stem")
    assert google == "ROUGE-L-F|stem:yes|stop:kept|refs:best|alpha:0.5|dialect:rouge-score"
    given = [*TEXTS, "--out", "s.tsv", "--signatures", "signatures.tsv", "--plain-names"]
    sera("score", "--metrics", "ROUGE-L-F,ROUGE-1-R", "--stem", *given)
    names = {line.split("\t")[2] for line in (files / "s.tsv").read_text().splitlines()[1:]}
    assert names == {"ROUGE-L-F", "ROUGE-1-R"}
    rows = [line.split("\t")[:2] for line in (files / "signatures.tsv").read_text().splitlines()[1:]]
    assert rows[0][0] == "ROUGE-L-F" and rows[0][1].startswith("ROUGE-L-F|stem:yes|")


def test_average_takes_several_tables_and_any_metric(tmp_path):
    put_table(tmp_path / "a.tsv", SCORE_HEAD, "1 s ROUGE-S-F 0.25", "1 s ROUGE-S-R 0.5")
    put_table(tmp_path / "b.tsv", SCORE_HEAD, "1 s SERA-5 0.3", "2 other SERA-5 1")
    printed = sera("average", tmp_path / "a.tsv", tmp_path / "b.tsv", "--confidence", 99)
    assert [line for line in printed.splitlines() if "---" not in line] == [
        "SERA-5: averages over different topics: of 2, s has 1, other has 1",
        "s ROUGE-S* Average_R: 0.50000 (99%-conf.int. 0.50000 - 0.50000)",
        "s ROUGE-S* Average_F: 0.25000 (99%-conf.int. 0.25000 - 0.25000)",
        "s SERA-5 Average: 0.30000 (99%-conf.int. 0.30000 - 0.30000)",
        "other SERA-5 Average: 1.00000 (99%-conf.int. 1.00000 - 1.00000)",
    ]


METRICS = (
    "ROUGE-2-F", "ROUGE-L-R", "SERA-1", "Pyramid", "Pyramid-Modified", "ROUGE-K", "MOULIN-ROUGE",
    "MOULIN-ROUGE-Novel-Phrase-2",
)  # fmt: skip


def test_score_by_metrics_of_all_resources(files):
    sera("index", "build", "--documents", "d.jsonl.gz", "--out", "index")
    sentences = ("A kinase phosphorylates p53.", "Cells live.")
    records.write("s.jsonl", [Source("t", "a", "Kinases", (Section("", sentences),))])
    given = ("--index", "index", "--sources", "s.jsonl", "--nuggets", "n.jsonl", "--signatures")
    arguments = ("score", "--metrics", ",".join(METRICS), *TEXTS, *given, "--out", "new/s.tsv")
    printed = sera(*arguments, "--stem", "--stop")
    assert f"{3 * len(METRICS)} scores of 3 systems on 1 topic in" in printed
    assert "SERA-1|query:plain|query_stop:yes|analyzer:english|mu:2000.0|documents:4" in printed
    assert "ROUGE-K|matching:tokens|second:title|" in printed
    table, settings = scores("new/s.tsv"), "(stem=true,stop=true)"
    # stems without stop words:
    # kinas phosphoryl p53 cell di / kinas phosphoryl p53 cell / p53 phosphoryl kinas cell di
    # bigrams in common: 3 of 3 with A; "cell di" of 4 with B; the candidate has 4, once for each reference
    expected = 2 * (4 / 7) * (4 / 8) / (4 / 7 + 4 / 8)
    assert table["good", f"ROUGE-2-F{settings}"] == pytest.approx(expected, abs=1e-5)
    # human_A meets B alone: no bigram in common, and one subsequence in each order at most: p53 cell
    assert table["human_A", f"ROUGE-2-F{settings}"] == 0
    assert table["human_A", f"ROUGE-L-R{settings}"] == 0.4
    assert table["bad", f"ROUGE-L-R{settings}"] == table["bad", "SERA-1"] == 0
    # both of the good summary's nuggets: "phosphorylate p53" stands in both references, "cells die" in one
    assert table["good", "Pyramid"] == 1.0 and table["bad", "Pyramid"] == 0.0
    # the references share p53 and cells; human_A meets B alone, which shares nothing with the title "Kinases"
    assert table["good", "ROUGE-K"] == 1.0 and table["bad", "ROUGE-K"] == 0.0
    assert math.isnan(table["human_A", "ROUGE-K"])
    # cell die | cells die: tiers 2 and 1 over three occurrences in two texts, two units
    assert table["good", "Pyramid-Modified"] == 1.0
    # the kinase | kinase phosphorylates (the article's) | phosphorylates p53 (too) | cells then | then die
    assert table["good", "MOULIN-ROUGE-Novel-Phrase-2"] == pytest.approx(3 / 5)
    printed = sera(*arguments, "--set", "ROUGE-K.matching=substring", "--set", "ROUGE-K.second=article")
    assert "|matching:substring|second:article|" in printed
    # with the article, B's words are kinase, p53 and cells: kinases has the first as a substring
    assert scores("new/s.tsv")["human_A", "ROUGE-K(matching=substring,second=article)"] == 1.0


def test_analyze_and_search(files):
    sera("index", "analyze", "--analyzer", "english", "--texts", "q.jsonl", "--out", "e.jsonl")
    written = (files / "e.jsonl").read_text()
    assert written == '{"id": "q1", "tokens": ["fish", "sea"]}\n{"id": "q2", "tokens": []}\n'
    sera("index", "build", "--documents", "d.jsonl.gz", "--out", "index")
    out = "run.trec"
    printed = sera("search", "--index", "index", "--queries", "q.jsonl", "--k", 2, "--out", out)
    assert printed == (f"rankings of 2 queries in {out}; 1 without a match, which the run leaves out\n")
    lines = [line.split() for line in (files / out).read_text().splitlines()]
    assert [(line[0], line[2], line[3]) for line in lines] == [("q1", "d3", "1"), ("q1", "d2", "2")]


def test_summarize(files):
    text = "Protein number {} binds the kinase in human cells."
    sentences = tuple(map(text.format, ("alpha", "beta", "gamma")))
    records.write("s.jsonl", [Source("t", "a", "T", (Section("Results", sentences),))])

    def summarized(system, *options, code=0):
        given = ("--system", system, "--sources", "s.jsonl", "--out", "out.jsonl", *options)
        return sera("summarize", *given, code=code)

    for length in (["--words", 20], ["--sentences", 2], ["--share", 0.7]):
        summarized("lead", *length)
        assert records.read("out.jsonl", Candidate) == [Candidate("t", "lead", sentences[:2])]
    summarized("lexrank", "--set", "variant=paper", "--set", "epsilon=1e-6")
    assert "Look at the types" in summarized("lexrank", "--set", "epsilon=small", code=2)
    assert "It is NAME=VALUE" in summarized("lexrank", "--set", "paper", code=2)


def test_scores_of_any_metric_are_evaluated(tmp_path):
    scores, judgements = [], []
    for topic in range(2):
        for system, (quality, bert) in enumerate([(1, 4), (2, 9), (3, 8), (4, 20)]):
            judgements.append(f"{topic} s{system} H {quality}")
            scores.append(f"{topic} s{system} BERTScore {bert}")
            scores += [f"{topic} s{system} {name} {-quality}" for name in ("JS-1", "mistakes")]
    put_table(tmp_path / "s.tsv", SCORE_HEAD, *scores)
    put_table(tmp_path / "h.tsv", JUDGEMENT_HEAD, *judgements)
    arguments = (tmp_path / "h.tsv", "--resamples", 20, "--all", "--out", tmp_path / "tables")
    chosen = ["topic system_a system_b preference", "0 s1 s2 B", "0 s0 s3 tie", "1 s1 s3 B"]
    put_table(tmp_path / "p.tsv", *chosen)
    preferred = ("--preferences", tmp_path / "p.tsv", "--falling", "mistakes")
    preferred += ("--compare", "BERTScore,JS-1,mistakes", "--top", 3)
    printed = sera("evaluate", tmp_path / "s.tsv", *arguments, *preferred)
    assert printed.endswith(f"3 metrics by H, over systems; 9 tables in {tmp_path / 'tables'}\n")
    table = read_tsv(tmp_path / "tables/system_level.tsv").set_index("metric")
    assert table.loc["BERTScore", "kendall"] == pytest.approx(4 / 6, abs=1e-6)  # 5 pairs agree, one does not
    assert table.loc["JS-1", "pearson"] == table.loc["mistakes", "pearson"] == -1
    differences = read_tsv(tmp_path / "tables/differences.tsv")
    kendall = differences[(differences["coefficient"] == "kendall") & (differences["level"] == "system")]
    assert kendall["difference"].round(3).tolist() == [-0.333, -0.333, 0]  # both are turned round
    assert (tmp_path / "tables/top_systems.tex").read_text().count("BERTScore") == 1
    table = read_tsv(tmp_path / "tables/preferences.tsv").set_index("metric")
    # BERTScore has 9 and 8, and 9 and 20: one of two; the others are lower for the better one, as they should
    assert table["accuracy"].to_dict() == {"BERTScore": 0.5, "JS-1": 1, "mistakes": 1}
    assert table["ties"].tolist() == ["1"] * 3
    put_table(tmp_path / "p.tsv", *chosen, "1 s1 s9 A")
    printed = sera("evaluate", tmp_path / "s.tsv", *arguments, *preferred, code=2)
    assert "p.tsv, line 5: s9 for 1 has no score" in printed
    printed = sera("evaluate", tmp_path / "s.tsv", *arguments, *preferred, "--missing", "drop")
    assert "Left out: 1 of 4 preferences" in (tmp_path / "tables/preferences.md").read_text()


def test_natural_calls(files, capfd):
    assert sera("score", "c.jsonl", "r.jsonl") == "9 scores of 3 systems on 1 topic\n"
    rows = capfd.readouterr().out.splitlines()
    assert rows[0] == "topic\tsystem\tmetric\tscore"
    assert [row.split("\t")[2] for row in rows[1:4]] == ["ROUGE-1-F", "ROUGE-2-F", "ROUGE-L-F"]
    put_table(files / "mine.tsv", SCORE_HEAD, "t a M 1", "t b M 2", "t c M 3", "t d M 5")
    put_table(files / "human.tsv", JUDGEMENT_HEAD, "t a J 1", "t b J 3", "t c J 2", "t d J 4")
    printed = sera("evaluate", "mine.tsv", "human.tsv")
    # r: (4.5 of the products) / sqrt(8.75 * 5); rho: 1 - 6 * 2 / (4 * 15); tau: (5 - 1) / 6
    assert printed.splitlines()[1].split()[:5] == ["M", "J", "0.832", "0.800", "0.667"]
    assert sorted(path.name for path in files.iterdir() if path.is_dir()) == []
    with pytest.raises(AssertionError, match="--out FOLDER"):
        sera("evaluate", "mine.tsv", "human.tsv", "--all")
