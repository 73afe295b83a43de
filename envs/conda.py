"""Write study.yaml, the environment for `snakemake --sdm conda`, with the versions of the lock file.

Usage: python envs/conda.py
"""

from pathlib import Path

HERE = Path(__file__).parent
PYTHON = "3.11"


def environment(lock: str) -> str:
    """The YAML of the environment, made from the text of a lock file."""
    pins = [line.removesuffix(" \\").strip() for line in lock.splitlines() if "==" in line]
    lines = [
        "# Made from requirements.lock by conda.py. Jobs take the project itself from the checkout.",
        "channels: [conda-forge, nodefaults]",
        "dependencies:",
        f"  - python={PYTHON}",
        "  - pip",
        "  - pip:",
        *(f'      - "{pin}"' for pin in pins),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    text = environment((HERE / "requirements.lock").read_text(encoding="utf-8"))
    (HERE / "study.yaml").write_text(text, encoding="utf-8")
