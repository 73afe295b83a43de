"""Citation contexts and discourse structure (Cohan & Goharian 2015, EMNLP).

1. For each citance the article's sentences that it reflects are retrieved, its *citation context*: the
   ``contexts`` sentences (3; the track's annotators marked one to three spans) with the highest cosine of
   tf-idf vectors with the citance, whose citation markers are removed.
2. The contexts of all citances are grouped, by discourse facet (`sera.summarizers.facets`) or by the
   communities of their similarity graph (``group_by``), the paper's two ways.
3. Inside a group sentences are rated by centrality (LexRank), divided by the group's highest.
4. The groups take turns, facets in the order of discourse, communities from the largest; each gives
   the sentence with the highest marginal relevance, lambda * rating - (1 - lambda) * the highest similarity
   with any sentence chosen from any group.

The paper learns facets from annotations with a support vector machine; here they come from section
titles and cue words, because the reference spans and facets that annotators marked must not reach a
system that is judged on these topics. The summary is made of contexts alone, so it is shorter than the budget
where few citances are given.
"""

from __future__ import annotations

import numpy as np

from sera.errors import InputError
from sera.summarizers.base import Summarizer, in_range, one_of
from sera.summarizers.communities import communities
from sera.summarizers.document import Article, sentence, stems, without_markers
from sera.summarizers.facets import FACETS, facets
from sera.summarizers.lexrank import centrality
from sera.summarizers.vectors import (
    cosines,
    inverse_frequency,
    marginal_relevance,
    term_counts,
    unit_rows,
)

_THRESHOLD = 0.1  # LexRank's


class CitationContext(Summarizer):
    """The article's sentences that its citances reflect, from each facet in turn."""

    def __init__(self, *, group_by: str = "facet", contexts: int = 3, trade_off: float = 0.7) -> None:
        """``group_by``: "facet" or "community"; ``contexts``: sentences retrieved for a citance, 1 or more;
        ``trade_off``: lambda, 0 (novelty alone) to 1 (centrality alone)."""
        super().__init__()
        self.group_by = one_of("group_by", group_by, ("facet", "community"))
        self.contexts = int(in_range("contexts", contexts, 1, 10**6))
        self.trade_off = in_range("trade_off", trade_off, 0, 1)

    def choices(self, document: Article) -> list[int]:
        queries = [stems(sentence(without_markers(citance.text))) for citance in document.citances]
        bags = [stems(own) for own in document.sentences]
        vocabulary: dict[str, int] = {}
        for stem in (stem for bag in bags for stem in bag):
            vocabulary.setdefault(stem, len(vocabulary))
        counts = term_counts(bags, vocabulary)
        weights = inverse_frequency(counts)
        vectors = unit_rows(counts, weights)
        asked = unit_rows(term_counts(queries, vocabulary), weights)

        found = self._retrieve(cosines(asked, vectors).toarray())
        if not found:
            raise InputError(
                f"no citance of topic {document.topic!r} has a word in common with the article",
                remedy="Look whether the citances belong to this article.",
            )
        vectors = vectors[found]
        similarity = cosines(vectors)
        dense = similarity.toarray()
        rating = np.zeros(len(found))
        groups = self._groups(document, found, dense)
        for group in groups:
            scores = centrality(similarity[group][:, group], _THRESHOLD)
            rating[group] = scores / max(scores.max(), 1e-300)

        order: list[int] = []
        redundancy = np.zeros(len(found))
        while groups:
            for group in groups:
                values = marginal_relevance(rating[group], redundancy[group], self.trade_off)
                best = group.pop(int(values.argmax()))
                order.append(found[best])
                redundancy = np.maximum(redundancy, dense[best])
            groups = [group for group in groups if group]
        return order

    def _retrieve(self, scores: np.ndarray) -> list[int]:
        """Numbers of the sentences that are among the best for any citance (row), ascending."""
        best = np.argsort(-scores, axis=1, kind="stable")[:, : self.contexts]
        found = {int(n) for row, numbers in zip(scores, best, strict=True) for n in numbers if row[n] > 0}
        return sorted(found)

    def _groups(self, document: Article, found: list[int], similarity: np.ndarray) -> list[list[int]]:
        """Positions in ``found``, grouped; each group ascending and not empty."""
        if self.group_by == "community":
            return communities(np.where(similarity > _THRESHOLD, similarity, 0.0))
        of = facets(document.sections)
        groups = [[i for i, number in enumerate(found) if of[number] == facet] for facet in FACETS]
        return [group for group in groups if group]
