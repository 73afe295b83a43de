"""What carries the study elsewhere: the documentation as pages, the containers, the workflow catalogue."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from conftest import ROOT

import sera

PROGRAMS = Path(sys.executable).parent


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The folder of the pages, as `make docs` builds them: any warning is an error."""
    folder = tmp_path_factory.mktemp("site")
    made = subprocess.run(
        [PROGRAMS / "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    return folder


def test_every_document_is_a_page_in_the_menu(pages):
    menu = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    named = [name for part in menu for names in part.values() for name in names]
    written = [path.name for path in (ROOT / "docs").iterdir() if path.is_file()]
    assert sorted(named) == sorted([*written, "reference.md"])  # the page of docstrings is made by docs/site


def test_the_pages_load_nothing_from_the_network(pages):
    kinds = "script|img|iframe|" + 'link rel="(?:stylesheet|icon|preload|preconnect)"'
    loaded = rf'<(?:{kinds})[^>]*?(?:src|href)="?(\w+:[^" >]*)'
    texts = [path.read_text(encoding="utf-8") for path in pages.glob("*.html")]
    assert [address for text in texts for address in re.findall(loaded, text)] == []
    for style in pages.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import\s*)['\"]?https?:", style.read_text(encoding="utf-8")), style


def test_the_page_of_docstrings_has_every_public_name(pages):
    found = set(
        re.findall(r'<h3 id="sera\.[\w.]*?(\w+)"', (pages / "reference.html").read_text(encoding="utf-8"))
    )
    assert found >= {name for name in sera.__all__ if not name.startswith("__")}


def test_hadolint_accepts_the_dockerfile():
    done = subprocess.run([PROGRAMS / "hadolint", ROOT / "Dockerfile"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_both_containers_have_one_base_and_call_make_env():
    docker = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    apptainer = (ROOT / "apptainer.def").read_text(encoding="utf-8")
    (base,) = re.findall(r"^FROM (\S+)$", docker, re.MULTILINE)
    assert re.findall(r"^From: (\S+)$", apptainer, re.MULTILINE) == [base]
    assert re.search(r"^RUN .*make env$", docker, re.MULTILINE)
    sections = dict(re.findall(r"^%(\w+)\n((?:    .*\n|\n)+)", apptainer, re.MULTILINE))
    assert sections["post"].rstrip().endswith("make env") and "make" in sections["runscript"]
    for section in ("post", "runscript"):
        subprocess.run(["bash", "-n", "-c", sections[section]], check=True)
