"""Downloads of articles from a server like PubMed Central's bucket."""

import hashlib
import os
import re

import pytest
from bucket import article, bucket  # noqa: F401
from commands import sera
from pmc_packages import extract, told

from sera.errors import InputError
from sera.pubmed.pmc_cloud import Wanted, download, read_list, text_sha256


@pytest.fixture
def ids(tmp_path):
    """Writes a list of articles."""

    def write(*lines):
        path = tmp_path / "ids.txt"
        path.write_text("".join("\t".join(line.split(" ")) + "\n" for line in lines))
        return path

    return write


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def test_a_list_is_downloaded_in_the_newest_versions(bucket, ids, tmp_path):  # noqa: F811
    for name in ("PMC13901.1", "PMC13901.2", "PMC4800000.9", "PMC4800000.10", "PMC7.1", "PMC70.1"):
        bucket.put_article(name)
    bucket.put_article("PMC8.1", is_retracted=True, doi=None, license_code="TDM")
    listed = ids("PMC13901", "PMC4800000", "PMC7.1", "PMC8")
    rows, differing = download(tmp_path / "to", listed, source=bucket.source)
    assert [(row.pmcid, row.version) for row in rows] == [
        ("PMC7", "1"), ("PMC8", "1"), ("PMC13901", "2"), ("PMC4800000", "10"),
    ]  # fmt: skip
    assert differing == 0
    xml = article("Text of PMC4800000.10.")
    assert (tmp_path / "to/PMC004xxxxxx/PMC4800000.10.xml").read_bytes() == xml
    lines = (tmp_path / "to/articles.tsv").read_text().split("\n")
    assert lines[0] == "pmcid\tversion\tdoi\tlicence\tretracted\tmd5\tsha256"
    assert lines[2].startswith("PMC8\t1\t\tTDM\tyes\t")
    sums = f"{hashlib.md5(xml).hexdigest()}\t{sha256(xml)}"
    assert lines[4] == f"PMC4800000\t10\t10.1/PMC4800000\tCC BY\tno\t{sums}"
    assert sorted(os.listdir(tmp_path / "to")) == ["PMC000xxxxxx", "PMC004xxxxxx", "articles.tsv"]
    assert told(extract(tmp_path / "to")) == (["PMC13901", "PMC7", "PMC4800000"], {"PMC8.1.xml": "retracted"})
    # an article takes two requests, and a third for its versions; a second download reads the metadata again
    assert len(bucket.asked) == 4 * 2 + 3
    written = (tmp_path / "to/PMC004xxxxxx/PMC4800000.10.xml").stat().st_mtime_ns
    assert download(tmp_path / "to", listed, source=bucket.source)[0] == rows
    assert len(bucket.asked) == 11 + 4 + 3
    assert (tmp_path / "to/PMC004xxxxxx/PMC4800000.10.xml").stat().st_mtime_ns == written
    printed = sera("corpus", "download", tmp_path / "one", "--ids", ids("pmc8"), "--source", bucket.source)
    said = f"1 article of the National Library of Medicine in {tmp_path}/one, 1 of them retracted\n"
    assert printed.endswith(said)


def test_the_table_of_a_folder_gives_the_same_bytes_or_an_error(bucket, ids, tmp_path):  # noqa: F811
    for name in ("PMC1.1", "PMC2.1"):
        bucket.put_article(name)
    first, _ = download(tmp_path / "a", ids("PMC1", "PMC2"), source=bucket.source)
    bucket.put_article("PMC1.2")
    assert download(tmp_path / "b", tmp_path / "a/articles.tsv", source=bucket.source)[0] == first
    bucket.put_article("PMC1.1", article("Other text."))
    old, new = sha256(article("Text of PMC1.1.")), sha256(article("Other text."))
    with pytest.raises(InputError, match=f"PMC1.1 changed: its SHA-256 is {new}, not {old} as listed"):
        download(tmp_path / "c", tmp_path / "a/articles.tsv", source=bucket.source)
    assert os.listdir(tmp_path / "c/PMC000xxxxxx") == ["PMC2.1.xml"]


