"""Files, tables and names: what is read is bounded and checked, what is written is whole."""

import bz2
import errno
import gzip
import io
import json
import lzma
import os
import re
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from sera import names
from sera.errors import InputError, together
from sera.io import files, tsv
from sera.io.files import lines, read_bytes, writing
from sera.io.folders import writing_folder
from sera.io.records import Candidate, read, read_unique
from sera.io.scores import read_judgements


def test_lines(tmp_path):
    path = tmp_path / "t.txt"
    path.write_bytes(b"a\r\n\n\nb\rc\nd")
    assert list(lines(path)) == [(1, "a"), (2, ""), (3, ""), (4, "b\rc"), (5, "d")]
    path.write_bytes(b"a\n\xff\n")
    with pytest.raises(InputError, match="t.txt, line 2: is not UTF-8 text"):
        list(lines(path))


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda path: None, "there is no such file"),
        (lambda path: path.mkdir(), "is a folder, not a file"),
        (lambda path: path.write_bytes(gzip.compress(b"[1]" + b" " * 99)[:-9]), "is cut short or damaged"),
    ],
)
def test_what_cannot_be_read_is_an_input_error(tmp_path, make, problem):
    path = tmp_path / "t.gz"
    make(path)
    for reader in (lambda: list(lines(path)), lambda: read_bytes(path), lambda: files.read_json(path)):
        with pytest.raises(InputError, match=problem):
            reader()


COMPRESSED = {".gz": gzip.compress, ".BZ2": bz2.compress, ".xz": lzma.compress, ".GZ": gzip.compress}


