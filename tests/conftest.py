"""Fixtures that several tests share."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from sera.records import Document

ROOT = Path(__file__).resolve().parent.parent


def rows(path: Path) -> list[str]:
    """The lines of a recorded file, ``.gz`` too; a line ends at a line feed and nothing else."""
    with gzip.open(path, "rb") if path.suffix == ".gz" else open(path, "rb") as stream:
        return stream.read().decode().split("\n")[:-1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real data and oracles; the test is skipped where it is absent."""
    folder = Path(os.environ.get("SERA_SHARED") or ROOT.parent / "shared")
    if not folder.is_dir():
        pytest.skip(f"the real data and oracles are not at {folder} (name their folder in SERA_SHARED)")
    return folder


@pytest.fixture(scope="session")
def oracle(shared) -> Path:
    """What Lucene made of the recorded texts and queries."""
    return shared / "oracles" / "lucene"


@pytest.fixture(scope="session")
def queries(oracle) -> dict[str, str]:
    """The recorded queries by their ids."""
    return {record["id"]: record["text"] for record in map(json.loads, rows(oracle / "queries.jsonl"))}


@pytest.fixture(scope="session")
def articles(oracle) -> list[Document]:
    """The recorded documents, in the order in which Lucene indexed them."""
    return [Document(**json.loads(row)) for row in rows(oracle / "documents.jsonl.gz")]


@pytest.fixture(scope="session")
def study(tmp_path_factory) -> Path:
    """A checkout in which a small study has run; what a test changes there, it restores."""
    from checkouts import checkout, snakemake

    folder = checkout(tmp_path_factory.mktemp("study"))
    run = snakemake(folder)
    assert run.returncode == 0, run.stderr[-5000:]
    return folder
