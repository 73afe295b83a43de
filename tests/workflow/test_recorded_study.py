"""The small study has the recorded results: a change of code that is not meant to change numbers does not.

`PYTHONPATH=.:tests .venv/bin/python tests/workflow/test_recorded_study.py` records them anew.
"""

from __future__ import annotations

import gzip
import tempfile
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from checkouts import checkout, ran

pytestmark = pytest.mark.usefixtures("no_plugins")
RECORDED = Path(__file__).parent / "recorded"
SUMS = [line.split("  ") for line in (RECORDED / "sha256.txt").read_text().splitlines()]
TABLES = sorted(path.relative_to(RECORDED).as_posix() for path in RECORDED.rglob("*.tsv.gz"))
LEARNT = r"ROUGE-WE|AVG_SIM|S3-"  # word vectors are learnt by a singular value decomposition


@pytest.mark.parametrize(("expected", "file"), SUMS, ids=[file for _, file in SUMS])
def test_a_file_has_the_recorded_bytes(study, expected, file):
    assert sha256((study / "results/demo" / file).read_bytes()).hexdigest() == expected


@pytest.mark.parametrize("file", TABLES)
def test_a_table_has_the_recorded_cells(study, file):
    recorded = _read(RECORDED / file)
    made = _read(study / "results/demo" / file.removesuffix(".gz"))
    assert list(made.columns) == list(recorded.columns) and len(made) == len(recorded) > 0
    rough = recorded.astype(str).agg(" ".join, axis=1).str.contains(LEARNT).to_numpy()
    for column in recorded:
        one, other = (pd.to_numeric(table[column], errors="coerce").to_numpy() for table in (recorded, made))
        text = np.isnan(one)
        assert (recorded[column].to_numpy()[text] == made[column].to_numpy()[text]).all(), column
        np.testing.assert_allclose(other[~text & ~rough], one[~text & ~rough], rtol=1e-9, atol=1e-12)
        # tables have six decimals, and the last one depends on the processor's linear algebra
        np.testing.assert_allclose(other[~text & rough], one[~text & rough], rtol=1e-6, atol=1.5e-6)


def _read(path: Path) -> pd.DataFrame:
    return pd.read_csv(path, sep="\t", dtype=str, keep_default_na=False)


def _record(results: Path) -> None:
    sums = (f"{sha256((results / file).read_bytes()).hexdigest()}  {file}\n" for _, file in SUMS)
    (RECORDED / "sha256.txt").write_text("".join(sums))
    for file in TABLES:
        content = (results / file.removesuffix(".gz")).read_bytes()
        (RECORDED / file).write_bytes(gzip.compress(content, mtime=0))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        study = checkout(Path(folder, "study"))
        ran(study)
        _record(study / "results/demo")
