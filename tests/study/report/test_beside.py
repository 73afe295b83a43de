"""Which results of other targets the page of a study shows (study/report/beside.py)."""

from __future__ import annotations

import os

from study.report.beside import beside_the_study

SHOWN = {"truth_table": "truth.tsv", "truth": "truth.svg", "truth_narrow": "truth_narrow.svg"}


def test_the_truth_is_shown_if_it_is_newer_than_the_articles(tmp_path):
    sources, folder = tmp_path / "sources.jsonl", tmp_path / "truth"
    folder.mkdir()
    for name in SHOWN.values():
        (folder / name).touch()
    assert beside_the_study(tmp_path, None, {}) == {}  # the articles are lost, and made again
    sources.touch()
    now = (folder / "truth.tsv").stat().st_mtime
    os.utime(sources, (now - 10, now - 10))
    shown = {name: str(folder / file) for name, file in SHOWN.items()}
    assert beside_the_study(tmp_path, None, {}) == shown
    os.utime(sources, (now + 10, now + 10))
    assert beside_the_study(tmp_path, None, {}) == {}
