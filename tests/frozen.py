"""Run the studies whose results are frozen, and compare the SHA-256 of every result with the recorded one.

    .venv/bin/python tests/frozen.py run FOLDER [STUDY ...]       run the studies, each into FOLDER/<study>
    .venv/bin/python tests/frozen.py record FOLDER [STUDY ...]    keep the sums in tests/workflow/recorded/
    .venv/bin/python tests/frozen.py compare FOLDER [STUDY ...]   list what differs (exit status 1)

The data are in the folder that SERA_SHARED names (default: ../shared). Logs, benchmarks, provenance,
pages with run times and hidden records do not count. From an empty folder, all five take about 6 minutes on
two cores.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECORDED = ROOT / "tests/workflow/recorded"
SHARED = Path(os.environ.get("SERA_SHARED", ROOT.parent / "shared")).resolve()
DATA = SHARED / "data"
FORMS = {"tables": ["md", "tex"]}

STUDIES: dict[str, tuple[str, dict]] = {
    "demo": ("all truth", {"benchmark": "demo"}),
    "tac2014": (
        "all",
        {
            "benchmark": "tac2014",
            "tac2014": str(DATA / "tac2014_all/TAC_2014_BiomedSumm_Training_Data"),
            "pyramids": str(DATA / "tac2014_all/TAC-Pyramid-Annotations"),
        },
    ),
    "realsumm": ("all", {"benchmark": "realsumm", "realsumm": str(DATA / "realsumm")}),
    "matrix": (
        "matrix",
        {
            "resamples": 200,
            "matrix": {
                "summeval_op": {"data": str(DATA / "benchmarks/summeval_op")},
                "scholarsum_arxiv": {"data": str(DATA / "benchmarks/scholarsum")},
                "realsumm": {"realsumm": str(DATA / "realsumm")},
            },
        },
    ),
    "multiverse": ("multiverse", {"benchmark": "demo", "multiverse": {"universes": 64}}),
}
#: the beginnings of names of folders and files that are not results, or that hold times
APART = (".", "logs", "benchmarks", "provenance", "report.html", "ro-crate-metadata.json")
#: input and intermediate files, whose tables are results, and pictures that exist as SVG too
INPUT, DRAWN = ("data", "cells"), (".pdf", ".png")


def run(folder: Path, study: str) -> None:
    target, settings = STUDIES[study]
    results = folder / study
    results.mkdir(parents=True, exist_ok=True)
    if study == "tac2014":
        packages = results.parent / "packages"
        packages.mkdir(exist_ok=True)
        for path in [*DATA.glob("pmc_oa/*"), *DATA.glob("pmc_oa_2021/*")]:
            if not (packages / path.name).exists():
                (packages / path.name).symlink_to(path)
        settings = {**settings, "pmc_oa": str(packages)}
    file = results / "frozen.yaml"
    file.write_text(json.dumps({**FORMS, **settings, "results": str(results / "results")}))
    command = [f"{ROOT}/.venv/bin/snakemake", *target.split(), "--cores", "2", "--configfile", str(file)]
    with (results / "logs").open("w") as log:
        subprocess.run(command, cwd=ROOT, check=True, stdout=log, stderr=log)


def sums(folder: Path, study: str) -> dict[str, str]:
    """The SHA-256 of each result of a study."""
    root = folder / study / "results"
    found = {}
    for path in sorted(root.rglob("*")):
        parts = path.relative_to(root).parts
        apart = (
            any(part.startswith(APART) for part in parts)
            or not {*INPUT}.isdisjoint(parts)
            or path.suffix in DRAWN
        )
        if path.is_file() and not apart:
            found["/".join(parts)] = sha256(path.read_bytes()).hexdigest()
    return found


def main(verb: str, place: str, *studies: str) -> int:
    folder, differs = Path(place).resolve(), 0
    for study in studies or STUDIES:
        kept = RECORDED / f"{study}.sha256"
        if verb == "run":
            run(folder, study)
        elif verb == "record":
            kept.write_text("".join(f"{value}  {file}\n" for file, value in sums(folder, study).items()))
        elif verb == "compare":
            old = dict(reversed(line.split("  ", 1)) for line in kept.read_text().splitlines())
            new = sums(folder, study)
            changed = [file for file in old if file in new and old[file] != new[file]]
            for word, files in [
                ("differs", changed),
                ("removed", old.keys() - new),
                ("new", new.keys() - old),
            ]:
                for file in sorted(files):
                    print(f"{study}: {word}: {file}")
            print(f"{study}: {len(old.keys() & new.keys()) - len(changed)} of {len(old)} files are equal")
            differs += len(changed)
        else:
            raise SystemExit(__doc__)
    return bool(differs)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
