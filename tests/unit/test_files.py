"""Files, tables and names: what is read is bounded and checked, what is written is whole."""

import gzip
import json
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pandas as pd
import pytest

from sera import names
from sera.errors import InputError, together
from sera.io import files, limits, tsv
from sera.io import folders as whole_folders
from sera.io.files import lines, parse_json, read_bytes, read_text, writing
from sera.io.folders import writing_folder


def test_lines(tmp_path, monkeypatch):
    path = tmp_path / "t.txt"
    path.write_bytes(b"a\r\n\n\nb\rc\nd")
    assert list(lines(path)) == [(1, "a"), (2, ""), (3, ""), (4, "b\rc"), (5, "d")]
    path.write_bytes(b"a\n\xff\n")
    with pytest.raises(InputError, match="t.txt, line 2: is not UTF-8 text"):
        list(lines(path))
    monkeypatch.setenv("SERA_LONGEST_LINE", "10")
    path = tmp_path / "t.txt"
    for length in (9, 10):
        path.write_text("x\n" + "y" * length + "\nz\n")
        assert len(list(lines(path))) == 3
    path.write_text("x\n" + "y" * 11 + "\nz\n")
    with pytest.raises(InputError, match="line 2: a line is over the limit of 10 .* SERA_LONGEST_LINE"):
        list(lines(path))


@pytest.mark.parametrize("value", ["0", "-1", "1e3", "ten", "٣", "9" * 30])
def test_a_limit_that_is_no_number_is_refused(monkeypatch, value):
    monkeypatch.setenv("SERA_LONGEST_WAIT", "")
    assert limits.WAIT.value == 300
    monkeypatch.setenv("SERA_LONGEST_WAIT", value)
    with pytest.raises(InputError, match="the environment variable SERA_LONGEST_WAIT is"):
        _ = limits.WAIT.value


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: None, "there is no such file"),
        (lambda path: path.mkdir(), "is a folder, not a file"),
        (lambda path: path.symlink_to(path), "cannot be read: Too many levels of symbolic links"),
        (lambda path: path.write_bytes(b"no gzip"), "is cut short or damaged: Not a gzipped file"),
        (lambda path: path.write_bytes(gzip.compress(b"[1]" + b" " * 99)[:-9]), "is cut short or damaged"),
    ],
)
def test_what_cannot_be_read_is_an_input_error(tmp_path, make, problem):
    path = tmp_path / "t.gz"
    make(path)
    for read in (lambda: list(lines(path)), lambda: read_bytes(path), lambda: files.read_json(path)):
        with pytest.raises(InputError, match=problem):
            read()
    with pytest.raises(InputError, match="there is no such file|embedded null|null byte"):
        read_text(tmp_path / "a\0b")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[" * 100_000, "is nested too deeply"),
        ('{"x": ' + "1" * 5000 + "}", "a number is over the limit of 400 characters"),
        ('{"x": 1e999}', "the number 1e999 is too large"),
        ('{"x": NaN}', "holds NaN, which is not a JSON number"),
        ('{"x": 1, "x": 2}', "has the field 'x' twice"),
        ('{"x": "a\\ud800"}', "has half a character in it"),
        ('{"a\\udfff": 1}', "has half a character in it"),
        ("{'x': 1}", "is not JSON: Expecting property name"),
        ("", "is not JSON"),
    ],
)
def test_json_that_is_refused(text, problem):
    with pytest.raises(InputError, match=problem):
        parse_json(text, path="f", line=3)


def test_json_that_is_read():
    assert parse_json('{"x": ["[[[", "\\ud83d\\ude00", 1.5, -0.0, 1e-999]}') == {
        "x": ["[[[", "😀", 1.5, 0.0, 0.0]
    }
    deep = json.dumps([["[" * 500]] * 300)
    assert parse_json(deep) == json.loads(deep)


# Writing


