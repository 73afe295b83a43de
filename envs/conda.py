"""Write study.yaml and guided.yaml, for `snakemake --sdm conda`, with the versions of the lock files.

Usage: python envs/conda.py < LOCK, with the lock file of guided.yaml, which has no tools of tests
"""

import sys
from pathlib import Path

HERE = Path(__file__).parent
PYTHON = "3.11"


def environment(lock: str, name: str) -> str:
    """The YAML of the environment, made from the text of the lock file of this name."""
    pins = [line.removesuffix(" \\").strip() for line in lock.splitlines() if "==" in line]
    lines = [
        f"# Made from {name} by conda.py. Jobs take the project itself from the checkout.",
        "channels: [conda-forge, nodefaults]",
        "dependencies:",
        f"  - python={PYTHON}",
        "  - pip",
        "  - pip:",
        *(f'      - "{pin}"' for pin in pins),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    study = (HERE / "requirements.lock").read_text(encoding="utf-8")
    for name, made, lock in (
        ("requirements.lock", "study.yaml", study),
        ("requirements-guided.lock", "guided.yaml", sys.stdin.read()),
    ):
        (HERE / made).write_text(environment(lock, name), encoding="utf-8")