@pytest.mark.parametrize("ending", COMPRESSED)
def test_a_compressed_file_is_read_by_its_name_and_written(tmp_path, ending):
    path = tmp_path / f"T.CSV{ending}"
    path.write_bytes(COMPRESSED[ending](b"a,b\n1,2\n"))
    table = tsv.read(path, ["a", "b"])
    assert table.to_numpy().tolist() == [["1", "2"]] and files.file_form(path) == ".csv"
    written = []
    for folder in "xy":
        tsv.write(tmp_path / folder / path.name, table)
        written.append((tmp_path / folder / path.name).read_bytes())
    assert list(lines(tmp_path / "x" / path.name)) == [(1, "a,b"), (2, "1,2")]
    assert written[0] == written[1] != b"a,b\n1,2\n"
    whole = path.read_bytes()
    for damaged in (whole[:-9], whole[: len(whole) // 2], b"a,b\n1,2\n"):
        path.write_bytes(damaged)
        problem = "T.CSV.*: is cut short or damaged: .*Create or download it again."
        with pytest.raises(InputError, match=problem):
            list(lines(path))


def _zip(*names: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as packed:
        for name in names:
            packed.writestr(name, "x")
    return content.getvalue()


CONTENTS = [
    (gzip.compress(b"a\n"), "is compressed with gzip. Unpack it (gunzip), or end its name in .gz."),
    (bz2.compress(b"a\n"), "is compressed with bzip2. Unpack it (bunzip2), or end its name in .bz2."),
    (bz2.compress(b""), "is compressed with bzip2"),
    (lzma.compress(b"a\n"), "is compressed with xz. Unpack it (unxz), or end its name in .xz."),
    (b"\x28\xb5\x2f\xfd\x20\x01\n", "is compressed with Zstandard. Unpack it first: zstd -d."),
    (_zip("a.jsonl"), "is a ZIP archive, which is compressed. Unpack it first: unzip."),
    (_zip(), "is a ZIP archive"),
    (_zip("[Content_Types].xml", "xl/workbook.xml"), "is a workbook or a document of an office program"),
    (_zip("docProps/app.xml"), "is a workbook or a document of an office program (.xlsx, .ods or"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is a workbook or a document of an old office program"),
    (b"PAR1\x15\x04", "is a Parquet file"),
    (b"%PDF-1.7\n%\xe2", "is a PDF"),
    (b"a\rb\r", "its lines end in a carriage return alone (\\r). Save it with the line ends"),
]


@pytest.mark.parametrize(("content", "problem"), CONTENTS, ids=[problem for _, problem in CONTENTS])
@pytest.mark.parametrize("name", ["c.txt", "c.zst", "c.xlsx"])
def test_content_that_is_no_text_is_named(tmp_path, content, problem, name):
    path = tmp_path / name
    path.write_bytes(content)
    for reader in (lines, tsv.read, lambda path: read_unique(path, Candidate)):
        with pytest.raises(InputError, match=re.escape(f"{name}: {problem}")):
            list(reader(path))


def test_text_may_begin_as_other_content_does(tmp_path):
    path = tmp_path / "t.txt"
    for text in ("PK is a kinase", "PAR1 binds it", "BZh91 is a gene", "a\r"):
        path.write_text(f"{text}\nb", newline="")
        assert [line for _, line in lines(path)] == [text.removesuffix("\r"), "b"]


# Writing


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("t.xlsx", "t.xlsx: cannot be written: .xlsx is a form that is not written. End its name in .csv"),
        ("T.ODS.gz", ".ods is a form"),
        ("t.Parquet", ".parquet is a form"),
        ("t.csv.zst", ".zst is a form that is not written. End its name in .gz, .bz2, .xz, or write it as"),
    ],
)
def test_a_form_that_is_not_written_is_refused(tmp_path, name, remedy):
    for write in (files.check_writable, lambda path: tsv.write(path, pd.DataFrame({"a": [1]}))):
        with pytest.raises(InputError, match=re.escape(remedy)):
            write(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_file_keeps_its_mode_and_a_link_stays(tmp_path):
    path, link = tmp_path / "t.txt", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    with writing(link) as stream:
        stream.write("new")
    assert path.read_text() == "new" and path.stat().st_mode & 0o777 == 0o640 and link.is_symlink()
    assert sorted(each.name for each in tmp_path.iterdir()) == ["link", "t.txt"]


def test_a_failed_block_leaves_the_old_file(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("old")
    with pytest.raises(RuntimeError), writing(path) as stream:
        stream.write("half")
        raise RuntimeError
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def _thing(folder: Path, content: str = "x") -> None:
    with writing_folder(folder, replaces="a thing") as made:
        manifest = {"format": "a thing", "version": 1, "files": {"a": 1}}
        (made / "manifest.json").write_text(json.dumps(manifest))
        (made / "a").write_text(content)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda folder: (folder / "thesis.tex").write_text("years"), "holds 'thesis.tex', which is not part"),
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


def test_a_folder_beside_the_one_that_is_written_stays(tmp_path):
    names = ["out.old", ".out.sera-part", ".out.old", "out.sera-part", "out.part"]
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "notes").write_text("years")
    _thing(tmp_path / "out", "1")
    _thing(tmp_path / "out", "2")
    assert (tmp_path / "out/a").read_text() == "2"
    assert {path.read_text() for path in tmp_path.glob("*/notes")} == {"years"}
    assert sorted(os.listdir(tmp_path)) == sorted([*names, "out"])


def test_the_old_folder_is_back_if_the_new_one_cannot_take_its_place(tmp_path, monkeypatch):
    folder, rename = tmp_path / "out", os.rename
    _thing(folder, "old")

    def fail(source, target):
        if target == folder and (Path(source) / "a").read_text() == "new":
            raise OSError(errno.EIO, "Input/output error")
        rename(source, target)

    monkeypatch.setattr(os, "rename", fail)
    with pytest.raises(InputError, match="out: cannot be written: Input/output error"):
        _thing(folder, "new")
    assert (folder / "a").read_text() == "old" and os.listdir(tmp_path) == ["out"]


def test_what_comes_while_a_folder_is_written_stays(tmp_path):
    folder = tmp_path / "out"
    with pytest.raises(InputError, match="is something else already"), writing_folder(folder, replaces="x"):
        folder.mkdir()
        (folder / "thesis.tex").write_text("years")
    assert (folder / "thesis.tex").read_text() == "years" and os.listdir(tmp_path) == ["out"]
    with pytest.raises(InputError, match="is a file, not a folder"), writing_folder(folder / "thesis.tex"):
        raise AssertionError("not reached")


def test_the_last_of_two_writers_wins_whole(tmp_path):
    path, folder = tmp_path / "t.txt", tmp_path / "out"
    with writing(path) as first, writing_folder(folder) as first_folder:
        first.write("A" * 20)
        (first_folder / "A").touch()
        with writing(path) as second, writing_folder(folder) as second_folder:
            second.write("B" * 30)
            (second_folder / "B").touch()
        assert path.read_text() == "B" * 30 and os.listdir(folder) == ["B"]
    assert path.read_text() == "A" * 20 and os.listdir(folder) == ["A"]
    assert sorted(os.listdir(tmp_path)) == ["out", "t.txt"]


def test_two_folders_that_take_one_name_at_once(tmp_path, monkeypatch):
    folder, rename = tmp_path / "out", os.rename
    _thing(folder, "old")

    def late(source, target):
        rename(source, target)
        if source == folder:  # another process puts its folder between the two steps
            monkeypatch.setattr(os, "rename", rename)
            _thing(folder, "other")

    monkeypatch.setattr(os, "rename", late)
    _thing(folder, "new")
    assert (folder / "a").read_text() == "new" and os.listdir(tmp_path) == ["out"]


def test_a_name_of_the_longest_length_and_the_usual_mode(tmp_path):
    outside = os.umask(0o027)
    try:
        for name in ("x" * 255, "ß" * 127):
            with writing(tmp_path / name) as stream:
                stream.write("whole")
            assert (tmp_path / name).stat().st_mode & 0o777 == 0o640
            (tmp_path / name).unlink()
            _thing(tmp_path / name)
            assert (tmp_path / name).stat().st_mode & 0o777 == 0o750
    finally:
        os.umask(outside)


# Tables

RETURN = "line 2: has a carriage return (\\r) in a cell without quotes. Remove it, or save"
UNCLOSED = "line 3: is not CSV: unexpected end of data in the row that begins here. Correct"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a\tb\n1\t2\t3\n\n4\n", "line 2: has 3 cells, not 2; line 4: has 1 cell, not"),
        ("a\tb\ta\n1\t2\t3\n", "has the column 'a' twice"),
        ("a\tc\n1\t2\n", "has no column b; it has a, c. Give it the columns a, b."),
        ("\n\n", "is not a table: it is empty. Give it the"),
        ("a\tb\nx \ty\n", "line 2: the a 'x ' has a blank at its end"),
        ('a\tb\n1\t"x\ty"\n', "line 2: has 3 cells, not 2; its quotes are characters like others, since the"),
        ('a\tb\n1\t"x\ny"\n', "line 3: has 1 cell, not 2; its quotes are characters like others, since the"),
        ("a\tb\n1\tx\ry\n", RETURN),
        ("a,b\n1,x\ry\n", RETURN),
        ("a\tb\r1\t2\r", ": its lines end in a carriage return alone (\\r)"),
        ('a,b\n\n1,"x\n2,y\n', UNCLOSED),
        ('[{"a": 1, "b": 2}]\n', ": is a JSON array, not a table. Give it the columns a, b, or end the name"),
        ('{"a": 1, "b": 2}\n', ": is a JSON object, not a table. Give it the columns a, b, or end the name"),
        ("{\n", ": is a JSON object, not a table. Give it"),
    ],
)
def test_a_table_of_another_shape_is_refused_with_its_lines(tmp_path, text, problem):
    path = tmp_path / "t.tsv"
    path.write_text(text, newline="")
    with pytest.raises(InputError, match=re.escape(problem)):
        tsv.read(path, ["a", "b"], named=["a"])


