"""ROUGE (Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries"), as ROUGE-1.5.5 computes it.

Every score is the number that ``ROUGE-1.5.5.pl`` prints, to its last digit. Where program and paper differ,
the program is followed; the dialect "paper" follows the paper instead (`sera.metrics.rouge.lin2004`).
docs/metrics.md lists the differences, and those of ``dialect="rouge-score"``. Of the program's rules:

* In ROUGE-L, a token of the union subsequence counts only until one of the texts has used up its occurrences
  of it, so precision cannot exceed 1.
* In ROUGE-W, runs are counted along the reference alone, on the union of marks, by the rules of `paid`. The
  denominator of recall is raised to the power of the weight twice, per sentence and in sum.
* F is computed from P and R rounded to five decimals; alpha = 0.5 by default is beta = 1 in the paper.

A score is 0 if its denominator is 0: a text without tokens, or with fewer than n tokens for n-grams.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar, Final, Literal

import numpy as np

from sera.errors import InputError
from sera.io import files
from sera.metrics.base import Metric, Row, Text, parts_of, sentences_of, signature
from sera.metrics.rouge import lin2004, rouge155
from sera.metrics.rouge.counts import Compared
from sera.metrics.rouge.lin2004 import Measured, Weighting
from sera.metrics.rouge.preparation import Preparation, Tokenizer, vocabulary
from sera.metrics.rouge.rouge155 import COMBINATIONS, Combination, Overlap, Triple
from sera.settings import number, setting, shown, written
from sera.text.languages import ENGLISH, language_setting
from sera.text.tokenizers import ASCII, TOKENIZERS

WEIGHT = 1.2  # of ROUGE-W by default
ORIGINAL: Final = "ROUGE-1.5.5"  # the dialects
ROUGE_SCORE: Final = "rouge-score"
PAPER: Final = "paper"
_MOST = 10**9  # limit for words, bytes and gaps; no text has more
MAX_WEIGHT = 4.0  # (tokens ^ weight) ^ weight must stay a float for any text

AT_ONCE = 512  # candidates that are compared at once
_CUT_AT_ONCE = 16  # with a limit in bytes, when the words of all have numbers of their own
_FEW = 16  # candidates whose scores are computed one by one, since arrays cost more

_NGRAMS = tuple("123456789")
_SKIPS = ("S", "SU")
_ELSEWHERE = {"Lsum": ROUGE_SCORE, "MEAD": PAPER}  # measures of one dialect
_PARTS = {"P": "precision", "R": "recall", "F": "F1"}
_MULTI = {ORIGINAL: "pooled", ROUGE_SCORE: "best", PAPER: "jackknife"}  # the defaults


@dataclass(frozen=True)
class Rouge(Metric):
    """A ROUGE metric: a measure, one of its three parts, and the treatment of texts and references.

    ``measure`` is ``"1"`` to ``"9"`` (n-grams), ``"L"``, ``"W"``, ``"S"`` or ``"SU"``. ``weight`` (1 to 4)
    applies to W alone; ``gap``, the number of tokens that a skip-bigram may skip (None: any number), to S and
    SU. ``part`` is ``"P"``, ``"R"`` or ``"F"``. Scores are in 0..1 with five decimals.

    docs/metrics.md describes the other settings by the options of the program. ``tokenizer`` names one of
    `sera.text.tokenizers`, or takes a sentence and returns its tokens; it replaces the program's rule, which
    handles ASCII alone. A function must also lower-case if wanted; the stop list and stemmer of the language
    apply to its tokens if they are on. ``stop_words`` is the path of a list that is removed instead.

    With the ``dialect`` ``"rouge-score"`` the scores are those of Google's package of that name, version
    0.1.2, unrounded: the measures 1 to 9, L (its rougeL: a text is one sentence) and ``"Lsum"`` (its
    rougeLsum: each line is a sentence), where ``stem`` is its use_stemmer. With the dialect ``"paper"`` the
    scores follow `sera.metrics.rouge.lin2004`, unrounded; P and F by L and W, and all parts of W with a
    ``gap_penalty``, can exceed 1. It has one more measure, ``"MEAD"`` (section 3.3).

    ``left_out`` says that one reference of the topic is left out already, as a gold summary's own is: the
    jackknife is then the best score of the others, since one summary is not left out twice. It has no effect
    on other ways of ``multi``.

    InputError for any other setting.
    """

    measure: str
    _: KW_ONLY
    part: Literal["P", "R", "F"] = "F"
    weight: float = WEIGHT
    gap: int | None = None
    stem: bool = setting(False, bool, "stem the words")
    stop: bool = setting(False, bool, "remove stop words")
    multi: Literal["pooled", "best", "jackknife"] | None = setting(
        None, str, "how to use several references", choices=tuple(COMBINATIONS), optional=True
    )
    words: int | None = setting(
        None,
        int,
        "cut texts to this number of words: those of the tokenizer, or without one pieces between blanks",
        low=1,
        high=_MOST,
        optional=True,
    )
    bytes: int | None = setting(
        None, int, "cut texts to this number of bytes", low=1, high=_MOST, optional=True
    )
    first_references: int | None = setting(
        None, int, "use this number of references, the first of the topic", low=1, high=_MOST, optional=True
    )
    tokenizer: Tokenizer | str | None = setting(
        None, str, "what is a word", choices=tuple(TOKENIZERS), optional=True, callable=True
    )
    stop_words: str | None = setting(None, str, "file of stop words to remove, one a line", optional=True)
    stopped: frozenset[str] | None = field(default=None, init=False, repr=False)  # the words of that file
    dialect: Literal["ROUGE-1.5.5", "rouge-score", "paper"] = setting(
        ORIGINAL,
        str,
        "program whose numbers to reproduce, or the paper's equations",
        choices=(ORIGINAL, ROUGE_SCORE, PAPER),
    )
    beta: float | Literal["infinity"] = setting(
        1.0,
        float,
        "weight of recall in F, as in equation 4; infinity: F is R",
        high=1e6,
        low=0,
        words=("infinity",),
    )
    gap_penalty: float | None = setting(
        None,
        float,
        "ROUGE-W in the dialect paper: a run of k words weighs (weight times k) less this",
        low=0,
        high=MAX_WEIGHT,
        above=True,
        optional=True,
    )
    language: str = language_setting()
    left_out: bool = False

    pattern: ClassVar[str] = (
        r"ROUGE-(?:(?P<plain>[1-9]|L|Lsum|MEAD)|W-(?P<weight>[0-9]+(?:\.[0-9]+)?)"
        r"|(?P<skip>SU?)(?P<gap>0|[1-9][0-9]*)?)-(?P<part>[PRF])"
    )
    citation: ClassVar[str] = (
        "Chin-Yew Lin. 2004. ROUGE: A Package for Automatic Evaluation of Summaries. "
        "In Text Summarization Branches Out, 74-81."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.tokenizer == ASCII and self.language == ENGLISH:  # the default
            object.__setattr__(self, "tokenizer", None)
        if self.stop_words is not None:
            object.__setattr__(self, "stop", True)
            found = files.read_words(
                self.stop_words, lambda line: line.lower().split(), "stop words, one a line"
            )
            object.__setattr__(self, "stopped", frozenset(found))
        if self.multi is None:
            object.__setattr__(self, "multi", _MULTI[self.dialect])
        if self.dialect != _ELSEWHERE.get(self.measure, self.dialect):
            raise InputError(
                f"ROUGE-{self.measure} is a measure of the dialect {_ELSEWHERE[self.measure]}",
                remedy=f"Choose this dialect, or give ROUGE-L, which uses sentences in {ORIGINAL} too.",
            )
        number("the weight of ROUGE-W", self.weight, 1, MAX_WEIGHT)
        if self.words is not None and self.bytes is not None:
            raise InputError("ROUGE has limits in words and in bytes", remedy="Give one of the two limits.")
        if self.gap_penalty is not None and (self.dialect != PAPER or self.measure != "W"):
            problem = f"ROUGE-{self.measure} of the dialect {self.dialect} has no gap_penalty"
            raise InputError(problem, remedy=f"Give it to ROUGE-W of the dialect {PAPER} alone.")
        if self.gap_penalty is not None and self.gap_penalty >= self.weight:
            raise InputError(
                f"gap_penalty is {shown(self.gap_penalty)}, and the weight {shown(self.weight)}",
                remedy="Give a gap_penalty below the weight, so that a run of one word weighs more than 0.",
            )
        if self.dialect == ROUGE_SCORE:
            lacking = {
                f"ROUGE-{self.measure}": self.measure in ("W", *_SKIPS),
                "the removal of stop words": self.stop,
                f"several references treated as {self.multi!r}": self.multi != "best",
                "a limit on the length": self.words is not None or self.bytes is not None,
                "a stemmer beside a tokenizer": self.stem and self.tokenizer is not None,
                "another beta than 1": self.beta != 1,
                f"the language {self.language}": self.language != ENGLISH,
            }
            for what, wanted in lacking.items():
                if wanted:
                    problem = f"the dialect {ROUGE_SCORE} does not have {what}"
                    raise InputError(problem, remedy=f"Leave it out, or use the dialect {ORIGINAL}.")

    @classmethod
    def has(cls, name: str, setting: str) -> bool:
        return setting != "gap_penalty" or name.startswith("ROUGE-W-")

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
            "stop": self._sign_stop(),
            "refs": self.multi,
            "alpha": self._alpha,
        }
        if self.gap_penalty is not None:
            settings["f"] = f"{self._weight}k-{written(self.gap_penalty)}"
        for limit in ("words", "bytes", "first_references"):
            if (value := getattr(self, limit)) is not None:
                settings[limit] = value
        if self.tokenizer is not None:
            settings["tokenizer"] = _name_of(self.tokenizer) if callable(self.tokenizer) else self.tokenizer
        if self.dialect != ORIGINAL:
            settings["dialect"] = self.dialect
        return signature(self.name, **settings, **self.sign_texts())

    def _sign_stop(self) -> str:
        if self.stopped is None:
            return "removed" if self.stop else "kept"
        return hashlib.sha256("\n".join(sorted(self.stopped)).encode()).hexdigest()[:12]

    @property
    def _alpha(self) -> float:
        """The program's ``-p``, in F = PR / ((1 - alpha) P + alpha R)."""
        return 0.0 if self.beta == "infinity" else 1 / (1 + float(self.beta) ** 2)

    @classmethod
    def parse(cls, name: str, **settings: object) -> Rouge:
        """The metric of a name like ``ROUGE-2-F``, ``ROUGE-L-R``, ``ROUGE-W-1.2-P`` or ``ROUGE-SU4-F``.

        ``settings`` are the fields that are not part of a name. ValueError for any other name, TypeError for
        an unknown setting, InputError for a setting out of its range.
        """
        match = re.fullmatch(cls.pattern, name)
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
    def names(cls, gaps: Sequence[int] = ()) -> list[str]:
        """The measures of the paper's Table 2 and ROUGE-5 to -9; S and SU with any gap, 4 and these."""
        skips = [f"{skip}{gap}" for gap in ("", 4, *sorted({*gaps} - {4})) for skip in _SKIPS]
        measures = (*_NGRAMS, "L", "W-1.2", *skips)
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
        """The scores by several ROUGE metrics, whose settings may differ; each measure is counted once."""
        return _scores(tuple(metrics), [(candidate, references, source)])[0].tolist()

    @classmethod
    def score_rows(cls, metrics: Sequence[Metric], rows: Sequence[Row]) -> np.ndarray:
        """The scores of many candidates, (candidate, metric).

        References are prepared once for neighbours that have the same list of them.
        """
        parts = [_scores(tuple(metrics), rows[at : at + AT_ONCE]) for at in range(0, len(rows), AT_ONCE)]
        return np.concatenate(parts) if parts else np.empty((0, len(metrics)))

    @property
    def _reads_sentences(self) -> bool:
        """Only L and W, and in the dialect paper S; rouge-score takes the whole text, or its lines."""
        by_sentence = ("L", "W", "MEAD") if self.dialect == ORIGINAL else ("L", "W", "MEAD", *_SKIPS)
        return self.dialect != ROUGE_SCORE and self.measure in by_sentence

    @property
    def counts_ascii_alone(self) -> bool:
        return self.tokenizer == ASCII or (self.tokenizer is None and self.language == ENGLISH)

    def with_one_left_out(self) -> Rouge:
        return replace(self, left_out=True) if self.multi == "jackknife" else self

    def _preparation(self) -> Preparation:
        way = None
        if self.dialect == ROUGE_SCORE:
            way = "lines" if self.measure == "Lsum" else "text"
        assert self.stop is not None
        limits = (self.words, self.bytes)
        paper = self.dialect == PAPER
        splits = TOKENIZERS[self.tokenizer] if isinstance(self.tokenizer, str) else self.tokenizer
        settings: Any = (*limits, splits, way, paper, self.language, self.stopped)
        return Preparation(self.stem, self.stop, *settings)

    def _combination(self) -> Combination:
        if self.dialect == ROUGE_SCORE:
            return rouge155.highest_of
        assert self.multi is not None
        return self._equations.combination(self.multi, self._alpha, self.left_out)

    @property
    def _equations(self) -> Any:
        return lin2004 if self.dialect == PAPER else rouge155

    def _count(self, compared: Compared) -> Any:
        """What each pair of a candidate and a reference shares: arrays, or a list of the pairs."""
        if self.measure in _NGRAMS:
            return self._equations.ngrams(compared, int(self.measure))
        if self.measure in _SKIPS:
            return self._equations.skip_bigrams(compared, self.gap, unigrams=self.measure == "SU")
        if self.measure == "MEAD":
            return lin2004.pairwise_lcs(compared)
        if self.measure != "W":
            return self._equations.union_lcs(compared)
        if self.dialect == PAPER:
            return lin2004.weighted_lcs(compared, Weighting(self.weight, self.gap_penalty))
        return rouge155.weighted_lcs(compared, self.weight)

    def _overlaps(self, counted: Any) -> list[Overlap] | list[Measured]:
        if isinstance(counted, list):
            return counted
        return rouge155.overlaps_of(counted, rounded=self.measure not in ("L", "Lsum"))


