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
  rules of `paid`: four matches that are neighbours in the reference are one run wherever they stand in the
  candidate. The recall's denominator is raised to the power of the weight twice, by sentence and in sum.
* **ROUGE-SU** (section 5.1). The last token of a text is not counted as a unigram, and no marker
  stands at a text's beginning: a text of one token has nothing to count.
* **F.** alpha = 0.5, which is beta = 1 in the paper's equations (with DUC's "very big number" F is R), and
  made of P and R after they were rounded to five decimals.

Where there is nothing to divide by, because a text has no tokens, or fewer than the n of its n-grams,
the score is 0. docs/rouge.md tells all this to users, and what ``dialect="rouge-score"`` does otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from functools import lru_cache
from typing import ClassVar, Final, Literal

from sera.errors import InputError
from sera.metrics.base import Metric, Text, sentences_of, signature
from sera.metrics.rouge.counts import Comparison, ReferenceSet
from sera.metrics.rouge.overlaps import (
    ALPHA,
    COMBINATIONS,
    Combination,
    Overlap,
    highest_of,
    lcs_overlaps,
    ngram_overlaps,
    skip_overlaps,
    weighted_lcs_overlaps,
)
from sera.metrics.rouge.preparation import Preparation, Tokenizer, Vocabulary, vocabulary
from sera.settings import TYPES, real, shown, truth, whole

WEIGHT = 1.2  # of ROUGE-W unless it is named
ORIGINAL: Final = "ROUGE-1.5.5"  # the dialects
ROUGE_SCORE: Final = "rouge-score"
_MOST = 10**9  # of words, bytes and tokens between two: no text has more
MAX_WEIGHT = 4.0  # (tokens ^ weight) ^ weight must stay a float for any text

