"""Packages, lists and articles made to do harm: they are told of, cost little, and harm nothing else."""

import gzip
import os
import subprocess
import sys
import tarfile
import time

import pytest

from sera.corpora import jats
from sera.corpora.pmc_oa import RecordCounts, Unreadable, extract, packages, select, write_extract
from sera.errors import InputError
from sera.io import limits, records
from sera.io.records import Document

GOOD = b"<article><front/><body><p>Good text.</p></body></article>"
HEADER = (
    "Article File,Article Citation,AccessionID,LastUpdated (YYYY-MM-DD HH:MM:SS),PMID,License,Retracted\n"
)
BLOCK = 512


def header(name="P/x.xml", size=0, kind=b"0", **more) -> bytes:
    info = tarfile.TarInfo(name)
    info.size, info.type = size, kind
    for key, value in more.items():
        setattr(info, key, value)
    return info.tobuf(tarfile.GNU_FORMAT)


def member(name, content=GOOD) -> bytes:
    return header(name, len(content)) + content + bytes(-len(content) % BLOCK)


def zeros(size: int, piece: bytes = bytes(2**20)) -> bytes:
    """``size`` bytes as gzip: one compressed piece, many times over, which costs no time to make."""
    return gzip.compress(piece, 9) * (size // len(piece))


def package(folder, *parts: bytes, listed="") -> str:
    """A package of gzip pieces."""
    path = folder / "oa.tar.gz"
    path.write_bytes(b"".join(parts))
    path.with_name("oa.filelist.csv").write_text(HEADER + listed)
    return path


def told(path):
    items = list(extract(path))
    return (
        [item.id for item in items if isinstance(item, Document)],
        {item.member: item.reason for item in items if isinstance(item, Unreadable)},
    )


linux = pytest.mark.skipif(
    not os.path.exists("/proc/self/status"), reason="measures memory as Linux tells it"
)


def measured(path) -> tuple[str, float, int]:
    """What reading a package in a process of its own tells, its seconds and its peak of memory in MB."""
    program = (
        "import re, sys\n"
        "from sera.corpora.pmc_oa import extract\n"
        "print([getattr(i, 'reason', None) or i.id for i in extract(sys.argv[1])])\n"
        "print(int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1]) // 1024)\n"
    )
    begun = time.monotonic()
    run = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.returncode == 0, run.stderr
    items, memory = run.stdout.splitlines()
    return items, time.monotonic() - begun, int(memory)


END = gzip.compress(bytes(2 * BLOCK))


@pytest.mark.slow
@linux
def test_a_gigabyte_of_one_element_is_passed_over(tmp_path):
    size = 2**30
    path = package(
        tmp_path,
        gzip.compress(member("P/before.xml") + header("P/huge.xml", size)),
        zeros(size, b"<article><body>" + b"a" * (2**20 - 15)),
        gzip.compress(member("P/after.xml")),
        END,
    )
    assert path.stat().st_size < 3e6
    items, seconds, memory = measured(path)
    assert items == "['before', 'is larger than 67108864 bytes', 'after']"
    assert memory < 250 and seconds < 30


@linux
@pytest.mark.parametrize(
    "kind", [tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE]
)
def test_a_gigabyte_of_name_is_not_taken_into_memory(tmp_path, kind):
    size = 2**30
    path = package(
        tmp_path, gzip.compress(member("P/before.xml") + header("x", size, kind)), zeros(size), END
    )
    items, _, memory = measured(path)
    assert "'before', 'the archive is cut short or damaged: a header is larger than 131072 bytes" in items
    assert memory < 250


@pytest.mark.parametrize("where", [0, 1])
def test_headers_of_headers_come_to_an_end(tmp_path, where):
    chain = header("x", 0, tarfile.XHDTYPE) * 200_000
    before = member("P/before.xml") * where
    path = package(tmp_path, gzip.compress(before + chain + member("P/x.xml")), END)
    ids, reasons = told(path)
    assert ids == ["before"] * where
    assert list(reasons) == [""] and "damaged" in reasons[""]


@linux
def test_an_endless_map_of_holes_is_not_taken_into_memory(tmp_path):
    sparse = bytearray(header("P/x.xml", 0, tarfile.GNUTYPE_SPARSE))
    sparse[482] = 1  # the map goes on in the next block, and in the next
    sparse[148:156] = b"%06o\0 " % (256 + sum(sparse[:148]) + sum(sparse[156:]))
    more = (b"%011o\0" % 1) * 42 + b"\1" + bytes(7)
    assert len(more) == BLOCK
    path = package(tmp_path, gzip.compress(member("P/before.xml") + sparse), zeros(2**28, more * 2048), END)
    items, _, memory = measured(path)
    assert "'before', 'the archive is cut short or damaged: a header is larger" in items
    assert memory < 250


@pytest.mark.parametrize("size", [2**62, 2**40, -1, -BLOCK, -(2**40)])
def test_an_impossible_size_is_told_at_once(tmp_path, size):
    path = package(
        tmp_path, gzip.compress(member("P/before.xml") + header("P/x.xml", size) + member("P/after.xml")), END
    )
    begun = time.monotonic()
    ids, reasons = told(path)
    assert time.monotonic() - begun < 10
    assert ids[:1] == ["before"]
    assert reasons


def test_a_file_with_holes_is_no_article(tmp_path):
    sparse = header("P/x.xml", 0, tarfile.GNUTYPE_SPARSE)
    path = package(tmp_path, gzip.compress(member("P/before.xml") + sparse + member("P/after.xml")), END)
    assert told(path) == (["before", "after"], {"P/x.xml": "is not a regular file"})


NAMES = [
    "P/a\tb.xml",
    "P/a\nb.xml",
    "P/\x1b[2J.xml",
    "P/\u202etxt.xml",
    b"P/\xff\xfe.xml".decode("utf-8", "surrogateescape"),
]


def test_names_that_are_no_text_are_told_in_words_that_can_be_written(tmp_path):
    contents = gzip.compress(b"".join(map(member, [*NAMES, "P/good.xml", "P/two words.xml"])))
    path = package(tmp_path, contents, END, listed='P/good.xml,,"a\u202eb",,,,no\n')
    assert write_extract([path], tmp_path / "d.jsonl", tmp_path / "u.tsv") == RecordCounts(1, 6)
    rows = [line.split("\t") for line in (tmp_path / "u.tsv").read_text(encoding="utf-8").split("\n")]
    assert [row[1] for row in rows[1:-1]] == [
        "P/a b.xml", "P/a b.xml", "P/\\x1b[2J.xml", "P/\\u202etxt.xml", "P/\\udcff\\udcfe.xml",
        "P/good.xml",
    ]  # fmt: skip
    assert {row[2] for row in rows[1:6]} == {"its name holds control characters or is no text"}
    assert rows[6][2] == "the id 'a\\u202eb' has the character U+202E in it"
    assert [d.id for d in records.read(tmp_path / "d.jsonl", Document)] == ["two words"]


@pytest.mark.parametrize("name", ["/etc/x.xml", "../x.xml", "P/../../x.xml", "..\\x.xml", "C:\\x.xml"])
def test_paths_out_of_the_archive_are_refused_and_nothing_is_written(tmp_path, name):
    (tmp_path / "in").mkdir()
    path = package(tmp_path / "in", gzip.compress(member(name) + member("P/good.xml")), END)
    ids, reasons = told(path)
    assert ids == ["good"]
    assert reasons == {name: "its path leads out of the archive"}
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["in", "oa.filelist.csv", "oa.tar.gz"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE])
def test_links_are_not_followed(tmp_path, kind):
    secret = tmp_path / "secret.xml"
    secret.write_bytes(GOOD.replace(b"Good", b"Secret"))
    link = header("P/link.xml", kind=kind, linkname=str(secret))
    through = header("P", kind=kind, linkname=str(tmp_path))
    path = package(tmp_path, gzip.compress(link + through + member("P/secret.xml")), END)
    write_extract([path], tmp_path / "d.jsonl", tmp_path / "u.tsv")
    assert [d.sections[0].paragraphs for d in records.read(tmp_path / "d.jsonl", Document)] == [
        ("Good text.",)
    ]
    assert (tmp_path / "u.tsv").read_text().count("is a link") == 2


