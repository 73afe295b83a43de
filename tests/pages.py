"""The commands and the Python of a page, and what they print."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path


def blocks(page: Path) -> list[tuple[str, str]]:
    return re.findall(
        r"^```(bash|python)\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


def put_readme_files(folder: Path) -> None:
    """The files that the README's commands read: three topics, with the texts of its Python."""
    for name, record in (
        ("candidates", {"system": "s", "sentences": ["the kinase binds p53"]}),
        ("references", {"annotator": "a", "sentences": ["p53 is bound by the kinase"]}),
    ):
        lines = [json.dumps({"topic": topic, **record}) + "\n" for topic in "tuv"]
        (folder / f"{name}.jsonl").write_text("".join(lines))
    rows = [f"{topic},s,pyramid,{number}\n" for number, topic in enumerate("tuv")]
    (folder / "human.csv").write_text("topic,system,judgement,score\n" + "".join(rows))


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