def test_another_text_than_listed_is_reported(bucket, ids, tmp_path):  # noqa: F811
    bucket.put_article("PMC1.1")
    bucket.put_article("PMC2.1")
    bucket.dois = {"10.1/b": "PMC2"}
    same, other = text_sha256(article("Text of PMC1.1.")), text_sha256(article("Once"))
    listed = ids("pmcid doi text_sha256", f"PMC1  {same}", f" 10.1/B {other}".replace("B", "b"))
    printed = sera("corpus", "download", tmp_path / "to", "--ids", listed, "--source", bucket.source)
    assert "1 of 2 articles read differently today; listed in" in printed
    assert printed.endswith(f"2 articles of the National Library of Medicine in {tmp_path}/to\n")
    found = text_sha256(article("Text of PMC2.1."))
    _, row, _ = (tmp_path / "to/differences.tsv").read_text().split("\n")
    assert row == f"PMC2\t1\t10.1/PMC2\t{other}\t{found}"


def test_what_fails_is_repeated_and_then_named(bucket, ids, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.setattr("sera.io.download.TRIES", 3)
    for name in ("PMC1.1", "PMC2.1", "PMC3.1"):
        bucket.put_article(name)
    bucket.put_article("PMC4.1", md5="0" * 32)
    bucket.busy["metadata/PMC1.1.json"] = bucket.cut["PMC1.1/PMC1.1.xml"] = 2
    bucket.busy["PMC2.1/PMC2.1.xml"] = 99
    listed = ids("pmcid doi", "PMC1.1 ", "PMC2.1 ", "PMC3 ", "PMC4 ", "PMC5 ", "PMC6.1 ", " 10.1/none")
    with pytest.raises(InputError) as error:
        download(tmp_path / "to", listed, source=bucket.source)
    wrong = article("Text of PMC4.1.")
    assert [line.split(". ")[0] for line in error.value.lines] == [
        "PubMed Central has no article with the DOI 10.1/none",
        f"{bucket.source}/PMC2.1/PMC2.1.xml: cannot be read: the server answers too many 503 error responses",
        f"{bucket.source}/PMC4.1/PMC4.1.xml: has {len(wrong)} bytes with the MD5 "
        f"{hashlib.md5(wrong).hexdigest()}, not {'0' * 32}",
        f"PMC5 is not in {bucket.source}",
        f"PMC6.1 is not in {bucket.source}",
    ]
    assert sorted(os.listdir(tmp_path / "to/PMC000xxxxxx")) == ["PMC1.1.xml", "PMC3.1.xml"]
    assert [line[:6] for line in (tmp_path / "to/articles.tsv").read_text().split("\n")] == [
        "pmcid\t", "PMC1\t1", "PMC3\t1", "",
    ]  # fmt: skip


def test_lists(ids):
    assert read_list(ids("PMC1", "", "PMC2.10", "PMC1")) == [Wanted("PMC1"), Wanted("PMC2", "10")]
    listed = ids("doi sha256 pmcid version", "10.1/a x PMC1.2 ", "10.1/b y  ", " z PMC3 4")
    assert read_list(listed) == [
        Wanted("PMC1", "2", "10.1/a", "x"), Wanted("", "", "10.1/b", "y"), Wanted("PMC3", "4", "", "z"),
    ]  # fmt: skip
    for lines in (
        ["doi", "10.1/b", "#", "10.1/A"],
        ["# DOIs", "", "doi x", "10.1/b 1", "# x y z", "10.1/A 2"],
    ):
        assert read_list(ids(*lines)) == [Wanted("", "", "10.1/b"), Wanted("", "", "10.1/A")]
    for lines in (
        ["#one", " pmc1.2 ", "", "PMC3 #two", "# PMC4"],
        ["pmcid,version", "pmc1,2", "#three", " Pmc3 ,"],
        ["#four", "pmcid doi", "pmc1.2 10.1/a", "PMC3 "],
    ):
        found = [(each.pmcid, each.version) for each in read_list(ids(*lines))]
        assert found == [("PMC1", "2"), ("PMC3", "")]
    for lines, problem in (
        (["title"], "has no column pmcid; it has title"),
        (["PMC1", "13901"], "line 2: 13901 is not an id. Give each article once, by an id"),
        (["pmcid sha256", "PMC1 x", "PMC1 y"], "line 3: PMC1 is there twice"),
    ):
        with pytest.raises(InputError, match=re.escape(problem)):
            read_list(ids(*lines))
