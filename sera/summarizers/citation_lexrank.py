"""C-LexRank (Qazvinian & Radev 2008; Qazvinian et al. 2013, JAIR 46): summarise an article by its citances.

The sentences of the citances are the nodes of a network; the weight of an edge is the cosine of their tf-idf
vectors. The communities of the network (greedy modularity, Clauset et al. 2004) represent the aspects of the
article that others cite. LexRank in each community ranks its sentences. The summary takes the best sentence
of each community, from the largest community on, then the second best of each, and so on.

As in those papers, the summary consists of *citing sentences*, not of the article's own. A citance of several
sentences is split; a repeated sentence is used once. Citation markers stay in the summary but do not count as
words in the comparison. Edges up to ``threshold`` are left out; the default is LexRank's 0.1. If the citances
have fewer words than the budget, the summary is shorter.

Cohan & Goharian (2016, section 4.3) write of LexRank "on the citation network" and cite Qazvinian et al.
(2013). LexRank over all citing sentences, without communities, is ``communities=False``.
"""

from dataclasses import dataclass
from itertools import chain, zip_longest

from sumy.models.dom import Sentence

from sera.settings import setting
from sera.summarizers.communities import communities
from sera.summarizers.document import Article, remove_markers, sentence
from sera.summarizers.interface import EnglishSummarizer
from sera.summarizers.lexrank import centrality
from sera.summarizers.term_vectors import cosines, inverse_frequency, term_counts, unit_rows
from sera.text.sentences import sentences


@dataclass(kw_only=True, eq=False)
class CitationLexRank(EnglishSummarizer):
    """C-LexRank over the sentences of the topic's citances."""

    threshold: float = setting(0.1, float, "sentences are joined if their cosine is above", low=0, high=1)
    communities: bool = setting(True, bool, "whether each community is ranked alone, as in C-LexRank")

    def sentences(self, document: Article) -> list[Sentence]:
        texts = (" ".join(citance.text.split()) for citance in document.citances)
        split = chain.from_iterable(sentences(text) for text in texts)
        return [sentence(text) for text in dict.fromkeys(split)]

    def choices(self, document: Article) -> list[int]:
        bags = [self.terms.stems(sentence(remove_markers(str(text)))) for text in self.sentences(document)]
        counts = term_counts(bags)
        similarity = cosines(unit_rows(counts, inverse_frequency(counts)))
        weights = similarity.toarray()
        weights[weights <= self.threshold] = 0.0
        rankings = []
        groups = communities(weights) if self.communities else [list(range(len(bags)))]
        for group in groups:
            scores = centrality(similarity[group][:, group], self.threshold)
            rankings.append([group[i] for i in sorted(range(len(group)), key=lambda i: -scores[i])])
        return take_turns(rankings)


def take_turns(ranked: list[list[int]]) -> list[int]:
    """The first of each list, then the second of each, and so on."""
    return [number for round_ in zip_longest(*ranked) for number in round_ if number is not None]
