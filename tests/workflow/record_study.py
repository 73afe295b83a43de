"""Record the results of the tests' small study anew: `.venv/bin/python tests/workflow/record_study.py`."""

from __future__ import annotations

import gzip
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
RECORDED = TESTS / "workflow/recorded"


def record(results: Path) -> None:
    """Replace what is recorded by the results of a study."""
    files = [line.split("  ")[1] for line in (RECORDED / "sha256.txt").read_text().splitlines()]
    sums = [f"{sha256((results / file).read_bytes()).hexdigest()}  {file}\n" for file in files]
    (RECORDED / "sha256.txt").write_text("".join(sums))
    for path in RECORDED.rglob("*.gz"):
        content = (results / path.relative_to(RECORDED).with_suffix("")).read_bytes()
        path.write_bytes(gzip.compress(content, mtime=0))


if __name__ == "__main__":
    sys.path[:0] = [str(TESTS), str(TESTS.parent)]
    from checkouts import checkout, snakemake

    with tempfile.TemporaryDirectory() as folder:
        checkout(Path(folder) / "study")
        for target in ("truth", "all"):
            run = snakemake(Path(folder) / "study", target)
            if run.returncode:
                sys.exit(run.stderr)
        record(Path(folder) / "study/results/demo")
