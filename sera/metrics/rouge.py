"""ROUGE (Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries"), as ROUGE-1.5.5 computes it.

Every score is the number that ``ROUGE-1.5.5.pl`` prints, to its last digit. Program and paper differ;
the program is followed, and each place where they part is named below:

* **Several references.** The paper (section 2.1) takes the maximum over references, jackknifed. The
  program sums hits and totals over them and divides once (``-f A``: ``multi="pooled"``, the default), or
  takes the reference of the highest recall (``-f B``: ``"best"``). The paper's way is ``"jackknife"``.
* **Sentences.** The paper speaks of n-grams and skip-bigrams of a summary; the program lets them cross
  sentence ends. ROUGE-L and ROUGE-W go by sentences, for which the given split counts.
* **ROUGE-L** (section 3.2). A token of the union subsequence counts only as long as neither text has
  used up its occurrences of it, so precision cannot exceed 1.
* **ROUGE-W** (section 4). Runs are counted along the reference alone, on the union of marks, under the
  rules of `_runs`: four matches that are neighbours in the reference are one run wherever they stand in the
  candidate. The recall's denominator is raised to the power of the weight twice, by sentence and in sum.
* **ROUGE-SU** (section 5.1). The last token of a text is not counted as a unigram, and no marker
  stands at a text's beginning: a text of one token has nothing to count.
* **F.** alpha = 0.5, which is beta = 1 in the paper's equations (with DUC's "very big number" F is R), and
  made of P and R after they were rounded to five decimals.

Where there is nothing to divide by, because a text has no tokens, or fewer than the n of its n-grams,
the score is 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from math import fsum
from typing import ClassVar, Literal, NamedTuple

import numpy as np

from sera.errors import InputError
from sera.metrics.base import Metric, Text, sentences_of, signature
from sera.metrics.rouge_lcs import Marks, union_marks
from sera.metrics.rouge_text import Preparation, Prepared, Tokenizer

ALPHA = 0.5  # F = PR / ((1 - ALPHA) P + ALPHA R)
WEIGHT = 1.2  # of ROUGE-W unless it is named
MAX_WEIGHT = 4.0  # (tokens ^ weight) ^ weight must stay a float for any text

_NGRAMS = tuple("123456789")
_SKIPS = ("S", "SU")
_NAME = re.compile(
    r"ROUGE-(?:(?P<plain>[1-9]|L)|W-(?P<weight>[0-9]+(?:\.[0-9]+)?)|(?P<skip>SU?)(?P<gap>0|[1-9][0-9]*)?)"
    r"-(?P<part>[PRF])"
)
_PARTS = {"P": "precision", "R": "recall", "F": "F1"}


@dataclass(frozen=True)
class Rouge(Metric):
    """One ROUGE score: a measure, one of its three parts, and how texts and references are treated.

    ``measure`` is ``"1"`` to ``"9"`` (n-grams), ``"L"``, ``"W"``, ``"S"`` or ``"SU"``; ``weight`` (1 to 4)
    belongs to W alone, and ``gap``, how many tokens a skip-bigram may skip (None: any number), to S and
    SU. ``part`` is ``"P"``, ``"R"`` or ``"F"``.

    ``stem`` and ``stop`` (remove stop words) are the program's ``-m`` and ``-s``; both are on by default, as
    in Cohan & Goharian 2016, section 5. ``multi`` says what becomes of several references: ``"pooled"``,
    ``"best"`` or ``"jackknife"``; see the module. ``words`` and ``bytes`` cut candidate and references to so
    many (``-l``, ``-b``). ``tokenizer`` replaces the program's rule, which knows ASCII alone: it takes a
    sentence and gives its tokens. Lower-casing is then its affair; the (English) stop list and stemmer
    still apply unless they are turned off.

    Scores are in 0..1 with five decimals. Raises InputError for settings outside of these.
    """

    measure: str
    _: KW_ONLY
    part: Literal["P", "R", "F"] = "F"
    weight: float = WEIGHT
    gap: int | None = None
    stem: bool = True
    stop: bool = True
    multi: Literal["pooled", "best", "jackknife"] = "pooled"
    words: int | None = None
    bytes: int | None = None
    tokenizer: Tokenizer | None = None

    citation: ClassVar[str] = (
        "Chin-Yew Lin. 2004. ROUGE: A Package for Automatic Evaluation of Summaries. "
        "In Text Summarization Branches Out, 74-81."
    )

    def __post_init__(self) -> None:
        if self.measure not in (*_NGRAMS, "L", "W", *_SKIPS):
            raise InputError(f"ROUGE has no measure {self.measure!r}", remedy="It has 1-9, L, W, S and SU.")
        if self.part not in _PARTS:
            raise InputError(f"ROUGE has no part {self.part!r}", remedy="It has P, R and F.")
        if self.multi not in _COMBINATIONS:
            raise InputError(
                f"ROUGE cannot treat references as {self.multi!r}",
                remedy=f"multi is one of {', '.join(_COMBINATIONS)}.",
            )
        if not (1 <= self.weight <= MAX_WEIGHT if self.measure == "W" else self.weight == WEIGHT):
            raise InputError(
                f"ROUGE-{self.measure} cannot have the weight {self.weight!r}",
                remedy=f"ROUGE-W alone has a weight, from 1 to {MAX_WEIGHT:g}.",
            )
        if self.gap is not None and (self.measure not in _SKIPS or self.gap < 0):
            raise InputError(
                f"ROUGE-{self.measure} cannot have the gap {self.gap!r}",
                remedy="ROUGE-S and ROUGE-SU alone have a gap, from 0.",
            )
        if self.words is not None and self.bytes is not None:
            raise InputError("ROUGE is limited in words and in bytes", remedy="Give one of the two limits.")
        for limit in (self.words, self.bytes):
            if limit is not None and limit < 1:
                raise InputError(f"ROUGE cannot have the limit {limit}", remedy="A limit is at least 1.")

    @property
    def name(self) -> str:
        if self.measure == "W":
            return f"ROUGE-W-{self._weight}-{self.part}"
        return f"ROUGE-{self.measure}{'' if self.gap is None else self.gap}-{self.part}"

    @property
    def _weight(self) -> str:
        return f"{float(self.weight)}".removesuffix(".0")

    @property
    def signature(self) -> str:
        settings: dict[str, object] = {
            "stem": self.stem,
            "stop": "removed" if self.stop else "kept",
            "refs": self.multi,
            "alpha": ALPHA,
        }
        if self.words is not None:
            settings["words"] = self.words
        if self.bytes is not None:
            settings["bytes"] = self.bytes
        if self.tokenizer is not None:
            settings["tokenizer"] = _name_of(self.tokenizer)
        return signature(self.name, **settings)

    @classmethod
    def parse(cls, name: str, **settings: object) -> Rouge:
        """The metric of a name such as ``ROUGE-2-F``, ``ROUGE-L-R``, ``ROUGE-W-1.2-P`` or ``ROUGE-SU4-F``.

        ``settings`` are the fields that a name does not hold. Raises ValueError for any other name,
        TypeError for a setting that there is not, InputError for one that cannot be so.
        """
        match = _NAME.fullmatch(name)
        if match is None:
            raise ValueError(f"{name!r} is not the name of a ROUGE metric")
        return cls(
            match["plain"] or match["skip"] or "W",
            part=match["part"],  # type: ignore[arg-type]
            weight=float(match["weight"] or WEIGHT),
            gap=int(match["gap"]) if match["gap"] else None,
            **settings,  # type: ignore[arg-type]
        )

    @classmethod
    def names(cls) -> list[str]:
        measures = (*_NGRAMS, "L", "W-1.2", "S", "SU", "S4", "SU4")
        return [f"ROUGE-{measure}-{part}" for measure in measures for part in _PARTS]

    @classmethod
    def describe(cls, name: str) -> str:
        metric = cls.parse(name)
        if metric.measure in _NGRAMS:
            what = "unigrams" if metric.measure == "1" else f"{metric.measure}-grams"
        elif metric.measure in _SKIPS:
            what = "pairs of words in order, " + (
                "any distance apart" if metric.gap is None else f"at most {metric.gap} between them"
            )
            if metric.measure == "SU":
                what += ", and unigrams"
        else:
            what = "longest common subsequences, sentence by sentence"
            if metric.measure == "W":
                what += f", runs of k words weighing k^{metric._weight}"
        return f"{_PARTS[metric.part]} of {what}"

    @classmethod
    def score_together(
        cls, metrics: Sequence[Metric], candidate: Text, references: Sequence[Text]
    ) -> list[float]:
        """The scores by several ROUGE metrics; texts are prepared and measures counted once.

        The settings may differ between the metrics. References are remembered between calls, so to score
        many candidates, go topic by topic.
        """
        candidate_sentences = sentences_of(candidate)
        reference_sentences = [sentences_of(reference) for reference in references]

        prepared: dict[Preparation, tuple[Prepared, list[Prepared]]] = {}
        overlaps: dict[tuple, list[Overlap]] = {}
        triples: dict[tuple, Triple] = {}
        scores = []
        for metric in metrics:
            assert isinstance(metric, Rouge)
            preparation = Preparation(metric.stem, metric.stop, metric.words, metric.bytes, metric.tokenizer)
            if preparation not in prepared:
                prepared[preparation] = (
                    preparation.prepare(candidate_sentences),
                    [preparation.prepare_reference(sentences) for sentences in reference_sentences],
                )
            counted = (preparation, metric.measure, metric.weight, metric.gap)
            if counted not in overlaps:
                of_candidate, of_references = prepared[preparation]
                overlaps[counted] = [metric._overlap(of_candidate, each) for each in of_references]
            combined = (*counted, metric.multi)
            if combined not in triples:
                triples[combined] = _COMBINATIONS[metric.multi](overlaps[counted])
            scores.append(getattr(triples[combined], metric.part))
        return scores

    def _overlap(self, candidate: Prepared, reference: Prepared) -> Overlap:
        if self.measure in _NGRAMS:
            return ngram_overlap(candidate, reference, int(self.measure))
        if self.measure == "L":
            return lcs_overlap(candidate, reference)
        if self.measure == "W":
            return weighted_lcs_overlap(candidate, reference, self.weight)
        return skip_overlap(candidate, reference, self.gap, unigrams=self.measure == "SU")


class Overlap(NamedTuple):
    """What a candidate and one reference have in common, and what each has in all.

    ``exponent`` is applied to the ratios; ``recall`` is what picks the best reference.
    """

    hits: float
    in_reference: float
    in_candidate: float
    recall: float
    exponent: float = 1.0


class Triple(NamedTuple):
    """Precision, recall and F, each as printed with five decimals."""

    P: float
    R: float
    F: float


def ngram_overlap(candidate: Prepared, reference: Prepared, n: int) -> Overlap:
    """ROUGE-N (Lin 2004, section 2, equation 1): shared n-grams, each as often as both texts have it."""
    hits = _shared(candidate.ngrams(n), reference.ngrams(n))
    in_reference = max(0, len(reference.tokens) - n + 1)
    in_candidate = max(0, len(candidate.tokens) - n + 1)
    return Overlap(hits, in_reference, in_candidate, round(_ratio(hits, in_reference), 5))


def skip_overlap(candidate: Prepared, reference: Prepared, gap: int | None, *, unigrams: bool) -> Overlap:
    """ROUGE-S (section 5, equations 16-18) or, with unigrams, ROUGE-SU (section 5.1).

    Pairs of tokens in order with at most ``gap`` tokens between them.
    """
    hits = _shared_pairs(candidate, reference, gap)
    in_reference, in_candidate = _pairs(len(reference.tokens), gap), _pairs(len(candidate.tokens), gap)
    if unigrams:
        hits += _shared(_without_last(candidate), _without_last(reference))
        in_reference += max(0, len(reference.tokens) - 1)
        in_candidate += max(0, len(candidate.tokens) - 1)
    return Overlap(hits, in_reference, in_candidate, round(_ratio(hits, in_reference), 5))


def lcs_overlap(candidate: Prepared, reference: Prepared) -> Overlap:
    """ROUGE-L of summaries (section 3.2, equations 5-7), with the program's budgets (`_within_budgets`)."""
    marks = union_marks(reference.sentences, candidate.sentences, candidate.places)
    hits = sum(sum(counted) for counted in _within_budgets(marks, candidate, reference))
    in_reference = sum(map(len, reference.sentences))
    return Overlap(hits, in_reference, len(candidate.tokens), _ratio(hits, in_reference))


