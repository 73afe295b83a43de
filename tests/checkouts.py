"""A small study in a checkout of its own, for tests to run and to change."""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import yaml
from conftest import ROOT

from sera.io.files import PART

PARTS = [
    "Snakefile", "config.yaml", "pyproject.toml", "rules", "scripts", "schemas", "report", "resources",
    "profiles", "plugins", "envs", "sera", "study",
]  # fmt: skip
SMALL = {
    "demo": {"topics": 3, "articles": 40},
    "cutoffs": [5, 10, 20],
    "depth": 20,
    "draws": 2,
    "tables": ["md", "tex"],
    "candidates": {"mine": "own/mine.jsonl", "by_hand": "own/by_hand"},
}
# Summaries of a user's own, by topic.
OWN = {f"D240{number}": ["This protein binds DNA.", f"Cells die in {number} hours."] for number in (1, 2, 3)}


# Where the small study runs that all workers of a session share, and what is there when it has run.
SHARED: Path | None = None
HAS_RUN = "has_run"


def copy_of_the_study(folder: Path) -> Path:
    """A checkout in which the small study has run: the first worker that needs it runs it, others wait."""
    assert SHARED
    with open(SHARED.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (SHARED / HAS_RUN).exists():
            shutil.rmtree(SHARED, ignore_errors=True)  # another worker's run that failed
            checkout(SHARED)
            ran(SHARED)
            (SHARED / HAS_RUN).touch()
    shutil.copytree(SHARED, folder, symlinks=True)
    for record in (folder / ".snakemake/metadata").iterdir():  # names inputs by their absolute paths
        record.write_text(record.read_text().replace(f"{SHARED}/", f"{folder}/"))
    return folder


def checkout(folder: Path) -> Path:
    """A copy of what the workflow consists of, to run and to change.

    It comes with what was compiled, from the shared study if that has run: to compile takes 15 seconds.
    """
    folder.mkdir(exist_ok=True)
    compiled = SHARED if SHARED and (SHARED / HAS_RUN).exists() else ROOT
    for part in PARTS:
        source = (compiled if part == "sera" else ROOT) / part
        if source.is_dir():
            shutil.copytree(source, folder / part)
        else:
            shutil.copy2(source, folder / part)
    shutil.copy(ROOT / "tests/data/small_demo.tar.xz", folder / "study/demo/demo.tar.xz")
    configure(folder, **SMALL)
    (folder / "own/by_hand").mkdir(parents=True)
    lines = (
        json.dumps({"topic": topic, "system": "x", "sentences": own}) + "\n" for topic, own in OWN.items()
    )
    (folder / "own/mine.jsonl").write_text("".join(lines))
    for topic, (first, last) in OWN.items():
        (folder / f"own/by_hand/{topic}.txt").write_text(f"{first} {last}\n\n{last}\n")
    return folder


def configure(folder: Path, **settings) -> None:
    path = folder / "config.yaml"
    config = yaml.safe_load(path.read_text())
    path.write_text(yaml.safe_dump(config | settings))


def snakemake(
    folder: Path, *arguments: str, cores: int = 2, library: Path | None = None
) -> subprocess.CompletedProcess:
    """Run the workflow of a checkout, with the checkout's own library unless another is named.

    It runs in a fork of a process that has imported Snakemake, which halves the time of its start.
    """
    line, environment = command(folder, *arguments, cores=cores, library=library)
    server = _server()
    assert server.stdin and server.stdout
    with tempfile.TemporaryDirectory() as said:
        server.stdin.write(json.dumps([line[1:], str(folder), environment, said]) + "\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        out, err = (Path(said, name).read_text() for name in ("out", "err"))
    return subprocess.CompletedProcess(line, status, out, err)


def ran(folder: Path, *arguments: str, **options) -> subprocess.CompletedProcess:
    """Run the workflow of a checkout to its end."""
    run = snakemake(folder, *arguments, **options)
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-5000:]
    return run


def refused(folder: Path, *arguments: str) -> str:
    """What a run of the workflow that fails prints."""
    run = snakemake(folder, *arguments)
    assert run.returncode != 0
    return run.stdout + run.stderr


def command(
    folder: Path, *arguments: str, cores: int = 2, library: Path | None = None
) -> tuple[list[str], dict[str, str]]:
    """What `snakemake` runs, and in which environment."""
    line = [str(Path(sys.executable).with_name("snakemake")), "--cores", str(cores), *arguments]
    return line, {**os.environ, "PYTHONPATH": str(library or folder)}


# Made anew by every run, told by the clock, or naming the folder of the study.
_OF_THE_RUN = (
    "logs/",
    "benchmarks/",
    "provenance.json",
    "ro-crate-metadata.json",
)


def results(folder: Path) -> dict[str, bytes]:
    """A study's results by path, without what no two runs have alike and what a killed one left."""
    files = ((path.relative_to(folder).as_posix(), path) for path in folder.rglob("*") if path.is_file())
    kept = {name: path for name, path in files if not (name.startswith(_OF_THE_RUN) or PART in name)}
    return {name: path.read_bytes() for name, path in kept.items()}


def differing(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """The names of files that are not in both, or not the same."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))


def planned(folder: Path, *arguments: str) -> set[str]:
    """The rules that a run would execute."""
    return set(planned_jobs(folder, *arguments))


def planned_jobs(folder: Path, *arguments: str) -> dict[str, int]:
    """The rules that a run would execute, with the number of their jobs; empty if there is nothing to do."""
    return counted(snakemake(folder, "--dry-run", *arguments))


def counted(run: subprocess.CompletedProcess) -> dict[str, int]:
    """The rules of a dry run, with the number of their jobs."""
    assert run.returncode == 0, run.stderr
    table = re.search(r"^job +count\n-+ +-+\n(.*?)^total", run.stdout + run.stderr, re.MULTILINE | re.DOTALL)
    jobs = dict(line.split() for line in table[1].splitlines()) if table else {}
    return {rule: int(count) for rule, count in jobs.items() if rule != "all"}


@cache
def _server() -> subprocess.Popen:
    line = [sys.executable, str(Path(__file__).with_name("warm_snakemake.py"))]
    return subprocess.Popen(line, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
