"""Packages in the workflow: fetched by `download`, and read again only where their selection changed."""

from __future__ import annotations

import io
import os
import subprocess
import tarfile

import pytest
from checkouts import checkout, configure, planned, snakemake
from conftest import ROOT
from download_server import BASE, INCR, NAMES, content

from sera import records
from sera.benchmarks.demo.benchmark import DemoSettings, generate
from sera.records import Document

pytestmark = pytest.mark.xdist_group("checkouts")

NEXT = "oa_comm_xml.PMC001xxxxxx.baseline.2024-12-18"
HEADER = (
    "Article File,Article Citation,AccessionID,LastUpdated (YYYY-MM-DD HH:MM:SS),PMID,License,Retracted\n"
)


def put(folder, name, articles, day, retracted=()):
    """A package of articles, each of one sentence, and its list."""
    folder.mkdir(exist_ok=True)
    with tarfile.open(folder / f"{name}.tar.gz", "w:gz") as tar:
        for id in articles:
            text = f"<article><front/><body><p>{id} of {name}.</p></body></article>".encode()
            info = tarfile.TarInfo(f"P/{id}.xml")
            info.size = len(text)
            tar.addfile(info, io.BytesIO(text))
    rows = [
        f"P/{id}.xml,,{id},2024-12-{day:02d} 00:00:00,,,{'yes' if id in retracted else 'no'}\n"
        for id in articles
    ]
    (folder / f"{name}.filelist.csv").write_text(HEADER + "".join(rows))


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
        made = snakemake(folder, target)
        assert made.returncode == 0, made.stderr[-3000:]
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


def test_the_download_rule_fills_the_folder_and_goes_on(server, tmp_path):  # noqa: F811
    folder = checkout(tmp_path / "study")
    server.add(*NAMES)
    server.cut[NAMES[1]] = [1000, 1000]
    download = f"{{groups: [oa_comm], incremental: false, server: '{server.address}'}}"
    command = [
        "download",
        "--forcerun",
        "download",
        "--config",
        f"pmc_oa={tmp_path}/packages",
        f"download={download}",
    ]
    run = snakemake(folder, *command)
    assert run.returncode == 0, run.stderr[-3000:]
    assert (tmp_path / "packages" / NAMES[1]).read_bytes() == content(NAMES[1])
    assert sorted(path.name for path in (tmp_path / "packages").iterdir()) == sorted(
        [*NAMES[:2], "packages.tsv"]
    )
    table = folder / "results/download/packages.tsv"
    assert table.read_bytes() == (tmp_path / "packages/packages.tsv").read_bytes()
    server.asked.clear()
    server.add(
        NAMES[2].replace("incr", "PMC009xxxxxx.baseline"), NAMES[3].replace("incr", "PMC009xxxxxx.baseline")
    )
    run = snakemake(folder, *command)
    assert run.returncode == 0, run.stderr[-3000:]
    assert len(server.asked) == 3 and len(table.read_text().splitlines()) == 5
    run = snakemake(folder, "--dry-run", "download")
    assert run.returncode != 0 and "make download PMC_OA=" in run.stdout + run.stderr


def test_make_download_passes_the_settings_on():
    def make(*arguments):
        run = subprocess.run(
            ["make", "-n", "-o", ".venv/ready", "download", *arguments],
            cwd=ROOT,
            env={
                name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))
            },
            text=True,
            capture_output=True,
        )
        assert run.returncode == 0, run.stderr
        return " ".join(run.stdout.replace("\\\n", " ").split())

    # the folder goes through the environment: tests/workflow/test_make.py
    command = "SERA_SETTING_benchmark=demo .venv/bin/snakemake --cores 1 download --forcerun download"
    assert make("PMC_OA=/my data") == command
    groups = '--config "download={groups: [$SERA_GROUPS]}"'
    assert make("PMC_OA=p", "GROUPS=oa_comm,oa_other") == f"{command} {groups}"
