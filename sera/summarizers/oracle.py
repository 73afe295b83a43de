"""An oracle: nearly the best ROUGE-2 that sentences of the article can reach.

The method is greedy, as the labels of sentences in Nallapati, Zhai & Zhou 2017 (SummaRuNNer): it adds the
sentence that raises ROUGE-2 F against the references most (the earlier of equal ones), until no sentence that
fits raises it. A better choice may exist, since two sentences may gain more together than one by one. ROUGE
has the defaults of the study: words are stemmed, stop words are left out, references are pooled, and
sentences are in the order of the source. The summary is shorter than the budget if more sentences would
lose more precision than they gain recall. Short references may share no two words in a row with any sentence
that fits; the oracle then raises ROUGE-1 F instead.

The oracle reads the references that judge the systems. It is not a system itself: it shows how much
better than the systems a summary could be.
"""

from sumy.models.dom import Sentence

from sera.errors import InputError
from sera.metrics.rouge.measures import Rouge
from sera.summarizers.budget import Budget
from sera.summarizers.document import Article
from sera.summarizers.interface import Summarizer, rate_by_order, select_sentences


class Oracle(Summarizer):
    """The sentences of the article that raise ROUGE-2 F against the references most, chosen greedily."""

    def __call__(self, document: Article, sentences_count) -> tuple[Sentence, ...]:
        budget = sentences_count if isinstance(sentences_count, Budget) else None
        ratings = rate_by_order(self.choices(document, budget), len(document.sentences))
        return select_sentences(document.sentences, ratings, sentences_count)

    def choices(self, document: Article, budget: Budget | None = None) -> list[int]:
        """Numbers of the sentences within the budget, in the order of choice.

        ``budget``: None for no limit. Raises InputError if no sentence that fits has a word of a
        reference.
        """
        for n in ("2", "1"):  # the second if the first is 0
            rouge = Rouge(n, part="F", stem=True, stop=True, language=self.language)
            if order := _greedy(rouge, document, budget):
                return order
        problem = f"no sentence of topic {document.topic!r} that fits has a word of a reference"
        remedy = "Check that the references belong to this article, or raise the budget."
        raise InputError(problem, remedy=remedy)


def _greedy(rouge: Rouge, document: Article, budget: Budget | None) -> list[int]:
    references = [reference.sentences for reference in document.references]
    texts = [str(sentence) for sentence in document.sentences]
    costs = [budget.cost(sentence) if budget else 0 for sentence in document.sentences]
    room = budget.limit if budget else 0
    options = [number for number, cost in enumerate(costs) if cost <= room]
    order: list[int] = []
    record = 0.0
    while options:
        trials = [[texts[each] for each in sorted([*order, number])] for number in options]
        scores = Rouge.score_rows([rouge], [(some, references, None) for some in trials])[:, 0].tolist()
        if max(scores) <= record:
            break
        record = max(scores)
        best = options[scores.index(record)]
        order.append(best)
        room -= costs[best]
        options = [number for number in options if number != best and costs[number] <= room]
    return order
