"""Journal and publisher of the articles of a collection."""

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


def test_journal_and_publisher_of_the_documents_that_were_read(tmp_path):
    texts = [*map(article, (JATS, NLM, "")), "no XML", article(JATS), article(NLM)]
    members = [member(f"P/{n}.xml", text.encode()) for n, text in enumerate(texts, 1)]
    rows = "".join(
        f"P/{n}.xml,C. 2016,PMC{n},2016-12-31 00:00:00,,CC BY,{'yes' if n == 5 else 'no'}\n"
        for n in range(1, 7)
    )
    write_package(tmp_path / "oa.tar.gz", members, rows)
    found = list(published(tmp_path, "oa", ["PMC1", "PMC2", "PMC3", "PMC4", "PMC5"]))
    assert found == [
        ("PMC1", "Sea & Ship", "Fish Press"),
        ("PMC2", "War", ""),  # the first title
        ("PMC3", "", ""),
    ]


def test_the_table_is_read_as_it_was_written(tmp_path):
    (tmp_path / "a").mkdir()
    for n, meta in enumerate((JATS, NLM, NLM), 1):
        (tmp_path / f"a/{n}.xml").write_text(article(meta))
    write_journals(tmp_path, "a", ["1", "2"], tmp_path / "journals.tsv")
    assert (tmp_path / "journals.tsv").read_text() == (
        "document\tjournal\tpublisher\n1\tSea & Ship\tFish Press\n2\tWar\t\n"
    )
    assert read_journals(tmp_path / "journals.tsv") == {"1": "Sea & Ship", "2": "War"}
