"""Packages, lists and articles made to do harm: they are told of, cost little, and harm nothing else."""

import os
import re
import tarfile
import time

import pytest
from pmc_packages import HEADER, list_of, member, told, write_package

from sera.corpora import jats
from sera.corpora.pmc_oa import RecordCounts, extract, packages, select, write_extract
from sera.errors import InputError
from sera.io import records
from sera.io.records import Document

GOOD = b"<article><front/><body><p>Good text.</p></body></article>"


def package(folder, *members, listed=""):
    """A package of members; a name alone is that of a sound article."""
    made = [member(each, GOOD) if isinstance(each, str) else each for each in members]
    return write_package(folder / "oa.tar.gz", made, listed)


def test_a_file_with_holes_is_no_article(tmp_path):
    sparse = member("P/x.xml", kind=tarfile.GNUTYPE_SPARSE)
    path = package(tmp_path, "P/before.xml", sparse, "P/after.xml")
    assert told(extract(path)) == (["before", "after"], {"P/x.xml": "is not a regular file"})


NAMES = [
    "P/a\tb.xml",
    "P/a\nb.xml",
    "P/\x1b[2J.xml",
    "P/\u202etxt.xml",
    b"P/\xff\xfe.xml".decode("utf-8", "surrogateescape"),
]


def test_names_that_are_no_text_are_told_in_words_that_can_be_written(tmp_path):
    path = package(tmp_path, *NAMES, "P/good.xml", "P/two words.xml", listed='P/good.xml,,"a\u202eb",,,,no\n')
    assert write_extract([path], tmp_path / "d.jsonl", tmp_path / "u.tsv") == RecordCounts(1, 6)
    rows = [line.split("\t") for line in (tmp_path / "u.tsv").read_text(encoding="utf-8").split("\n")]
    assert [row[1] for row in rows[1:-1]] == [
        "P/a b.xml", "P/a b.xml", "P/\\x1b[2J.xml", "P/\\u202etxt.xml", "P/\\udcff\\udcfe.xml",
        "P/good.xml",
    ]  # fmt: skip
    assert {row[2] for row in rows[1:6]} == {"its name holds control characters or is not text"}
    assert rows[6][2] == "the id 'a\\u202eb' has the character U+202E in it"
    assert [d.id for d in records.read(tmp_path / "d.jsonl", Document)] == ["two words"]


@pytest.mark.parametrize("name", ["/etc/x.xml", "../x.xml", "P/../../x.xml", "..\\x.xml", "C:\\x.xml"])
def test_paths_out_of_the_archive_are_refused_and_nothing_is_written(tmp_path, name):
    (tmp_path / "in").mkdir()
    path = package(tmp_path / "in", name, "P/good.xml")
    ids, reasons = told(extract(path))
    assert ids == ["good"]
    assert reasons == {name: "its path leads out of the archive"}
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["in", "oa.filelist.csv", "oa.tar.gz"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
def test_links_are_not_followed(tmp_path, kind):
    secret = tmp_path / "secret.xml"
    secret.write_bytes(GOOD.replace(b"Good", b"Secret"))
    link = member("P/link.xml", kind=kind, target=str(secret))
    through = member("P", kind=kind, target=str(tmp_path))
    path = package(tmp_path, link, through, "P/secret.xml")
    write_extract([path], tmp_path / "d.jsonl", tmp_path / "u.tsv")
    assert [d.sections[0].paragraphs for d in records.read(tmp_path / "d.jsonl", Document)] == [
        ("Good text.",)
    ]
    assert (tmp_path / "u.tsv").read_text().count("is a link") == 2


BOMB = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 12))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "utf-32"])
@pytest.mark.parametrize(
    "body",
    ["<body><p>&e11;</p></body>", '<body><p><xref rid="&e11;">1</xref></p></body>'],
    ids=["text", "attribute"],
)
def test_an_entity_bomb_in_any_encoding_is_refused_at_once(encoding, body):
    text = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE article [<!ENTITY e0 "ha">{BOMB}]>'
    text += f"<article><front/>{body}</article>"
    begun = time.process_time()
    with pytest.raises(InputError, match="declares XML entities|is not XML"):
        jats.read_article(text.encode(encoding), "x")
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize(
    "subset",
    ['<!ENTITY % d SYSTEM "{uri}"> %d;', '<!ENTITY s PUBLIC "x" "{uri}">', '<!ENTITY s SYSTEM "{uri}">'],
)
def test_no_file_is_read_through_an_entity(tmp_path, encoding, subset):
    secret = tmp_path / "secret.dtd"
    secret.write_text('<!ENTITY s "do not tell">')
    text = f'<?xml version="1.0" encoding="{encoding}"?>'
    text += f"<!DOCTYPE article [{subset.format(uri=secret.as_uri())}]>"
    text += "<article><front/><body><p>Text &s;</p></body></article>"
    with pytest.raises(InputError, match="declares XML entities|is not XML"):
        jats.read_article(text.encode(encoding), "x")


def test_neither_the_dtd_nor_an_inclusion_is_read(tmp_path):
    secret = tmp_path / "secret.dtd"
    secret.write_text('<!ENTITY s "do not tell">')
    xml = (
        f'<!DOCTYPE article SYSTEM "{secret.as_uri()}">'
        '<article xmlns:xi="http://www.w3.org/2001/XInclude"><front/><body><p>Text &s;</p>'
        f'<p><xi:include parse="text" href="{secret.as_uri()}"/></p></body></article>'
    ).encode()
    document = jats.read_article(xml, "x")
    assert [s.paragraphs for s in document.sections] == [("Text",)]


