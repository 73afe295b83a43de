"""Reading PMC OA packages: made ones with everything that can be wrong."""

import gzip
import os
import random
import re
import tarfile
import time
import tracemalloc
from pathlib import Path

import pytest
from commands import sera
from pmc_packages import HEADER, list_of, member, told, write_package

from sera.corpora import jats
from sera.corpora.pmc_oa import (
    REPLACED,
    RETRACTED,
    RecordCounts,
    extract,
    packages,
    read_selection,
    select,
    write_extract,
    write_selection,
)
from sera.errors import InputError
from sera.io import limits, records
from sera.io.records import Document


def xml(title):
    return (
        f"<article><front><article-meta><title-group><article-title>{title}</article-title></title-group>"
        f"</article-meta></front><body><p>Text of {title}.</p></body></article>"
    ).encode()


@pytest.fixture
def package(tmp_path):
    """Makes a package: a list of members, and the rows of its file list or None for no list."""

    def make(members, rows=None, name="oa.PMC000xxxxxx.baseline"):
        listed = "".join(
            f"{file},Cit. 2016,{id},2016-12-31 00:00:00,,CC BY,{gone}\n" for file, id, gone in rows or ()
        )
        return write_package(tmp_path / f"{name}.tar.gz", members, None if rows is None else listed)

    return make


def test_a_folder_that_is_missing_or_has_no_package_is_an_error_with_a_remedy(tmp_path):
    with pytest.raises(InputError, match="no such folder.*filelist"):
        packages(tmp_path / "none")
    with pytest.raises(InputError, match="holds no package.*filelist"):
        packages(tmp_path)
    with pytest.raises(InputError, match="no such package"):
        list(extract(tmp_path / "none.tar.gz"))


def test_ids_come_from_the_list_or_else_from_the_names(package):
    members = [member("P/one.xml", xml("One")), member("./P/two.xml", xml("Two"))]
    rows = [("P/one.xml", "PMC1", "no"), ("P/two.xml", "PMC2", "no")]
    assert told(extract(package(members, rows))) == (["PMC1", "PMC2"], {})
    path = package(members, name="unlisted")
    ids, reasons = told(extract(path))
    assert ids == ["one", "two"]
    assert list(reasons) == ["unlisted.filelist.csv"]
    assert "retractions are not known" in reasons["unlisted.filelist.csv"]


def test_every_kind_of_bad_member_is_told_and_the_good_are_read(package, monkeypatch):
    monkeypatch.setattr(limits.MEMBER, "usual", 1000)
    members = [
        member("P", kind=tarfile.DIRTYPE),
        member("P/good.xml", xml("Good")),
        member("P/retracted.xml", xml("Gone")),
        member("P/broken.xml", xml("Broken")[:-9]),
        member("P/empty.xml", b"<article/>"),
        member("P/page.xml", b"<html>404</html>"),
        member("P/large.xml", xml("L" * 2000)),
        member("P/link.xml", kind=tarfile.SYMTYPE, target="/etc/passwd"),
        member("P/pipe.xml", kind=tarfile.FIFOTYPE),
        member("P/../../up.xml", xml("Up")),
        member("P/readme.txt", b"Hello"),
        member("P/good.xml", xml("Good again")),
        member("P/last.nxml", xml("Last")),
    ]
    rows = [("P/good.xml", "PMC1", "no"), ("P/retracted.xml", "PMC2", "yes"), ("P/absent.xml", "PMC3", "no")]
    ids, reasons = told(extract(package(members, rows)))
    assert ids == ["PMC1", "last"]
    expected = {
        "P/retracted.xml": "retracted",
        "P/broken.xml": "is not XML",
        "P/empty.xml": "is empty",
        "P/page.xml": "root is <html>",
        "P/large.xml": "is larger than 1000 bytes",
        "P/link.xml": "is a link",
        "P/pipe.xml": "is not a regular file",
        "P/../../up.xml": "out of the archive",
        "P/readme.txt": "is not named as XML",
        "P/good.xml": "repeats article PMC1",
        "P/absent.xml": "listed but not in the archive",
    }
    assert list(reasons) == list(expected)
    for name, reason in expected.items():
        assert reason in reasons[name]


