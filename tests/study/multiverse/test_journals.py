"""Journal and publisher of the articles of a package."""

from __future__ import annotations

from pmc_packages import member, write_package

from study.multiverse.journals import published, read_journals, write_journals

JATS = (
    "<journal-title-group><journal-title>Sea &amp;\n Ship</journal-title></journal-title-group>"
    "<publisher><publisher-name>Fish Press</publisher-name></publisher>"
)
NLM = "<journal-title>War</journal-title><journal-title>Other</journal-title>"


def article(meta):
    return f"<article><front><journal-meta>{meta}</journal-meta></front><body><p>Text.</p></body></article>"


def package(folder, members, listed=None):
    members = [member(name, content.encode()) for name, content in members]
    return write_package(folder / "oa.tar.gz", members, listed)


def test_journal_and_publisher_of_the_documents_that_were_read(tmp_path):
    path = package(
        tmp_path,
        [(f"P/{n}.xml", text) for n, text in enumerate((*map(article, (JATS, NLM, "")), "no XML"), 1)],
        "".join(f"P/{n}.xml,C. 2016,PMC{n},2016-12-31 00:00:00,,CC BY,no\n" for n in range(1, 5)),
    )
    found = list(published(path, ["PMC1", "PMC2", "PMC3", "PMC4"], {}))
    assert found == [
        ("PMC1", "Sea & Ship", "Fish Press"),
        ("PMC2", "War", ""),  # the first title
        ("PMC3", "", ""),
    ]
    assert [each[0] for each in published(path, ["PMC1", "PMC2"], {"P/1.xml": "retracted"})] == ["PMC2"]


def test_without_a_list_the_members_name_the_articles_and_the_first_is_taken(tmp_path):
    path = package(tmp_path, [("./1.xml", article(JATS)), ("Q/1.xml", article(NLM))])
    assert list(published(path, {"1"}, {})) == [("1", "Sea & Ship", "Fish Press")]


def test_the_table_is_read_as_it_was_written(tmp_path):
    path = package(tmp_path, [("1.xml", article(JATS)), ("2.xml", article(NLM)), ("3.xml", article(NLM))])
    write_journals(path, ["1", "2"], {}, tmp_path / "journals.tsv")
    assert (tmp_path / "journals.tsv").read_text() == (
        "document\tjournal\tpublisher\n1\tSea & Ship\tFish Press\n2\tWar\t\n"
    )
    assert read_journals(tmp_path / "journals.tsv") == {"1": "Sea & Ship", "2": "War"}
