"""Plain text of JATS articles: small made articles with the rules one by one."""

import pytest

from sera.corpora.jats import read_article
from sera.errors import InputError
from sera.io import limits
from sera.io.records import Passage

CITED = '<xref ref-type="bibr">'
MATHML = 'xmlns:mml="http://www.w3.org/1998/Math/MathML"'


def made(body="", front="", root="", doctype=""):
    front = front or "<title-group><article-title>A title</article-title></title-group>"
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{doctype}<article {MATHML}><front><article-meta>{front}'
        f"</article-meta></front><body>{body}</body>{root}</article>"
    ).encode()


def paragraph(inside):
    """The paragraphs that one made paragraph becomes."""
    return [p for s in read_article(made(f"<p>{inside}</p>"), "x").sections for p in s.paragraphs]


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("in  cells\n <italic>in vitro</italic>.", "in cells in vitro."),
        ("Ca<sup>2+</sup> and H<sub>2</sub>O", "Ca2+ and H2O"),
        (f"cells<sup>{CITED}1</xref>,{CITED}2</xref></sup> grow", "cells 1,2 grow"),
        ('cells<xref ref-type="bibr">1</xref>.', "cells 1."),
        ('as (<xref ref-type="bibr">Wu, 2004</xref>), too', "as (Wu, 2004), too"),
        ('see <xref ref-type="fig">Figure 1</xref>A now', "see Figure 1A now"),
        ('a mark<xref ref-type="fn">*</xref>, gone', "a mark, gone"),
        ("a note<fn><p>Hidden.</p></fn> is left out", "a note is left out"),
        ("where<inline-formula><mml:math><mml:mi>x</mml:mi><mml:mo>=</mml:mo><mml:mn>2</mml:mn></mml:math>"
         "</inline-formula>holds", "where x=2 holds"),
        ("if<mml:math><mml:mi>&#x3b1;</mml:mi></mml:math>.", "if α."),
        ("if<inline-formula><alternatives><tex-math>\\alpha</tex-math><mml:math><mml:mi>a</mml:mi></mml:math>"
         "</alternatives></inline-formula>is", "if a is"),
        ("a<disp-formula><label>1</label><mml:math><mml:mi>q</mml:mi></mml:math></disp-formula>b", "a b"),
        ("a<!-- comment -->b<?pi x?>c", "abc"),
        ("one<break/>two", "one two"),
        ("1<x>, </x>2", "1, 2"),
        ("p &lt; 0.05 &amp; n", "p < 0.05 & n"),
    ],
)  # fmt: skip
def test_what_stands_inside_a_sentence(inside, expected):
    assert paragraph(inside) == [expected]


def test_a_list_inside_a_paragraph_becomes_paragraphs_in_order():
    inside = (
        "Steps: <list><list-item><label>1</label><p>lyse,</p></list-item><list-item><p>spin.</p></list-item>"
        "</list> Done."
    )
    assert paragraph(inside) == ["Steps:", "lyse,", "spin.", "Done."]


def test_nested_sections_are_passages_in_document_order_each_with_its_own_title():
    body = (
        "<p>Before.</p><sec><label>1</label><title>Methods</title>"
        "<sec><title>Cell <italic>culture</italic></title><p>Cells."
        "</p></sec><p>Between.</p><sec><title>Blots</title><p>Gel.</p><p>Film.</p></sec></sec><p>After.</p>"
    )
    assert read_article(made(body), "x").sections == (
        Passage("", ("Before.",)),
        Passage("Methods", ()),
        Passage("Cell culture", ("Cells.",)),
        Passage("", ("Between.",)),
        Passage("Blots", ("Gel.", "Film.")),
        Passage("", ("After.",)),
    )


def test_abstracts_are_all_kept_but_for_adverts_and_translations():
    front = (
        "<title-group><article-title>Title<xref ref-type='fn'>*</xref></article-title>"
        "<subtitle>More</subtitle></title-group>"
        "<abstract><title>Abstract</title><sec><title>Aim</title><p>First.</p></sec><p>Second.</p></abstract>"
        "<abstract abstract-type='executive-summary'><title>Digest</title><p>Third.</p>"
        "<p><bold>DOI:</bold> <ext-link>http://dx.doi.org/10.7554/eLife.00013.002</ext-link></p></abstract>"
        "<abstract abstract-type='graphical'><p>Picture.</p></abstract>"
        "<trans-abstract><p>Auch.</p></trans-abstract>"
        "<kwd-group><kwd>word</kwd></kwd-group><related-article><article-title>Other</article-title></related-article>"
    )
    document = read_article(made(front=front), "x")
    assert document.title == "Title: More"
    assert document.abstract == ("First.", "Second.", "Third.")
    assert document.content == "Title: More\n\nFirst.\n\nSecond.\n\nThird."


FLOATS = (
    "<sec><title>Results</title><p>Seen <fig><label>Figure 1.</label><caption><title>Growth.</title>"
    "<p>Of cells.</p></caption></fig> here.</p><table-wrap><caption><p>Counts.</p></caption>"
    "<table><tr><td>17</td></tr></table></table-wrap></sec>"
)


def test_captions_are_kept_where_they_stand_if_asked_for_and_tables_cells_never():
    assert read_article(made(FLOATS), "x").sections == (Passage("Results", ("Seen here.",)),)
    floats = "<floats-group><fig><caption><p>Afloat.</p></caption></fig></floats-group>"
    assert read_article(made(FLOATS, root=floats), "x", figures=True).sections == (
        Passage("Results", ("Seen", "Growth.", "Of cells.", "here.", "Counts.")),
        Passage("", ("Afloat.",)),
    )


def test_letters_references_and_back_matter_are_not_the_articles_text():
    rest = (
        "<back><ack><p>Thanks.</p></ack><ref-list><ref><p>Ref.</p></ref></ref-list></back><sub-article><front-stub/><body>"
        "<p>Letter.</p></body></sub-article><response><body><p>Reply.</p></body></response>"
    )
    assert read_article(made("<p>Text.</p>", root=rest), "x").content == "A title\n\nText."


def test_the_dtd_is_not_fetched_and_its_entities_are_known_by_name_or_blank():
    doctype = '<!DOCTYPE article PUBLIC "-//NLM//DTD JATS v1.0//EN" "http://192.0.2.1/none.dtd">'
    document = read_article(made("<p>10&nbsp;&mu;g&unheardof;of &alpha;-actin</p>", doctype=doctype), "x")
    assert document.sections[0].paragraphs == ("10 μg of α-actin",)


@pytest.mark.parametrize(
    ("xml", "reason"),
    [
        (b"", "is not XML"),
        (b"plain text", "is not XML"),
        (made("<p>Text.</p>")[:-12], "is not XML"),
        (b"<html><body><p>Not found</p></body></html>", "root is <html>"),
        (b"<article><front/><body> </body></article>", "is empty"),
        (b"<article/>", "is empty"),
    ],
)
def test_what_cannot_be_read_says_why(xml, reason):
    with pytest.raises(InputError, match=reason):
        read_article(xml, "x")


def test_an_article_over_the_limits_is_refused(monkeypatch):
    xml = made("<p>Text.</p>")
    for limit, most in ((limits.MEMBER, len(xml)), (limits.ELEMENTS, (xml.count(b"<") + 1) // 2)):
        with monkeypatch.context() as patch:
            patch.setattr(limit, "usual", most)
            assert read_article(xml, "x").title == "A title"
            patch.setattr(limit, "usual", most - 1)
            with pytest.raises(InputError, match="larger than|over the limit"):
                read_article(xml, "x")
