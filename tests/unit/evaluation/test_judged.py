"""`sera.evaluate` and `sera.report`: data frames in two forms, errors, and the commands beside them."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from commands import sera as command

import sera
from sera.errors import InputError
from sera.evaluation.evaluate import FURTHER_TABLES, TABLE_NAMES, JudgedScores, long_form
from sera.evaluation.papers.s3_tables import S3_TABLES
from sera.evaluation.people.preferences import PREFERENCE_TABLES
from sera.evaluation.tables import read_tsv
from sera.metrics.base import Caution
from study.settings.settings import read_settings

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


def test_coefficients_worked_out_by_hand_in_both_forms():
    wide = sera.evaluate(SCORES, JUDGEMENTS, **QUICK)
    long = sera.evaluate(tidy(SCORES, "metric"), tidy(JUDGEMENTS, "judgement"), **QUICK)
    assert list(wide) == list(long) == list(TABLE_NAMES)
    for name in TABLE_NAMES:
        pd.testing.assert_frame_equal(wide[name], long[name])
    table = wide["system_level"].set_index("metric")
    assert (
        (table["against"] == "H").all()
        and list(table["systems"]) == [4, 4]
        and list(table["topics"]) == [2, 2]
    )
    # M: deviations -2, -1, 0, 3 and -1.5, -.5, .5, 1.5: 8 / sqrt(14 * 5); all six pairs agree
    assert table.loc["M", "pearson"] == pytest.approx(8 / 70**0.5)
    assert table.loc["M", ["spearman", "kendall"]].tolist() == pytest.approx([1, 1])
    # N: ranks 4, 3, 1, 2 and 1, 2, 3, 4: 1 - 6 * (9 + 1 + 4 + 4) / 60; of six pairs only c and d agree
    assert table.loc["N", ["spearman", "kendall"]].tolist() == pytest.approx([-0.8, -4 / 6])


def test_the_command_writes_the_same_tables(tmp_path):
    for frame, name, file in ((SCORES, "metric", "s.tsv"), (JUDGEMENTS, "judgement", "h.tsv")):
        tidy(frame, name).to_csv(tmp_path / file, sep="\t", index=False)
    options = ["--compare", "M,N", "--falling", "N", "--top", "3", "--resamples", "20", "--seed", "7"]
    options += ["--bootstrap", "topics", "--confidence", "90"]
    command(
        "evaluate",
        tmp_path / "s.tsv",
        "--judgements",
        tmp_path / "h.tsv",
        *options,
        "--all",
        "--out",
        tmp_path / "t",
    )
    tables = sera.evaluate(
        SCORES,
        JUDGEMENTS,
        compare=["M", "N"],
        falling=["N"],
        top=[3],
        resamples=20,
        seed=7,
        bootstrap="topics",
        confidence=90,
    )
    assert not any((tmp_path / "t" / f"{name}.tsv").exists() for name in S3_TABLES)  # no metric is S3
    for name in set(tables) - set(S3_TABLES):
        table = tables[name]
        written = read_tsv(tmp_path / "t" / f"{name}.tsv").drop(columns="benchmark")
        assert len(table) and list(written.columns) == list(table.columns)
        numbers = table.select_dtypes("number").columns
        np.testing.assert_allclose(written[numbers].astype(float), table[numbers].astype(float), atol=6e-7)
    # N is turned: its rho counts as .8, M's is 1
    difference = tables["differences"].query("level == 'system' and coefficient == 'spearman'")
    assert difference["difference"].tolist() == pytest.approx([0.2])


def test_metrics_of_a_family_known_to_fall_need_no_option():
    # JS-2 is lower for the better system, as M with its sign changed is: no topic fails
    turned = SCORES[["topic", "system"]].assign(**{"JS-2": -JUDGEMENTS["H"], "mine": -JUDGEMENTS["H"]})
    table = sera.evaluate(turned, JUDGEMENTS, **QUICK)["summary_level"].set_index("metric")
    assert table["pearson_failure"].to_dict() == {"JS-2": 0, "mine": 1}


def test_an_undefined_score_leaves_out_its_topic_and_a_missing_judgement_stops():
    gone = SCORES.assign(M=SCORES["M"].where(SCORES.index != 5))
    table = sera.evaluate(gone, JUDGEMENTS, **QUICK)["system_level"].set_index("metric")
    assert table[["topics", "undefined"]].to_numpy().tolist() == [[1, 1], [2, 0]]
    unjudged = JUDGEMENTS.assign(H=JUDGEMENTS["H"].where(JUDGEMENTS.index != 5))
    with pytest.raises(InputError, match="no H of 'b' for '2'.*missing='drop' in Python"):
        sera.evaluate(SCORES, unjudged, **QUICK)


def test_what_is_dropped_is_a_warning():
    with pytest.warns(Caution, match="^Left out: system 'd' is not judged$") as given:
        tables = sera.evaluate(SCORES, JUDGEMENTS.query("system != 'd'"), missing="drop", **QUICK)
    assert [each.filename for each in given] == [__file__]
    assert tables["system_level"]["systems"].tolist() == [3, 3]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sera.evaluate(SCORES, JUDGEMENTS, missing="drop", **QUICK)


def test_names_become_text_and_keep_their_order():
    found = JudgedScores.of(long_form(SCORES, "scores", "metric"), long_form(JUDGEMENTS, "x", "judgement"))
    assert (found.metrics, found.judgements, found.topics, found.left_out) == (("M", "N"), ("H",), 2, ())
    assert found.table["topic"].unique().tolist() == ["1", "2"]


def test_further_tables_and_preferences_on_request():
    chosen = pd.DataFrame(
        [(1, "a", "b", "B"), (2, "a", "c", "A"), (2, "a", "b", "tie")],
        columns=["topic", "system_a", "system_b", "preference"],
    )
    tables = sera.evaluate(SCORES, JUDGEMENTS, further=True, preferences=chosen, **QUICK)
    assert set(tables) == {*TABLE_NAMES, *FURTHER_TABLES, *PREFERENCE_TABLES}
    # M 0 below 2, and 2 below 4: right and wrong; N 4 above 2 twice: wrong and right
    assert tables["preferences"].set_index("metric")["accuracy"].to_dict() == {"M": 0.5, "N": 0.5}
    # M and H rise from a to d: all pairs of systems are alike; N rises from c to d alone
    accuracy = tables["pairwise"].set_index("metric")["accuracy"]
    assert accuracy["M"] == 1 and accuracy["N"] == pytest.approx(1 / 6)
    with pytest.raises(InputError, match="z for 1 has no score"):
        sera.evaluate(SCORES, JUDGEMENTS, preferences=chosen.replace("b", "z"), **QUICK)
    with pytest.raises(InputError, match="the preferences have no column system_b"):
        sera.evaluate(SCORES, JUDGEMENTS, preferences=chosen.drop(columns="system_b"), **QUICK)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda s: [1, 2], "the scores are [1, 2], which is no data frame"),
        (lambda s: s.rename(columns={"topic": "id"}), "the scores have no column topic. Name the columns"),
        (
            lambda s: s[["topic", "system"]],
            "the scores have no column besides topic and system. Add a column",
        ),
        (
            lambda s: s.assign(text="words"),
            "the column text of the scores has no numbers. Give topic, system",
        ),
        (lambda s: s[["topic", "system", "M", "M"]], "the scores have two columns M. Rename or drop one"),
        (lambda s: s.assign(M=np.inf), "the scores have inf for M of a for 1. Give numbers up to 1e+100"),
        (lambda s: tidy(s, "metric").assign(score="high"), "the scores have 'high' for M of a for 1."),
        (lambda s: s.assign(topic=[None, *s["topic"][1:]]), "the scores have a row without a topic. Name it"),
        (lambda s: pd.concat([s, s[2:3]]), "the scores have M of c for 1 twice. Keep one of them."),
        (lambda s: s.assign(system="a\tb"), "the system 'a\\tb' has the character U+0009 in it"),
        (lambda s: s.rename(columns={"M": "H"}), "a metric has the judgement's name, H. Rename it."),
        (lambda s: s.assign(system=s["system"] + "!"), "no summary is both scored and judged. Look whether"),
    ],
)
def test_frames_of_another_form_are_refused(change, said):
    with pytest.raises(InputError) as error:
        sera.evaluate(change(SCORES), JUDGEMENTS, **QUICK)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"compare": ["M", "m2"]}, "there is no metric in the scores 'm2'. "),
        ({"falling": ["H"]}, "there is no metric in the scores 'H'. Choose one of: M, N."),
        ({"missing": "skip"}, "missing is 'skip'. Give stop or drop."),
        ({"bootstrap": "topic"}, "bootstrap is 'topic'. Give systems, topics or both."),
        ({"resamples": 0}, "resamples is 0. "),
        ({"confidence": 0}, "confidence is 0. "),
    ],
)
def test_options_out_of_range_are_refused(options, said):
    with pytest.raises(InputError) as error:
        sera.evaluate(SCORES, JUDGEMENTS, **options)
    assert str(error.value).startswith(said)


def test_the_page_of_frames_is_that_of_the_command(tmp_path):
    for frame, name, file in ((SCORES, "metric", "s.tsv"), (JUDGEMENTS, "judgement", "h.tsv")):
        tidy(frame, name).to_csv(tmp_path / file, sep="\t", index=False)
    page = tmp_path / "page.html"
    command(
        "report", tmp_path / "s.tsv", "--judgements", tmp_path / "h.tsv", "--resamples", 20, "--out", page
    )
    by_command = page.read_text(encoding="utf-8")
    sera.report(SCORES, JUDGEMENTS, page, name="h", resamples=20)
    by_function = page.read_text(encoding="utf-8")
    assert "<code>sera.report(scores, judgements, " in by_function and "resamples=20)" in by_function
    assert "Checksums of 2 inputs" in by_command and "Checksums" not in by_function

    def body(text: str) -> list[str]:
        """The results, up to the provenance, without the line of the command."""
        lines = text[text.index("<main>") : text.index('<section id="provenance">')].splitlines()
        return [line for line in lines if "Which command makes it" not in line]

    assert body(by_function) == body(by_command) and len(body(by_function)) > 50
    with pytest.raises(InputError, match="name"):
        sera.report(SCORES, JUDGEMENTS, page, name="")


def test_every_interval_is_over_topics_by_default(tmp_path):
    """Python, the command, the page and the settings give N the interval from one topic's rho to the other's.

    Topic 1 has the ranks 4, 2.5, 1, 2.5 beside 1, 2, 3.5, 3.5: -3.75 / 4.5. Topic 2 has 3.5, 3.5, 1.5, 1.5
    beside 2, 2, 2, 4: -2 / sqrt(4 * 3). A quarter of the resamples has either topic alone.
    """
    ends = pytest.approx([-3.75 / 4.5, -2 / 12**0.5], abs=1e-6)
    interval = ["spearman_low", "spearman_high"]
    row = sera.evaluate(SCORES, JUDGEMENTS)["system_level"].set_index("metric").loc["N"]
    assert row[interval].tolist() == ends
    for frame, name, file in ((SCORES, "metric", "s.tsv"), (JUDGEMENTS, "judgement", "h.tsv")):
        tidy(frame, name).to_csv(tmp_path / file, sep="\t", index=False)
    files = (tmp_path / "s.tsv", "--judgements", tmp_path / "h.tsv")
    command("evaluate", *files, "--all", "--out", tmp_path / "t")
    written = read_tsv(tmp_path / "t/system_level.tsv").set_index("metric").loc["N"]
    assert written[interval].tolist() == ends
    assert "over topics" in (tmp_path / "t/system_level.md").read_text(encoding="utf-8")
    command("report", *files, "--out", tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    first, second = (page[page.index(f'id="{table}"') :] for table in ("rows2", "rows2-over-both"))
    assert "−0.800 <small>−0.83 to −0.58</small>" in first[: first.index("</table>")]
    assert "−0.800 <small>−0.83 to −0.58</small>" not in second[: second.index("</table>")]
    assert 'For other systems too, they <a href="#over-both">differ</a>.' in page
    assert read_settings("config.yaml")["bootstrap"] == "topics"
