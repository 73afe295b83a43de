"""Cleaning articles copied from web pages: made pages of each publisher."""

import re
import time

import pytest

from sera.benchmarks.tac2014.article import clean
from sera.benchmarks.tac2014.web_lines import STOP
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
    """The names of the paragraphs that were kept whole, by section."""
    found = []
    for section in source.sections:
        names = re.findall(r"The (\w+) paragraph says", " ".join(section.sentences))
        assert len(section.sentences) == 3 * len(names), section.sentences
        found.append((section.title, names))
    return found


SCIENCEDIRECT = f"""A Gene That Is Needed for Tests to Pass
Ann Author1, 5, Bob Author2, Corresponding author contact information, E-mail the corresponding author
Show more
http://dx.doi.org/10.1016/j.cell.2006.02.037
  Open Archive
Summary
{prose("abstract")}

Graphical Abstract
Full-size image (53 K)
Figure options
Highlights
► Tests need a gene. ► The gene is here.

Keywords
gene; test; mouse
Introduction
{prose("first")}

Results
A Gene Is Needed for Tests
{prose("second")}

Full-size image (56 K)
Figure 1.
Tools for Tests
(A) The first panel shows a gene that was found in mice by what we did to them.
(B) The second panel shows what else was found. Error bars are standard deviations of three tests.
Figure options
{prose("third")}

Table 1.
Genes
Gene\tRole\tFound
a\tnone\tyes
Two lines of words under the table say what the letters in its last column mean to the reader.
Table options
miR-1 and p53 Are Needed Too
{prose("fourth")}

Discussion
{prose("fifth")}

Experimental Procedures
Cells
{prose("sixth")}

Acknowledgments
We thank everyone for what they did for us and for the mice, and the funds for their support of it.

Supplemental Data

Document S1. One figure and one table.
Help with PDF filesOptions
References
Agami and Bernards, 2000
R. Agami, R. Bernards
Distinct things are done to cells by what is done to them in all of the tests that we know of.
Cell, 102 (2000), pp. 55–66

Article |  PDF (579 K) | View Record in Scopus | Cited By in Scopus (234)
"""

PUBMED_CENTRAL = f"""PLoS ONE. 2007; 2(6): e553.
Published online Jun 20, 2007. doi:  10.1371/journal.pone.0000553
PMCID: PMC1891092
Tests Need Genes
Ann Author,1,2 and Bob Author1,2,*
Janet Somebody, Academic Editor
Author information ► Article notes ► Copyright and License information ►
This article has been cited by other articles in PMC.
Go to:
Abstract
Background

{prose("abstract")}

Keywords: gene, test
Go to:
Funding Statement
This was funded by nobody, and the funders had no say in what was done or in what was written of it here.
Go to:
Introduction
{prose("first")}

Go to:
Results and Discussion
Genes in tests

{prose("second")}

Figure 1
Figure 1
Genes that are needed.
Tests in genes

{prose("third")}

Table 1
Table 1
What is needed, and by which of the tests that ...
{prose("fourth")}

Go to:
Materials and Methods
{prose("fifth")}

Go to:
Supporting Information
Table S1

Genes that were used and where they are to be had from

(0.08 MB DOC)

Click here for additional data file.(74K, doc)
Go to:
Acknowledgements and Fundings
{prose("thanking")}

Go to:
Footnotes
Competing Interests: The authors have declared that no competing interests exist.

Go to:
References
1. Author A. A test that needs a gene is a test of the gene that it needs. Gene. 2001;13:523–532. [PubMed]
"""