def test_forty_megabytes_in_one_text_are_refused(tmp_path):
    xml = b"<article><front/><body><p>" + b"a" * 40_000_000 + b"</p></body></article>"
    path = package(tmp_path, member("P/long.xml", xml), "P/good.xml")
    ids, reasons = told(extract(path))
    assert ids == ["good"]
    assert reasons["P/long.xml"].startswith("is not XML")


@pytest.mark.parametrize(
    ("listed", "problem"),
    [
        ("P/1.xml,x,PMC1,,,no", "it has 6 cells, not 7"),
        ("P/1.xml,x,PMC1,,,,no,", "it has 8 cells, not 7"),
        ("P/1.xml,J. Sci, 2016,PMC1,,,,no", "it has 8 cells, not 7"),
        ("P/1.xml," + "x" * 3000, "it has 2 cells, not 7"),
        ("P/1.xml,x,PMC1,,,,nein", "Retracted is 'nein', not yes or no"),
        ("P/1.xml,x,PMC1,16-12-31,,,no", "LastUpdated is '16-12-31', not YYYY-MM-DD HH:MM:SS"),
        (",x,PMC1,,,,no", "it names no file"),
        ('P/1.xml,"x"y,PMC1,,,,no', "',' expected after '\"'"),
        # a quote that is not closed loses no retraction
        ('P/1.xml,"A 5 gel,PMC1,,,,no\nP/2.xml,x,PMC2,,,,yes\n', "unexpected end of data"),
    ],
)
def test_a_line_of_a_list_that_cannot_be_read_is_refused(tmp_path, listed, problem):
    path = package(tmp_path, "P/1.xml", "P/2.xml", listed=f"\n{listed}\n")
    said = re.escape(f"filelist.csv, line 3: the line cannot be read: {problem}. Download")
    for read in (lambda: list(extract(path)), lambda: select([path])):
        with pytest.raises(InputError, match=said):
            read()


def test_ten_lines_of_a_list_are_named_together(tmp_path):
    path = package(tmp_path, "P/1.xml", listed="x\n" * 30)
    with pytest.raises(InputError, match=r"csv: line 2: .*; line 11: .*; and 20 more\. Download") as error:
        select([path])
    assert str(error.value).count("has 1 cells") == 10


def test_a_member_with_two_ids_is_refused(tmp_path):
    listed = "P/1.xml,x,PMC1,,,,no\nP/1.xml,x,PMC2,,,,no\n"
    path = package(tmp_path, "P/1.xml", listed=listed)
    with pytest.raises(InputError, match=r"gives P/1\.xml two ids, PMC1 and PMC2"):
        told(extract(path))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_marks_and_line_ends_of_lists_make_no_difference(tmp_path, mark, end):
    path = package(tmp_path, "P/1.xml", "P/2.xml")
    rows = ['P/1.xml,"J. Sci, ""A"" 2016",PMC1,,,,no', "P/2.xml,5\u2032 gel,PMC2,,,,YES"]
    text = mark + end.join([HEADER.strip(), *rows, ""])
    list_of(path).write_bytes(text.encode())
    assert told(extract(path)) == (["PMC1"], {"P/2.xml": "retracted"})


def test_pipes_are_not_waited_for(tmp_path):
    path = package(tmp_path, "P/1.xml")
    list_of(path).unlink()
    os.mkfifo(list_of(path))
    with pytest.raises(InputError, match="the file list is not a file"):
        told(extract(path))
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(InputError, match="is not a file, or is a link"):
        packages(tmp_path)
    with pytest.raises(InputError, match="no such package"):
        list(extract(path))


def test_a_folder_of_links_to_packages_and_lists_is_read(tmp_path):
    (tmp_path / "far").mkdir()
    path = package(tmp_path / "far", "P/1.xml", listed="P/1.xml,x,PMC1,,,,yes\n")
    (tmp_path / "near").mkdir()
    for name in (path.name, "oa.filelist.csv"):
        (tmp_path / "near" / name).symlink_to(tmp_path / "far" / name)
    [link] = packages(tmp_path / "near")
    assert told(extract(link)) == ([], {"P/1.xml": "retracted"})


@pytest.mark.parametrize("encoding", ["UTF-8", "us-ascii", "ISO-8859-1", "iso8859-1", "windows-1252"])
def test_encodings_of_articles_are_taken(encoding):
    text = f"<?xml version='1.0' encoding='{encoding}'?><article><body><p>x</p></body></article>"
    assert jats.read_article(text.encode(), "x").content == "x"


def test_as_many_elements_as_would_fill_the_memory_are_refused_before_they_are_parsed():
    xml = b"<article><body>" + b"<p/>" * 4_100_000 + b"</body></article>"
    begun = time.process_time()
    with pytest.raises(InputError, match="over the limit of 2000000 elements"):
        jats.read_article(xml, "x")
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("tag", ["sec", "p", "italic", "list", "title"])
def test_deep_nesting_is_refused_and_what_the_parser_takes_is_read(tag):
    def nested(depth):
        return f"<article><body>{f'<{tag}>' * depth}x{f'</{tag}>' * depth}</body></article>".encode()

    with pytest.raises(InputError, match="is not XML: Excessive depth"):
        jats.read_article(nested(100_000), "x")
    assert jats.read_article(nested(250), "x").content == "x"
