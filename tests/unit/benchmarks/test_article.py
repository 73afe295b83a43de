"""Cleaning articles copied from web pages: made pages of each publisher."""

import re

import pytest
from conftest import ROOT

from sera.benchmarks.tac2014.article import clean
from sera.errors import InputError
from sera.io.records import Section


def prose(name):
    """A paragraph of three sentences that can be told from others."""
    return (
        f"The {name} paragraph says what was done with it in the first place and by whom it was done. "
        f"It says why the {name} part of the article is there at all and what it is meant to be good for. "
        f"This is the last sentence of the {name} paragraph, which ends here."
    )


def said(source):
    """A line for each section: its title, and the names of the paragraphs that were kept whole."""
    lines = []
    for section in source.sections:
        names = re.findall(r"The (\w+) paragraph says", " ".join(section.sentences))
        assert len(section.sentences) == 3 * len(names), section.sentences
        lines.append(" ".join([f"{section.title}:", *names]))
    return lines


GENES = "Genes and the tests that need them"
PAGES = {
    "sciencedirect": """A Gene That Is Needed for Tests to Pass
Summary: abstract
Introduction: first
Results:
A Gene Is Needed for Tests: second third
miR-1 and p53 Are Needed Too: fourth
Discussion: fifth
Experimental Procedures:
Cells: sixth""",
    "pubmed_central": """Tests Need Genes
Abstract:
Background: abstract
Introduction: first
Results and Discussion:
Genes in tests: second
Tests in genes: third fourth
Materials and Methods: fifth""",
    "highwire": f"""{GENES}
Abstract: abstract
gene tests of genes mouse genetics: first
Results: second third
Methods: fourth""",
    "plos": f"{GENES}\nAbstract: abstract\nIntroduction: first second",
    "wiley": f"""{GENES}
Abstract: abstract
1. Introduction: first
2. Results:
2.1. Genes are tested.: second
3. Materials and methods: third""",
    "bare": "Genes: A Review\n: first second\nAn Enumeration of the Genes: third",
}
"""The title of each page, and what `said` says of its sections."""


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_a_publishers_page_becomes_its_article(page, ends):
    text = (ROOT / f"tests/web_pages/made/{page}.txt").read_text(encoding="utf-8")
    text = re.sub(r"\{(\w+)\}", lambda paragraph: prose(paragraph[1]), text)
    source = clean("\ufeff" + text.replace("\n", ends), id="a", topic="D1")
    assert (source.id, source.topic) == ("a", "D1")
    assert [source.title, *said(source)] == PAGES[page].split("\n")


def test_sentences_that_a_page_breaks():
    links = (
        "as seen (Fig. \u200b(Fig.1A).1A). "
        "Also in Table \u200bTable22 and Figures 1C and \u200band3A,3A, it is."
    )
    source = clean(f"A title of it\nAuthor\nAbstract\n{prose('first')} It is {links}\n", id="a", topic="D1")
    assert source.sentences[3:] == (
        "It is as seen (Fig. 1A).",
        "Also in Table 2 and Figures 1C and 3A, it is.",
    )
    page = f"A title of it\nAuthor\nMethods\n{prose('first')}\n\n"
    page += "From the prior we obtain\nFormula\n\nwhere n counts the reads.\n"
    source = clean(page, id="a", topic="D1")
    assert source.sentences[3:] == ("From the prior we obtain where n counts the reads.",)
    page = f"A title of it\nAuthor\nResults\n{prose('first')}\n\n"
    page += "Figure 2 shows that the gene is lost. Figure 3 does too.\n"
    assert clean(page, id="a", topic="D1").sentences[3:] == (
        "Figure 2 shows that the gene is lost.",
        "Figure 3 does too.",
    )


def test_without_cleaning_every_line_is_split_as_it_stands():
    source = clean("A title\n\nShow more\nOne. Two.\tThree.\n", id="a", topic="D1", cleaning="none")
    assert source.title == ""
    assert source.sections == (Section("", ("A title", "Show more", "One.", "Two.", "Three.")),)
    with pytest.raises(InputError, match="no cleaning 'ful'. Did you mean full"):
        clean("x", id="a", topic="D1", cleaning="ful")


@pytest.mark.parametrize("text", ["", "\ufeff", "\n \n", "Only a title", "References", "Figure 1"])
def test_a_text_without_an_article_has_no_sentence(text):
    assert clean(text, id="a", topic="D1").sentences == ()


# Pages with every line judged by hand


JUDGED = {
    path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests/web_pages").glob("*.txt"))
}


def judged(page: str) -> tuple[str, list[str], list[str]]:
    """The page as the web shows it, its article's sentences, and what must not be in them."""
    shown, kept, dropped = [], [], []
    for line in page.strip("\n").split("\n"):
        mark, text = line[:1], line[2:]
        shown.append(re.sub(r"[|{}]", "", text) if mark == "+" else text)
        if mark == "+":
            dropped += re.findall(r"\{(.*?)\}", text)
            kept += [sentence.strip() for sentence in re.sub(r"\{.*?\}", "", text).split("|")]
        elif mark:
            dropped.append(" ".join(text.split()))
    return "\n".join(shown), kept, dropped


@pytest.mark.parametrize("name", JUDGED)
def test_every_sentence_of_the_article_is_kept_and_nothing_else(name):
    shown, kept, dropped = judged(JUDGED[name])
    source = clean(shown, id="a", topic="T")
    assert list(source.sentences) == kept
    assert source.title in dropped and re.search("Velactin|Fennin|Salt|dorsin", source.title)
