"""`RougeScorer`: the class of Google's package rouge-score, with its calls and its numbers.

    from sera.adapters.rouge_score import RougeScorer  # was: from rouge_score.rouge_scorer import RougeScorer

The package itself is not needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from sera.errors import InputError
from sera.metrics.base import Text
from sera.metrics.rouge.measures import ORIGINAL, ROUGE_SCORE, Rouge
from sera.settings import shown


class Score(NamedTuple):
    """Precision, recall and F of a pair, from 0 to 1."""

    precision: float
    recall: float
    fmeasure: float


class HasTokenize(Protocol):
    """A tokenizer of rouge-score."""

    def tokenize(self, text: str) -> list[str]: ...


class RougeScorer:
    """Scores predictions as ``rouge_score.rouge_scorer.RougeScorer`` of version 0.1.2 does, to the last bit.

    ``rouge_types`` are ``rouge1`` to ``rouge9``, ``rougeL`` (a text is one sentence) and ``rougeLsum`` (each
    line is a sentence, or with ``split_summaries`` each sentence that NLTK finds). ``use_stemmer`` has no
    effect beside a ``tokenizer``, an object whose method ``tokenize`` takes a text and returns its tokens.

    ``dialect="ROUGE-1.5.5"`` gives that program's numbers instead, with five decimals: its tokens and
    stemmer, and its pooled counts in `score_multi`, where rouge-score takes the reference of the highest F.

    Raises InputError, which is a ValueError as in rouge-score, for another type or dialect, and for a target
    or prediction that is not a string.
    """

    def __init__(
        self,
        rouge_types: Sequence[str],
        use_stemmer: bool = False,
        split_summaries: bool = False,
        tokenizer: HasTokenize | None = None,
        *,
        dialect: str = ROUGE_SCORE,
    ) -> None:
        if dialect not in (ROUGE_SCORE, ORIGINAL):
            raise InputError(
                f"there is no dialect {dialect!r} here", remedy=f"Give {ROUGE_SCORE} or {ORIGINAL}."
            )
        self._split_summaries, self._dialect = split_summaries, dialect
        self._metrics: dict[str, list[Rouge]] = {}
        for name in rouge_types:
            measure = re.fullmatch(r"rouge([1-9]|L|Lsum)", name) if isinstance(name, str) else None
            if not measure:
                raise InputError(
                    f"Invalid rouge type: {name}", remedy="Give rouge1 to rouge9, rougeL or rougeLsum."
                )
            sort = "L" if measure[1] == "Lsum" and dialect == ORIGINAL else measure[1]
            self._metrics[name] = [
                Rouge(
                    sort,
                    part=part,  # type: ignore[arg-type]
                    stem=bool(use_stemmer) and tokenizer is None,
                    tokenizer=tokenizer.tokenize if tokenizer else None,
                    dialect=dialect,  # type: ignore[arg-type]
                )
                for part in "PRF"
            ]

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """The scores of a prediction against its reference, the target, by type."""
        return self.score_multi([target], prediction)

    def score_multi(self, targets: Sequence[str], prediction: str) -> dict[str, Score]:
        """The scores of a prediction against several references, by type."""
        if isinstance(targets, str | bytes | dict | set) or not isinstance(targets, Iterable):
            raise InputError(f"the targets are {shown(targets)}", remedy="Give a list of strings.")
        targets = list(targets)
        for what, text in (("the prediction", prediction), *(("a target", text) for text in targets)):
            if not isinstance(text, str):
                raise InputError(f"{what} is {shown(text)}", remedy="Give a string.")
        if not targets:
            raise InputError("there is no target", remedy="Give at least one.")
        lines = [name for name in self._metrics if name == "rougeLsum"]
        found: dict[str, Score] = {}
        for names in ([name for name in self._metrics if name not in lines], lines):
            metrics = [metric for name in names for metric in self._metrics[name]]
            if metrics:
                texts = [self._lines(text) if names is lines else text for text in (prediction, *targets)]
                values = Rouge.score_together(metrics, texts[0], texts[1:])
                found |= {name: Score(*values[3 * i : 3 * i + 3]) for i, name in enumerate(names)}
        return {name: found[name] for name in self._metrics}

    def _lines(self, text: str) -> Text:
        """The sentences of a text for rougeLsum."""
        if self._split_summaries:
            import nltk

            return nltk.sent_tokenize(text)
        return text.split("\n")
