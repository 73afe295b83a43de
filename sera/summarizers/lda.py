"""Topic models and divergence (Haghighi & Vanderwende 2009; Blei et al. 2003).

As KLSum, but the content of document and summary is modelled by topics, as Cohan & Goharian 2016 describe
it in section 4.3:

1. Latent Dirichlet allocation is fitted to the article, each sentence (its stems without stop words)
   being one document of the model: 20 topics, symmetric priors 1/20, batch variational inference of
   scikit-learn (10 iterations) with a fixed seed. It gives the topics' distributions of words phi_k
   and each sentence's proportions of topics theta_j. None of the papers names these numbers.
2. The content model of a set S of sentences is the mixture P_S(w) = sum_k theta_S,k phi_k(w), where
   theta_S is the mean of its sentences' proportions, weighted by their numbers of content words. The
   document's is that of all sentences.
3. Greedily the sentence is added that makes KL(P_document || P_summary) over all words least.
   Mixtures need no smoothing: every topic gives every word some probability.

``summary="words"`` compares the document's mixture with the summary's smoothed unigrams instead, which is
Haghighi & Vanderwende's criterion (`sera.summarizers.divergence`). As the mixture of all sentences is near
the article's own unigrams, it is then near KLSum. Their TopicSum tells background, document and content
topics apart, which needs many documents; for one article a plain topic model is what is left of it.

A round need not look at every sentence. Divergence is convex in theta, so its tangent at the present
summary is a lower bound for every candidate; candidates are computed in the order of their bounds until
no bound is below the least divergence found. The result is that of the full search. Sentences without a
content word come last, in order; divergences are rounded to 12 digits and ties go to the earlier sentence.
"""

from __future__ import annotations

import numpy as np
from sklearn.decomposition import LatentDirichletAllocation

from sera.settings import one_of, whole
from sera.summarizers.divergence import closest_unigrams
from sera.summarizers.document import Article, stems
from sera.summarizers.interface import Summarizer
from sera.summarizers.term_vectors import DIGITS, term_counts

_BATCH = 16


class LDA(Summarizer):
    """Greedy divergence between the topic mixtures of document and summary."""

    def __init__(
        self, *, topics: int = 20, iterations: int = 10, summary: str = "topics", seed: int = 0
    ) -> None:
        """``topics``: 1 or more (no more than sentences are used); ``iterations`` over the article;
        ``summary``: its content model, "topics" or "words"; ``seed`` of the topics' random start."""
        super().__init__()
        self.topics = whole("topics", topics, 1, 10**4)
        self.iterations = whole("iterations", iterations, 1, 10**6)
        self.summary = one_of("summary", summary, ("topics", "words"))
        self.seed = whole("seed", seed, 0, 2**32 - 1)

    def choices(self, document: Article) -> list[int]:
        bags = [stems(sentence) for sentence in document.sentences]
        worded = [number for number, bag in enumerate(bags) if bag]
        order: list[int] = []
        if worded:
            counts = term_counts([bags[number] for number in worded])
            model = LatentDirichletAllocation(
                n_components=min(self.topics, len(worded)),
                learning_method="batch",
                max_iter=self.iterations,
                random_state=self.seed,
            )
            proportions = model.fit_transform(counts)
            words = model.components_ / model.components_.sum(axis=1, keepdims=True)
            lengths = np.array([len(bags[number]) for number in worded], dtype=float)
            if self.summary == "topics":
                closest = closest_mixtures(proportions, words, lengths)
            else:
                closest = closest_unigrams(lengths @ proportions / lengths.sum() @ words, counts)
            order = [worded[i] for i in closest]
        return order + [number for number, bag in enumerate(bags) if not bag]


def closest_mixtures(proportions: np.ndarray, words: np.ndarray, lengths: np.ndarray) -> list[int]:
    """Sentences in the order in which they bring the summary's mixture closest to the document's.

    ``proportions``: sentences by topics, rows sum to 1; ``words``: topics by words, rows sum to 1, all
    above 0; ``lengths``: words of each sentence, above 0.
    """
    whole = lengths @ proportions / lengths.sum()
    target = whole @ words

    def divergence(mixtures: np.ndarray) -> np.ndarray:
        return (np.log(target) - np.log(mixtures @ words)) @ target

    order: list[int] = []
    left = np.arange(len(lengths))
    summary, length = whole, 0.0  # before the first sentence the tangent is taken at the document
    while len(left):
        weight = lengths[left] / (length + lengths[left])
        step = weight[:, None] * (proportions[left] - summary)
        slope = -words @ (target / (summary @ words))
        bound = divergence(summary) + step @ slope
        values = np.full(len(left), np.inf)
        least = np.inf
        ranked = np.argsort(bound, kind="stable")
        for start in range(0, len(ranked), _BATCH):
            batch = ranked[start : start + _BATCH]
            if bound[batch[0]] > least + 10.0**-DIGITS:
                break
            values[batch] = divergence(summary + step[batch])
            least = min(least, values[batch].min())
        best = int(values.round(DIGITS).argmin())
        order.append(int(left[best]))
        summary = summary + step[best]
        length += lengths[left[best]]
        left = np.delete(left, best)
    return order
