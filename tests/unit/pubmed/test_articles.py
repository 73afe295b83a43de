"""Reading folders of articles and packages: made ones with everything that can be wrong."""

import gzip
import hashlib
import random
import re
import tarfile

import pytest
from commands import sera
from pmc_packages import HEADER, extract, list_of, member, told, write_package

from sera.errors import InputError
from sera.pubmed import jats
from sera.pubmed.articles import Collection


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


def test_a_place_without_articles_is_an_error_with_a_remedy(tmp_path):
    (tmp_path / "x.txt").touch()
    for path in (tmp_path, tmp_path / "none", tmp_path / "x.txt", tmp_path / "none.tar.gz"):
        with pytest.raises(InputError, match="holds no articles.*sera corpus download"):
            Collection(path)


def test_ids_come_from_the_list_or_else_from_the_names(package):
    members = [member("P/one.xml", xml("One")), member("./P/two.xml", xml("Two"))]
    rows = [("P/one.xml", "PMC1", "no"), ("P/two.xml", "PMC2", "no")]
    assert told(extract(package(members, rows))) == (["PMC1", "PMC2"], {})
    assert told(extract(package(members, rows[:1]))) == (["PMC1", "two"], {})


def test_a_package_without_its_list_is_an_error_with_a_remedy(package):
    path = package([member("P/one.xml", xml("One"))], name="unlisted")
    remedy = "retractions are not known. Put the list beside it, "
    remedy += "or unpack it and name the folder of its *.xml"
    for place in (path, path.parent):
        with pytest.raises(InputError, match=re.escape(remedy)):
            Collection(place)


def test_every_kind_of_bad_member_is_told_and_the_good_are_read(package):
    members = [
        member("P", kind=tarfile.DIRTYPE),
        member("P/good.xml", xml("Good")),
        member("P/retracted.xml", xml("Gone")),
        member("P/broken.xml", xml("Broken")[:-9]),
        member("P/empty.xml", b"<article/>"),
        member("P/page.xml", b"<html>404</html>"),
        member("P/link.xml", kind=tarfile.SYMTYPE, target="/etc/passwd"),
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
        "P/link.xml": "is a link",
        "P/readme.txt": "is not named as .xml",
        "P/good.xml": "repeats article PMC1",
        "P/absent.xml": "is listed but not there",
    }
    assert list(reasons) == list(expected)
    for name, reason in expected.items():
        assert reason in reasons[name]


@pytest.mark.parametrize("part", [0.3, 0.999])
def test_a_package_that_is_cut_short_is_an_error(package, part):
    members = [member(f"P/{n}.xml", xml(str(random.Random(n).random()) * 99)) for n in range(20)]
    path = package(members, [(f"P/{n}.xml", f"PMC{n}", "no") for n in range(20)])
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * part)])
    with pytest.raises(InputError, match="tar.gz: the archive is cut short or damaged"):
        extract(path)


# Folders, and articles that are there twice


def put(folder, texts):
    """Files of one article each: path to its text."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(xml(text))
    return folder


def list_articles(folder, *rows):
    """Write the folder's list: rows of (pmcid, version, retracted, SHA-256)."""
    lines = ["\t".join(row) for row in (("pmcid", "version", "retracted", "sha256"), *rows)]
    (folder / "articles.tsv").write_text("\n".join(lines) + "\n")
    return folder


def sha256(text):
    return hashlib.sha256(xml(text)).hexdigest()


def test_a_folder_is_read_at_any_depth_by_parts(tmp_path):
    put(tmp_path, {"PMC7.xml": "A", "b/PMC10.1.xml": "B", "b/c/d/PMC9.nxml": "C", ".b/PMC1.xml": "D"})
    put(tmp_path, {"b/.PMC2.xml": "E", "e/readme.txt": "F"})
    put(tmp_path, {"b/PMC10.2.xml": "Newer"})
    (tmp_path / "b/PMC3.xml").write_bytes(b"<html/>")
    assert Collection(tmp_path).parts == {"articles": tmp_path, "b": tmp_path / "b"}
    ids, reasons = told(extract(tmp_path))
    assert ids == ["PMC7", "PMC10", "PMC9"]
    assert reasons == {
        "PMC3.xml": "is not a JATS article: its root is <html>",
        "PMC10.1.xml": "repeats article PMC10, which came before",
    }


