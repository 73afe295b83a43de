"""The command line gives the recorded answers of original programs."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from commands import sera
from conftest import RECORDED, rows

from sera.cli import main

CONFIGURATIONS = {
    "case": ([], ""),
    "stem": (["--stem"], "(stem=true)"),
    "stop": (["--stop"], "(stop=true)"),
    "stem_stop": (["--stem", "--stop"], "(stem=true,stop=true)"),
    "stem_best": (["--stem", "--multi", "best"], "(stem=true,multi=best)"),
    "stem_len100": (["--stem", "--words", 100], "(stem=true,words=100)"),
    "stem_bytes665": (["--stem", "--bytes", 665], "(stem=true,bytes=665)"),
}
"""The options of each, and what they add to the names of metrics."""


def cells(path) -> tuple[str, list[list[str]]]:
    header, *lines = rows(path)
    return header, [line.split("\t") for line in lines]


@pytest.mark.parametrize("configuration", list(CONFIGURATIONS))
def test_score_and_average_give_the_numbers_of_the_original_program(tmp_path, configuration):
    """On the pages alone: `test_rouge155` compares the scores of all texts, without the command line."""
    options, settings = CONFIGURATIONS[configuration]
    oracle = RECORDED / "rouge155"
    _, scored = cells(oracle / f"pages_scores_{configuration}.tsv")
    recorded = {
        (topic, system, f"{metric.replace('*', '')}-{part}{settings}"): value
        for topic, system, metric, *values in scored
        for part, value in zip("PRF", values, strict=True)
    }
    texts = [oracle / f"pages_{kind}.jsonl" for kind in ("candidates", "references")]
    metrics = ",".join({metric.removesuffix(settings): 0 for _, _, metric in recorded})
    sera("score", "--metrics", metrics, *texts, *options, "--out", tmp_path / "scores.tsv")
    _, made = cells(tmp_path / "scores.tsv")
    assert {(*key,): f"{float(score):.5f}" for *key, score in made} == recorded
    assert all(len(score) <= 7 for *_, score in made)  # no digits beyond those five

    sera("average", tmp_path / "scores.tsv", "--confidence", 95, "--out", tmp_path / "averages.tsv")
    header, averaged = cells(tmp_path / "averages.tsv")
    expected_header, expected = cells(oracle / f"pages_system_averages_{configuration}.tsv")
    assert header == expected_header
    assert sorted(averaged) == sorted(
        [row[0], row[1].replace("*", "") + settings, *row[2:]] for row in expected
    )

    # what it prints is what the program prints
    run = CliRunner().invoke(main, ["average", str(tmp_path / "scores.tsv")])
    assert run.exit_code == 0
    printed = run.stdout.splitlines()  # its own notes are on standard error
    lines = {line for line in printed if not line.startswith("---")}
    assert len(lines) == len(expected) == 3 * printed.count("-" * 45)
    assert lines == {
        f"{system} {metric}{settings} Average_{measure}: {mean} (95%-conf.int. {low} - {high})"
        for system, metric, measure, mean, low, high in expected
    }


@pytest.mark.parametrize("name", ["english", "standard"])
def test_analyze_gives_lucenes_tokens(tmp_path, name):
    oracle, out = RECORDED / "lucene", tmp_path / "tokens.jsonl"
    sera("index", "analyze", "--analyzer", name, "--texts", oracle / "queries.jsonl", "--out", out)
    streams = map(json.loads, rows(oracle / f"tokens_{name}.jsonl.gz"))
    recorded = {stream["id"]: stream["tokens"] for stream in streams}
    made = list(map(json.loads, rows(out)))
    assert len(made) == 33 and all(one["tokens"] == recorded[one["id"]] for one in made)