def noise(number):
    """Text that hardly compresses, so that a cut in the file is a cut in a known article."""
    value, letters = number + 1, []
    for _ in range(4000):
        value = value * 6364136223846793005 % 2**63
        letters.append(f"{value:x}")
    return " ".join(letters)


@pytest.mark.parametrize("part", [0.3, 0.5, 0.9, 0.999])
def test_articles_before_a_cut_are_kept_and_the_rest_is_told_once(package, part):
    members = [member(f"P/{n}.xml", xml(noise(n))) for n in range(20)]
    path = package(members, [(f"P/{n}.xml", f"PMC{n}", "no") for n in range(20)])
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * part)])
    ids, reasons = told(extract(path))
    assert ids == [f"PMC{n}" for n in range(len(ids))]
    assert abs(len(ids) - int(20 * part)) <= 1
    assert list(reasons) == [""]
    assert "cut short or damaged" in reasons[""]
    assert f"; {20 - len(ids)} of the 20 listed articles were not reached" in reasons[""]


def test_damage_in_the_middle_is_told(package):
    path = package([member(f"P/{n}.xml", xml(noise(n))) for n in range(4)], [])
    tar = gzip.decompress(path.read_bytes())
    for length in (2 * len(tar) // 3, len(tar) // 512 // 2 * 512):  # in the middle, and at a block's end
        path.write_bytes(gzip.compress(tar[:length]))
        ids, reasons = told(extract(path))
        assert 1 <= len(ids) <= 3
        assert "cut short" in reasons[""]
    path = package([member(f"P/{n}.xml", xml(f"{n}")) for n in range(4)], [])
    tar = bytearray(gzip.decompress(path.read_bytes()))
    tar[2048 : 2048 + 100] = b"\xff" * 100  # the third header: each article takes two blocks
    path.write_bytes(gzip.compress(bytes(tar)))
    ids, reasons = told(extract(path))
    assert ids == ["0", "1"]
    assert "damaged" in reasons[""]
    path = package([member("P/1.xml", xml("One"))], [])
    data = bytearray(path.read_bytes())
    data[-8:-4] = bytes(4 - i for i in range(4))
    path.write_bytes(bytes(data))
    ids, reasons = told(extract(path))
    assert "CRC" in reasons[""]


@pytest.mark.parametrize(
    "content",
    [b"", b"not an archive", gzip.compress(b"not a tar" * 200, mtime=0)],
    # the bytes would be the name, and gzip's time stamp differs between the processes of one run
    ids=["empty", "text", "gzip"],
)
def test_what_is_no_archive_is_told(tmp_path, content):
    path = tmp_path / "x.tar.gz"
    path.write_bytes(content)
    list_of(path).write_text(HEADER)
    ids, reasons = told(extract(path))
    assert ids == []
    assert list(reasons) == [""]


def test_both_files_are_written_and_twice_the_same_bytes(package, tmp_path):
    path = package(
        [member("P/1.xml", xml("One")), member("P/2.xml", b"no\txml")], [("P/1.xml", "PMC1", "no")]
    )
    outputs = []
    for run in ("a", "b"):
        documents, table = tmp_path / run / "d.jsonl.gz", tmp_path / run / "u.tsv"
        assert write_extract([path], documents, table) == RecordCounts(documents=1, unreadable=1)
        outputs.append((documents.read_bytes(), table.read_bytes()))
    assert outputs[0] == outputs[1]
    assert [d.content for d in records.read(documents, Document)] == ["One\n\nText of One."]
    lines = table.read_text().split("\n")
    assert lines[0] == "package\tmember\treason"
    assert lines[1].startswith("oa.PMC000xxxxxx.baseline.tar.gz\tP/2.xml\tis not XML: ")
    assert lines[2:] == [""]


# Versions


BASE = "oa_comm_xml.PMC000xxxxxx.baseline.2024-12-18"
NEXT = "oa_comm_xml.PMC001xxxxxx.baseline.2024-12-18"
INCR = "oa_comm_xml.incr.2024-12-19"
LATER = "oa_comm_xml.incr.2024-12-20"
OTHER = "oa_noncomm_xml.PMC000xxxxxx.baseline.2024-12-18"
DAY = "2024-12-0{} 10:00:00"


@pytest.fixture
def make(tmp_path):
    """Makes a package: rows of (accession, day of LastUpdated, retracted), each of a member of that name."""

    def make(name, rows, listed=True, members=None):
        ids = dict.fromkeys(members or [id for id, _, _ in rows])
        body = "<article><front/><body><p>{} of {}.</p></body></article>"
        lines = "".join(
            f"P/{id}.xml,Cit. 2016,{id},{DAY.format(day) if day else ''},,CC BY,{gone}\n"
            for id, day, gone in rows
        )
        articles = [member(f"P/{id}.xml", body.format(id, name).encode()) for id in ids]
        return write_package(tmp_path / f"{name}.tar.gz", articles, lines if listed else None)

    return make


def taken(folder: Path, *paths: Path) -> list[str]:
    """What is written for the packages: ``article of package``, in its order."""
    counts = write_extract(paths, folder / "d.jsonl", folder / "u.tsv")
    documents = records.read(folder / "d.jsonl", Document)
    assert counts.documents == len({d.id for d in documents})
    return [d.sections[0].paragraphs[0].rstrip(".") for d in documents]


def test_a_newer_version_replaces_an_older_and_is_read_once(make, tmp_path):
    base = make(BASE, [("PMC1", 1, "no"), ("PMC2", 1, "no"), ("PMC3", 1, "no")])
    incr = make(INCR, [("PMC2", 2, "no"), ("PMC9", 2, "no")])
    expected = [f"PMC1 of {BASE}", f"PMC3 of {BASE}", f"PMC2 of {INCR}", f"PMC9 of {INCR}"]
    assert taken(tmp_path, base, incr) == expected
    assert sorted(taken(tmp_path, incr, base)) == sorted(expected)  # in whichever order they are named
    assert select([base, incr]) == {base: {"P/PMC2.xml": REPLACED}, incr: {}}
    lines = (tmp_path / "u.tsv").read_text().splitlines()
    assert lines[1:] == [f"{BASE}.tar.gz\tP/PMC2.xml\t{REPLACED}"]


@pytest.mark.parametrize(
    ("one", "other", "wins"),
    [
        ((BASE, 1), (INCR, 2), INCR),  # the time
        ((BASE, 2), (INCR, 1), BASE),  # before the kind of package
        ((BASE, 1), (INCR, 1), INCR),  # at one time, the package issued later
        ((INCR, 1), (LATER, 1), LATER),
        ((BASE.replace("18", "19"), 1), (INCR, 1), INCR),  # on one day, the incremental
        ((BASE.replace("2024-12-18", "2025-06-17"), 1), (INCR, 1), BASE.replace("2024-12-18", "2025-06-17")),
        ((BASE, 1), (OTHER, 1), BASE),  # all the same: the first
        ((BASE, None), (INCR, None), INCR),  # no time: the package's
        ((BASE, 9), (INCR, None), INCR),
        (("mine", 1), (BASE, 1), BASE),  # a name without a date is the oldest
    ],
)
def test_which_of_two_versions_is_read(make, tmp_path, one, other, wins):
    paths = [make(name, [("PMC1", day, "no")]) for name, day in (one, other)]
    assert taken(tmp_path, *paths) == [f"PMC1 of {wins}"]


@pytest.mark.parametrize(
    ("base", "incr", "expected"),
    [
        ((1, "no"), (2, "yes"), None),  # the newest version is retracted
        ((1, "no"), (1, "yes"), None),  # marked later, the time left as it was
        ((3, "no"), (2, "yes"), None),  # marked in a later package, with an older time
        ((1, "yes"), (1, "no"), None),  # two lists disagree about one version
        ((1, "yes"), (2, "no"), INCR),  # the mark was withdrawn
    ],
)
def test_an_article_that_was_retracted_since_is_left_out(make, tmp_path, base, incr, expected):
    paths = [make(BASE, [("PMC1", *base), ("PMC2", 1, "no")]), make(INCR, [("PMC1", *incr)])]
    left = select(paths)
    assert taken(tmp_path, *paths) == [f"PMC2 of {BASE}", *([f"PMC1 of {expected}"] if expected else [])]
    if not expected:
        assert left == {path: {"P/PMC1.xml": RETRACTED} for path in paths}


def test_an_article_listed_twice_in_one_package_is_read_once(make, tmp_path):
    path = make(BASE, [("PMC1", 1, "no"), ("PMC1", 1, "no"), ("PMC2", 1, "no"), ("PMC2", 2, "no")])
    assert taken(tmp_path, path) == [f"PMC1 of {BASE}", f"PMC2 of {BASE}"]
    assert taken(tmp_path, path, path) == [f"PMC1 of {BASE}", f"PMC2 of {BASE}"]


def test_of_two_members_with_one_accession_the_newer_is_read(make, tmp_path):
    path = make(BASE, [], members=["old", "new"])
    list_of(path).write_text(
        HEADER + f"P/new.xml,,PMC1,{DAY.format(2)},,,no\nP/old.xml,,PMC1,{DAY.format(1)},,,no\n"
    )
    assert taken(tmp_path, path) == [f"new of {BASE}"]
    assert [d.id for d in extract(path) if isinstance(d, Document)] == ["PMC1"]


def test_a_package_without_a_list_is_gone_through_for_its_members(make, tmp_path):
    base = make(BASE, [("PMC1", 1, "no"), ("PMC2", 1, "no"), ("PMC3", 1, "yes")])
    incr = make(INCR, [("PMC2", 1, "no"), ("PMC3", 1, "no")], listed=False)
    assert select([base, incr]) == {base: {"P/PMC2.xml": REPLACED, "P/PMC3.xml": REPLACED}, incr: {}}
    assert taken(tmp_path, base, incr) == [f"PMC1 of {BASE}", f"PMC2 of {INCR}", f"PMC3 of {INCR}"]


def test_a_list_that_breaks_off_is_refused_since_the_rest_might_mark_retractions(make, tmp_path):
    path = make(BASE, [(f"PMC{n}", 1, "no") for n in range(600)])
    whole = list_of(path).read_bytes()
    list_of(path).write_bytes(whole + b"P/PMC600.xml,\xff\n")
    for read in (lambda: select([path]), lambda: list(extract(path))):
        with pytest.raises(InputError, match=r"filelist\.csv, line 602: is not UTF-8 text"):
            read()


def test_packages_read_side_by_side_give_what_all_together_give(make, tmp_path):
    """Forty packages drawn at random against the rules, said again article by article."""
    draw = random.Random(2016)
    names = [BASE, NEXT, OTHER, *(f"oa_comm_xml.incr.2024-12-{day}" for day in range(19, 27))]
    versions: dict[str, list] = {}
    paths = []
    for rank, name in enumerate(names):
        rows = [
            (f"PMC{draw.randrange(60)}", draw.randint(1, 5), draw.choice(["no"] * 9 + ["yes"]))
            for _ in range(20)
        ]
        rows = list({id: (id, day, gone) for id, day, gone in rows}.values())
        paths.append(make(name, rows))
        for id, day, gone in rows:
            versions.setdefault(id, []).append((day, max(0, rank - 2), -rank, gone == "yes", name))
    expected = set()
    for id, known in versions.items():
        day, rank, _, _, name = max(known)
        if not any(gone and (d == day or r > rank) for d, r, _, gone, _ in known):
            expected.add(f"{id} of {name}")
    assert 20 < len(expected) < len(versions)
    together = taken(tmp_path, *paths)
    assert len(together) == len(set(together)) and set(together) == expected
    left_out = select(paths)
    apart = []
    for path in paths:
        write_selection(tmp_path / "s.jsonl.gz", left_out[path])
        chosen = read_selection(tmp_path / "s.jsonl.gz")
        assert chosen == left_out[path]
        apart += [d for d in extract(path, left_out=chosen) if isinstance(d, Document)]
    assert apart == records.read(tmp_path / "d.jsonl", Document)


def test_the_selection_of_a_package_changes_only_if_what_is_read_of_it_does(make, tmp_path):
    base = make(BASE, [(f"PMC{n}", 1, "no") for n in range(5)])
    other = make(NEXT, [("PMC7", 1, "no")])
    written = []
    for number, rows in enumerate(([("PMC1", 2, "no")], [("PMC1", 3, "no")], [("PMC2", 3, "no")])):
        make(f"oa_comm_xml.incr.2024-12-2{number}", rows)
        chosen = select(packages(tmp_path))
        for path in (base, other):
            write_selection(tmp_path / f"{path.name}.jsonl.gz", chosen[path])
        written.append([(tmp_path / f"{path.name}.jsonl.gz").read_bytes() for path in (base, other)])
    assert written[0] == written[1]
    assert written[1][0] != written[2][0] and written[1][1] == written[2][1]


def test_a_selection_of_another_kind_is_refused(tmp_path):
    (tmp_path / "s.jsonl").write_text('{"id": "PMC1"}\n')
    with pytest.raises(InputError, match="line 1: has no field 'member'"):
        read_selection(tmp_path / "s.jsonl")


def test_the_command_line_reads_each_article_once(make, tmp_path):
    base = make(BASE, [("PMC1", 1, "no"), ("PMC2", 1, "no"), ("PMC3", 1, "no")])
    incr = make(INCR, [("PMC2", 2, "no"), ("PMC3", 2, "yes")])
    out = tmp_path / "out.jsonl.gz"
    printed = sera("corpus", "extract", base, incr, "--out", out)
    assert "2 articles" in printed and "3 not read" in printed
    with gzip.open(out, "rt") as lines:
        assert [line.split('"')[3] for line in lines] == ["PMC1", "PMC2"]


@pytest.mark.slow
def test_many_articles_are_settled_in_bounded_time_and_memory(tmp_path):
    """Three lists of 100,000 articles; each of the last two replaces half of the one before."""
    names = [BASE, INCR, LATER]
    for number, name in enumerate(names):
        (tmp_path / f"{name}.tar.gz").touch()
        with open(tmp_path / f"{name}.filelist.csv", "w") as stream:
            stream.write(HEADER)
            for n in range(50_000 * number, 50_000 * number + 100_000):
                stream.write(f"P/PMC{n}.xml,J. 2024; 1:{n},PMC{n},{DAY.format(number + 1)},{n},CC BY,no\n")
    paths = [tmp_path / f"{name}.tar.gz" for name in names]
    begun = time.process_time()
    left_out = select(paths)
    assert time.process_time() - begun < 10
    assert [len(left_out[path]) for path in paths] == [50_000, 50_000, 0]
    del left_out
    tracemalloc.start()
    select(paths[2:])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6


# Packages made to do harm


GOOD = b"<article><front/><body><p>Good text.</p></body></article>"


def packed(folder, *members, listed=""):
    """A package of members; a name alone is that of a sound article."""
    made = [member(each, GOOD) if isinstance(each, str) else each for each in members]
    return write_package(folder / "oa.tar.gz", made, listed)


def test_a_file_with_holes_is_no_article(tmp_path):
    sparse = member("P/x.xml", kind=tarfile.GNUTYPE_SPARSE)
    path = packed(tmp_path, "P/before.xml", sparse, "P/after.xml")
    assert told(extract(path)) == (["before", "after"], {"P/x.xml": "is not a regular file"})


NAMES = [
    "P/a\tb.xml",
    "P/a\nb.xml",
    "P/\x1b[2J.xml",
    "P/\u202etxt.xml",
    b"P/\xff\xfe.xml".decode("utf-8", "surrogateescape"),
]


def test_names_that_are_no_text_are_told_in_words_that_can_be_written(tmp_path):
    path = packed(tmp_path, *NAMES, "P/good.xml", "P/two words.xml", listed='P/good.xml,,"a\u202eb",,,,no\n')
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
    path = packed(tmp_path / "in", name, "P/good.xml")
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
    path = packed(tmp_path, link, through, "P/secret.xml")
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
    path = packed(tmp_path, member("P/long.xml", xml), "P/good.xml")
    ids, reasons = told(extract(path))
    assert ids == ["good"]
    assert reasons["P/long.xml"].startswith("is not XML")


LINES = [
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
]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        # without its columns a retracted article might be read; who has no list says so by having none
        ("File,Id\nP/1.xml,PMC1\n", "line 1: the file list has no column 'Article File'. Download"),
        ("", "line 1: the file list has no column 'Article File'. Download"),
        (HEADER.replace("Retracted", "PMID"), "line 1: the file list has no column 'Retracted'"),
        (HEADER.replace("PMID", "Retracted"), "line 1: the file list has two columns 'Retracted'"),
        ("\udcff\udcff\0", "line 1: is not UTF-8 text"),
        *((f"{HEADER}\n{row}\n", f"line 3: the line cannot be read: {why}. Download") for row, why in LINES),
    ],
)
def test_a_list_that_cannot_be_read_is_refused(tmp_path, content, problem):
    path = packed(tmp_path, "P/1.xml", "P/2.xml")
    list_of(path).write_bytes(content.encode("utf-8", "surrogateescape"))
    for read in (lambda: list(extract(path)), lambda: select([path])):
        with pytest.raises(InputError, match=re.escape(f"filelist.csv, {problem}")):
            read()