def test_what_is_there_is_written_to(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("old")
    path.chmod(0o640)
    umask = os.umask(0o027)
    try:
        for each in (path, tmp_path / "new.txt"):
            with writing(each) as stream:
                stream.write("new")
            assert stat.S_IMODE(each.stat().st_mode) == 0o640
    finally:
        os.umask(umask)
    # a pipe
    path = tmp_path / "pipe"
    os.mkfifo(path)
    got = []
    reader = threading.Thread(target=lambda: got.append(path.read_text()))
    reader.start()
    with writing(path) as stream:
        stream.write("through")
    reader.join(10)
    assert got == ["through"] and stat.S_ISFIFO(path.stat().st_mode)
    # a link is followed, and the owner of the file stays
    mine, link = tmp_path / "mine", tmp_path / "link"
    mine.write_text("old")
    link.symlink_to(mine)
    with writing(link) as stream:
        stream.write("new")
    assert link.is_symlink() and mine.read_text() == "new"
    lost = tmp_path / "lost"
    lost.symlink_to(tmp_path / "nothing")
    with pytest.raises(InputError, match="is a link to nothing"), writing(lost):
        pass
    assert not (tmp_path / "nothing").exists()
    if os.geteuid() == 0:
        os.chown(mine, 12345, 12345)
        with writing(mine) as stream:
            stream.write("newer")
        assert mine.stat().st_uid == 12345


def test_a_failed_block_leaves_the_old_file(tmp_path):
    path = tmp_path / ("ä" * 120)  # the name of the part is not longer than a name may be
    path.write_text("old")
    with pytest.raises(RuntimeError), writing(path) as stream:
        stream.write("half")
        raise RuntimeError
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
    folder = tmp_path / "out"
    _thing(folder)
    with pytest.raises(InputError, match="thesis"):
        _thing(folder, "new", meanwhile=lambda: (folder / "thesis").write_text("years"))
    assert (folder / "a").read_text() == "x" and (folder / "thesis").exists()
    assert set(tmp_path.iterdir()) == {path, folder}


def test_parts_of_ended_processes_are_swept_and_no_others(tmp_path):
    with subprocess.Popen(["true"]) as ended:
        pass

    def part(process, node=os.uname().nodename, token="0123456789abcdef"):
        return tmp_path / f".t.txt.{node}.{process}.{token}.sera-part"

    dead, kept = part(ended.pid), [part(os.getpid()), part(ended.pid, "x"), tmp_path / ".t.txt.part"]
    for each in (dead, *kept):
        each.write_text("part")
    target, link = tmp_path / "precious", part(ended.pid, token="f" * 16)
    target.mkdir()
    (target / "thesis").write_text("years")
    link.symlink_to(target)
    with writing(tmp_path / "t.txt") as stream:
        stream.write("x")
    assert not dead.exists() and not link.is_symlink()
    assert all(each.exists() for each in kept) and (target / "thesis").read_text() == "years"


def _thing(folder: Path, content: str = "x", meanwhile=lambda: None) -> None:
    with writing_folder(folder, replaces="a thing") as made:
        manifest = {"format": "a thing", "version": 1, "files": {"a": 1}}
        (made / "manifest.json").write_text(json.dumps(manifest))
        (made / "a").write_text(content)
        meanwhile()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda folder: (folder / "thesis.tex").write_text("years"), "holds 'thesis.tex', which is not part"),
        (lambda folder: (folder / "sub").mkdir(), "holds 'sub', which is not part"),
        (lambda folder: (folder / "manifest.json").write_text('{"name": "app"}'), "is something else"),
        (lambda folder: (folder / "manifest.json").write_text('{"format": "a thing"}'), "is something else"),
        (lambda folder: (folder / "manifest.json").write_text("[" * 9999), "is something else already"),
        (lambda folder: (folder / "manifest.json").unlink(), "is something else already"),
    ],
)
def test_a_folder_with_anything_of_others_stays(tmp_path, change, problem):
    folder = tmp_path / "out"
    _thing(folder)
    change(folder)
    before = sorted(each.name for each in folder.iterdir())
    with pytest.raises(InputError, match=problem), writing_folder(folder, replaces="a thing"):
        raise AssertionError("not reached")
    assert sorted(each.name for each in folder.iterdir()) == before