def weighted_lcs_overlap(candidate: Prepared, reference: Prepared, weight: float) -> Overlap:
    """ROUGE-W (section 4, equations 13-15) with f(k) = k^weight, over the sentences of a summary.

    The paper defines it for one pair of sentences. For summaries the program's recall is
    (hits / (sum of f(sentence length))^weight)^(1/weight), so the weight is applied twice; its choice of the
    best reference applies it once.
    """
    marks = union_marks(reference.sentences, candidate.sentences, candidate.places, weight)
    counted = _within_budgets(marks, candidate, reference)
    hits = 0.0
    for marks_of_sentence, counted_of_sentence in zip(marks, counted):
        for run in _runs(marks_of_sentence, counted_of_sentence):
            hits += run**weight
    in_reference = 0.0
    for sentence in reference.sentences:
        in_reference += len(sentence) ** weight
    return Overlap(
        hits,
        in_reference**weight,
        len(candidate.tokens) ** weight,
        _ratio(hits, in_reference) ** (1 / weight),
        1 / weight,
    )


def _within_budgets(marks: Sequence[Marks], candidate: Prepared, reference: Prepared) -> list[Marks]:
    """The marks that count: each uses up one occurrence of its token in both texts, if both have one left."""
    left = candidate.unigrams & reference.unigrams
    counted = []
    for tokens, marks_of_sentence in zip(reference.sentences, marks):
        counts = [False] * len(tokens)
        for position, token in enumerate(tokens):
            if marks_of_sentence[position] and left[token] > 0:
                left[token] -= 1
                counts[position] = True
        counted.append(counts)
    return counted


