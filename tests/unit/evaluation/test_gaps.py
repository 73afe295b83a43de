"""What is scored but not judged, or judged but not scored, is listed, and refused or left out."""

from __future__ import annotations

import pandas as pd
import pytest
from commands import sera

from sera.evaluation.evaluate import gaps
from sera.evaluation.tables import read_tsv


def table(*rows: str) -> pd.DataFrame:
    cells = [row.split() for row in rows]
    return pd.DataFrame(cells, columns=["topic", "system", "metric"]).assign(score=1.0)


SCORES = [f"{topic} {system} {metric}" for metric in "MN" for topic in ("t1", "t2") for system in "abc"]
JUDGED = [f"{topic} {system} H" for topic in ("t1", "t2") for system in "abc"]


def without(rows, *left_out):
    return [row for row in rows if not any(row.startswith(start) for start in left_out)]


def lines(scores, judged):
    return list(gaps(table(*scores), table(*judged)).lines())


def test_tables_of_the_same_summaries_have_no_gap():
    found = gaps(table(*SCORES), table(*JUDGED))
    assert not found and list(found.lines()) == []
    assert len(found.dropped(table(*SCORES))) == 12


@pytest.mark.parametrize(
    ("scores", "judged", "expected"),
    [
        # a judged system without scores, and one whose name is spelt in other letters
        (without(SCORES, "t1 c", "t2 c"), JUDGED, ["system 'c' is not scored"]),
        (
            [row.replace(" a ", " GPT ") for row in SCORES],
            [row.replace(" a ", " gpt ") for row in JUDGED],
            ["system 'gpt' is not scored (its name may be 'GPT' there), system 'GPT' is not judged"],
        ),
        (without(SCORES, "t1 c N", "t2 c N"), JUDGED, ["system 'c' is not scored by N"]),
        (SCORES, without(JUDGED, "t1 c", "t2 c"), ["system 'c' is not judged"]),
        (SCORES, without(JUDGED, "t2"), ["topic 't2' is not judged"]),
        (without(SCORES, "t2"), JUDGED, ["topic 't2' is not scored"]),
        # single summaries
        (SCORES, without(JUDGED, "t2 b"), ["no H of 'b' for 't2'"]),
        (without(SCORES, "t2 b M"), JUDGED, ["no M of 'b' for 't2'"]),
        (
            without(SCORES, "t1 a N", "t1 c", "t2 c"),
            without(JUDGED, "t2 b"),
            ["system 'c' is not scored", "no H of 'b' for 't2', no N of 'a' for 't1'"],
        ),
        # another judgement of fewer systems and topics
        (SCORES, [*JUDGED, "t1 a G", "t1 b G"], []),
        (SCORES, [*JUDGED, "t1 a G", "t2 b G"], ["no G of 'b' for 't1', no G of 'a' for 't2'"]),
    ],
)
def test_gaps_are_listed(scores, judged, expected):
    assert lines(scores, judged) == expected


def test_ten_of_a_kind_are_named_and_the_others_counted():
    more = [f"{topic} x{number} H" for topic in ("t1", "t2") for number in range(14)]
    (line,) = lines(SCORES, [*JUDGED, *more])
    assert line.count(" is not scored") == 10 and line.endswith("system 'x9' is not scored and 4 more")


@pytest.fixture
def files(tmp_path):
    """Five systems on three topics; M ranks them as H does, but for s0 and s1."""
    rows = [(f"t{t}", f"s{s}", s) for t in range(3) for s in range(5)]
    orders = {0: 1, 1: 0}
    for name, column, of in (("s", "metric", "M"), ("h", "judgement", "H")):
        lines = [f"topic\tsystem\t{column}\tscore"]
        lines += [f"{t}\t{s}\t{of}\t{orders.get(q, q) if of == 'M' else q}" for t, s, q in rows]
        (tmp_path / f"{name}.tsv").write_text("\n".join(lines) + "\n")
    return tmp_path


def drop(path, *starts):
    lines = path.read_text().splitlines()
    path.write_text("\n".join(line for line in lines if not line.startswith(starts)) + "\n")


def evaluate(files, *options, code=0):
    return sera(
        "evaluate", files / "s.tsv", "--judgements", files / "h.tsv", "--resamples", 5, "--all", *options,
        "--out", files / "tables", code=code,
    )  # fmt: skip


def test_a_judged_system_without_scores_stops_the_evaluation(files):
    drop(files / "s.tsv", "t0\ts4", "t1\ts4", "t2\ts4")
    printed = evaluate(files, code=2)
    assert printed.endswith(
        f"Error: {files}/h.tsv: scores and judgements are not of the same summaries: system 's4' is not "
        "scored. Add or rename what is missing, or drop it: --missing drop, missing='drop' in Python.\n"
    )
    assert not (files / "tables").exists()


def test_what_is_missing_is_dropped_and_counted_on_request(files):
    drop(files / "s.tsv", "t0\ts4", "t1\ts4", "t2\ts4")
    drop(files / "h.tsv", "t2\ts3")
    drop(files / "h.tsv", "t1\t")
    printed = evaluate(files, "--missing", "drop").splitlines()
    assert printed[:4] == [
        "Left out: system 's4' is not scored",
        "Left out: topic 't1' is not judged",
        "Left out: no H of 's3' for 't2'",
        "Left are 4 of 5 systems and 2 of 3 topics; systems are ranked on the topics where none lacks a "
        "score",
    ]
    (row,) = read_tsv(files / "tables/system_level.tsv").to_dict("records")
    # s0 to s3 on t0; t2 is left out, since s3 has no judgement there. One of six pairs is in the other order
    assert (row["systems"], row["topics"], row["undefined"]) == (4, 1, 1)
    assert row["kendall"] == pytest.approx(4 / 6, abs=1e-6)
    (row,) = read_tsv(files / "tables/global_level.tsv").to_dict("records")
    assert (row["systems"], row["topics"], row["undefined"]) == (4, 2, 1)


def test_an_evaluation_of_nothing_is_refused(files):
    for system in range(4):
        drop(files / "s.tsv", *(f"t{topic}\ts{system}" for topic in range(3)))
    drop(files / "h.tsv", *(f"t{topic}\ts4" for topic in range(2)))
    drop(files / "h.tsv", *(f"t2\ts{system}" for system in range(4)))
    (files / "s.tsv").write_text("topic\tsystem\tmetric\tscore\nt2\ts4\tM\t1\nt0\ts0\tN\t1\n")
    assert "h.tsv: nothing is left without what is missing. Look whether" in evaluate(
        files, "--missing", "drop", code=2
    )


def test_tables_without_gaps_are_evaluated_as_they_are(files):
    assert "Left out" not in evaluate(files)
    whole = (files / "tables/system_level.tsv").read_bytes()
    evaluate(files, "--missing", "drop")
    assert (files / "tables/system_level.tsv").read_bytes() == whole


def test_a_system_without_any_score_by_a_metric_is_named(files):
    lines = (files / "s.tsv").read_text().splitlines()
    lines = [line.rpartition("\t")[0] + "\tnan" if "\ts3\t" in line else line for line in lines]
    (files / "s.tsv").write_text("\n".join(lines) + "\n")
    evaluate(files)
    (row,) = read_tsv(files / "tables/system_level.tsv").to_dict("records")
    name = row["metric"]
    assert row["why_undefined"] == (
        f"on no topic do all systems have a score by {name} and by H ('s3' has none by {name})"
    )
