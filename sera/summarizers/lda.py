"""Topic models and divergence (Haghighi & Vanderwende 2009; Blei et al. 2003).

This is KLSum with topics as the model of content (Cohan & Goharian 2016, section 4.3):

1. Latent Dirichlet allocation is fitted to the article; each sentence (its stems without stop words) is one
   document of the model. There are 20 topics with symmetric priors of 1/20, and scikit-learn's batch
   variational inference has 10 iterations and a fixed seed; no paper states these numbers. The
   model has each topic's distribution of words phi_k and each sentence's proportions of topics theta_j.
2. The content of a set S of sentences is the mixture P_S(w) = sum_k theta_S,k phi_k(w), where theta_S is the
   mean of the sentences' proportions, weighted by their numbers of content words. The document is the set
   of all sentences.
3. The method is greedy: it adds the sentence with the least KL(P_document || P_summary) over all words.
   Mixtures need no smoothing, since each topic gives each word a probability above 0.

``summary="words"`` compares the document's mixture with the smoothed unigrams of the summary instead, the
criterion of Haghighi & Vanderwende (`sera.summarizers.divergence`). The result is then close to KLSum,
because the mixture of all sentences is close to the article's unigrams. Their TopicSum separates topics of
background, document and content, which needs many documents; for one article, a plain topic model remains.

Sentences without a content word come last, in order; divergences are rounded to 12 digits, and ties go to the
earlier sentence.
"""

from dataclasses import dataclass

import numpy as np
from sklearn.decomposition import LatentDirichletAllocation

from sera.settings import setting
from sera.summarizers.divergence import closest_unigrams
from sera.summarizers.document import Article
from sera.summarizers.interface import Summarizer
from sera.summarizers.term_vectors import DIGITS, content_first, term_counts


@dataclass(kw_only=True, eq=False)
class LDA(Summarizer):
    """Greedy choice by the divergence between the topic mixtures of document and summary."""

    topics: int = setting(20, int, "topics, at most as many as sentences", low=1, high=10**4)
    iterations: int = setting(10, int, "passes over the article", low=1, high=10**6)
    summary: str = setting("topics", str, "the model of the summary", choices=("topics", "words"))
    seed: int = setting(0, int, "of the random start of the topics", low=0, high=2**32 - 1)

    def choices(self, document: Article) -> list[int]:
        return content_first(list(map(self.terms.stems, document.sentences)), self._choose)

    def _choose(self, bags: list[list[str]]) -> list[int]:
        counts = term_counts(bags)
        model = LatentDirichletAllocation(
            n_components=min(self.topics, len(bags)),
            learning_method="batch",
            max_iter=self.iterations,
            random_state=self.seed,
        )
        proportions = model.fit_transform(counts)
        words = model.components_ / model.components_.sum(axis=1, keepdims=True)
        lengths = np.array(list(map(len, bags)), float)
        if self.summary == "topics":
            return closest_mixtures(proportions, words, lengths)
        return closest_unigrams(lengths @ proportions / lengths.sum() @ words, counts)


def closest_mixtures(proportions: np.ndarray, words: np.ndarray, lengths: np.ndarray) -> list[int]:
    """Numbers of the sentences in the order in which they bring the summary closest to the document.

    proportions:  sentences by topics; rows sum to 1
    words:        topics by words; rows sum to 1, all above 0
    lengths:      sentences; their numbers of words, above 0
    """
    whole = lengths @ proportions / lengths.sum()
    target = whole @ words

    order: list[int] = []
    rest = np.arange(len(lengths))
    summary, length = whole, 0.0  # before the first sentence, its weight is 0
    while len(rest):
        weight = lengths[rest] / (length + lengths[rest])
        mixtures = summary + weight[:, None] * (proportions[rest] - summary)
        divergence = (np.log(target) - np.log(mixtures @ words)) @ target
        best = int(divergence.round(DIGITS).argmin())
        order.append(int(rest[best]))
        summary = mixtures[best]
        length += lengths[rest[best]]
        rest = np.delete(rest, best)
    return order
