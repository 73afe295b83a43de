"""Plain text of JATS articles: small made articles with the rules one by one."""

import re

import pytest

from sera.errors import InputError
from sera.io.records import Passage
from sera.pubmed.jats import read_article

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
    document = read_article(made(f"<p>{inside}</p>", doctype='<!DOCTYPE article SYSTEM "JATS.dtd">'), "x")
    return [p for s in document.sections for p in s.paragraphs]


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
        # parts are apart only where they meet
        ("<tr><td>14.4</td><td>-15.2</td></tr><tr><td>(16)</td></tr>", "14.4 -15.2 (16)"),
        ("by <name><surname>Doe</surname><given-names>J.</given-names></name>, Rome", "by Doe J., Rome"),
        ("(<date><day>12</day><month>2</month></date>)", "(12 2)"),
        ("<mixed-citation><source>J. Biol.</source> <volume>1</volume>:<fpage>2</fpage></mixed-citation>.",
         "J. Biol. 1:2."),
        ("cells<array><tr><td>14</td></tr></array>grow", "cells grow"),
        ("C<private-char><glyph-data>00 11</glyph-data></private-char>O", "C O"),
        ("cells<index-term><term>growth</term></index-term> grow", "cells grow"),
        ("<named-content>H<sub>2</sub><bold>O</bold></named-content>s", "H2Os"),
        ("<name-alternatives><name>Doe</name><string-name>Do</string-name></name-alternatives>", "Doe"),
    ],
)  # fmt: skip
def test_what_stands_inside_a_sentence(inside, expected):
    assert paragraph(inside) == [expected]


def formula(inside):
    [text] = paragraph(f"let <inline-formula>{inside}</inline-formula>, so")
    assert text.startswith("let ") and text.endswith(", so")
    return text[4:-4]


E5 = "<mml:mrow>\n <mml:mi> E </mml:mi> <mml:mo>=</mml:mo>\n<mml:mn>5</mml:mn></mml:mrow>"
MATH_E5 = f"<mml:math>{E5}</mml:math>"


@pytest.mark.parametrize(
    "inside",
    [
        MATH_E5,
        f"<alternatives>\n{MATH_E5}\n<tex-math>E=5</tex-math>\n<textual-form>E = 5</textual-form>\n"
        "</alternatives>",
        f"{MATH_E5}<tex-math>E=5</tex-math><inline-graphic><alt-text>E=5</alt-text></inline-graphic>",
        f"<mml:math><mml:semantics>{E5}<mml:annotation>E=5</mml:annotation><mml:annotation-xml>{E5}"
        "</mml:annotation-xml></mml:semantics></mml:math>",
    ],
)
def test_of_the_forms_of_a_formula_one_is_read(inside):
    assert formula(inside) == "E=5"


@pytest.mark.parametrize(
    ("math", "expected"),
    [
        ("<mi>&Delta;G</mi><mo>=</mo><mi>k&Delta;</mi>", "ΔG=kΔ"),
        ("<mtext>if&nbsp;cells</mtext>", "if cells"),
        ("<mn>5</mn><mspace width='1em'/><mi>m</mi>", "5 m"),
        ("<msup><mi>x</mi><mn>2</mn></msup><msub><mi>y</mi><mn>1</mn></msub>", "x2y1"),
        ("<mn>3</mn><mfrac><mn>1</mn><mn>2</mn></mfrac><mi>x</mi>", "3 1 2 x"),
        ("<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><mo>|</mo></mfrac>", "a+1 |"),
        ("<mo>[</mo><mtable> <mtr> <mtd><mn>1</mn></mtd> <mtd><mo>-</mo><mn>2</mn></mtd></mtr>"
         "<mtr><mtd><mi>a</mi><mi>b</mi></mtd></mtr></mtable><mo>]</mo>", "[1 -2 ab]"),
        ("<mi>a</mi><mphantom><mi>b</mi></mphantom>", "a"),
        ("<mi>a</mi><msqrt><mi>b</mi></msqrt>", "a b"),
    ],
)  # fmt: skip
def test_the_characters_of_a_formula(math, expected):
    named = re.sub("<(/?)", r"<\1mml:", f"<math>{math}</math>")
    assert formula(named) == expected == formula(f"<math>{math}</math>")


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


@pytest.mark.parametrize(
    ("article", "abstracts", "kept"),
    [
        (None, [("en", "A."), ("es", "B.")], ("A.",)),
        ("en", [("en-US", "A."), ("EN", "B."), ("eo", "C.")], ("A.", "B.")),
        ("pt-BR", [("pt", "A."), ("en", "B.")], ("A.",)),
    ],
)
def test_abstracts_in_another_language_than_the_article_are_left_out(article, abstracts, kept):
    def tag(language):
        return "" if language is None else f' xml:lang="{language}"'

    front = "<trans-abstract><p>Other.</p></trans-abstract>" + "".join(
        f'<abstract abstract-type="{kind}"{tag(language)}><p>{text}</p></abstract>'
        for (language, text), kind in zip(abstracts, ("normal", "summary", "key-points"))
    )
    xml = made(front=front).replace(b"<article ", f"<article{tag(article)} ".encode(), 1)
    assert read_article(xml, "x").abstract == kept


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


def test_an_article_may_stand_in_an_element():
    one = "<article><front/><body><p>First.</p></body></article>"
    assert read_article(f"<pmc-articleset>{one}</pmc-articleset>".encode(), "x").content == "First."
    with pytest.raises(InputError, match="root is <pmc-articleset> with 2 articles"):
        read_article(f"<pmc-articleset>{one}{one}</pmc-articleset>".encode(), "x")
