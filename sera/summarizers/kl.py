"""KLSum (Haghighi & Vanderwende 2009): a summary whose words diverge least from the article's.

The method is greedy: it adds the sentence with the least KL(P || Q), where P is the article's and Q the
summary's distribution of words (section 3.2 of the paper). ``variant="sumy"``, the default, chooses as sumy
0.13, which differs from the paper (docs/summarizers.md), and in its details too:

- stop words of the candidate sentence are left out, but those of sentences in the summary count in its length
- words are looked up as they are written, so a word with a capital letter is not found
- if a sentence occurs twice in the article, both get the rank of the one that is chosen last

``variant="paper"`` is the paper's divergence over all content words (stems), with a smoothed Q
(`sera.summarizers.divergence`); sentences without a content word come last.

sumy builds each candidate summary from its words, which takes cubic time. Here one vectorised pass over the
words of all sentences finds the change by each. It adds in another order than sumy, which could change ties
(frequent in the first rounds), so sentences within 1e-10 of the least divergence are compared with sumy's own
arithmetic.
"""

import numpy as np
from sumy.summarizers.kl import KLSummarizer

from sera.summarizers.divergence import closest_unigrams
from sera.summarizers.document import Article
from sera.summarizers.interface import TwoVariants
from sera.summarizers.term_vectors import content_first, term_counts

_NEAR = 1e-10  # above the noise of the fast sums (1e-13), below differences that mean anything


class KL(TwoVariants, KLSummarizer):
    """sumy's KLSum with divergences that are updated from round to round."""

    def choices(self, document: Article) -> list[int]:
        return content_first(list(map(self.terms.stems, document.sentences)), _choose_as_paper)

    def _compute_ratings(self, sentences):
        bags = [tuple(self._get_content_words_in_sentence(sentence)) for sentence in sentences]
        document = self.compute_tf(sentences) if any(bags) else {}
        vocabulary = {word: column for column, word in enumerate(document)}
        p = np.array(list(document.values()))
        log_p = np.log(p)
        counts = term_counts(bags, vocabulary)
        columns, times = counts.indices, counts.data
        rows = np.repeat(np.arange(len(bags)), np.diff(counts.indptr))
        lengths = np.array([len(bag) for bag in bags])

        # The summary's words as written with their counts, and its length. Then, for each word of the
        # article, its count in the summary and p * (ln p - ln count): its part of the divergence, without the
        # length.
        summary: dict[str, int] = {}
        length = 0
        count = np.zeros(len(p))
        part = np.zeros(len(p))
        remains = np.ones(len(bags), dtype=bool)
        ratings: dict = {}
        for _ in bags:
            present = count > 0
            change = p[columns] * (log_p[columns] - np.log(count[columns] + times)) - part[columns]
            mass = np.where(present[columns], 0.0, p[columns])
            log_length = np.log(np.maximum(length + lengths, 1))
            divergence = (
                part.sum()
                + np.bincount(rows, change, minlength=len(bags))
                + log_length * (p[present].sum() + np.bincount(rows, mass, minlength=len(bags)))
            )
            divergence[~remains] = np.inf
            ties = np.flatnonzero(divergence <= divergence.min() + _NEAR)
            best = int(ties[0])
            if len(ties) > 1:
                exact = {bag: self._exact(bag, summary, length, document) for bag in {bags[n] for n in ties}}
                best = int(min(ties, key=lambda number: exact[bags[number]]))

            remains[best] = False
            ratings[sentences[best]] = -len(ratings)
            for word in sentences[best].words:
                length += 1
                summary[word] = summary.get(word, 0) + 1
                if (column := vocabulary.get(word)) is not None:
                    count[column] += 1
                    part[column] = p[column] * (log_p[column] - np.log(count[column]))
        return ratings

    def _exact(self, bag, summary, length, document) -> float:
        """The divergence after adding a sentence's words, computed in the order of sumy's sums."""
        joint = self._compute_word_freq(bag)
        for word, times in summary.items():
            joint[word] = joint.get(word, 0) + times
        total = float(len(bag) + length)
        return self._kl_divergence({word: times / total for word, times in joint.items()}, document)


def _choose_as_paper(bags: list[list[str]]) -> list[int]:
    counts = term_counts(bags)
    return closest_unigrams(counts.sum(axis=0) / counts.sum(), counts)
