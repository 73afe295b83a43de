"""The scores of one prediction: as in rouge_score.rouge_scorer.

They are computed in Python, since the arrays of `sera.metrics.rouge` pay off for many texts or long ones.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import chain

from sera.errors import InputError
from sera.extras import extra_for
from sera.rouge_score.scoring import Score, fmeasure
from sera.rouge_score.tokenizers import DefaultTokenizer

Sentences = list[Sequence[Hashable]]  # of tokens
_MEASURES = {f"rouge{measure}": measure for measure in (*"123456789", "L", "Lsum")}


class RougeScorer:
    """The types rouge1 to rouge9, rougeL (a text is one sentence) and rougeLsum (a line is one).

    ``tokenizer`` has a method ``tokenize`` and replaces the rule for words, with the stemmer. With
    ``split_summaries``, NLTK splits texts into sentences for rougeLsum.
    """

    def __init__(self, rouge_types, use_stemmer=False, split_summaries=False, tokenizer=None) -> None:
        self.rouge_types = rouge_types
        self._tokenizer = tokenizer or DefaultTokenizer(use_stemmer)
        self._split_summaries = split_summaries

    def score(self, target: str, prediction: str) -> dict[str, Score]:
        """The scores by type. InputError, which is a ValueError, for an unknown type."""
        return self.score_multi([target], prediction)

    def score_multi(self, targets: Sequence[str], prediction: str) -> dict[str, Score]:
        """For each type, the score by the first target with the highest F. InputError as `score`."""
        best = {}
        ways = {name == "rougeLsum" for name in self.rouge_types}
        texts = {way: [self._read(text, by_line=way) for text in (prediction, *targets)] for way in ways}
        for name in self.rouge_types:
            ours, *others = texts[name == "rougeLsum"]
            scores = [_score(measure_of(name), theirs, ours) for theirs in others]
            best[name] = max(scores, key=lambda score: score.fmeasure)
        return best

    def _read(self, text: str | bytes, *, by_line: bool) -> Sentences:
        tokenize = self._tokenizer.tokenize
        if not by_line:
            return [tokenize(text)]
        if self._split_summaries:
            with extra_for("split_summaries"):
                from nltk import sent_tokenize
            sentences = sent_tokenize(text)
        else:
            sentences = (text if isinstance(text, str) else text.decode()).split("\n")
        return [tokenize(sentence) for sentence in sentences if sentence]


def measure_of(rouge_type: str) -> str:
    """What follows "rouge" in the name of a type; InputError for any other name."""
    if rouge_type not in _MEASURES:
        remedy = "Give rouge1 to rouge9, rougeL or rougeLsum."
        raise InputError(f"Invalid rouge type: {rouge_type}", remedy=remedy)
    return _MEASURES[rouge_type]


def _score(measure: str, target: Sentences, prediction: Sentences) -> Score:
    if measure in ("L", "Lsum"):
        in_target, in_prediction = sum(map(len, target)), sum(map(len, prediction))
        if not in_target or not in_prediction:
            return Score(0, 0, 0)
        theirs, ours = _count_union(target, prediction), Counter(chain.from_iterable(prediction))
    else:
        theirs, ours = (_count_ngrams(tokens, int(measure)) for (tokens,) in (target, prediction))
        in_target, in_prediction = theirs.total(), ours.total()
    hits = sum(min(count, ours[token]) for token, count in theirs.items() if token in ours)
    precision, recall = hits / (in_prediction or 1), hits / (in_target or 1)
    return Score(precision, recall, fmeasure(precision, recall))


def _count_ngrams(tokens: Sequence[Hashable], n: int) -> Counter:
    return Counter(tokens if n == 1 else zip(*(tokens[begin:] for begin in range(n))))


def _count_union(target: Sentences, prediction: Sentences) -> Counter:
    """The tokens of the target's sentences on their longest common subsequences with the prediction's.

    For each token of the prediction, a row of the table is a number (Hyyrö 2004): its bit i is 0 if the
    subsequence is longer with token i of the sentence than without it.
    """
    union: list[Hashable] = []
    for sentence in target:
        bits: dict[Hashable, int] = {}
        for place, token in enumerate(sentence):
            bits[token] = bits.get(token, 0) | 1 << place
        places = set()
        for other in prediction:
            rows = [(1 << len(sentence)) - 1]
            for token in other:
                common = rows[-1] & bits.get(token, 0)
                rows.append((rows[-1] + common | rows[-1] - common) & rows[0])
            i, j = len(sentence) - 1, len(other) - 1
            while i >= 0 and j >= 0:  # of several subsequences, the one that rouge_score finds
                if sentence[i] == other[j]:
                    places.add(i)
                    i, j = i - 1, j - 1
                elif rows[j + 1] >> i & 1:
                    i -= 1
                else:
                    j -= 1
        union += [sentence[place] for place in places]
    return Counter(union)
