"""Packages in the workflow are read again only where their selection changed."""

from __future__ import annotations

import os

import pytest
from checkouts import checkout, configure, planned, ran
from download_server import BASE, INCR
from pmc_packages import member, write_package

from sera.io import records
from sera.io.records import Document
from study.demo.benchmark import generate
from study.demo.world import DemoSettings

pytestmark = pytest.mark.xdist_group("checkouts")

NEXT = "oa_comm_xml.PMC001xxxxxx.baseline.2024-12-18"


def put(folder, name, articles, day, retracted=()):
    """A package of articles, each of one sentence, and its list."""
    folder.mkdir(exist_ok=True)
    text = "<article><front/><body><p>{} of {}.</p></body></article>"
    rows = [
        f"P/{id}.xml,,{id},2024-12-{day:02d} 00:00:00,,,{'yes' if id in retracted else 'no'}\n"
        for id in articles
    ]
    members = [member(f"P/{id}.xml", text.format(id, name).encode()) for id in articles]
    write_package(folder / f"{name}.tar.gz", members, "".join(rows))


def test_a_new_package_has_only_those_read_again_whose_articles_it_replaces(tmp_path):
    generate(DemoSettings(topics=1, articles=10, packages=1), tmp_path / "demo")
    folder = checkout(tmp_path / "study")
    configure(
        folder,
        benchmark="tac2014",
        tac2014=f"{tmp_path}/demo/release",
        pyramids=f"{tmp_path}/demo/pyramids",
        pmc_oa=f"{tmp_path}/packages",
    )
    put(tmp_path / "packages", BASE, ["PMC1", "PMC2", "PMC3"], 1)
    put(tmp_path / "packages", NEXT, ["PMC1001"], 1)
    target = "results/tac2014/corpus/unreadable.tsv"
    corpus = folder / "results/tac2014/corpus"

    def run():
        ran(folder, target)
        texts = {path.name: records.read(path, Document) for path in corpus.glob("oa*.jsonl.gz")}
        times = {path.name: path.stat().st_mtime_ns for path in corpus.glob("oa*.jsonl.gz")}
        return sorted(d.content for documents in texts.values() for d in documents), times

    put(tmp_path / "packages", INCR, ["PMC2", "PMC3", "PMC4"], 2, retracted=["PMC3"])
    texts, first = run()
    assert texts == [f"PMC1 of {BASE}.", f"PMC1001 of {NEXT}.", f"PMC2 of {INCR}.", f"PMC4 of {INCR}."]
    new = INCR.replace("19", "20")
    put(tmp_path / "packages", new, ["PMC2"], 3)
    for path in (tmp_path / "packages").glob(f"{new}*"):  # as `rsync -a` brings it
        os.utime(path, (10**9, 10**9))
    texts, second = run()
    assert texts == [f"PMC1 of {BASE}.", f"PMC1001 of {NEXT}.", f"PMC2 of {new}.", f"PMC4 of {INCR}."]
    # PMC2 was not read from the baseline before either
    assert {name for name in second if second[name] != first.get(name)} == {
        f"{INCR}.jsonl.gz",
        f"{new}.jsonl.gz",
    }
    assert planned(folder, target) == set()
    # another content of the same name, older than what was read
    put(tmp_path / "packages", new, ["PMC2", "PMC4"], 3)
    for path in (tmp_path / "packages").glob(f"{new}*"):
        os.utime(path, (10**9, 10**9))
    assert run()[0] == [f"PMC1 of {BASE}.", f"PMC1001 of {NEXT}.", f"PMC2 of {new}.", f"PMC4 of {new}."]
    assert planned(folder, target) == set()