def test_lists_with_faults(tmp_path):
    path = packed(tmp_path, "P/1.xml", listed="x\n" * 30)
    with pytest.raises(InputError, match=r"csv: lines 2, .*, 11: .* has 1 cells, .*; and 20 more\. Download"):
        select([path])
    listed = "P/1.xml,x,PMC1,,,,no\nP/1.xml,x,PMC2,,,,no\n"
    path = packed(tmp_path, "P/1.xml", listed=listed)
    with pytest.raises(InputError, match=r"gives P/1\.xml two ids, PMC1 and PMC2"):
        told(extract(path))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_marks_and_line_ends_of_lists_make_no_difference(tmp_path, mark, end):
    path = packed(tmp_path, "P/1.xml", "P/2.xml")
    rows = ['P/1.xml,"J. Sci, ""A"" 2016",PMC1,,,,no', "P/2.xml,5\u2032 gel,PMC2,,,,YES"]
    text = mark + end.join([HEADER.strip(), *rows, ""])
    list_of(path).write_bytes(text.encode())
    assert told(extract(path)) == (["PMC1"], {"P/2.xml": "retracted"})


def test_pipes_are_not_waited_for(tmp_path):
    path = packed(tmp_path, "P/1.xml")
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
    path = packed(tmp_path / "far", "P/1.xml", listed="P/1.xml,x,PMC1,,,,yes\n")
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