def test_the_list_says_what_is_read(tmp_path):
    put(tmp_path, {"PMC000xxxxxx/PMC1.1.xml": "One", "PMC000xxxxxx/PMC1.2.xml": "Two"})
    put(tmp_path, {"PMC000xxxxxx/PMC2.1.xml": "Gone", "mine/PMC3.1.xml": "Elsewhere"})
    rows = [("PMC1", "1", "no", sha256("One")), ("PMC2", "1", "yes", ""), ("PMC3", "1", "no", "")]
    list_articles(tmp_path, *rows, ("PMC4", "1", "no", ""), ("PMC7000001", "3", "no", ""))
    ids, reasons = told(extract(tmp_path))
    assert ids == ["PMC1", "PMC3"]
    assert reasons == {
        "PMC1.2.xml": "articles.tsv does not name it",
        "PMC2.1.xml": "retracted",
        "PMC4.1.xml": "is listed but not there",
        "PMC7000001.3.xml": "is listed but not there",
    }


def test_a_file_with_another_sum_than_listed_is_an_error(tmp_path):
    put(tmp_path, {"PMC1.1.xml": "One"})
    list_articles(tmp_path, ("PMC1", "1", "no", sha256("Two")))
    problem = f"PMC1.1.xml: has the SHA-256 {sha256('One')}, not {sha256('Two')} .* Delete the file"
    with pytest.raises(InputError, match=problem):
        extract(tmp_path)
    list_articles(tmp_path, ("PMC1", "1", "perhaps", ""))
    with pytest.raises(InputError, match=r"articles.tsv, line 2: the mark of retraction is 'perhaps'"):
        extract(tmp_path)


def test_of_an_article_in_two_parts_the_first_is_read_in_each_order(tmp_path, package):
    package([member("P/1.xml", xml("A")), member("P/2.xml", xml("B"))],
            [("P/1.xml", "PMC1", "no"), ("P/2.xml", "PMC2", "yes")], name="a")  # fmt: skip
    package([member("PMC1.xml", xml("C")), member("PMC5.xml", xml("D"))],
            [("PMC1.xml", "PMC1", "no"), ("PMC5.xml", "PMC5", "no")], name="c")  # fmt: skip
    package(
        [member("PMC5.xml", xml("E")), member("PMC6.xml", xml("F"))], [("PMC5.xml", "PMC5", "no")], name="d"
    )
    put(tmp_path, {"b/PMC1.1.xml": "G", "b/PMC2.1.xml": "H", "b/PMC3.1.xml": "I"})
    collection = Collection(tmp_path)
    assert list(collection.parts) == ["a", "b", "c", "d"]
    read = {part: told(collection.read(part, jats.read_article))[0] for part in reversed(collection.parts)}
    assert read == {"a": ["PMC1"], "b": ["PMC3"], "c": ["PMC5"], "d": ["PMC6"]}
    assert [entry.reason for entry in collection.plan("d")] == ["repeats article PMC5, which came before"]


def test_the_command_line_reads_each_article_once(tmp_path):
    put(tmp_path, {"in/a/PMC1.1.xml": "One", "in/a/PMC2.1.xml": "Two", "more/PMC2.1.xml": "Two again"})
    out = tmp_path / "out.jsonl.gz"
    printed = sera("corpus", "extract", tmp_path / "in", tmp_path / "more", "--out", out)
    assert "2 articles" in printed and "1 not read" in printed
    with gzip.open(out, "rt") as lines:
        assert [line.split('"')[3] for line in lines] == ["PMC1", "PMC2"]


# Packages made to do harm


GOOD = b"<article><front/><body><p>Good text.</p></body></article>"


def packed(folder, *members, listed=""):
    """A package of members; a name alone is that of a sound article."""
    made = [member(each, GOOD) if isinstance(each, str) else each for each in members]
    return write_package(folder / "oa.tar.gz", made, listed)


def test_no_file_is_read_through_an_entity(tmp_path):
    (tmp_path / "secret").write_text("do not tell")
    text = f'<!DOCTYPE article [<!ENTITY s SYSTEM "{(tmp_path / "secret").as_uri()}">]>'
    text += "<article><front/><body><p>Text &s;</p></body></article>"
    with pytest.raises(InputError, match="declares XML entities"):
        jats.read_article(text.encode(), "x")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        # without its columns a retracted article might be read; who has no list says so by having none
        (HEADER.replace("Retracted", "PMID"), ": has no column Retracted"),
        (HEADER + "P/1.xml,x,PMC1,,,,nein\n", ", line 2: the mark of retraction is 'nein', not yes or no"),
        # a quote that is not closed loses no retraction
        (HEADER + 'P/1.xml,"A 5 gel,PMC1,,,,no\nP/2.xml,x,PMC2,,,,yes\n', ", line 2: is not CSV"),
    ],
)
def test_a_list_that_cannot_be_read_is_refused(tmp_path, content, problem):
    path = packed(tmp_path, "P/1.xml", "P/2.xml")
    list_of(path).write_bytes(content.encode("utf-8", "surrogateescape"))
    for read in (lambda: extract(path), lambda: Collection(path).plan("oa")):
        with pytest.raises(InputError, match=re.escape(f"filelist.csv{problem}")):
            read()
