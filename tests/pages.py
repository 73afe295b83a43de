"""The commands and the Python of a page, and what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path


def blocks(page: Path) -> list[tuple[str, str]]:
    return re.findall(
        r"^```(bash|python)\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


def ran(page, folder):
    """Run a page's blocks one after the other in a folder: the language, text and output of each."""
    root = str(Path(__file__).parent.parent)
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": root,
    }
    for language, text in blocks(page):
        start = ["bash", "-euo", "pipefail", "-c"] if language == "bash" else [sys.executable, "-c"]
        run = subprocess.run([*start, text], cwd=folder, env=environment, text=True, capture_output=True)
        assert run.returncode == 0, run.stderr
        yield language, text, run.stdout
