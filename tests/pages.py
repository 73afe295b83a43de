"""The commands and the Python of a page, and what they print."""

import contextlib
import glob
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner
from commands import group_of


def blocks(page: Path) -> list[tuple[str, str]]:
    return re.findall(
        r"^```(bash|python)\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


def put_readme_files(folder: Path) -> None:
    """The files of the repository that the README's commands read."""
    root = Path(__file__).parent.parent
    shutil.copytree(root / "examples/own", folder / "examples/own")


# A line that begins with `sera` or `python -m study` runs in this process, all other lines run in bash.
OWN = re.compile(r"^((?:sera|python -m study) (?:.*\\\n)*.*\n)", re.MULTILINE)


def run_block(language: str, text: str, names: dict | None = None) -> str:
    """What a block prints, run in the current folder; ``names`` are those of the Python before it."""
    if language == "python":
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            code = compile(text, "a block of a page", "exec")
            exec(code, {"__name__": "__main__"} if names is None else names)
        return printed.getvalue()
    return "".join(run_own(part) if OWN.match(part) else run_bash(part) for part in OWN.split(text) if part)


def run_own(line: str) -> str:
    _, *given = shlex.split(line.replace("python -m study", "study").replace("\\\n", " "), comments=True)
    words = [word for each in given for word in (sorted(glob.glob(each)) or [each])]
    done = CliRunner().invoke(group_of(words), words)
    assert done.exit_code == 0, done.output
    return done.stdout


def run_bash(text: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    root = str(Path(__file__).parent.parent)
    command = ["bash", "-euo", "pipefail", "-c", text]
    environment = {**os.environ, "PATH": path, "PYTHONPATH": root}
    done = subprocess.run(command, env=environment, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
