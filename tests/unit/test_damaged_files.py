"""A damaged file gives one line with its path, or a right result: each reader, with each kind of damage."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from sera.errors import InputError, printable
from sera.io import records
from sera.io import scores as tables
from sera.metrics.s3 import model as s3
from sera.retrieval import runs
from sera.vectors import word_vectors
from study.published import audit
from study.settings import checks
from study.settings import settings as study_settings

SCHEMA = ROOT / "schemas/config.schema.yaml"


def read_settings(path: Path) -> dict[str, Any]:
    """The settings as the workflow takes them."""
    config = study_settings.read_settings(path)
    checks.check_settings(study_settings.with_defaults(config, study_settings.read_settings(SCHEMA)), SCHEMA)
    return config


# The name of a file, its content, and what reads it.
FILES: list[tuple[str, str, Callable[[Path], Any]]] = [
    ("candidates.jsonl", '{"topic": "t", "system": "é", "sentences": ["One."]}\n', None),
    ("nuggets.jsonl.gz", '{"topic": "t", "annotator": "A", "text": "binds"}\n', None),
    ("scores.tsv", "topic\tsystem\tmetric\tscore\nt\ta\tM\t0.25\nt\tb\tM\tnan\n", tables.read_scores),
    ("scores.csv", "topic,system,metric,score\nt,a,M,0.25\nt,b,M,nan\n", tables.read_scores),
    ("judgements.tsv", "topic\tsystem\tjudgement\tscore\nt\ta\tH\t0.25\n", tables.read_judgements),
    ("pairs.tsv", "metric\tagainst\tspearman\tkendall\nA\tB\t0.5\t0.333\n", audit.read_pairs),
    ("plain.trec", "q Q0 d1 1 2.5 x\nq Q0 d2 2 1.5 x\n", runs.read_run),
    ("vectors.txt", "gene 0.5 1.0\ncell 2.0 3.0\n", word_vectors.read),
    ("model.json", "{}", s3.load),
    ("config.yaml", (ROOT / "config.yaml").read_text(), read_settings),
]  # type: ignore[list-item]
KINDS = {"candidates.jsonl": records.Candidate, "nuggets.jsonl.gz": records.Nugget}
READERS = [
    pytest.param(name, content, read or partial(records.read_unique, kind=KINDS[name]), id=name)
    for name, content, read in FILES
]


def put(path: Path, content: bytes) -> Path:
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


@pytest.mark.parametrize(("name", "content", "read"), READERS)
@pytest.mark.parametrize("damage", ["none", "missing", "folder", "not UTF-8", "cut"])
def test_a_damaged_file_is_named_in_one_line(tmp_path, name, content, read, damage):
    path, right = tmp_path / name, content.encode()
    match damage:
        case "none":
            assert name == "model.json" or read(put(path, right)) is not None
            return
        case "folder":
            path.mkdir()
        case "not UTF-8":
            put(path, b"\xff\xfe" + right)
        case "cut":
            whole = put(path, right).read_bytes()
            path.write_bytes(whole[: len(whole) * 2 // 3])
    if damage == "cut" and name in ("plain.trec", "vectors.txt", "config.yaml"):
        return  # the first lines are a file, too
    with pytest.raises(InputError) as caught:
        read(path)
    said = str(caught.value)
    assert said.startswith(str(path)) and len(said.splitlines()) == 1 and printable(said) == said
