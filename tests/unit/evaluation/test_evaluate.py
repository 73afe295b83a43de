"""`sera.evaluate`, `sera.report` and the commands: both forms of frames, gaps, further tables, errors."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from commands import sera as command
from made_scores import JUDGEMENT_HEAD, SCORE_HEAD, put_table, scores_of

import sera
from sera.errors import InputError
from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.evaluate import (
    FURTHER_TABLES,
    JUDGE_TABLES,
    TABLE_NAMES,
    TEXT_TABLES,
    JudgedScores,
    evaluation_tables,
    long_form,
)
from sera.evaluation.judges import krippendorff_alpha
from sera.evaluation.pairwise import calibrate, close_pairs, pairwise_accuracy, soft_pairwise_accuracy
from sera.evaluation.s3_tables import S3_TABLES
from sera.evaluation.tables import read_tsv
from sera.io.records import Candidate, Section, Source, write
from sera.metrics.base import Caution
from study.settings.settings import read_config

# Means over the two topics: M 1, 2, 3, 6 and N 4, 3, 1, 2 for systems a to d; H 1, 2, 3, 4.
SCORES = pd.DataFrame(
    {
        "topic": [1] * 4 + [2] * 4,
        "system": list("abcd") * 2,
        "M": [0, 2, 2, 8, 2, 2, 4, 4],
        "N": [4.0, 2, 0, 2, 4, 4, 2, 2],
    }
)
JUDGEMENTS = SCORES[["topic", "system"]].assign(H=[0, 2, 4, 4, 2, 2, 2, 4])
QUICK = {"resamples": 20}


def tidy(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    return frame.melt(["topic", "system"], var_name=name, value_name="score")


@pytest.fixture
def files(tmp_path):
    """The arguments of a command on the scores and judgements."""
    for frame, name, file in ((SCORES, "metric", "s.tsv"), (JUDGEMENTS, "judgement", "h.tsv")):
        tidy(frame, name).to_csv(tmp_path / file, sep="\t", index=False)
    return tmp_path / "s.tsv", tmp_path / "h.tsv"


def test_coefficients_worked_out_by_hand_in_both_forms():
    wide = sera.evaluate(SCORES, JUDGEMENTS, **QUICK)
    long = sera.evaluate(tidy(SCORES, "metric"), tidy(JUDGEMENTS, "judgement"), **QUICK)
    assert list(wide) == list(long) == list(TABLE_NAMES)
    for name in TABLE_NAMES:
        pd.testing.assert_frame_equal(wide[name], long[name])
    table = wide["system_level"].set_index("metric")
    assert table[["against", "systems", "topics"]].to_numpy().tolist() == [["H", 4, 2]] * 2
    # M: deviations -2, -1, 0, 3 and -1.5, -.5, .5, 1.5: 8 / sqrt(14 * 5); all six pairs agree
    assert table.loc["M", "pearson"] == pytest.approx(8 / 70**0.5)
    assert table.loc["M", ["spearman", "kendall"]].tolist() == pytest.approx([1, 1])
    # N: ranks 4, 3, 1, 2 and 1, 2, 3, 4: 1 - 6 * (9 + 1 + 4 + 4) / 60; of six pairs only c and d agree
    assert table.loc["N", ["spearman", "kendall"]].tolist() == pytest.approx([-0.8, -4 / 6])


def test_the_command_writes_the_same_tables(files, tmp_path):
    options = ["--compare", "M,N", "--falling", "N", "--top", "3", "--resamples", "20", "--seed", "7"]
    options += ["--bootstrap", "topics", "--confidence", "90"]
    command("evaluate", *files, *options, "--all", "--out", tmp_path / "t")
    settings = {"compare": ["M", "N"], "falling": ["N"], "top": [3], "bootstrap": "topics", "confidence": 90}
    tables = sera.evaluate(SCORES, JUDGEMENTS, resamples=20, seed=7, **settings)
    assert not any((tmp_path / "t" / f"{name}.tsv").exists() for name in S3_TABLES)  # no metric is S3
    for name in set(tables) - set(S3_TABLES):
        table = tables[name]
        written = read_tsv(tmp_path / "t" / f"{name}.tsv").drop(columns="benchmark")
        assert len(table) and list(written.columns) == list(table.columns)
        numbers = table.select_dtypes("number").columns
        np.testing.assert_allclose(written[numbers].astype(float), table[numbers].astype(float), atol=6e-7)
    # without --all: the correlations over systems and over summaries, and what the options ask for
    command("evaluate", *files, *options, "--out", tmp_path / "few")
    few = {f"{name}.tsv" for name in ("system_level", "summary_level", "differences", "top_systems")}
    assert {path.name for path in (tmp_path / "few").iterdir()} == few
    for name in few:
        assert (tmp_path / "few" / name).read_bytes() == (tmp_path / "t" / name).read_bytes()
    # N is turned: its rho counts as .8, M's is 1
    difference = tables["differences"].query("level == 'system' and coefficient == 'spearman'")
    assert difference["difference"].tolist() == pytest.approx([0.2])


def test_metrics_of_a_family_known_to_fall_need_no_option():
    # JS-2 is lower for the better system, as M with its sign changed is: no topic fails
    turned = SCORES[["topic", "system"]].assign(**{"JS-2": -JUDGEMENTS["H"], "mine": -JUDGEMENTS["H"]})
    table = sera.evaluate(turned, JUDGEMENTS, **QUICK)["summary_level"].set_index("metric")
    assert table["pearson_failure"].to_dict() == {"JS-2": 0, "mine": 1}
    # names become text and keep their order
    found = JudgedScores.from_tables(
        long_form(SCORES, "scores", "metric"), long_form(JUDGEMENTS, "x", "judgement")
    )
    assert (found.metrics, found.judgements, found.topics, found.left_out) == (("M", "N"), ("H",), 2, ())
    assert found.table["topic"].unique().tolist() == ["1", "2"]


def test_a_falling_judgement_is_that_turned_by_hand():
    """The tables of 7 - H, whose lowest and highest are 3 and 7, are those of 3 + 7 - (7 - H) = 3 + H."""
    options = {"falling": ["N", "errors"], "compare": ["M", "N"], "top": [2], "further": True, **QUICK}
    names = SCORES[["topic", "system"]]
    falls = sera.evaluate(SCORES, names.assign(errors=7 - JUDGEMENTS["H"]), **options)
    by_hand = names.assign(errors=3 + JUDGEMENTS["H"])
    rises = sera.evaluate(SCORES, by_hand, **{**options, "falling": ["N"]})
    for name, table in rises.items():
        pd.testing.assert_frame_equal(falls[name], table)
    # the sign of N stays, and N is turned where metrics are compared
    assert falls["system_level"]["spearman"].tolist() == pytest.approx([1, -0.8])
    assert falls["pairwise"]["accuracy"].tolist() == pytest.approx([1, 5 / 6])
    row = falls["differences"].query("level == 'system' and coefficient == 'spearman'")
    assert row["difference"].tolist() == pytest.approx([0.2])


def test_a_falling_judgement_with_judges_and_the_lowest_means_on_the_page(tmp_path):
    rows = [(t, s, "H", judge, 9 - h) for t, s, h in JUDGEMENTS.to_numpy() for judge in "xy"]
    put_table(tmp_path / "h.tsv", "topic system judgement judge score", *rows)
    tidy(SCORES, "metric").to_csv(tmp_path / "s.tsv", sep="\t", index=False)
    given = (tmp_path / "s.tsv", tmp_path / "h.tsv", "--falling", "N,H", "--resamples", 20)
    said = command("evaluate", *given, "--all", "--out", tmp_path / "t")
    assert "By Spearman's ρ with H over systems, M is highest" in said
    assert "Lower is better for H: a score is turned, lowest + highest − score\n" in said
    table = read_tsv(tmp_path / "t/system_level_judges.tsv").set_index("metric")
    assert table["spearman"].tolist() == pytest.approx([1, 0.8])
    said = command("report", *given, "--out", tmp_path / "page.html")
    assert "By Spearman's ρ with H over systems, M is highest" in said
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    means = page[page.index('id="means"') :]
    assert re.findall(r'<th scope="row">(.)</th><td>([^<]+)', means)[:2] == [("d", "5.000"), ("c", "6.000")]


@pytest.fixture
def two_ratings(tmp_path, files):
    """The judgement G is 5 - H, for the systems a to c on both topics and d on none."""
    both = pd.concat([JUDGEMENTS, JUDGEMENTS[["topic", "system"]].assign(G=5 - JUDGEMENTS["H"])])
    table = tidy(both, "judgement").dropna(subset="score").query("judgement == 'H' or system != 'd'")
    table.to_csv(tmp_path / "h.tsv", sep="\t", index=False)
    return files


def test_python_has_the_verdicts_that_the_command_prints(two_ratings):
    frames = SCORES, pd.read_csv(two_ratings[1], sep="\t")
    given = {"falling": ["N", "G"], "versus": "M", "compare": ["N", "M"], "missing": "drop"}
    options = ("--falling", "N,G", "--versus", "M", "--compare", "N,M", "--missing", "drop")
    printed = command("evaluate", *two_ratings, *options, "--resamples", 20).splitlines()
    verdicts = sera.evaluate(*frames, **given, **QUICK).verdicts
    start = printed.index(verdicts[0])
    assert printed[start : start + len(verdicts)] == verdicts
    assert [verdicts[place] for place in (1, 6)] == HEADS
    # N is turned, which is 0.8 by H; by G, which is turned too, both metrics have the same order
    assert verdicts[2].startswith("N is behind M by 0.20 in ranking 4 systems (")
    assert verdicts[7].startswith("N is level with M in ranking 3 systems (")
    assert verdicts[9].startswith(
        "With 3 systems and 2 topics, no difference of ρ over systems up to 1 would "
    )
    assert verdicts[10].startswith("Differences of Spearman's ρ with H")  # of --compare
    with pytest.raises(InputError, match="^there is no metric in the scores 'm'"):
        sera.evaluate(*frames, versus="m", missing="drop")


def test_python_has_the_averages_that_the_command_writes(files, tmp_path):
    """The means of a are 1 and 4; by M, a resample of the topics has the mean 0, 1 or 2."""
    command("average", files[0], "--out", tmp_path / "means.tsv", "--confidence", 90)
    written = pd.read_csv(tmp_path / "means.tsv", sep="\t", keep_default_na=False)
    averages = sera.average(SCORES, confidence=90)
    pd.testing.assert_frame_equal(averages, written, check_dtype=False)
    pd.testing.assert_frame_equal(averages, sera.average(tidy(SCORES, "metric"), confidence=90))
    row = averages.query("system == 'a' and metric == 'M'").iloc[0]
    assert row["mean"] == pytest.approx(1, abs=0.05)
    assert row[["measure", "ci_low", "ci_high"]].tolist() == ["", 0, 2]
    with pytest.warns(Caution, match="^M: averages over different topics: of 2, a has 1$") as given:
        sera.average(tidy(SCORES, "metric")[1:])
    assert [each.filename for each in given] == [__file__]


HEADS = [f"Differences of Spearman's ρ with {name}, less M; intervals over systems:" for name in "HG"]


def test_each_rating_has_its_lines_below_its_name(two_ratings):
    options = ("--resamples", 20, "--compare", "N,M")
    compared = command("evaluate", *two_ratings, *options).splitlines()
    against = command("evaluate", *two_ratings, "--resamples", 20, "--versus", "M").splitlines()
    first, second = (
        "N is behind M by 1.80 in ranking 4 systems",
        "N is ahead of M by 2.00 in ranking 3 systems",
    )
    for lines, heads in ((compared, [head.replace(", less M", "") for head in HEADS]), (against, HEADS)):
        places = [lines.index(head) for head in heads]
        assert [lines[place + 1][: len(said)] for place, said in zip(places, (first, second))] == [
            first,
            second,
        ]
    best = [line for line in compared if "is highest" in line]
    assert best[0].startswith("By Spearman's ρ with H over systems, M is highest of 2 metrics, but ")
    assert best[1].startswith("By Spearman's ρ with G over systems, N is highest of 2 metrics, but ")


def test_the_page_has_each_rating(two_ratings, tmp_path):
    said = command(
        "report", *two_ratings, "--resamples", 20, "--versus", "M", "--out", tmp_path / "page.html"
    )
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert all(
        line.replace("'", "&#39;") in page for line in said.splitlines() if "highest" in line or line in HEADS
    )
    assert re.findall(r'alt="Correlation of metrics with (.) over', page) == ["H", "G"]
    assert re.findall(r'alt="Systems by (.) and', page) == ["H", "G"]
    # by H from d to a, by G from a to c, and d without
    tables = [page[page.index(f'id="{name}"') :] for name in ("means", "means2")]
    orders = [re.findall(r'<th scope="row">([^<]+)</th><td>', table)[:4] for table in tables]
    assert orders == [["d", "c", "b", "a"], ["a", "b", "c", "(d)"]]
    assert "H: With 4 systems, even a ρ of 1 may be chance" in page and "G: With 3 systems, even" in page
    assert "<dd>4 systems&#39; summaries" in page or "<dd>4 systems' summaries" in page


def test_what_is_undefined_missing_or_dropped():
    gone = SCORES.assign(M=SCORES["M"].where(SCORES.index != 5))
    table = sera.evaluate(gone, JUDGEMENTS, **QUICK)["system_level"].set_index("metric")
    assert table[["topics", "undefined"]].to_numpy().tolist() == [[1, 1], [2, 0]]
    unjudged = JUDGEMENTS.assign(H=JUDGEMENTS["H"].where(JUDGEMENTS.index != 5))
    with pytest.raises(InputError, match="no H of 'b' for '2'.*missing='drop' in Python"):
        sera.evaluate(SCORES, unjudged, **QUICK)
    with pytest.warns(Caution, match="^Left out: system 'd' is not judged$") as given:
        tables = sera.evaluate(SCORES, JUDGEMENTS.query("system != 'd'"), missing="drop", **QUICK)
    assert [each.filename for each in given] == [__file__]
    assert tables["system_level"]["systems"].tolist() == [3, 3]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sera.evaluate(SCORES, JUDGEMENTS, missing="drop", **QUICK)


def test_further_tables_on_request():
    tables = sera.evaluate(SCORES, JUDGEMENTS, further=True, **QUICK)
    assert set(tables) == {*TABLE_NAMES, *FURTHER_TABLES}
    # M and H rise from a to d: all pairs of systems are alike; N rises from c to d alone
    accuracy = tables["pairwise"].set_index("metric")["accuracy"]
    assert accuracy["M"] == 1 and accuracy["N"] == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda s: s.rename(columns={"topic": "t"}),
            "the scores have no column topic; they have t, system, M",
        ),
        (lambda s: s.assign(M=np.inf), "the scores have inf for M of a for 1. Give"),
        (lambda s: pd.concat([s, s[2:3]]), "the scores have M of c for 1 twice. Keep one of them."),
        (lambda s: s.rename(columns={"M": "H"}), "a metric has the judgement's name, H. Rename it."),
        (lambda s: s.assign(system=s["system"] + "!"), "no summary is both scored and judged. Look whether"),
    ],
)
def test_frames_of_another_form_are_refused(change, said):
    with pytest.raises(InputError, match="^" + re.escape(said)):
        sera.evaluate(change(SCORES), JUDGEMENTS, **QUICK)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"compare": ["M", "m2"]}, "there is no metric in the scores 'm2'. "),
        ({"falling": ["G"]}, "there is no metric or judgement 'G'. Choose one of: M, N, H."),
        ({"compare": ["M", "H"]}, "there is no metric in the scores 'H'. Choose one of: M, N."),
        ({"missing": "skip"}, "missing is 'skip'. Give stop or drop."),
        ({"confidence": 0}, "confidence is 0. "),
    ],
)
def test_options_out_of_range_are_refused(options, said):
    with pytest.raises(InputError, match="^" + re.escape(said)):
        sera.evaluate(SCORES, JUDGEMENTS, **options)


def test_every_interval_is_over_systems_by_default(files, tmp_path):
    """Python, the commands and the page give M one value, and N all from -1 to 1.

    M ranks the systems as H does, so that each draw of systems has rho 1; on topic 1 alone it has ties. N
    ranks c and d alone as H does. Of 4^4 draws, 2^4 - 2 have both of these and no other system: .055, with
    rho 1. More have at most one of them beside a and b, with rho -1.
    """
    ends = {"M": [1, 1], "N": [-1, 1]}
    columns = ["spearman_low", "spearman_high"]
    table = sera.evaluate(SCORES, JUDGEMENTS)["system_level"].set_index("metric")
    command("evaluate", *files, "--all", "--out", tmp_path / "t")
    command("report", *files, "--out", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for found in (table, read_tsv(tmp_path / "t/system_level.tsv").set_index("metric")):
        assert found[columns].T.to_dict("list") == {name: pytest.approx(pair) for name, pair in ends.items()}
    assert "1.000 <small>1.00 to 1.00</small>" in page and "−0.800 <small>−1.00 to 1.00</small>" in page
    assert read_config("config.yaml")["bootstrap"] == "topics"  # of a study's tables


def test_the_page_of_frames_has_no_files(tmp_path):
    sera.report(SCORES, JUDGEMENTS, tmp_path / "page.html", name="h", resamples=20)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<code id="command">sera.report(scores, judgements, ' in page
    assert "resamples=20, confidence=95, seed=0)" in page
    assert "Checksums" not in page


@pytest.fixture
def five_systems(tmp_path):
    """Five systems on three topics; M ranks them as H does, but for s0 and s1."""
    summaries = [(f"t{t}", f"s{s}", s) for t in range(3) for s in range(5)]
    put_table(tmp_path / "s.tsv", SCORE_HEAD, *((t, s, "M", [1, 0, 2, 3, 4][q]) for t, s, q in summaries))
    put_table(tmp_path / "h.tsv", JUDGEMENT_HEAD, *((t, s, "H", q) for t, s, q in summaries))
    return tmp_path


def drop(path, *starts):
    lines = path.read_text().splitlines()
    path.write_text("\n".join(line for line in lines if not line.startswith(starts)) + "\n")


def evaluate(five_systems, *options, code=0):
    given = (five_systems / "s.tsv", five_systems / "h.tsv", "--resamples", 5, "--all")
    return command("evaluate", *given, *options, "--out", five_systems / "tables", code=code)


def test_what_is_missing_is_dropped_and_counted_on_request(five_systems):
    drop(five_systems / "s.tsv", "t0\ts4", "t1\ts4", "t2\ts4")
    drop(five_systems / "h.tsv", "t2\ts3")
    drop(five_systems / "h.tsv", "t1\t")
    printed = evaluate(five_systems, "--missing", "drop").splitlines()
    assert printed[:3] == [
        "Left out: system 's4' is not scored",
        "Left out: topic 't1' is not judged",
        "Left out: no H of 's3' for 't2'",
    ]
    (row,) = read_tsv(five_systems / "tables/system_level.tsv").to_dict("records")
    # s0 to s3 on t0; t2 is left out, since s3 has no judgement there. One of six pairs is in the other order
    assert (row["systems"], row["topics"], row["undefined"]) == (4, 1, 1)
    assert row["kendall"] == pytest.approx(4 / 6, abs=1e-6)
    (row,) = read_tsv(five_systems / "tables/global_level.tsv").to_dict("records")
    assert (row["systems"], row["topics"], row["undefined"]) == (4, 2, 1)


ACCENTED = "Caf\u00e9"
OTHER_FORM = "Cafe\u0301"


@pytest.mark.parametrize("missing", ["stop", "drop"])
@pytest.mark.parametrize("kind", ["topic", "system"])
def test_names_that_differ_only_in_their_unicode_form_are_told(kind, missing):
    first = SCORES[kind].iloc[0]
    one, other = (
        frame.astype({"topic": object}).replace({kind: {first: name}})
        for frame, name in ((SCORES, ACCENTED), (JUDGEMENTS, OTHER_FORM))
    )
    said = f"^the {kind} '{OTHER_FORM}' differs from another only in its Unicode form. Write names in one"
    with pytest.raises(InputError, match=said):
        sera.evaluate(one, other, missing=missing, **QUICK)


def test_two_systems_of_a_table_may_differ_in_their_unicode_form():
    systems = dict(zip(SCORES["system"].unique(), (ACCENTED, OTHER_FORM)))
    frames = (frame.replace({"system": systems}) for frame in (SCORES, JUDGEMENTS))
    counts = sera.evaluate(*frames, **QUICK)["system_level"]["systems"]
    assert set(counts) == {SCORES["system"].nunique()}


ALL = (*FURTHER_TABLES, *TEXT_TABLES, *JUDGE_TABLES)
RANDOM = np.random.default_rng(12)
JUDGED = np.round(np.arange(6) / 3 + RANDOM.random((8, 6)), 1)
GOOD = JUDGED + 0.2 * RANDOM.random((8, 6))
ARRAYS = scores_of(Good=GOOD, H=JUDGED, Mistakes=-GOOD, None_=np.full((8, 6), np.nan))


def test_each_number_is_that_of_its_function_and_falling_metrics_are_turned(monkeypatch):
    bootstrap = Bootstrap("topics", 60, 3)
    tables = evaluation_tables(ARRAYS, ["H"], FURTHER_TABLES, falling=["Mistakes"], bootstrap=bootstrap)
    assert list(tables) == ["pairwise", "clusters"]
    table = tables["pairwise"].set_index("metric")
    row = table.loc["Good"]
    means = GOOD.mean(axis=0), JUDGED.mean(axis=0)
    assert row["accuracy"] == pairwise_accuracy(*means)
    assert row["accuracy_low"] <= row["accuracy"] <= row["accuracy_high"]
    assert row["soft_accuracy"] == soft_pairwise_accuracy(GOOD, JUDGED, permutations=60, seed=3)
    assert row["close_accuracy"] == close_pairs(*means).accuracy and row["close_pairs"] == 4
    for ending, grouping in (("", "topic"), ("_by_system", "system"), ("_of_all", "all")):
        found = calibrate(GOOD, JUDGED, grouping)
        assert (row[f"acc_eq{ending}"], row[f"epsilon{ending}"]) == (found.accuracy, found.epsilon)
    same = [name for name in table.columns if name != "why_undefined"]
    assert table.loc["Mistakes", same].tolist() == pytest.approx(row[same].tolist())
    assert np.isnan(table.loc["None_", "accuracy"])
    assert table.loc["None_", "why_undefined"].startswith("on no topic do all systems have a score by None_")
    clusters = tables["clusters"].set_index(["coefficient", "metric"])
    assert clusters.loc[("pearson", "Mistakes"), "value"] == pytest.approx(np.corrcoef(*means)[0, 1])
    monkeypatch.setattr("sera.evaluation.pairwise.MOST_PAIRED", 47)
    tables = evaluation_tables(ARRAYS, ["H"], FURTHER_TABLES, bootstrap=Bootstrap("both", 5))
    row = tables["pairwise"].set_index("metric").loc["Good"]
    assert np.isnan(row["acc_eq_of_all"]) and row["why_undefined"] == "acc_eq of all: more than 47 summaries"
    assert not np.isnan(row["acc_eq_by_system"])


@pytest.fixture
def with_judges(tmp_path):
    judges = {name: JUDGED + np.round(0.3 * RANDOM.random((8, 6)), 2) for name in "xyz"}
    scores, judged, candidates, sources = [], [], [], []
    for t, topic in enumerate(map("t{}".format, range(8))):
        words = [f"w{number}" for number in RANDOM.permutation(30)]
        sources.append(Source(topic, "i", sections=(Section("", (" ".join(words),)),)))
        for s, system in enumerate(map("s{}".format, range(6))):
            scores += [(topic, system, "Good", GOOD[t, s]), (topic, system, "Noise", RANDOM.random())]
            judged += [(topic, system, "H", judge, values[t, s]) for judge, values in judges.items()]
            own = [*words[: int(RANDOM.integers(1, 9))], *["new"] * int(RANDOM.integers(0, 5))]
            candidates.append(Candidate(topic, system, (" ".join(own),)))
    put_table(tmp_path / "s.tsv", SCORE_HEAD, *scores)
    put_table(tmp_path / "h.tsv", "topic system judgement judge score", *judged)
    write(tmp_path / "c.jsonl", candidates)
    write(tmp_path / "a.jsonl", sources)
    return tmp_path, np.stack(list(judges.values()))


def test_the_command_writes_all_tables_and_names_those_of_an_earlier_run(with_judges):
    folder, judges = with_judges
    given = ("evaluate", folder / "s.tsv", folder / "h.tsv", "--resamples", 40, "--all")
    texts = ("--candidates", folder / "c.jsonl", "--sources", folder / "a.jsonl")
    said = command(*given, *texts, "--out", folder / "t")
    assert said.endswith(f"2 metrics by H, over systems; 12 tables in {folder / 't'}\n")
    tables = {name: read_tsv(folder / "t" / f"{name}.tsv") for name in ALL}
    (alpha,) = tables["judges"].to_dict("records")
    assert alpha["alpha_interval"] == pytest.approx(krippendorff_alpha(judges.reshape(3, -1)), abs=1e-6)
    level = read_tsv(folder / "t" / "system_level.tsv").set_index("metric")
    redrawn = tables["system_level_judges"].set_index("metric")
    assert redrawn["pearson"].tolist() == level.loc[redrawn.index, "pearson"].tolist()
    assert tables["partial"].groupby("controls").size().to_dict() == {
        "extractiveness": 6,
        "length": 6,
        "length and extractiveness": 6,
    }
    lines = (folder / "c.jsonl").read_text().splitlines(keepends=True)
    (folder / "c.jsonl").write_text("".join(lines[2:]))
    said = command(*given, "--candidates", folder / "c.jsonl", "--out", folder / "u", code=2)
    assert "2 judged summaries have no text, as that of s0 for t0. Add them to the candidates" in said
    means = pd.read_csv(folder / "h.tsv", sep="\t").drop(columns="judge")
    means = means.groupby(["topic", "system", "judgement"], as_index=False).mean()
    means.to_csv(folder / "h.tsv", sep="\t", index=False)
    command(*given, "--out", folder / "t")
    again = read_tsv(folder / "t" / "system_level.tsv").set_index("metric")
    assert again["pearson"].tolist() == pytest.approx(level["pearson"].tolist(), abs=2e-6)