def test_a_list_that_is_one_line_is_told(tmp_path):
    path = package(tmp_path, gzip.compress(member("P/good.xml")), END, listed="P/good.xml," + "x" * 3_000_000)
    for read in (told, lambda path: select([path])):
        with pytest.raises(
            InputError, match=r"filelist\.csv, line 2: .* has 2 cells, not 7. Download the list"
        ):
            read(path)


BOMB = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10}">' for i in range(1, 12))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "utf-32", "utf-7"])
@pytest.mark.parametrize(
    "body",
    ["<body><p>&e11;</p></body>", '<body><p><xref rid="&e11;">1</xref></p></body>'],
    ids=["text", "attribute"],
)
def test_an_entity_bomb_in_any_encoding_is_refused_at_once(encoding, body):
    text = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE article [<!ENTITY e0 "ha">{BOMB}]>'
    text += f"<article><front/>{body}</article>"
    xml = text.encode(encoding)
    if encoding == "utf-7":  # the declaration in ASCII, the rest so written that no "<!ENTITY" stands there
        begin, rest = text.split("?>", 1)
        xml = f"{begin}?>".encode() + rest.replace("<", "\0").encode("utf-7").replace(b"+AAA-", b"+ADw-")
        xml = xml.replace(b"+AAA", b"+ADw")
    begun = time.process_time()
    with pytest.raises(InputError, match="declares XML entities|is not XML"):
        jats.read_article(xml, "x")
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
    path = package(tmp_path, gzip.compress(member("P/long.xml", xml) + member("P/good.xml"), 1), END)
    ids, reasons = told(path)
    assert ids == ["good"]
    assert reasons["P/long.xml"].startswith("is not XML")


