"""Write study.yaml and guided.yaml, for `snakemake --sdm conda`, with the versions of the lock files.

Usage: python envs/conda.py
"""

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
    for made, lock in (("study.yaml", "requirements.lock"), ("guided.yaml", "requirements-guided.lock")):
        text = environment((HERE / lock).read_text(encoding="utf-8"), lock)
        (HERE / made).write_text(text, encoding="utf-8")