HIGHWIRE = f"""Genes and the tests that need them
Ann Authora,b, Bob Authorb, and Cy Authora,1
+ Author Affiliations

Edited by Somebody Else, Yale University, New Haven, CT, and approved August 30, 2012 (received 2012)

AbstractFull TextAuthors & InfoFiguresSIMetricsRelated ContentPDFPDF + SI

Next Section
Abstract
{prose("abstract")}

gene tests of genes mouse genetics
{prose("first")}

Previous Section
Next Section
Results
Genes Are Needed for Every Test of Genes. {prose("second")}
Fig. 1.
View larger version:
In this page In a new window
Download as PowerPoint Slide
Fig. 1.
A gene in a mouse. (A) The mouse is seen from above. (B) The gene is seen from below the mouse.

{prose("third")}

Previous Section
Next Section
Methods
Mice and cells. {prose("fourth")}

Previous Section
Next Section
Footnotes
1To whom correspondence should be addressed. E-mail: nobody@example.org.
Previous Section

References
↵ Author A, et al. (2005) A gene that is needed by tests. Gene 435:834–838. Medline Search Google Scholar
"""

PLOS = f"""RESEARCH ARTICLE
Genes and the tests that need them
Ann Author mail, Bob Author
Published: April 16, 2013DOI: 10.1371/journal.pone.0062217
Abstract

{prose("abstract")}

Figures

123
Citation: Author A (2013) Genes and the tests that need them. PLoS ONE 8(4): e62217.
Copyright: © 2013 Author. This is an open-access article distributed under a licence, which permits it.
Introduction

{prose("first")}

thumbnail
Download:
PPT PowerPoint slide
PNG larger image (93KB)
TIFF original image (253KB)
Figure 1. Genes of the mice that were tested.
(A) Tests are shown for the genes, and (B) genes for the tests, of mice that had been tested for them.
doi:10.1371/journal.pone.0062217.g001
{prose("second")}

Author Contributions

Conceived and designed the experiments: AA BA. Performed them: AA. Wrote the paper: BA.

References

1. Author A (2009) Genes. Gene 10: 741–754. doi: 10.1038/nrm2777
View Article PubMed/NCBI Google Scholar
"""

WILEY = f"""Genes and the tests that need them

Ann Author1,†, Bob Author2 andCy Author2,*
Article first published online: 29 APR 2004

DOI: 10.1111/j.1356-9597.2004.00732.x

Abstract
{prose("abstract")}

1. Introduction
{prose("first")}

2. Results
2.1. Genes are tested.
{prose("second")}

image
Figure 1. The genes of the mice are shown by what the tests made of them in the course of a day.

Acknowledgements
{prose("thanking")}

3. Materials and methods
{prose("third")}

References
Author, A. (2001) Genes. Gene 11, 49–54.
CrossRef,PubMed,CAS,Web of Science®
"""

BARE = f"""Genes: A Review
Ann Author1, Corresponding author contact information, Bob B Author2
Show more
http://dx.doi.org/10.1016/S0092-8674(00)81683-9
  Open Archive
{prose("first")}

{prose("second")}

An Enumeration of the Genes
{prose("third")}

References
1 1
A Author
Genes of mice
Gene, 12 (1996), pp. 97–99
"""


