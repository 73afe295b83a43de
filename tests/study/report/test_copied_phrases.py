"""Copied phrases of made-up texts, worked out by hand, and beside MOULIN ROUGE's Novel-Phrase."""

import math
import random

import pytest
from commands import put_texts, sera

from sera import metric
from sera.errors import InputError
from sera.io.records import Candidate, Section, Source
from study.report.copied_phrases import Article, count_copies, find_copies, page_of_copies

ARTICLE = Source(
    "t", "a", "T", (Section("", ("The kinase binds human cells.", "Mice with it die very young.")),)
)


def only(*sentences, least=5):
    (found,) = find_copies([Candidate("t", "s", sentences)], [ARTICLE], least)
    return found


def test_phrases():
    # cells mice with it die: five words over the article's full stop; then very young is not next
    found = only("In cells: mice with it die, not very young.")
    assert found.lengths == [5]
    assert found.pieces == [[("In ", False), ("cells: mice with it die", True), (", not very young.", False)]]
    assert (found.copied, found.ngrams, found.copied_words, found.words) == (1, 5, 5, 9)
    # six words are one phrase, and two 5-grams
    found = only("mice with it die very young")
    assert found.lengths == [6] and (found.copied, found.ngrams) == (2, 2)
    assert only("The kinase binds", "human cells.").lengths == []
    assert only("The kinase binds", "human cells.", least=3).lengths == [3]
    assert only("The kinase binds", "human cells.", least=2).lengths == [3, 2]


def test_phrases_from_two_places_overlap_and_are_marked_once():
    article = Article("a b c x b c d e".split(), 2)
    # a b c stands in the article, and b c d e elsewhere, a b c d nowhere
    assert article.phrases("a b c d e".split()) == [(0, 3), (1, 5)]
    assert article.has(["x", "b"]) and not article.has(["a", "c"])
    source = Source("t", "a", "", (Section("", ("a b c x b c d e",)),))
    (found,) = find_copies([Candidate("t", "s", ("A b c, d e f",))], [source], 2)
    assert found.pieces == [[("", False), ("A b c, d e", True), (" f", False)]] and found.lengths == [3, 4]
    assert (found.copied, found.ngrams, found.copied_words, found.words) == (4, 5, 5, 6)


def test_the_share_is_one_less_novel_phrase():
    chance = random.Random(0)
    compared = 0
    for _ in range(200):
        text = [" ".join(chance.choices("abc", k=chance.randint(1, 9))) for _ in range(4)]
        source = Source("t", "a", "", (Section("", tuple(text[:2])),))
        summary = Candidate("t", "s", tuple(text[2:]))
        n = chance.randint(1, 4)
        share = count_copies(find_copies([summary], [source], n))["share"][0]
        novel = metric(f"MOULIN-ROUGE-Novel-Phrase-{n}").score(summary, source=source)
        assert share == pytest.approx(1 - novel, nan_ok=True)
        compared += not math.isnan(novel)
    assert compared > 100


def test_phrases_are_those_of_a_plain_search():
    chance = random.Random(1)
    for _ in range(300):
        article = chance.choices("ab", k=12)
        sentence = chance.choices("abc", k=8)
        written = " " + " ".join(article) + " "
        spans = [
            (start, end)
            for start in range(8)
            for end in range(start + 2, 9)
            if f" {' '.join(sentence[start:end])} " in written
        ]
        longest = [
            span
            for span in spans
            if not any(one != span and one[0] <= span[0] and span[1] <= one[1] for one in spans)
        ]
        assert Article(article, 2).phrases(sentence) == longest


def test_a_summary_without_ngrams_has_no_share():
    table = count_copies(find_copies([Candidate("t", "s", ("Mice die.",))], [ARTICLE]))
    (row,) = table.to_dict("records")
    assert math.isnan(row.pop("share"))
    assert row == {
        **{"topic": "t", "system": "s", "phrases": 0, "longest": 0, "copied": 0, "ngrams": 0},
        **{"copied_words": 0, "words": 2},
    }
    with pytest.raises(InputError, match="topic 'u' has no article"):
        list(find_copies([Candidate("u", "s", ("x",))], [ARTICLE]))


def test_the_page_marks_the_text_as_it_is_written():
    summary = Candidate("t<1>", "s", ("So, the KINASE binds <human> cells & dies.", "End."))
    (found,) = find_copies([summary], [Source("t<1>", "a", "", ARTICLE.sections)])
    page = page_of_copies([found], 5)
    assert "<h3>t&lt;1&gt;: s</h3>" in page
    assert "<p>So, <mark>the KINASE binds &lt;human&gt; cells</mark> &amp; dies. End.</p>" in page
    assert "1 phrase; 5 of 8 words; 1 of 3 5-grams" in page


def test_the_command_writes_page_and_counts(tmp_path):
    summary = Candidate("t", "s", ("The kinase binds human cells too.",))
    _, candidates, _, sources = put_texts(tmp_path, candidates=[summary], sources=[ARTICLE])
    out, counts = tmp_path / "page.html", tmp_path / "counts.tsv"
    given = ("mark", candidates, sources, "--out", out)
    printed = sera(*given, "--counts", counts)
    assert printed == f"1 of 1 summary copies a phrase of 5 words or more; the page: {out}\n"
    assert counts.read_text() == (
        "topic\tsystem\tphrases\tlongest\tcopied\tngrams\tshare\tcopied_words\twords\n"
        "t\ts\t1\t5\t1\t2\t0.5\t5\t6\n"
    )
    assert "<mark>The kinase binds human cells</mark> too." in out.read_text()
    candidates.write_text("\n")
    assert "holds no candidate" in sera(*given, code=2)