@pytest.mark.parametrize("separator", "\t,")
def test_a_cell_may_be_long(tmp_path, separator):
    path = tmp_path / "t.tsv"
    path.write_text(separator.join(["a", "b"]) + "\n" + separator.join(["x" * 300_000, "y"]) + "\n")
    assert tsv.read(path, ["a", "b"])["a"].str.len().tolist() == [300_000]


def test_numbers_and_line_ends(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text("score\tx\n1\t\n -.5 \t\n+2e-3\t\nNaN\t\n")
    values = tsv.numbers(tsv.read(path, ["score"]), "score", path, undefined=["nan"])
    assert values.fillna(-1).to_list() == [1.0, -0.5, 0.002, -1.0]
    (tmp_path / "t.tsv").write_bytes(b"a\tb\r\n1\t2\r\n")
    assert tsv.read(tmp_path / "t.tsv").values.tolist() == [["1", "2"]]


@pytest.mark.parametrize("table", [{"a": ["x\ty"]}, {"a\rb": [1.0]}])
def test_a_cell_or_heading_with_a_break_is_not_written(tmp_path, table):
    with pytest.raises(InputError, match="has a tab or a line break in it"):
        tsv.write(tmp_path / "t.tsv", pd.DataFrame(table))
    assert not list(tmp_path.iterdir())


# Names and errors


@pytest.mark.parametrize("name", ["", "a ", "a\tb", "\u2066x", "a\uffffb"])
def test_names_that_are_refused(name):
    with pytest.raises(InputError) as error:
        names.check("system", name, path="f", line=2)
    assert str(error.value).startswith("f, line 2: the system ") and "Rename it" in str(error.value)
    assert str(error.value).isprintable()


def test_faults_are_told_together():
    faults = [InputError(f"is {line}", path="f", line=line, remedy="Mend it.") for line in range(1, 13)]
    assert together([]) is None and together(faults[:1]) is faults[0]
    assert str(together(faults[:2])) == "f: line 1: is 1; line 2: is 2. Mend it."
    assert str(together(faults)).endswith("line 10: is 10; and 2 more. Mend it.")
    others = together([InputError("is bad", path="g", line=1), *faults[:2]])
    assert str(others) == "g, line 1: is bad. f, line 1: is 1. Mend it. f, line 2: is 2. Mend it."
    alike = [InputError("is bad", path="f", line=line, remedy="Mend it.") for line in (1, 2)]
    assert str(together(alike)) == "f: lines 1, 2: is bad. Mend it."


# A file in another form than the expected one


RECORD = '{"topic": "t", "system": "s", "sentences": ["a"]}\n'
BOM = "\ufeff"
JQ = ", for example by: jq -c {} FILE > NEW.jsonl"


@pytest.mark.parametrize(
    ("content", "problem", "end"),
    [
        ("topic,system,sentences\nt,s,a\n", "a table", "."),
        ("id\ttext\nt\ta\n", "a table", "."),
        ("The kinase, it binds.\nCells die.\n", "text", "."),
        (f"[{RECORD}]", "a JSON array", JQ.format("'.[]'")),
        ('\n[\n  {"topic": "t"}\n]\n', "a JSON array", JQ.format("'.[]'")),
        ('{\n  "topic": "t"\n}\n', "a JSON object of several lines", JQ.format(".")),
        ('{"data": [\n  {}\n]}\n', "a JSON object of several lines", JQ.format(".")),
    ],
)
def test_a_file_of_records_in_another_form_is_refused(tmp_path, content, problem, end):
    path = tmp_path / "file"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read(path, Candidate)
    remedy = f"Write one JSON object a line, with the fields topic, system, sentences{end}"
    assert str(error.value) == f"{path}: is {problem}, not JSON Lines. {remedy}"


@pytest.mark.parametrize("separator", ",;")
def test_a_table_may_be_csv(tmp_path, separator):
    path = tmp_path / "human.csv"
    rows = [["topic", "system", "judgement", "score"], ['"t, 1; a"', "s", '"J ""2"""', "1.5"]]
    path.write_text(BOM + "".join(f"{separator.join(row)}\r\n" for row in rows), encoding="utf-8")
    (found,) = read_judgements(path).to_numpy().tolist()
    assert found == ["t, 1; a", "s", 'J "2"', 1.5]
    path.write_text(f"topic{separator}system{separator}judgment{separator}score\n")
    with pytest.raises(InputError, match="has no column judgement; it has topic, system, judgment, score"):
        read_judgements(path)


def test_a_table_with_tabs_may_have_quotes_as_r_writes_them(tmp_path):
    path = tmp_path / "human.tsv"
    path.write_text('"topic"\t"system"\t"judgement"\t"score"\n"t ""1"""\t"s"\tH\t1.5\n')
    (found,) = read_judgements(path).to_numpy().tolist()
    assert found == ['t "1"', "s", "H", 1.5]
    # a quote is an ordinary character if the header has none
    path.write_text('topic\tsystem\tjudgement\tscore\n"t ""1"""\t"s"\tH\t1.5\n')
    (found,) = read_judgements(path).to_numpy().tolist()
    assert found == ['"t ""1"""', '"s"', "H", 1.5]


def test_a_byte_order_mark_at_the_start_is_left_out(tmp_path):
    path = tmp_path / "file"
    path.write_text(BOM + RECORD, encoding="utf-8")
    assert read(path, Candidate) == [Candidate("t", "s", ("a",))]
    assert files.read_json(path)["topic"] == "t"
    path.write_text(BOM + "topic\tsystem\tjudgement\tscore\nt\ts\tH\t1\n", encoding="utf-8")
    assert read_judgements(path)["score"].tolist() == [1.0]
