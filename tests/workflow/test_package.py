"""The wheel and the sdist, and the wheel in a clean environment that has nothing of this repository.

`make test-all` runs these. They need a network, or pip's cache of the core's packages.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from conftest import ROOT
from pages import blocks, put_readme_files

import sera

NAME = f"sera_reproduction-{sera.__version__}"
CORE = {"click", "msgspec", "numba", "numpy", "pandas", "regex", "scipy", "syntok", "tqdm"}
BUILD = "from setuptools import build_meta as b; print(b.build_{0}('dist'))"


def ran(*command, folder, **environment):
    """What a command prints; a failure shows its errors."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=clean | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """A folder with the sdist of the files that git knows, and the wheel that is built from the sdist."""
    tree, apart = (tmp_path_factory.mktemp(name) for name in ("tree", "sdist"))
    files = ran("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder=ROOT)
    for name in filter(None, files.split("\0")):
        if (ROOT / name).is_file():
            target = tree / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
    ran(sys.executable, "-c", BUILD.format("sdist"), folder=tree)
    with tarfile.open(tree / "dist" / f"{NAME}.tar.gz") as packed:
        packed.extractall(apart, filter="data")
    ran(sys.executable, "-c", BUILD.format("wheel"), folder=apart / NAME)
    (wheel,) = (apart / NAME / "dist").glob("*.whl")
    wheel.rename(tree / "dist" / wheel.name)
    return tree / "dist"


@pytest.fixture(scope="module")
def python(built, tmp_path_factory) -> Path:
    """The Python of an environment with the wheel and the core's packages alone, in the locked versions."""
    folder = tmp_path_factory.mktemp("clean")
    venv.create(folder, with_pip=True)
    python = folder / "bin/python"
    (wheel,) = built.glob("*.whl")
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    constraints = folder / "constraints.txt"  # the versions without their hashes, which pip would ask of all
    lines = (ROOT / "envs/requirements.lock").read_text(encoding="utf-8").splitlines()
    constraints.write_text("\n".join(line.removesuffix(" \\") for line in lines if "==" in line))
    ran(*pip, "--constraint", constraints, wheel, folder=folder)
    return python


def test_the_archives_hold_the_package_and_its_data(built):
    (wheel,) = built.glob("*.whl")
    assert wheel.name == f"{NAME}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as packed:
        names = {name for name in packed.namelist() if not name.startswith(f"{NAME}.dist-info/")}
    wanted = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "sera").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert {"sera/py.typed", "sera/__init__.pyi"} <= names == wanted


def test_the_core_is_what_pip_installs(python, tmp_path):
    code = "from importlib import metadata as m; print(*(d.name.lower() for d in m.distributions()))"
    names = set(ran(python, "-c", code, folder=tmp_path).split())
    of_these = {"llvmlite", "python-dateutil", "six", "pytz", "tzdata"}  # numba's, and pandas'
    assert names - {"pip", "setuptools", "wheel"} - of_these == CORE | {"sera-reproduction"}


def test_the_readme_runs_without_the_repository(python, tmp_path):
    texts = [text for _, text in blocks(ROOT / "README.md")]
    shell, code = (next(text for text in texts if part in text) for part in ("sera score", "import metric"))
    assert ran(python, "-c", code, folder=tmp_path) == "0.25\n"
    put_readme_files(tmp_path)
    score, evaluate, *_ = shell.replace(".venv/bin", str(python.parent)).splitlines()
    ran("bash", "-c", score, folder=tmp_path)
    assert "storm\tshort\tROUGE-1-F\t0.53333\n" in (tmp_path / "scores.tsv").read_text()
    assert "\nmine is ahead of ROUGE-1-F by 0.30" in ran("bash", "-c", evaluate, folder=tmp_path)