_Reader = Callable[[Text], tuple[str, ...]]
_Wanted = list[tuple[Combination, list[tuple[int, str]]]]


@lru_cache(maxsize=64)
def _plan(
    metrics: tuple[Rouge, ...],
) -> list[tuple[Preparation, _Reader, int | None, int, list[tuple[Rouge, _Wanted]]]]:
    """The work to do once for several metrics.

    For each preparation, reader of sentences and number of references, the longest n-grams and the measures
    (each as one of its metrics) with their combinations of references; for each combination, the columns and
    parts of the metrics that use it.
    """
    plan: dict[tuple, dict[tuple, tuple[Rouge, dict[Combination, list[tuple[int, str]]]]]] = {}
    with_sentences = {metric._preparation() for metric in metrics if metric._reads_sentences}
    for column, metric in enumerate(metrics):
        preparation = metric._preparation()
        # the n-grams of a text that is not cut are the same, so that it is prepared once for all measures
        shares_sentences = preparation.is_whole and preparation in with_sentences
        read = sentences_of if metric._reads_sentences or shares_sentences else parts_of
        measures = plan.setdefault((preparation, read, metric.first_references), {})
        key = (metric.dialect, metric.measure, metric.weight, metric.gap, metric.gap_penalty)
        _, wanted = measures.setdefault(key, (metric, {}))
        wanted.setdefault(metric._combination(), []).append((column, metric.part))
    return [
        (
            *key,
            max(int(one.measure) if one.measure in _NGRAMS else 1 for one, _ in measures.values()),
            [(one, list(wanted.items())) for one, wanted in measures.values()],
        )
        for key, measures in plan.items()
    ]