def pax(content: bytes, kind=tarfile.XHDTYPE) -> bytes:
    return header("x", len(content), kind) + content + bytes(-len(content) % BLOCK)


def record(key: str, value: str) -> bytes:
    length = len(key) + len(value) + 3
    return b"%d %s=%s\n" % (length + len(str(length + 2)), key.encode(), value.encode())


def test_a_header_of_digits_costs_no_time(tmp_path):
    path = package(tmp_path, gzip.compress(member("P/before.xml") + pax(b"1" * 100_000)), END)
    begun = time.process_time()
    ids, reasons = told(path)
    assert time.process_time() - begun < 2
    assert ids == ["before"] and "a number of 100 digits or more" in reasons[""]


def test_an_extended_header_still_names_its_member(tmp_path):
    named = pax(record("path", "P/named.xml")) + member("P/x.xml")
    path = package(tmp_path, gzip.compress(member("P/before.xml") + named + member("P/after.xml")), END)
    assert told(path) == (["before", "named", "after"], {})


def test_headers_for_all_members_do_not_pile_up(tmp_path):
    parts = [
        pax(b"".join(record(f"k{n}-{each}", "v") for each in range(40)), tarfile.XGLTYPE)
        + member(f"P/{n}.xml")
        for n in range(20)
    ]
    ids, reasons = told(package(tmp_path, gzip.compress(b"".join(parts)), END))
    assert ids == ["0", "1"]
    assert reasons[""].endswith("it has more than 100 records for all its members")


