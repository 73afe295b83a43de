"""Citation contexts and discourse structure (Cohan & Goharian 2015, EMNLP).

1. For each citance, the ``contexts`` sentences that match it best are its *citation context* (the track's
   annotators marked one to three spans). The match is BM25 of stems, without the citance's citation markers.
   For the paper's spans of consecutive sentences, a sentence's score gains ``neighbours`` times the scores of
   the sentences before and after it. For the paper's reformulation of citances, which are short and use other
   words than the article, its score, divided by the citance's highest, gains ``others`` times its mean over
   all citances of the article: other citances say what one leaves out.
2. The contexts are grouped by the discourse facet of their citances or by the communities of their
   similarity graph (``group_by``), the two ways of the paper. A sentence in the contexts of several citances
   has the facet of most of them; if several are equal, the first in the order of discourse.
3. In each group, sentences are rated by centrality (LexRank), divided by the group's highest.
4. The groups take turns: facets in the order of discourse, communities from the largest. Each gives its
   sentence with the highest marginal relevance: lambda * rating - (1 - lambda) * the highest similarity to
   any sentence chosen so far.

The paper learns facets from annotations with a support vector machine. Here they come from cue words
(`sera.summarizers.facets`), because a system that is judged on these topics must not use what annotators
marked. ``group_by="section"`` takes each sentence's facet from its place in the article. The paper's medical
thesaurus is licensed data. The summary contains only contexts, so with few citances it is shorter than the
budget. docs/summarizers.md reports how well the contexts agree with the annotators.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from sera.errors import InputError
from sera.settings import setting
from sera.summarizers.communities import communities
from sera.summarizers.document import Article, remove_markers, sentence
from sera.summarizers.facets import FACETS, facet_of_citance, facets
from sera.summarizers.interface import EnglishSummarizer
from sera.summarizers.lexrank import centrality
from sera.summarizers.term_vectors import (
    DIGITS,
    bm25,
    cosines,
    inverse_frequency,
    marginal_relevance,
    term_counts,
    unit_rows,
)

_THRESHOLD = 0.1  # LexRank's


class Context(NamedTuple):
    """The citation context of one citance."""

    sentences: tuple[int, ...]  # numbers of the article's sentences, best first; may be empty
    facet: str  # one of FACETS


@dataclass(kw_only=True, eq=False)
class CitationContext(EnglishSummarizer):
    """The sentences of the article that its citances reflect, in turn from each group.

    With 0 for ``neighbours`` and ``others``, the match has no additions.
    """

    group_by: str = setting("facet", str, "groups of the contexts", choices=("facet", "section", "community"))
    contexts: int = setting(3, int, "sentences retrieved for a citance", low=1, high=10**6)
    trade_off: float = setting(0.7, float, "lambda: 0 for novelty alone, 1 for centrality", low=0, high=1)
    match: str = setting("bm25", str, "tfidf: cosines of tf-idf vectors", choices=("bm25", "tfidf"))
    neighbours: float = setting(0.25, float, "the weight of the sentences beside", low=0, high=10)
    others: float = setting(0.5, float, "the weight of the other citances", low=0, high=10)

    def find_contexts(self, document: Article) -> list[Context]:
        """The context of each citance, in the order of the citances.

        The facet is the citance's; with ``group_by="section"``, that of the context's first sentence, or
        "discussion" if the context is empty.
        """
        counts, vocabulary = self._counts(document)
        texts = [remove_markers(citance.text) for citance in document.citances]
        queries = term_counts([self.terms.stems(sentence(text)) for text in texts], vocabulary)
        scores = self._scores(counts, queries)
        best = np.argsort(-scores, axis=1, kind="stable")[:, : self.contexts]
        contexts = [
            tuple(int(n) for n in numbers if row[n] > 0) for row, numbers in zip(scores, best, strict=True)
        ]
        if self.group_by == "section":
            sentence_facets = facets(document.sections)
            citance_facets = [sentence_facets[own[0]] if own else "discussion" for own in contexts]
        else:
            citance_facets = [facet_of_citance(text) for text in texts]
        return [Context(own, facet) for own, facet in zip(contexts, citance_facets, strict=True)]

    def choices(self, document: Article) -> list[int]:
        contexts = self.find_contexts(document)
        numbers = sorted({number for context in contexts for number in context.sentences})
        if not numbers:
            problem = f"no citance of topic {document.topic!r} has a word in common with the article"
            raise InputError(problem, remedy="Check that the citances belong to this article.")
        counts, _ = self._counts(document)
        similarity = cosines(unit_rows(counts, inverse_frequency(counts))[numbers])
        dense = similarity.toarray()
        rating = np.zeros(len(numbers))
        groups = self._groups(document, contexts, numbers, dense)
        for group in groups:
            scores = centrality(similarity[group][:, group], _THRESHOLD)
            rating[group] = scores / max(scores.max(), 1e-300)

        order: list[int] = []
        redundancy = np.zeros(len(numbers))
        while groups:
            for group in groups:
                values = marginal_relevance(rating[group], redundancy[group], self.trade_off)
                best = group.pop(int(values.argmax()))
                order.append(numbers[best])
                redundancy = np.maximum(redundancy, dense[best])
            groups = [group for group in groups if group]
        return order

    def _scores(self, counts: csr_array, queries: csr_array) -> np.ndarray:
        if self.match == "bm25":
            plain = bm25(counts, queries)
        else:
            weights = inverse_frequency(counts)
            plain = cosines(unit_rows(queries, weights), unit_rows(counts, weights)).toarray()
        scores = plain.copy()
        scores[:, 1:] += self.neighbours * plain[:, :-1]
        scores[:, :-1] += self.neighbours * plain[:, 1:]
        highest = scores.max(axis=1, initial=0.0, keepdims=True)
        scores = scores / np.where(highest > 0, highest, 1)
        mean = scores.mean(axis=0)
        # A citance that shares no word with the article has no context.
        return np.where(highest > 0, scores + self.others * mean, 0.0).round(DIGITS)

    def _groups(
        self, document: Article, contexts: Sequence[Context], numbers: list[int], similarity: np.ndarray
    ) -> list[list[int]]:
        if self.group_by == "community":
            return communities(np.where(similarity > _THRESHOLD, similarity, 0.0))
        if self.group_by == "section":
            sentence_facets = dict(enumerate(facets(document.sections)))
        else:
            votes: dict[int, Counter[str]] = {number: Counter() for number in numbers}
            for context in contexts:
                for number in context.sentences:
                    votes[number][context.facet] += 1
            sentence_facets = {
                number: max(FACETS, key=lambda facet: votes[number][facet]) for number in numbers
            }
        groups = [
            [i for i, number in enumerate(numbers) if sentence_facets[number] == facet] for facet in FACETS
        ]
        return [group for group in groups if group]

    def _counts(self, document: Article) -> tuple[csr_array, dict[str, int]]:
        """Counts of stems (columns) in an article's sentences (rows), and the column of each stem."""
        bags = list(map(self.terms.stems, document.sentences))
        vocabulary = {stem: column for column, stem in enumerate(dict.fromkeys(chain.from_iterable(bags)))}
        return term_counts(bags, vocabulary), vocabulary