_NGRAMS = tuple("123456789")
_SKIPS = ("S", "SU")
_NAME = re.compile(
    r"ROUGE-(?:(?P<plain>[1-9]|L|Lsum)|W-(?P<weight>[0-9]+(?:\.[0-9]+)?)|(?P<skip>SU?)(?P<gap>0|[1-9][0-9]*)?)"
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
    in Cohan & Goharian 2016, section 5. ``multi`` says what becomes of several references: ``"pooled"`` (the
    default), ``"best"`` or ``"jackknife"``; see the module. ``words`` and ``bytes`` cut candidate and
    references to so many (``-l``, ``-b``). ``tokenizer`` replaces the program's rule, which knows ASCII
    alone: it takes a sentence and gives its tokens. Lower-casing is then its affair; the (English) stop
    list and stemmer still apply unless they are turned off. Scores are in 0..1 with five decimals.

    With the ``dialect`` ``"rouge-score"`` the scores are those of Google's package of that name, version
    0.1.2, unrounded, for those who must match papers that used it. It has the measures 1 to 9, L (its
    rougeL: a text is one sentence) and ``"Lsum"`` (its rougeLsum: a line is one); stop words stay; of
    several references the one of the highest F counts, as in its score_multi (``multi`` is ``"best"``);
    ``stem`` is its use_stemmer, and must be False beside a tokenizer, whose tokens it does not stem.

    Raises InputError for settings outside of these.
    """

    measure: str
    _: KW_ONLY
    part: Literal["P", "R", "F"] = "F"
    weight: float = WEIGHT
    gap: int | None = None
    stem: bool = True
    stop: bool | None = None  # None: as the dialect has it
    multi: Literal["pooled", "best", "jackknife"] | None = None
    words: int | None = None
    bytes: int | None = None
    tokenizer: Tokenizer | None = None
    dialect: Literal["ROUGE-1.5.5", "rouge-score"] = ORIGINAL

    citation: ClassVar[str] = (
        "Chin-Yew Lin. 2004. ROUGE: A Package for Automatic Evaluation of Summaries. "
        "In Text Summarization Branches Out, 74-81."
    )

    def __post_init__(self) -> None:
        self._check_types()
        if self.dialect not in (ORIGINAL, ROUGE_SCORE):
            raise InputError(
                f"ROUGE has no dialect {shown(self.dialect)}", remedy=f"It has {ORIGINAL} and {ROUGE_SCORE}."
            )
        if self.stop is None:
            object.__setattr__(self, "stop", self.dialect == ORIGINAL)
        if self.multi is None:
            object.__setattr__(self, "multi", "pooled" if self.dialect == ORIGINAL else "best")
        if self.dialect == ORIGINAL and self.measure == "Lsum":
            raise InputError(
                f"ROUGE-Lsum is a measure of the dialect {ROUGE_SCORE}",
                remedy=f"{ORIGINAL}'s ROUGE-L goes by sentences already; or choose the dialect.",
            )
        if self.measure not in (*_NGRAMS, "L", "Lsum", "W", *_SKIPS):
            raise InputError(f"ROUGE has no measure {shown(self.measure)}", remedy="It has 1-9, L, W, S, SU.")
        if self.part not in _PARTS:
            raise InputError(f"ROUGE has no part {shown(self.part)}", remedy="It has P, R and F.")
        if self.multi not in COMBINATIONS:
            raise InputError(
                f"ROUGE cannot treat references as {shown(self.multi)}",
                remedy=f"multi is one of {', '.join(COMBINATIONS)}.",
            )
        if not (1 <= self.weight <= MAX_WEIGHT if self.measure == "W" else self.weight == WEIGHT):
            raise InputError(
                f"ROUGE-{self.measure} cannot have the weight {shown(self.weight)}",
                remedy=f"ROUGE-W alone has a weight, from 1 to {MAX_WEIGHT:g}.",
            )
        if self.gap is not None and (self.measure not in _SKIPS or self.gap < 0):
            raise InputError(
                f"ROUGE-{self.measure} cannot have the gap {shown(self.gap)}",
                remedy="ROUGE-S and ROUGE-SU alone have a gap, from 0.",
            )
        if self.words is not None and self.bytes is not None:
            raise InputError("ROUGE is limited in words and in bytes", remedy="Give one of the two limits.")
        for limit in (self.words, self.bytes):
            if limit is not None and limit < 1:
                raise InputError(f"ROUGE cannot have the limit {limit}", remedy="A limit is at least 1.")
        if self.dialect == ROUGE_SCORE:
            lacking = {
                f"ROUGE-{self.measure}": self.measure in ("W", *_SKIPS),
                "the removal of stop words": self.stop,
                f"several references treated as {self.multi!r}": self.multi != "best",
                "a limit on the length": self.words is not None or self.bytes is not None,
                "a stemmer beside a tokenizer": self.stem and self.tokenizer is not None,
            }
            for what, wanted in lacking.items():
                if wanted:
                    raise InputError(
                        f"the dialect {ROUGE_SCORE} has not {what}",
                        remedy=f"Leave it out, or use the dialect {ORIGINAL}.",
                    )

    def _check_types(self) -> None:
        """InputError for a setting of a wrong type, and for a number that is none or beyond all texts."""
        for name in ("measure", "part", "dialect", "multi"):
            value = getattr(self, name)
            if not isinstance(value, str) and not (name == "multi" and value is None):
                raise InputError(f"{name} of ROUGE is {shown(value)}", remedy=f"{TYPES}a word.")
        truth("stem", self.stem)
        if self.stop is not None:
            truth("stop", self.stop)
        real("weight", self.weight)
        for name in ("gap", "words", "bytes"):
            if (value := getattr(self, name)) is not None:
                object.__setattr__(self, name, whole(name, value, -_MOST, _MOST))
        if self.tokenizer is not None and not callable(self.tokenizer):
            raise InputError(f"tokenizer is {shown(self.tokenizer)}", remedy=f"{TYPES}a function.")

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
        if self.dialect != ORIGINAL:
            settings["dialect"] = self.dialect
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
        cls,
        metrics: Sequence[Metric],
        candidate: Text,
        references: Sequence[Text],
        source: Text | None = None,
    ) -> list[float]:
        """The scores by several ROUGE metrics; texts are prepared and measures counted once.

        The settings may differ between the metrics. References are remembered between calls, so to score
        many candidates, go topic by topic.
        """
        candidate_sentences = sentences_of(candidate)
        reference_sentences = tuple(sentences_of(reference) for reference in references)
        scores = [0.0] * len(metrics)
        for preparation, measures in _plan(tuple(metrics)).items():
            words = vocabulary(preparation)
            comparison = _references(words, reference_sentences).compare(words.prepare(candidate_sentences))
            for metric, combinations in measures:
                overlaps = metric._overlaps(comparison)
                for combine, wanted in combinations:
                    triple = combine(overlaps)
                    for number, part in wanted:
                        scores[number] = getattr(triple, part)
        return scores

    def _preparation(self) -> Preparation:
        way = None
        if self.dialect == ROUGE_SCORE:
            way = "lines" if self.measure == "Lsum" else "text"
        assert self.stop is not None
        return Preparation(self.stem, self.stop, self.words, self.bytes, self.tokenizer, way)  # type: ignore[arg-type]

    def _overlaps(self, comparison: Comparison) -> list[Overlap]:
        if self.measure in _NGRAMS:
            return ngram_overlaps(comparison, int(self.measure))
        if self.measure in _SKIPS:
            return skip_overlaps(comparison, self.gap, unigrams=self.measure == "SU")
        if self.measure == "W":
            return weighted_lcs_overlaps(comparison, self.weight)
        return lcs_overlaps(comparison)


@lru_cache(maxsize=64)
def _plan(
    metrics: tuple[Rouge, ...],
) -> dict[Preparation, list[tuple[Rouge, list[tuple[Combination, list[tuple[int, str]]]]]]]:
    """What is to be done once, for several metrics.

    For each preparation, its measures (as one of their metrics) with the ways to combine what is counted, and
    with each the numbers of the metrics that want it, with their parts.
    """
    plan: dict[Preparation, dict[tuple, tuple[Rouge, dict[Combination, list[tuple[int, str]]]]]] = {}
    for number, metric in enumerate(metrics):
        measures = plan.setdefault(metric._preparation(), {})
        _, wanted = measures.setdefault((metric.measure, metric.weight, metric.gap), (metric, {}))
        assert metric.multi is not None
        combine = COMBINATIONS[metric.multi] if metric.dialect == ORIGINAL else highest_of
        wanted.setdefault(combine, []).append((number, metric.part))
    return {
        preparation: [(metric, list(wanted.items())) for metric, wanted in measures.values()]
        for preparation, measures in plan.items()
    }


def _references(words: Vocabulary, references: tuple[tuple[str, ...], ...]) -> ReferenceSet:
    """The references of a topic, remembered: they meet every system's summary."""
    characters = sum([len(sentence) for sentences in references for sentence in sentences])
    return (_prepared if characters < _LONG else _prepared_long)(words, references)


def _prepare(words: Vocabulary, references: tuple[tuple[str, ...], ...]) -> ReferenceSet:
    return ReferenceSet([words.prepare(sentences) for sentences in references])


_LONG = 1 << 15  # characters, some 5,000 words; with nine sizes of n-grams they take 4 MB
_prepared, _prepared_long = lru_cache(maxsize=128)(_prepare), lru_cache(maxsize=4)(_prepare)


def _name_of(function: Tokenizer) -> str:
    """How a signature names a function: with its module, so that equal names differ."""
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{getattr(named, '__module__', None) or 'builtins'}.{named.__qualname__}"