_KILLED = """
import json, sys
from sera.io.folders import writing_folder
for number in range(1000):
    with writing_folder(sys.argv[1], replaces="a thing") as made:
        manifest = {"format": "a thing", "version": 1, "files": {"a": 1}}
        (made / "manifest.json").write_text(json.dumps(manifest))
        (made / "a").write_text(str(number) * 1000)
    print(number, flush=True)
"""


@pytest.mark.parametrize("wait", [0.0, 0.003, 0.008, 0.021])
def test_a_folder_is_there_whole_whenever_its_writer_is_killed(tmp_path, wait):
    folder = tmp_path / "out"
    with subprocess.Popen([sys.executable, "-c", _KILLED, folder], stdout=subprocess.PIPE) as process:
        assert process.stdout and process.stdout.readline()
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
    assert sorted(each.name for each in folder.iterdir()) == ["a", "manifest.json"]
    _thing(folder)
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


@pytest.fixture
def two_steps(monkeypatch):
    """A system that cannot exchange two names at once."""
    monkeypatch.setattr(whole_folders, "_exchanged", lambda one, other: False)


def test_a_folder_is_replaced_where_two_names_cannot_be_exchanged(two_steps, tmp_path, monkeypatch):
    _thing(tmp_path / "f", "old")
    _thing(tmp_path / "f", "new")
    assert (tmp_path / "f/a").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["f"]
    calls = []
    rename = os.rename

    def second_fails(one, other):
        calls.append(one)
        if len(calls) == 2:
            raise OSError("no")
        rename(one, other)

    monkeypatch.setattr(os, "rename", second_fails)
    with pytest.raises(OSError, match="no"):
        _thing(tmp_path / "f", "newest")
    assert (tmp_path / "f/a").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["f"]


def test_a_kill_between_the_two_names_leaves_the_old_folder(two_steps, tmp_path):
    _thing(tmp_path / "f", "old")
    child = os.fork()
    if not child:
        rename = os.rename

        def killed_after(one, other):
            rename(one, other)
            os.kill(os.getpid(), signal.SIGKILL)

        os.rename = killed_after
        _thing(tmp_path / "f", "new")
    os.waitpid(child, 0)
    _thing(tmp_path / "f", "next")  # and removes what the killed process left half-written
    assert (tmp_path / "f/a").read_text() == "next"
    old = [path for path in tmp_path.iterdir() if path.name != "f"]
    assert [path.name[:2] + path.name[-4:] for path in old] == ["f..old"]
    assert (old[0] / "a").read_text() == "old"


# Tables


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a\tb\n1\t2\t3\n\n4\n", "line 2: has 3 cells, not 2; line 4: has 1 cells, not"),
        ("a\tb\n" + "1\n" * 20, "lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11: has 1 cells, not 2; and 10 more. "),
        ("a\tb\ta\n1\t2\t3\n", "has the column 'a' twice"),
        ("a\tc\n1\t2\n", "has no column b; it has a, c. Give it the columns a, b."),
        ("\n\n", "is not a table: it is empty. Give it the"),
        ("a\tb\nx \ty\n", "line 2: the a 'x ' has a blank at its end"),
        ("a\tb\n\ty\n", "line 2: the a '' is empty"),
        ("a\tb\nx\ty\nx\u202ey\ty\n", "line 3: the a 'x\\u202ey' has the character"),
    ],
)
def test_a_table_of_another_shape_is_refused_with_its_lines(tmp_path, text, problem):
    path = tmp_path / "t.tsv"
    path.write_text(text)
    with pytest.raises(InputError, match=re.escape(problem)):
        tsv.read(path, ["a", "b"], named=["a"])


