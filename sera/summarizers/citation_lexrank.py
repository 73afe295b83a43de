"""C-LexRank (Qazvinian & Radev 2008; Qazvinian et al. 2013, JAIR 46): what the citing articles say of it.

The sentences of the citances are the nodes of a network whose edges weigh the cosine of their tf-idf
vectors. Its communities (greedy modularity, Clauset et al. 2004) stand for the aspects of the article
that others cite; LexRank inside each community finds its central sentences; and the summary takes in
turn the best of each community, the largest first, then the second best of each.

As in those papers the summary is made of *citing sentences*, not of the article's own. A citance of
several sentences is split; a sentence that recurs is taken once. Citation markers stay in the summary
but do not count as words in the comparison. Edges of at most ``threshold`` are left out; 0.1, LexRank's
own, is ours too. If the citances hold fewer words than the budget, the summary is shorter.
"""

from __future__ import annotations

from itertools import chain, zip_longest

from sumy.models.dom import Sentence

from sera.settings import number
from sera.summarizers.communities import communities
from sera.summarizers.document import TOKENIZER, Article, sentence, stems, without_markers
from sera.summarizers.interface import Summarizer
from sera.summarizers.lexrank import centrality
from sera.summarizers.term_vectors import cosines, inverse_frequency, term_counts, unit_rows


class CitationLexRank(Summarizer):
    """C-LexRank over the sentences of the topic's citances."""

    def __init__(self, *, threshold: float = 0.1) -> None:
        """``threshold``: cosine above which two citing sentences are joined."""
        super().__init__()
        self.threshold = number("threshold", threshold, 0, 1)

    def sentences(self, document: Article) -> list[Sentence]:
        texts = (" ".join(citance.text.split()) for citance in document.citances)
        split = chain.from_iterable(TOKENIZER.to_sentences(text) for text in texts)
        return [sentence(text) for text in dict.fromkeys(split)]

    def choices(self, document: Article) -> list[int]:
        bags = [stems(sentence(without_markers(str(cited)))) for cited in self.sentences(document)]
        counts = term_counts(bags)
        similarity = cosines(unit_rows(counts, inverse_frequency(counts)))
        weights = similarity.toarray()
        weights[weights <= self.threshold] = 0.0
        ranked = []
        for group in communities(weights):
            scores = centrality(similarity[group][:, group], self.threshold)
            ranked.append([group[i] for i in sorted(range(len(group)), key=lambda i: -scores[i])])
        return in_turn(ranked)


def in_turn(ranked: list[list[int]]) -> list[int]:
    """The first of each list, then the second of each, and so on."""
    return [number for round_ in zip_longest(*ranked) for number in round_ if number is not None]