@pytest.mark.parametrize(
    ("page", "title", "expected"),
    [
        (
            SCIENCEDIRECT,
            "A Gene That Is Needed for Tests to Pass",
            [
                ("Summary", ["abstract"]),
                ("Introduction", ["first"]),
                ("Results", []),
                ("A Gene Is Needed for Tests", ["second", "third"]),
                ("miR-1 and p53 Are Needed Too", ["fourth"]),
                ("Discussion", ["fifth"]),
                ("Experimental Procedures", []),
                ("Cells", ["sixth"]),
            ],
        ),
        (
            PUBMED_CENTRAL,
            "Tests Need Genes",
            [
                ("Abstract", []),
                ("Background", ["abstract"]),
                ("Introduction", ["first"]),
                ("Results and Discussion", []),
                ("Genes in tests", ["second"]),
                ("Tests in genes", ["third", "fourth"]),
                ("Materials and Methods", ["fifth"]),
            ],
        ),
        (
            HIGHWIRE,
            "Genes and the tests that need them",
            [
                ("Abstract", ["abstract"]),
                ("gene tests of genes mouse genetics", ["first"]),
                ("Results", ["second", "third"]),
                ("Methods", ["fourth"]),
            ],
        ),
        (
            PLOS,
            "Genes and the tests that need them",
            [("Abstract", ["abstract"]), ("Introduction", ["first", "second"])],
        ),
        (
            WILEY,
            "Genes and the tests that need them",
            [
                ("Abstract", ["abstract"]),
                ("1. Introduction", ["first"]),
                ("2. Results", []),
                ("2.1. Genes are tested.", ["second"]),
                ("3. Materials and methods", ["third"]),
            ],
        ),
        (
            BARE,
            "Genes: A Review",
            [("", ["first", "second"]), ("An Enumeration of the Genes", ["third"])],
        ),
    ],
    ids=["sciencedirect", "pubmed central", "highwire", "plos", "wiley", "no abstract"],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_a_publishers_page_becomes_its_article(page, title, expected, ends):
    source = clean("\ufeff" + page.replace("\n", ends), id="a", topic="D1")
    assert (source.id, source.topic, source.title) == ("a", "D1", title)
    assert said(source) == expected


def test_links_that_repeat_a_figures_number_are_undone():
    links = (
        "as seen (Fig. \u200b(Fig.1A).1A). "
        "Also in Table \u200bTable22 and Figures 1C and \u200band3A,3A, it is."
    )
    source = clean(f"A title of it\nAuthor\nAbstract\n{prose('first')} It is {links}\n", id="a", topic="D1")
    assert source.sentences[3:] == (
        "It is as seen (Fig. 1A).",
        "Also in Table 2 and Figures 1C and 3A, it is.",
    )


def test_a_sentence_that_a_formula_broke_is_put_together():
    page = f"A title of it\nAuthor\nMethods\n{prose('first')}\n\n"
    page += "From the prior we obtain\nFormula\n\nwhere n counts the reads.\n"
    source = clean(page, id="a", topic="D1")
    assert source.sentences[3:] == ("From the prior we obtain where n counts the reads.",)


def test_a_paragraph_may_begin_with_a_figure():
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


def test_a_cleaning_that_is_not_known_is_an_error():
    with pytest.raises(InputError, match="no cleaning 'ful'. Did you mean full"):
        clean("x", id="a", topic="D1", cleaning="ful")


@pytest.mark.parametrize("text", ["", "\ufeff", "\n \n", "Only a title", "References", "Figure 1"])
def test_a_text_without_an_article_has_no_sentence(text):
    assert clean(text, id="a", topic="D1").sentences == ()


@pytest.mark.parametrize(
    ("before", "often", "after"),
    [
        ("\u200b", "a", "!"),
        ("", "\u200b(a1", ""),
        ("Received ", "1", " x"),
        ("A. ", "A. 2006;", "x"),
        ("A. 2006;", ".", "x"),
        ("", "1,", "x"),
        ("", "Volume 1", ""),
        ("", "a", "!"),
        ("", "1.1.", "!"),
        ("", "Object name is ", ""),
        ("", "[a-", ""),
    ],
)
def test_a_line_of_one_kind_of_character_costs_no_time(before, often, after):
    line = before + often * (50_000 // len(often)) + after
    begun = time.process_time()
    clean(f"A title of it\n{line}\nAbstract\n{line}\n{line}\n", id="x", topic="t")
    assert time.process_time() - begun < 10  # quadratic: minutes


@pytest.mark.parametrize(
    ("text", "stops"),
    [
        *[
            ("end.", True),
            ("end.)", True),
            ("1,2", True),
            ("end,", True),
            ("1,2)", True),
            ("said.”12–14", True),
        ],
        *[("end", False), ("12", False), ("a)", False), ("1,2 x", False), ("", False), ("a.b", False)],
    ],
)
def test_a_stop_is_one_whatever_closes_behind_it(text, stops):
    assert bool(STOP.search(text)) is stops
