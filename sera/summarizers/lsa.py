"""Latent semantic analysis (Steinberger & Jezek 2004): choose sentences with most weight in latent topics.

The matrix A of words by sentences is decomposed into singular values and vectors. The rating of sentence j is
sqrt(sum_i sigma_i^2 v_ij^2) over the latent dimensions i that are kept (the paper's equation for s_k). The
choice is that of sumy 0.13 (docs/summarizers.md), whose cells hold the smoothed frequency 0.4 + 0.6 tf / max
tf.

With all dimensions, as in sumy, the rating is the length of the sentence's column (A'A = V S^2 V'): no
decomposition is needed. The paper's choice needs the eigenvectors of a matrix of sentences by sentences.

Sentences often have equal ratings (the same number of distinct words, each once). In sumy, the noise of the
decomposition breaks these ties, and it changes from run to run. Here ratings are rounded to 12 digits, and
the earlier sentence comes first.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sumy.summarizers.lsa import LsaSummarizer

from sera.settings import setting
from sera.summarizers.document import Article
from sera.summarizers.interface import Summarizer
from sera.summarizers.term_vectors import DIGITS, term_counts


@dataclass(kw_only=True, eq=False)
class LSA(Summarizer, LsaSummarizer):
    """sumy's LSA, which decomposes the matrix only if that is needed."""

    PAPER: ClassVar[dict[str, Any]] = {"sigma_ratio": 0.5, "smooth": 0.0}

    sigma_ratio: float = setting(0.0, float, "the least part of the largest singular value", low=0, high=1)
    smooth: float = setting(0.4, float, "the least value of a cell", low=0, high=0.999)

    def ratings(self, document: Article) -> np.ndarray:
        """The weight of each sentence in the latent dimensions that are kept, 0 or more."""
        words = [[self.normalize_word(word) for word in sentence.words] for sentence in document.sentences]
        content = (word for sentence in words for word in sentence if word not in self.stop_words)
        stems = dict.fromkeys(map(self.stem_word, content))
        vocabulary = {stem: column for column, stem in enumerate(stems)}
        # As in sumy, a stop word counts if it has the stem of a word that is not a stop word.
        counts = term_counts([map(self.stem_word, sentence) for sentence in words], vocabulary)

        sentences = len(words)
        terms = np.diff(counts.indptr)
        rows = np.repeat(np.arange(sentences), terms)
        most = np.zeros(sentences)
        np.maximum.at(most, rows, counts.data)
        floor = np.where(most > 0, self.smooth, 0.0)  # sumy does not smooth a sentence without words
        excess = (1 - self.smooth) * counts.data / most[rows]  # the part of a cell above the floor

        if self.sigma_ratio == 0:
            cells = np.bincount(rows, (floor[rows] + excess) ** 2, minlength=sentences)
            squares = cells + floor**2 * (len(vocabulary) - terms)
            return np.sqrt(squares).round(DIGITS)

        counts.data = excess
        total = np.bincount(rows, excess, minlength=sentences)
        gram = (counts @ counts.T).toarray() + np.outer(floor, total) + np.outer(total, floor)
        gram += len(vocabulary) * np.outer(floor, floor)
        powers, vectors = np.linalg.eigh(gram)  # squared singular values, and V
        dimensions = powers >= self.sigma_ratio**2 * powers.max(initial=0.0)
        return np.sqrt(vectors[:, dimensions] ** 2 @ powers[dimensions].clip(0)).round(DIGITS)