def test_a_list_with_a_quote_that_is_not_closed_loses_no_retraction(tmp_path):
    listed = 'P/1.xml,"A 5 gel,PMC1,,,,no\nP/2.xml,x,PMC2,,,,yes\n'
    path = package(tmp_path, gzip.compress(member("P/1.xml") + member("P/2.xml")), END, listed=listed)
    for read in (told, lambda path: select([path])):
        with pytest.raises(
            InputError, match=r"line 2: the line cannot be read: unexpected end of data\. Download"
        ):
            read(path)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("P/1.xml,x,PMC1,,,no", "it has 6 cells, not 7"),
        ("P/1.xml,x,PMC1,,,,no,", "it has 8 cells, not 7"),
        ("P/1.xml,J. Sci, 2016,PMC1,,,,no", "it has 8 cells, not 7"),
        ("P/1.xml,x,PMC1,,,,nein", "Retracted is 'nein', not yes or no"),
        ("P/1.xml,x,PMC1,16-12-31,,,no", "LastUpdated is '16-12-31', not YYYY-MM-DD HH:MM:SS"),
        (",x,PMC1,,,,no", "it names no file"),
        ('P/1.xml,"x"y,PMC1,,,,no', "',' expected after '\"'"),
    ],
)
def test_a_line_of_a_list_that_is_no_row_is_refused(tmp_path, line, problem):
    path = package(tmp_path, gzip.compress(member("P/1.xml")), END, listed=f"\n{line}\n")
    with pytest.raises(InputError) as error:
        told(path)
    assert f"filelist.csv, line 3: the line cannot be read: {problem}. Download" in str(error.value)


def test_ten_lines_of_a_list_are_named_together(tmp_path):
    path = package(tmp_path, gzip.compress(member("P/1.xml")), END, listed="x\n" * 30)
    with pytest.raises(InputError, match=r"csv: line 2: .*; line 11: .*; and 20 more\. Download") as error:
        select([path])
    assert str(error.value).count("has 1 cells") == 10


def test_a_member_with_two_ids_is_refused(tmp_path):
    listed = "P/1.xml,x,PMC1,,,,no\nP/1.xml,x,PMC2,,,,no\n"
    path = package(tmp_path, gzip.compress(member("P/1.xml")), END, listed=listed)
    with pytest.raises(InputError, match=r"gives P/1\.xml two ids, PMC1 and PMC2"):
        told(path)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_marks_and_line_ends_of_lists_make_no_difference(tmp_path, mark, end):
    path = package(tmp_path, gzip.compress(member("P/1.xml") + member("P/2.xml")), END)
    rows = ['P/1.xml,"J. Sci, ""A"" 2016",PMC1,,,,no', "P/2.xml,5\u2032 gel,PMC2,,,,YES"]
    text = mark + end.join([HEADER.strip(), *rows, ""])
    path.with_name("oa.filelist.csv").write_bytes(text.encode())
    assert told(path) == (["PMC1"], {"P/2.xml": "retracted"})


def test_pipes_are_not_waited_for(tmp_path):
    path = package(tmp_path, gzip.compress(member("P/1.xml")), END)
    path.with_name("oa.filelist.csv").unlink()
    os.mkfifo(path.with_name("oa.filelist.csv"))
    with pytest.raises(InputError, match="the file list is no file"):
        told(path)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(InputError, match="is no file, or a link to nothing"):
        packages(tmp_path)
    with pytest.raises(InputError, match="no such package"):
        list(extract(path))


def test_a_folder_of_links_to_packages_and_lists_is_read(tmp_path):
    (tmp_path / "far").mkdir()
    path = package(tmp_path / "far", gzip.compress(member("P/1.xml")), END, listed="P/1.xml,x,PMC1,,,,yes\n")
    (tmp_path / "near").mkdir()
    for name in (path.name, "oa.filelist.csv"):
        (tmp_path / "near" / name).symlink_to(tmp_path / "far" / name)
    [link] = packages(tmp_path / "near")
    assert told(link) == ([], {"P/1.xml": "retracted"})


@pytest.mark.parametrize("encoding", ["utf-7", "cp037", "hz", "iso-2022-jp"])
def test_encodings_in_which_a_tag_may_hide_are_refused(encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?><article><body><p>x</p></body></article>'
    with pytest.raises(InputError, match="is not XML"):
        jats.read_article(text.encode("ascii" if encoding != "cp037" else encoding), "x")


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


def test_an_articles_bytes_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(limits.MEMBER, "usual", 50)
    path = package(tmp_path, gzip.compress(member("P/1.xml")), END)
    assert told(path) == ([], {"P/1.xml": "is larger than 50 bytes"})