def _runs(marks: Marks, counted: Marks) -> list[int]:
    """The lengths of the runs of matches that ROUGE-W pays for in one reference sentence.

    A counted token lengthens the run; the run is paid when a counted token is followed by an unmarked one or
    by the sentence's end. A marked token that does not count is passed over: a run goes on behind it,
    and is lost if no counted token follows to pay it.
    """
    runs = []
    run = 0
    for position, counts in enumerate(counted):
        if counts:
            run += 1
            if position + 1 == len(marks) or not marks[position + 1]:
                runs.append(run)
                run = 0
    return runs


def _shared(one: Counter, other: Counter) -> int:
    return sum(min(one[key], other[key]) for key in one.keys() & other.keys())


def _without_last(text: Prepared) -> Counter[str]:
    counts = text.unigrams.copy()
    if text.tokens:
        counts[text.tokens[-1]] -= 1
    return counts


def _pairs(tokens: int, gap: int | None) -> int:
    """How many pairs a text of so many tokens has."""
    reach = max(0, tokens - 1) if gap is None else min(gap + 1, max(0, tokens - 1))
    return reach * tokens - reach * (reach + 1) // 2


_PAIRS_AT_ONCE = 1 << 20  # bounds the memory for long texts


def _shared_pairs(candidate: Prepared, reference: Prepared, gap: int | None) -> int:
    """The number of skip-bigrams in both texts. Only tokens of both can form one."""
    number = {token: i for i, token in enumerate(candidate.unigrams.keys() & reference.unigrams.keys())}
    if not number:
        return 0
    counts = [_pair_counts(text.tokens, number, gap) for text in (candidate, reference)]
    return int(np.minimum(*counts).sum())


