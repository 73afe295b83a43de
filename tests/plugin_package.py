"""The example of a package with plug-ins, installed into a folder, and packages that are made up."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from conftest import ROOT

EXAMPLE = ROOT / "examples/plugin"


def install_example(target: Path, work: Path) -> Path:
    """Install the example into a folder, as ``pip install --no-deps --target`` does."""
    tree = work / "example"
    shutil.copytree(EXAMPLE, tree, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    build = "from setuptools import build_meta as b; b.build_wheel('dist')"
    done = subprocess.run([sys.executable, "-c", build], cwd=tree, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = (tree / "dist").iterdir()
    shutil.rmtree(target, ignore_errors=True)
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(target)
    return target


def install(target: Path, name: str, entry_points: dict[str, list[str]], **modules: str) -> None:
    """Put a package into a folder: its entry points by group, and the text of its modules."""
    information = target / f"{name.replace('-', '_')}-1.0.dist-info"
    information.mkdir(parents=True)
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    groups = ("\n".join([f"[{group}]", *lines]) for group, lines in entry_points.items())
    (information / "entry_points.txt").write_text("\n\n".join(groups) + "\n")
    for module, text in modules.items():
        (target / f"{module}.py").write_text(text)
