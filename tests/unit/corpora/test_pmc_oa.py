"""Reading PMC OA packages: made ones with everything that can be wrong."""

import gzip
import tarfile

import pytest
from pmc_packages import HEADER, list_of, member, told, write_package

from sera.corpora.pmc_oa import RecordCounts, extract, packages, select, write_extract
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


def test_a_cut_inside_sound_compression_is_told(package):
    path = package([member(f"P/{n}.xml", xml(noise(n))) for n in range(4)], [])
    tar = gzip.decompress(path.read_bytes())
    for length in (2 * len(tar) // 3, len(tar) // 512 // 2 * 512):  # in the middle, and at a block's end
        path.write_bytes(gzip.compress(tar[:length]))
        ids, reasons = told(extract(path))
        assert 1 <= len(ids) <= 3
        assert "cut short" in reasons[""]


def test_a_header_broken_in_the_middle_is_told(package):
    path = package([member(f"P/{n}.xml", xml(f"{n}")) for n in range(4)], [])
    tar = bytearray(gzip.decompress(path.read_bytes()))
    tar[2048 : 2048 + 100] = b"\xff" * 100  # the third header: each article takes two blocks
    path.write_bytes(gzip.compress(bytes(tar)))
    ids, reasons = told(extract(path))
    assert ids == ["0", "1"]
    assert "damaged" in reasons[""]


def test_a_wrong_checksum_is_told(package):
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


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"File,Id\nP/1.xml,PMC1\n", "line 1: the file list has no column 'Article File'. Download"),
        (b"", "line 1: the file list has no column 'Article File'. Download"),
        (HEADER.replace("Retracted", "PMID").encode(), "line 1: the file list has no column 'Retracted'"),
        (HEADER.replace("PMID", "Retracted").encode(), "line 1: the file list has two columns 'Retracted'"),
        (b"\xff\xff\x00", "line 1: is not UTF-8 text"),
    ],
)
def test_a_list_without_its_columns_is_refused(package, tmp_path, content, problem):
    """Without them a retracted article might be read; who has no list says so by having none."""
    path = package([member("P/1.xml", xml("One"))])
    list_of(path).write_bytes(content)
    for read in (lambda: list(extract(path)), lambda: select([path])):
        with pytest.raises(InputError) as error:
            read()
        assert problem in str(error.value)


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