def _scores(metrics: tuple[Any, ...], rows: Sequence[Row]) -> np.ndarray:
    scores = np.empty((len(rows), len(metrics)))
    for preparation, read, first, longest, measures in _plan(metrics):
        step = _CUT_AT_ONCE if preparation.byte_limit else len(rows)
        for begin in range(0, len(rows), step):
            part = rows[begin : begin + step]
            compared = _compared(preparation, read, first, longest, part)
            for one, combinations in measures:
                counted = one._count(compared)
                for combine, wanted in combinations:
                    triple = _combined(one, metrics[wanted[0][0]], counted, combine, compared)
                    for column, name in wanted:
                        scores[begin : begin + step, column] = getattr(triple, name)
    return scores


def _combined(one: Rouge, by: Rouge, counted: Any, combine: Combination, compared: Compared) -> Triple:
    begins = compared.begins
    pooled = by.dialect == ORIGINAL and (by.multi == "pooled" or len(begins) == len(compared.pairs))
    if pooled and len(begins) > _FEW and not isinstance(counted, list):
        return rouge155.pooled_in_rows(counted, begins, by._alpha)
    overlaps = one._overlaps(counted)
    if len(begins) == 1:
        return combine(overlaps)
    ends = [*begins.tolist()[1:], len(overlaps)]
    return Triple(*zip(*(combine(overlaps[begin:end]) for begin, end in zip(begins.tolist(), ends))))


def _compared(
    preparation: Preparation, read: _Reader, first: int | None, longest: int, rows: Sequence[Row]
) -> Compared:
    texts: list[Sequence[str]] = []
    begins, sizes = [], []
    before: Sequence[Text] | None = None
    for candidate, references, _ in rows:
        if references is not before:
            before = references
            begins.append(len(texts))
            texts += map(read, references[:first])
            sizes.append(len(texts) - begins[-1])
        texts.append(read(candidate))
    begins.append(len(texts))
    return Compared(vocabulary(preparation).prepare(texts), begins, sizes, longest)


def _name_of(function: Tokenizer) -> str:
    """The name of a function in a signature, with its module, so that equal names differ."""
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{getattr(named, '__module__', None) or 'builtins'}.{named.__qualname__}"
