"""An oracle: about the best ROUGE-2 that sentences of the article can reach.

Sentences are added greedily, each time the one that raises ROUGE-2 F against the references most, of equals
the earlier one, until none that fits raises it, as Nallapati, Zhai & Zhou 2017 (SummaRuNNer) label sentences.
Two sentences may be worth more together than one by one, so a better choice may exist. ROUGE is that of the
study's defaults: words stemmed, no stop words, references pooled; sentences stand in the order of the source.
The summary is shorter than the budget where more sentences would cost more precision than they gain recall.

It reads what the systems are judged by: it is no system, but shows how much room there is above them.
"""

from __future__ import annotations

from collections.abc import Sequence

from sumy.models.dom import Sentence

from sera.errors import InputError
from sera.metrics.rouge.measures import Rouge
from sera.summarizers.budget import Budget
from sera.summarizers.document import Article
from sera.summarizers.interface import Summarizer, chosen

_ROUGE_2 = Rouge("2", part="F")


class Oracle(Summarizer):
    """The article's sentences that bring ROUGE-2 F against the references highest, chosen greedily."""

    def __call__(self, document: Article, sentences_count) -> tuple[Sentence, ...]:
        room = sentences_count if isinstance(sentences_count, Budget) else None
        return chosen(document.sentences, self.choices(document, room), sentences_count)

    def choices(self, document: Article, room: Budget | None = None) -> list[int]:
        """The sentences that raise the score, in the order in which they were added, within the budget."""
        references = [reference.sentences for reference in document.references]
        texts = [str(sentence) for sentence in document.sentences]
        costs = [room.cost(sentence) if room else 0 for sentence in document.sentences]
        left = room.limit if room else 0
        open_ = [number for number, cost in enumerate(costs) if cost <= left]
        order: list[int] = []
        reached = 0.0
        while open_:
            scores = [_score(texts, [*order, number], references) for number in open_]
            if max(scores) <= reached:
                break
            reached = max(scores)
            best = open_[scores.index(reached)]
            order.append(best)
            left -= costs[best]
            open_ = [number for number in open_ if number != best and costs[number] <= left]
        if not order:
            raise InputError(
                f"no sentence of topic {document.topic!r} that fits has two words in a row of a reference",
                remedy="Look whether the references belong to this article, or give more room.",
            )
        return order


def _score(texts: Sequence[str], numbers: Sequence[int], references: Sequence[Sequence[str]]) -> float:
    return _ROUGE_2.score([texts[number] for number in sorted(numbers)], references)
