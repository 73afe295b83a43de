"""The nine summarizers and the baselines: what a summary is, and what each system does."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from small_article import SOURCE

from sera.errors import InputError
from sera.io.records import Citance, Reference, Section, Source
from sera.summarizers import NINE, SUMMARIZERS, summarize, summarize_within, summarizer
from sera.summarizers.budget import Budget, budget
from sera.summarizers.citation_lexrank import CitationLexRank
from sera.summarizers.communities import communities
from sera.summarizers.divergence import closest_unigrams
from sera.summarizers.document import TOKENIZER, Article, remove_markers, sentence, terms
from sera.summarizers.facets import facet_of_citance, facets
from sera.summarizers.lda import closest_mixtures
from sera.summarizers.lexrank import centrality
from sera.summarizers.sumbasic import choose_by_most_probable_word
from sera.summarizers.term_vectors import bm25, content_first, term_counts

BY_CITANCES = ("citation_lexrank", "citation_context")
ALL = NINE + ("lead", "random")  # the oracle needs references

CITED = [
    "Dorsin kinase binds velactin at the membrane [12]. This binding was found in salt.",
    "Binding of velactin by dorsin kinase (Moss et al., 2011) happens at the yeast membrane.",
    "Colonies without dorsin grow slowly in salt (7, 8).",
    "Slow growth of colonies in salt was seen without dorsin [12].",
    "Drugs against kinases such as dorsin may slow fungi [3-5, 12].",
]
CITANCES = tuple(Citance("T1", f"citing{number}", text) for number, text in enumerate(CITED))


def words(sentences) -> int:
    return sum(len(own.split()) for own in sentences)


def cited_sentences() -> list[str]:
    return [str(own) for own in CitationLexRank().sentences(Article(SOURCE, CITANCES))]


def source(*sentences: str) -> Source:
    return Source("T1", "article", sections=(Section("", sentences),))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("limit", [12, 37, 60, 1000])
def test_a_summary_is_whole_sentences_in_the_order_of_the_source_within_the_limit(name, limit):
    summary = summarize(name, SOURCE, CITANCES, words=limit)
    assert (summary.topic, summary.system) == ("T1", name)
    assert 0 < words(summary.sentences) <= limit
    pool = cited_sentences() if name == "citation_lexrank" else list(SOURCE.sentences)
    places = [pool.index(own) for own in summary.sentences]
    assert places == sorted(set(places))
    if limit == 1000 and name != "citation_context":
        assert list(summary.sentences) == pool
    by_choice = summarize(name, SOURCE, CITANCES, words=limit, order="choice")
    assert sorted(summary.sentences) == sorted(by_choice.sentences)


def test_the_budget_passes_over_what_does_not_fit():
    article = Article(source("one two three.", "one two three four five.", "one two.", "one."))
    lead = summarizer("lead")
    assert [str(own) for own in lead(article, Budget(6))] == ["one two three.", "one two.", "one."]
    assert [str(own) for own in lead(article, Budget(2))] == ["one two."]
    assert lead(article, Budget(1)) == (article.sentences[3],)
    assert len(lead(article, 2)) == 2  # sumy's own counts serve too


def test_a_length():
    ten = source(*["one two three four five six seven eight nine ten."] * 3, *["one two."] * 35)  # 100 words

    def lead(**length):
        return summarize("lead", ten, **length).sentences

    assert lead(sentences=4) == ten.sentences[:4]
    assert lead(sentences=1000) == ten.sentences
    assert lead(share=0.12) == (ten.sentences[0], "one two.")
    assert words(lead(share=0.58)) == 58 and words(lead(share=0.599)) == 58
    assert lead(share=1) == ten.sentences
    assert lead() == lead(words=250)
    assert summarize("lead", source("one", "two three"), share=0.01).sentences == ("one",)
    for wrong in ({"words": 5, "share": 0.1}, {"share": 1.5}, {"sentences": 0}):
        with pytest.raises(InputError):
            lead(**wrong)


@pytest.mark.parametrize("name", list(SUMMARIZERS))
@pytest.mark.parametrize("parameters", ["study", "papers"])
def test_summaries_of_several_budgets_are_those_of_each(name, parameters):
    of = SUMMARIZERS.load(name).PAPER if parameters == "papers" else {}
    references = [Reference("T1", "A", SOURCE.sentences[2:4])]
    limits = [{"words": 30}, {"words": 60, "order": "choice"}, {"sentences": 3}, {"share": 0.3}]
    budgets = [budget(SOURCE, **limit) for limit in limits]
    together = summarize_within(name, SOURCE, CITANCES, references, budgets=budgets, **of)
    alone = [summarize(name, SOURCE, CITANCES, references, **limit, **of) for limit in limits]
    assert together == alone


@pytest.mark.parametrize("name", ALL)
def test_a_sentence_longer_than_the_limit_gives_way_to_one_that_fits(name):
    long = " ".join(["dorsin kinase binds velactin in salt"] * 20) + "."
    citances = [Citance("T1", "a", long), Citance("T1", "b", "Dorsin binds velactin.")]
    both = source(long, "Dorsin binds velactin.")
    assert summarize(name, both, citances, words=20).sentences == ("Dorsin binds velactin.",)
    assert summarize(name, source(both.sentences[1]), citances[1:]).sentences == ("Dorsin binds velactin.",)
    with pytest.raises(InputError, match="at most 2 words"):
        summarize(name, both, citances, words=2)


@pytest.mark.parametrize("name", ["mmr", "lda"])
def test_sentences_without_content_come_last(name):
    mixed = source("It is what it was.", *SOURCE.sentences, "And then they were there.")
    chosen = summarize(name, mixed, words=1000, order="choice").sentences
    assert chosen[-2:] == ("It is what it was.", "And then they were there.")


@pytest.mark.parametrize("name", ["lda", "random"])
def test_a_seed_draws_the_same_again(name):
    many = Source("T1", "article", sections=SOURCE.sections * 3)
    first, again, other = (
        summarize(name, many, words=40, seed=seed, order="choice").sentences for seed in (0, 0, 1)
    )
    assert first == again != other


# The oracle


def oracle(article, *references, **length):
    gold = [Reference("T1", f"A{number}", (text,)) for number, text in enumerate(references)]
    other = Reference("T2", "A", tuple(SOURCE.sentences))
    return summarize("oracle", article, references=[*gold, other], **length).sentences


def test_the_oracle_adds_what_raises_rouge_2_and_stops_where_nothing_does():
    article = source(
        "Fish swim north.",  # 1 of 2 bigrams of the second reference
        "Red kinase binds blue velactin quickly.",  # 4 of 5 of its bigrams are the first reference's
        "Cells grow.",
        "Kinase binds blue.",  # 2 bigrams, said already
        "Fish swim deep tonight.",  # 3 of 3 of the second reference
    )
    references = "Red kinase binds blue velactin.", "Fish swim deep tonight."
    # Pooled: 4 + 3 bigrams in the references. Alone the 2nd sentence has F 2 * 4 / (2 * 5 + 7), above the
    # 5th's 2 * 3 / (2 * 3 + 7). Both have 9 bigrams, that over the boundary included, and 7 hits: 14 / 25,
    # more than 8 / 17; the others add no hit.
    assert oracle(article, *references) == (article.sentences[1], article.sentences[4])
    assert oracle(article, *references, order="choice") == (article.sentences[1], article.sentences[4])
    assert oracle(article, *references, sentences=1) == (article.sentences[1],)
    # what does not fit leaves room to the best that does: the 5th has 4 words, the 2nd 6
    assert oracle(article, *references, words=5) == (article.sentences[4],)


def test_the_oracle_where_little_is_shared():
    with pytest.raises(InputError, match="that fits has a word of a reference"):
        oracle(SOURCE, "Nothing of it.")
    article = Source("T1", "a", sections=(Section("", ("Cells divide in salt.", "Salt.")),))
    # one hit each: 2 * 1 / (3 + 2) with the first, 2 * 1 / (1 + 2) with the second, 2 * 1 / (4 + 2) with both
    assert oracle(article, "Salt kills.") == ("Salt.",)


# Words


def test_words():
    found = TOKENIZER.to_words("In 2006, miR-372 (p53-/-) didn't bind Ca2+ at 4 °C; see Fig. 2A.")
    assert found == ("In", "miR-372", "p53", "didn't", "bind", "Ca2", "at", "C", "see", "Fig", "2A")
    assert TOKENIZER.to_words("ﬁnding doesn’t wild‐type β₂") == ("finding", "doesn't", "wild-type", "β2")
    assert TOKENIZER.to_words("12 34 % —") == ()
    assert terms().stems(sentence("The proteins doesn’t Binding")) == ["protein", "bind"]
    assert len(terms().stop_words) == 580
    stems = terms("de").stems(sentence("Die Häuser der Schülerinnen für Fußball"))
    assert stems == ["haus", "schulerinn", "fussball"]
    assert len(terms("de").stop_words) == 129


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("platform (38, 39), and [3-5; 7]", "platform , and"),
        ("described (Voorhoeve et al., 2006; Li and Ma, 2010a).", "described ."),
        ("Voorhoeve et al. (2006) found, as Smith and Jones (2007) did", "found, as did"),
        ("miR-372 (or miR-373) was grown (n = 3)", "miR-372 (or miR-373) was grown (n = 3)"),
        ("and (in 2006 and A) and [By Wu 2006; 07a] is.", "and (in 2006 and A) and is."),
    ],
)
def test_citation_markers_are_removed(text, expected):
    assert remove_markers(text) == expected


# The systems


def test_mmr_leaves_out_what_was_said():
    first = "Dorsin kinase binds velactin in salt."
    again = "In salt dorsin kinase binds velactin."
    other = "Colonies grow slowly."
    article = source(first, again, other, "Dorsin kinase.")
    assert summarize("mmr", article, words=9, order="choice").sentences == (first, other)
    # lambda 1 asks for relevance alone
    chosen = summarize("mmr", article, words=12, order="choice", trade_off=1).sentences
    assert chosen == (first, again)


# Node 0 is joined to all, the others to it and to themselves: the stationary vector is (4, 2, 2, 2).
STAR = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1]], dtype=float)


def test_lexrank_of_a_star():
    found = centrality(csr_array(STAR), threshold=0.1, epsilon=1e-9)
    np.testing.assert_allclose(found, np.array([4, 2, 2, 2]) / np.sqrt(28), atol=1e-8)
    assert centrality(csr_array((2, 2))).tolist() == [0, 0]


def test_lexrank_of_the_paper_teleports():
    found = centrality(csr_array(STAR), threshold=0.1, epsilon=1e-9, damping=0.15)
    # Stationary: x = 0.0375 + 0.85 (x / 4 + 3 y / 2) with x + 3 y = 1; so 1.2125 x = 0.4625.
    x = 0.4625 / 1.2125
    y = (1 - x) / 3
    assert found / found.sum() == pytest.approx([x, y, y, y], abs=1e-8)
    # idf ln(N / n): alpha is in all sentences and weighs nothing, so no two of these are joined
    lexrank = summarizer("lexrank", variant="paper", epsilon=1e-6)
    few = source("alpha beta.", "alpha gamma.", "alpha delta delta.")
    assert lexrank.ratings(Article(few)) == pytest.approx(np.full(3, 3**-0.5))


def test_sumbasic_of_the_paper_wants_the_most_probable_word():
    # Of 10 words alpha has 4, gamma 3, beta 2, delta 1.
    bags = [text.split() for text in ("gamma", "alpha beta beta", "alpha alpha delta alpha", "gamma gamma")]
    # gamma alone has the mean 0.3, "alpha beta beta" 0.267; but alpha is wanted, and sentence 2 has 0.325.
    # Then alpha is 0.16, delta 0.01: gamma is wanted (0.3), of equals the first; then beta (0.2), then gamma.
    assert choose_by_most_probable_word(bags) == [2, 0, 1, 3]
    assert content_first([[], ["a"], []], choose_by_most_probable_word) == [1, 0, 2]
    # Alpha is the most probable word, and beta's sentences have the highest mean.
    article = source("Beta.", "Alpha kinase salt.", "Alpha velactin yeast.", "Alpha dorsin cells.", "Betas.")
    paper = summarize("sumbasic", article, words=3, order="choice", variant="paper").sentences
    assert paper == ("Alpha kinase salt.",)
    assert summarize("sumbasic", article, words=3, order="choice").sentences[0].startswith("Beta")


def test_communities_of_two_triangles_with_a_bridge():
    joined = np.zeros((7, 7))
    for one, other in [(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (2, 3)]:
        joined[one, other] = joined[other, one] = 1
    assert communities(joined) == [[0, 1, 2], [3, 4, 5], [6]]
    assert communities(np.eye(3)) == [[0], [1], [2]]  # own similarity is no edge
    assert communities(np.ones((3, 3))) == [[0, 1, 2]]
    assert communities(np.zeros((0, 0))) == []


def test_communities_raise_modularity_as_far_as_joining_two_can():
    random = np.random.default_rng(5)
    for _ in range(20):
        weights = random.random((9, 9)) * (random.random((9, 9)) < 0.3)
        weights = weights + weights.T
        np.fill_diagonal(weights, 0)
        groups = communities(weights)
        assert sorted(node for group in groups for node in group) == list(range(9))
        best = modularity(weights, groups)
        assert best >= modularity(weights, [[node] for node in range(9)]) - 1e-9
        for one in range(len(groups)):
            for other in range(one):
                rest = [group for i, group in enumerate(groups) if i not in (one, other)]
                assert modularity(weights, [*rest, groups[one] + groups[other]]) <= best + 1e-9


def modularity(weights, groups) -> float:
    total = weights.sum()
    inside = sum(weights[np.ix_(group, group)].sum() / total for group in groups)
    return inside - sum((weights[group].sum() / total) ** 2 for group in groups)


def test_c_lexrank():
    # Citing sentences 0, 2 and 5 tell of kinases, 1, 3 and 4 of salt; in each of the two communities all are
    # joined with all, so they are equally central and stand in order.
    pool = cited_sentences()
    chosen = summarize("citation_lexrank", SOURCE, CITANCES, words=1000, order="choice").sentences
    assert [pool.index(own) for own in chosen] == [0, 1, 2, 3, 5, 4]
    # Above a threshold of 0.5 only 0 and 2 are alike: they are the largest, then each stands alone.
    few = summarize("citation_lexrank", SOURCE, CITANCES, words=1000, order="choice", threshold=0.5)
    assert [pool.index(own) for own in few.sentences] == [0, 1, 3, 4, 5, 2]
    # The third has a word of each of the others, which have none in common.
    texts = ["Kinases glow.", "Membranes burst.", "Kinases and membranes and neurons.", "Neurons sleep."]
    cited = [Citance("T1", f"c{number}", text) for number, text in enumerate(texts)]
    chosen = summarize("citation_lexrank", SOURCE, cited, words=1000, order="choice", communities=False)
    assert chosen.sentences[0] == "Kinases and membranes and neurons."


def test_a_citance_finds_the_sentences_that_it_reflects():
    asked = [Citance("T1", "citing", "Camera and ruler measured the size of a colony (Moss et al., 2011).")]
    chosen = summarize("citation_context", SOURCE, asked, contexts=1).sentences
    assert chosen == ("Colony size was measured with a ruler and with a camera.",)
    assert len(summarize("citation_context", SOURCE, asked, contexts=2).sentences) == 2


def test_bm25():
    # "a b", "a a c d", "e": lengths 2, 4, 1, mean 7/3; b, c, d, e are in one of three, a in two.
    counts = term_counts([["a", "b"], ["a", "a", "c", "d"], ["e"]])
    asked = term_counts([["a", "a"], ["b", "e"], []], {"a": 0, "b": 1, "c": 2, "d": 3, "e": 4})
    rare, common = np.log(1 + 2.5 / 1.5), np.log(1 + 1.5 / 2.5)

    def once(length, times=1):
        return times * 2.2 / (times + 1.2 * (0.25 + 0.75 * length / (7 / 3)))

    expected = [[common * once(2), common * once(4, 2), 0], [rare * once(2), 0, rare * once(1)], [0, 0, 0]]
    np.testing.assert_allclose(bm25(counts, asked), expected, atol=1e-11)


@pytest.mark.parametrize(
    ("text", "facet"),
    [
        ("Cells were infected with the vectors of this library.", "method"),
        ("Colonies were counted as described.", "method"),
        ("It was hypothesised that salt is sensed.", "hypothesis"),
        ("These data suggest a target.", "implication"),
        ("Velactin was found at the membrane.", "results"),
        ("Salt is sensed by kinases.", "discussion"),
    ],
)
def test_the_facet_that_a_citing_passage_takes_up(text, facet):
    assert facet_of_citance(text) == facet


def test_citation_contexts_come_from_each_facet_in_turn():
    texts = SOURCE.sentences[7], SOURCE.sentences[19], SOURCE.sentences[8], SOURCE.sentences[12]
    asked = [Citance("T1", "citing", text) for text in texts]
    plain = {"contexts": 1, "neighbours": 0, "others": 0, "order": "choice"}
    chosen = summarize("citation_context", SOURCE, asked, group_by="section", **plain).sentences
    # hypothesis ("we asked"), method, the two results
    assert chosen[:2] == texts[:2]
    assert sorted(chosen[2:]) == sorted(texts[2:])
    by_community = summarize("citation_context", SOURCE, asked, group_by="community", **plain)
    assert sorted(by_community.sentences) == sorted(texts)
    # the facets of the citances: method for one ("was measured"), results for another ("were found")
    asked[2] = Citance("T1", "citing", "Dorsin and velactin were found together at the membrane in salt.")
    chosen = summarize("citation_context", SOURCE, asked, **plain).sentences
    assert chosen[:2] == (texts[1], SOURCE.sentences[10])
    assert sorted(chosen[2:]) == sorted((texts[0], texts[3]))


def test_facets_from_titles_and_cue_words():
    sections = (
        Section("", ("Yeast grows.", "We show that it stops.")),
        Section("Introduction", ("Salt is common.",)),
        Section("Dorsin binds velactin", ("Both meet.", "This suggests that they bind.")),
        Section("Results and Discussion", ()),
        Section("Growth", ("Colonies were small.", "Cells were incubated for an hour.")),
        Section("Discussion", ("Others saw the same.", "In conclusion, salt matters.")),
        Section("Experimental Procedures", ("We show the strains in a table.",)),
        Section("Strains", ("All are old.",)),
    )
    expected = "hypothesis results hypothesis results implication "
    expected += "results method discussion implication method method"
    assert facets(sections) == expected.split()


def brute_force(sentences: int, divergence) -> list[int]:
    order: list[int] = []
    while len(order) < sentences:
        left = [number for number in range(sentences) if number not in order]
        order.append(min(left, key=lambda number: round(divergence([*order, number]), 12)))
    return order


def test_greedy_divergence_of_mixtures_is_that_of_the_full_search():
    random = np.random.default_rng(1)
    for sentences in (1, 5, 60):
        proportions = random.dirichlet([0.2] * 6, sentences)
        words_of = random.dirichlet([0.1] * 40, 6) + 1e-6
        words_of /= words_of.sum(axis=1, keepdims=True)
        lengths = random.integers(1, 20, sentences).astype(float)
        target = lengths @ proportions / lengths.sum() @ words_of

        def divergence(chosen):
            mixture = lengths[chosen] @ proportions[chosen] / lengths[chosen].sum() @ words_of
            return float((target * np.log(target / mixture)).sum())

        assert closest_mixtures(proportions, words_of, lengths) == brute_force(sentences, divergence)


def test_greedy_divergence_of_unigrams_is_that_of_the_full_search():
    random = np.random.default_rng(2)
    for sentences in (1, 5, 40):
        counts = random.poisson(0.3, (sentences, 30)).astype(float)
        target = random.dirichlet([1.0] * 30)

        def divergence(chosen):
            smoothed = counts[chosen].sum(axis=0) + 0.01
            return float((target * np.log(target / (smoothed / smoothed.sum()))).sum())

        assert closest_unigrams(target, csr_array(counts)) == brute_force(sentences, divergence)


def test_klsum_of_the_paper_wants_the_words_of_the_article():
    article = source("alpha alpha beta beta.", "alpha beta.", "gamma gamma delta.", "alpha beta gamma.")
    # P is alpha 4, beta 4, gamma 3, delta 1 of 12; one sentence that has three of the four is closest.
    assert summarize("kl", article, words=3, variant="paper").sentences == ("alpha beta gamma.",)


def test_lsa_of_the_paper_is_the_singular_value_decomposition(fidelity):
    lsa = summarizer("lsa", sigma_ratio=0.5, smooth=0)
    bags = [terms().stems(own) for own in Article(SOURCE).sentences]
    vocabulary = sorted({stem for bag in bags for stem in bag})
    matrix = np.array([[bag.count(stem) / max(map(bag.count, bag)) for bag in bags] for stem in vocabulary])
    _, sigma, v = np.linalg.svd(matrix, full_matrices=False)
    kept = sigma >= sigma[0] / 2
    assert 1 < kept.sum() < len(sigma)
    expected = np.sqrt(sigma[kept] ** 2 @ v[kept] ** 2)
    np.testing.assert_allclose(lsa.ratings(Article(SOURCE)), expected, atol=1e-10)
    of, on = "summarizer `lsa`, the paper's", "ratings of sentences of a made-up article"
    fidelity(of, on, len(expected), "numpy's decomposition", "to 1e-10")


@pytest.mark.parametrize("name", BY_CITANCES)
def test_a_summarizer_without_german_refuses_it(name):
    with pytest.raises(InputError, match=f"'{name}' reads English, not German"):
        summarizer(name, language="de")
