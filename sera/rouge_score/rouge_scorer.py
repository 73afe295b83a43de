"""The scores of one prediction: as in rouge_score.rouge_scorer."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from sera.errors import InputError
from sera.extras import extra_for
from sera.metrics import make_metric
from sera.metrics.base import Metric
from sera.metrics.scoring import scores_of
from sera.rouge_score.scoring import Score

_MEASURES = {f"rouge{measure}": measure for measure in (*"123456789", "L", "Lsum")}

_LINE_BREAK = "\udc0a"  # in a sentence, in place of a line break, which would end it


class RougeScorer:
    """The types rouge1 to rouge9, rougeL (a text is one sentence) and rougeLsum (a line is one).

    ``tokenizer`` has a method ``tokenize`` and replaces the rule for words, with the stemmer. With
    ``split_summaries``, NLTK splits texts into sentences for rougeLsum.
    """

    def __init__(self, rouge_types, use_stemmer=False, split_summaries=False, tokenizer=None) -> None:
        self.rouge_types = rouge_types
        tokenize = tokenizer and (lambda text: tokenizer.tokenize(text.replace(_LINE_BREAK, "\n")))
        self._settings = use_stemmer and not tokenizer, tokenize
        self._split_summaries = split_summaries

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """The scores by type. InputError, which is a ValueError, for an unknown type."""
        return self.score_multi([target], prediction)

    def score_multi(self, targets: Sequence[str], prediction: str) -> dict[str, Score]:
        """For each type, the score by the first target with the highest F. InputError as `score`."""
        texts = [text if isinstance(text, str) else text.decode() for text in (prediction, *targets)]
        if not self._split_summaries:
            return self._score(self.rouge_types, texts)
        with extra_for("split_summaries"):
            from nltk import sent_tokenize
        inside = _LINE_BREAK if self._settings[1] else " "
        lines = ["\n".join(line.replace("\n", inside) for line in sent_tokenize(text)) for text in texts]
        whole = [name for name in self.rouge_types if name != "rougeLsum"]
        by_line = [name for name in self.rouge_types if name == "rougeLsum"]
        scores = self._score(whole, texts) | self._score(by_line, lines)
        return {name: scores[name] for name in self.rouge_types}

    def _score(self, types: Sequence[str], texts: list[str]) -> dict[str, Score]:
        prediction, *targets = texts
        metrics = make_metrics(tuple(types), *self._settings)
        values = iter(scores_of(metrics, [(prediction, targets, None)])[0].tolist() if metrics else ())
        return {name: Score(*parts) for name, *parts in zip(types, values, values, values)}


@lru_cache(maxsize=64)
def make_metrics(
    types: Sequence[str], stem: bool, tokenizer: Callable[[str], Sequence[Any]] | None, parts: str = "PRF"
) -> list[Metric]:
    """The metrics of types, ``parts`` of each. InputError, which is a ValueError, for an unknown type."""
    if unknown := [name for name in types if name not in _MEASURES]:
        problem = f"Invalid rouge type: {unknown[0]}"
        raise InputError(problem, remedy="Give rouge1 to rouge9, rougeL or rougeLsum.")
    names = [f"ROUGE-{_MEASURES[name]}-{part}" for name in types for part in parts]
    return [make_metric(name, dialect="rouge-score", stem=stem, tokenizer=tokenizer) for name in names]
