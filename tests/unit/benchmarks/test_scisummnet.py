"""ScisummNet: papers in its layout, in a folder and in an archive, and what can be wrong with them."""

import tarfile

import pytest
from pmc_packages import member, write_package
from releases import put

from sera.benchmarks import scisummnet
from sera.errors import InputError
from sera.io.records import Reference, Section

XML = """<PAPER>
  <S sid="0">Parsing &amp;amp; Tagging</S>
  <ABSTRACT><S sid="1" ssid="1">We parse.</S></ABSTRACT>
  <SECTION title="1 Data" number="1"><S sid="2" ssid="1">The data
   is &#8220;new&#8221;.</S><SUBSECTION><S sid="3">It is small.</S></SUBSECTION></SECTION>
  <SECTION title="2 Empty" number="2"></SECTION>
</PAPER>"""
PARTS = {
    "P01-1001/Reference_XML/P01-1001.xml": XML,
    "P01-1001/summary/P01-1001.scisummnet_human.txt": "Parsing &amp; Tagging\nWe parse text.\n\nIt works.\n",
    "P01-1001/summary/P01-1001.abstract.txt": "We parse.",
    "A00-1001/Reference_XML/A00-1001.xml": "<PAPER><S>A title and its authors.</S><S>Text.</S></PAPER>",
    "A00-1001/summary/A00-1001.scisummnet_human.txt": "A Title\nA summary.\n",
}


def packed(path, parts, *, link=None):
    """An archive of texts, in which one name may be a link."""
    members = [
        member(f"From-ScisummNet-2019/{name}", kind=tarfile.SYMTYPE, target="/etc/passwd")
        if name == link
        else member(f"From-ScisummNet-2019/{name}", text.encode())
        for name, text in parts.items()
    ]
    return write_package(path, members, None)


@pytest.fixture
def folder(tmp_path):
    return put(tmp_path / "release", PARTS)


def test_papers_become_topics_in_order_of_their_ids(folder):
    other, paper = scisummnet.read(release=folder)
    assert (paper.id, paper.source.title) == ("P01-1001", "Parsing & Tagging")
    # the title is no sentence of the article, nor of the summary
    assert paper.source.sections == (
        Section("Abstract", ("We parse.",)),
        Section("1 Data", ("The data is “new”.", "It is small.")),
    )
    assert paper.references == (Reference("P01-1001", "human", ("We parse text.", "It works.")),)
    assert other.source.sections == (Section("", ("A title and its authors.", "Text.")),)
    assert not paper.candidates and not paper.judgements and not paper.nuggets


def test_an_archive_and_its_folder_hold_the_same(folder, tmp_path):
    archive = packed(tmp_path / "release.tar.gz", PARTS)
    assert scisummnet.read(release=archive) == scisummnet.read(release=folder)
    assert scisummnet.inputs(release=archive) == [archive]
    assert len(scisummnet.inputs(release=folder)) == 4  # the abstracts are not read


def test_a_paper_without_a_sentence_or_a_summary_is_left_out_with_a_warning(folder, caplog):
    text = folder / "A00-1001/summary/A00-1001.scisummnet_human.txt"
    text.write_text("A Title\n\n", encoding="utf-8")
    assert [topic.id for topic in scisummnet.read(release=folder)] == ["P01-1001"]
    assert caplog.messages == [f"{text}: has no sentence but the title, so the paper is left out"]
    text.write_text("A Title\nA summary.\n", encoding="utf-8")
    (folder / "A00-1001/Reference_XML/A00-1001.xml").write_text("<PAPER><S>A Title</S></PAPER>")
    assert [topic.id for topic in scisummnet.read(release=folder)] == ["P01-1001"]
    assert "A00-1001.xml: has no sentence, so the paper is left out" in caplog.messages[1]


ENTITY = '<!DOCTYPE PAPER [<!ENTITY e SYSTEM "file:x">]>'
SUMMARY = "P01-1001/summary/P01-1001.scisummnet_human.txt"


def test_a_link_in_an_archive_is_refused(tmp_path):
    archive = packed(tmp_path / "release.tar.gz", PARTS, link=SUMMARY)
    with pytest.raises(InputError, match="is a link"):
        scisummnet.read(release=archive)


def test_damage_and_missing_parts_are_named(folder, tmp_path):
    archive = packed(tmp_path / "release.tar.gz", PARTS)
    archive.write_bytes(archive.read_bytes()[:-40])
    with pytest.raises(InputError, match="the archive is cut short"):
        scisummnet.read(release=archive)
    (folder / SUMMARY).unlink()
    with pytest.raises(InputError, match="has not one XML and one human summary of P01-1001"):
        scisummnet.inputs(release=folder)


@pytest.mark.parametrize(
    ("xml", "problem"),
    [
        ("<PAPER><S>One</PAPER>", r"P01-1001\.xml: is not XML: "),
        ("<article><S>One.</S></article>", r"P01-1001\.xml: has the root <article>, not <PAPER>"),
        (f"{ENTITY}<PAPER><S>&e;</S></PAPER>", "declares XML entities"),
    ],
)
def test_wrong_xml_is_named(folder, xml, problem):
    (folder / "P01-1001/Reference_XML/P01-1001.xml").write_text(xml, encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        scisummnet.read(release=folder)
