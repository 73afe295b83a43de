"""``--out -`` is standard output for every command that writes a file; messages then go to standard error."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from commands import group_of
from conftest import ROOT
from pmc_packages import member, write_package
from test_options import ALL, given  # noqa: F401

from sera.cli import main
from sera.cli.options import Out

FILES = sorted(
    name
    for name, command in ALL.items()
    for each in command.params
    if each.name == "out" and isinstance(each.type, Out)
)
FOLDERS = ("evaluate", "research keywords", "index build", "multiverse")


def run(*arguments):
    program = [Path(sys.executable).with_name("sera")]
    if group_of(arguments) is not main:
        program = [sys.executable, "-m", "study"]
    return subprocess.run([*program, *arguments], capture_output=True, cwd=ROOT)


def arguments_of(name, given):  # noqa: F811
    """The arguments of a command, without where it writes."""
    found = list(given[name])
    if "--out" in found:
        del found[found.index("--out") : found.index("--out") + 2]
    return found


def package(folder):
    """A package with one article that can be read, and one that cannot."""
    article = (
        "<article><front><article-meta><article-id pub-id-type='pmc'>1</article-id><title-group>"
        "<article-title>T</article-title></title-group></article-meta></front>"
        "<body><p>Cells die.</p></body></article>"
    )
    members = [member("P/PMC1.xml", article.encode()), member("P/PMC2.xml", b"<article>")]
    return write_package(folder / "p.tar.gz", members, None)


def test_articles_that_are_not_read_are_listed_on_standard_error(tmp_path):
    shown = run("corpus", "extract", str(package(tmp_path)), "--out", "-")
    assert json.loads(shown.stdout)["id"] == "PMC1"
    assert b"package\tmember\treason\n" in shown.stderr and b"\np.tar.gz\tP/PMC2.xml\t" in shown.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.tar.gz"]


def test_all_commands_that_write_are_tested():
    writing = {name for name, command in ALL.items() for each in command.params if "--out" in each.opts}
    assert writing == {*FILES, *FOLDERS} and len(FILES) == 17


MORE = {
    "index vectors": ["--width", "1", "--minimum", "1"],
    "research s3 train": ["--model-of", "S3-full"],
    "research s3 evaluate": ["--model-of", "S3-full"],
}
"""Options without which a command cannot work on the small files."""


@pytest.mark.parametrize("name", FILES)
def test_the_result_goes_to_standard_output_and_equals_the_file(name, given, tmp_path):  # noqa: F811
    arguments = [*arguments_of(name, given), *MORE.get(name, [])]
    if name == "corpus extract":
        arguments = [str(package(tmp_path))]
    shown = run(*name.split(), *arguments, "--out", "-")
    assert shown.returncode == 0, shown.stderr
    written = run(*name.split(), *arguments, "--out", str(tmp_path / "file"))
    assert written.returncode == 0
    # the page of `report` has the command that made it
    expected = (tmp_path / "file").read_bytes().replace(str(tmp_path / "file").encode(), b"-")
    assert shown.stdout == expected != b""
    # what was printed beside the file is an error stream's now
    assert shown.stderr.count(b"\n") >= (1 if written.stdout else 0)
    assert not (Path.cwd() / "-").exists()


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_cannot_be_standard_output(name, given):  # noqa: F811
    refused = run(*name.split(), *arguments_of(name, given), "--out", "-")
    assert refused.returncode == 2
    assert (
        refused.stderr.decode()
        .splitlines()[-1]
        .endswith("- (standard output) is not a folder. Name a folder.")
    )
