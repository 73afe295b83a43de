"""The script of the rule `correlate`."""

from __future__ import annotations

import runpy
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import ROOT
from made_scores import JUDGEMENT_HEAD, SCORE_HEAD, put_table
from snakemake.iocontainers import Namedlist

from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.correlate import Scores, correlate
from sera.evaluation.tables import read_tsv
from sera.io.scores import add_judgements, read_scores


def test_intervals_are_over_what_the_setting_bootstrap_names(tmp_path):
    values = np.random.default_rng(0).random((2, 6, 5))
    names = [(topic, system) for topic in range(6) for system in range(5)]
    scored, judged = (
        [(f"t{topic}", f"s{system}", name, of[topic, system]) for topic, system in names]
        for name, of in zip(("M", "J"), values, strict=True)
    )
    files = {
        "scores": put_table(tmp_path / "scores.tsv", SCORE_HEAD, *scored),
        "judgements": put_table(tmp_path / "judgements.tsv", JUDGEMENT_HEAD, *judged),
    }
    scores = Scores.from_table(add_judgements(read_scores(files["scores"]), files["judgements"]))
    ends = set()
    for draws in ("topics", "systems", "both"):
        out = tmp_path / f"{draws}.tsv"
        given = SimpleNamespace(
            input=Namedlist(fromdict={**files, "published": []}),
            output=[str(out)],
            log=[str(tmp_path / "log")],
            rule="correlate",
            params=SimpleNamespace(
                systems=None, against=["J"], bootstrap=draws, resamples=50, confidence=95.0, seed=3
            ),
        )
        runpy.run_path(f"{ROOT}/scripts/correlate.py", {"snakemake": given})
        columns = ["pearson", "pearson_low", "pearson_high"]
        expected = correlate(scores, [("M", "J")], bootstrap=Bootstrap(draws, 50, 3))[columns]
        found = read_tsv(out)[columns]
        assert found.to_numpy() == pytest.approx(expected.to_numpy(), abs=1e-6)
        ends.add(tuple(found.iloc[0]))
    assert len(ends) == 3