def _pair_counts(tokens: Sequence[str], number: dict[str, int], gap: int | None) -> np.ndarray:
    """How often each ordered pair of the numbered tokens occurs, at ``first * len(number) + second``."""
    places = np.array([place for place, token in enumerate(tokens) if token in number])
    numbers = np.array([number[token] for token in tokens if token in number])
    counts = np.zeros(len(number) ** 2, dtype=np.int64)
    step = max(1, _PAIRS_AT_ONCE // len(places))
    for start in range(0, len(places), step):
        first = slice(start, start + step)
        apart = places - places[first, None]
        in_reach = apart > 0 if gap is None else (apart > 0) & (apart <= gap + 1)
        pairs = numbers[first, None] * len(number) + numbers
        counts += np.bincount(pairs[in_reach], minlength=len(counts))
    return counts


def _name_of(function: Tokenizer) -> str:
    """How a signature names a function: with its module, so that equal names differ."""
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{getattr(named, '__module__', None) or 'builtins'}.{named.__qualname__}"


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _triple(hits: float, in_reference: float, in_candidate: float, exponent: float) -> Triple:
    recall = round(_ratio(hits, in_reference) ** exponent, 5)
    precision = round(_ratio(hits, in_candidate) ** exponent, 5)
    below = (1 - ALPHA) * precision + ALPHA * recall
    return Triple(precision, recall, round(_ratio(precision * recall, below), 5))


def _pooled(overlaps: Sequence[Overlap]) -> Triple:
    """``-f A``: hits and totals are summed over the references, the candidate's once for each."""
    hits, in_reference, in_candidate = (sum(column) for column in list(zip(*overlaps))[:3])
    return _triple(hits, in_reference, in_candidate, overlaps[0].exponent)


def _best(overlaps: Sequence[Overlap]) -> Triple:
    """``-f B``: the first reference of the highest recall."""
    return _pooled([max(overlaps, key=lambda overlap: overlap.recall)])


def _jackknife(overlaps: Sequence[Overlap]) -> Triple:
    """Lin 2004, section 2.1: leave out each reference in turn, and average the best scores of the sets left.

    The best is taken of P, R and F each, of scores with five decimals; a single reference is the only set.
    """
    singly = [_pooled([overlap]) for overlap in overlaps]
    if len(singly) == 1:
        return singly[0]
    sets = [singly[:out] + singly[out + 1 :] for out in range(len(singly))]
    best = [[max(part) for part in zip(*triples)] for triples in sets]
    return Triple(*(round(fsum(part) / len(sets), 5) for part in zip(*best)))


_COMBINATIONS: dict[str, Callable[[Sequence[Overlap]], Triple]] = {
    "pooled": _pooled,
    "best": _best,
    "jackknife": _jackknife,
}