@pytest.mark.parametrize("text", ["1_0", "0x1", "١", "inf", "", "1e", "1 2", "--1", "1e9999999", "9" * 500])
def test_what_is_no_number_is_refused(tmp_path, text):
    path = tmp_path / "t.tsv"
    path.write_text(f"score\tx\n1\tx\n{text}\tx\n")
    with pytest.raises(InputError, match="line 3: "):
        tsv.numbers(tsv.read(path, ["score"]), "score", path)


def test_numbers_and_line_ends(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("score\tx\n1\t\n -.5 \t\n+2e-3\t\nNaN\t\n1e-999999\t\n")
    values = tsv.numbers(tsv.read(path, ["score"]), "score", path, undefined=["nan"])
    assert values.fillna(-1).to_list() == [1.0, -0.5, 0.002, -1.0, 0.0]
    for text, line in (("a\rb\tc\n1\t2\n", 1), ("a\tb\n1\t2\r3\n", 2)):
        (tmp_path / "t.tsv").write_bytes(text.encode())
        with pytest.raises(InputError, match=f"t.tsv, line {line}: has a carriage return inside"):
            tsv.read(tmp_path / "t.tsv")
    (tmp_path / "t.tsv").write_bytes(b"a\tb\r\n1\t2\r\n")
    assert tsv.read(tmp_path / "t.tsv").values.tolist() == [["1", "2"]]


@pytest.mark.parametrize("table", [{"a": ["x\ty"]}, {"a\rb": [1.0]}])
def test_a_cell_or_heading_with_a_break_is_not_written(tmp_path, table):
    with pytest.raises(InputError, match="has a tab or a line break in it"):
        tsv.write(tmp_path / "t.tsv", pd.DataFrame(table))
    assert not list(tmp_path.iterdir())


# Names and errors


REFUSED = ["", " a", "a ", "a\tb", "a\nb", "a\rb", "a\0", "\x7f", "\x85", "a\u2028b", "\u200f", "\u2066x"]


@pytest.mark.parametrize("name", [*REFUSED, "\ud800", "\ufeffx", "a\u00a0b"])
def test_names_that_are_refused(name):
    with pytest.raises(InputError) as error:
        names.check("system", name, path="f", line=2)
    assert str(error.value).startswith("f, line 2: the system ") and "Rename it" in str(error.value)
    assert str(error.value).isprintable()


def test_faults_are_told_together():
    assert names.check("topic", "x" * 1000)
    with pytest.raises(InputError, match="more than 1000 characters"):
        names.check("topic", "x" * 1001)
    faults = [InputError(f"is {line}", path="f", line=line, remedy="Mend it.") for line in range(1, 13)]
    assert together([]) is None and together(faults[:1]) is faults[0]
    assert str(together(faults[:2])) == "f: line 1: is 1; line 2: is 2. Mend it."
    assert str(together(faults)).endswith("line 10: is 10; and 2 more. Mend it.")
    others = [InputError("is bad", path="g", line=1), *faults]
    assert str(together(others[:3])) == (
        "g, line 1: is bad. f, line 1: is 1. Mend it. f, line 2: is 2. Mend it."
    )
    assert str(together(others)).endswith("f, line 9: is 9. Mend it. And 3 more.")


def test_a_fault_of_several_lines_is_told_once():
    faults = [InputError("is bad", path="f", line=line, remedy="Mend it.") for line in range(1, 13)]
    assert str(together(faults[:2])) == "f: lines 1, 2: is bad. Mend it."
    faults.insert(2, InputError("is worse", path="f", line=9, remedy="Mend it."))
    told = together(faults)
    assert str(told) == ("f: lines 1, 2, 3, 4, 5, 6, 7, 8, 9: is bad; line 9: is worse; and 3 more. Mend it.")
    assert told.lines == (
        "f, lines 1, 2, 3, 4, 5, 6, 7, 8, 9: is bad. Mend it.",
        "f, line 9: is worse. Mend it.",
        "And 3 more.",
    )
