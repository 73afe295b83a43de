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
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from typing import Any, ClassVar, Final, Literal

import numpy as np

from sera.errors import InputError
from sera.io import files
from sera.io.records import RunningText
from sera.metrics.base import Metric, Row, Text, group_texts, sentences_of, signature
from sera.metrics.rouge import lin2004, rouge155
from sera.metrics.rouge.combine import Formula, scores_of
from sera.metrics.rouge.counts import Compared
from sera.metrics.rouge.preparation import Preparation, Tokenizer, vocabulary
from sera.settings import Setting, declared, number, one_of, setting, written
from sera.text.languages import ENGLISH, language_setting
from sera.text.tokenizers import ASCII, TOKENIZERS

WEIGHT = 1.2  # of ROUGE-W by default
ORIGINAL: Final = "ROUGE-1.5.5"  # the dialects
ROUGE_SCORE: Final = "rouge-score"
PAPER: Final = "paper"
_MOST = 10**9  # limit for words, bytes and gaps; no text has more
MAX_WEIGHT = 4.0  # (tokens ^ weight) ^ weight must stay a float for any text

AT_ONCE = 256  # candidates that are compared at once; more do not stay in a processor's cache
_CUT_AT_ONCE = 16  # with a limit in bytes, when the words of all have numbers of their own

_NGRAMS = tuple("123456789")
_SKIPS = ("S", "SU")
_PARTS = {"P": "precision", "R": "recall", "F": "F1"}


def _dialect(name: str) -> Any:
    """The dialect of a class, a setting that is no argument of it: `Rouge.parse` chooses the class by it."""
    text = "program whose numbers to reproduce, or the paper's equations"
    known = Setting("", str, ORIGINAL, text, choices=(ORIGINAL, ROUGE_SCORE, PAPER))
    return field(default=name, init=False, metadata={"setting": known})


def _fixed(value: Any) -> Any:
    """The value of a setting that a dialect does not have."""
    return field(default=value, init=False)


@dataclass(frozen=True)
class Rouge(Metric):
    """ROUGE as ROUGE-1.5.5 computes it, in 0..1 with five decimals; the other dialects are classes below.

    ``measure`` is ``"1"`` to ``"9"`` (n-grams), ``"L"``, ``"W"``, ``"S"`` or ``"SU"``. ``weight`` (1 to 4)
    applies to W alone; ``gap``, the number of tokens that a skip-bigram may skip (None: any number), to S and
    SU. ``part`` is ``"P"``, ``"R"`` or ``"F"``.

    docs/metrics.md describes the other settings by the options of the program. ``tokenizer`` names one of
    `sera.text.tokenizers`, or takes a sentence and returns its tokens; it replaces the program's rule, which
    handles ASCII alone. A function must also lower-case if wanted; the stop list and stemmer of the language
    apply to its tokens if they are on. ``stop_words`` is the path of a list that is removed instead.

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
        None, str, "how to use several references", choices=("pooled", "best", "jackknife"), optional=True
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
    dialect: str = _dialect(ORIGINAL)
    beta: float | Literal["infinity"] = setting(
        1.0,
        float,
        "weight of recall in F, as in equation 4; infinity: F is R",
        high=1e6,
        low=0,
        words=("infinity",),
    )
    language: str = language_setting()
    left_out: bool = False

    pattern: ClassVar[str] = (
        r"ROUGE-(?:(?P<plain>[1-9]|L)|W-(?P<weight>[0-9]+(?:\.[0-9]+)?)"
        r"|(?P<skip>SU?)(?P<gap>0|[1-9][0-9]*)?)-(?P<part>[PRF])"
    )
    citation: ClassVar[str] = (
        "Chin-Yew Lin. 2004. ROUGE: A Package for Automatic Evaluation of Summaries. "
        "In Text Summarization Branches Out, 74-81."
    )
    usual_multi: ClassVar[str] = "pooled"
    by_sentence: ClassVar[tuple[str, ...]] = ("L", "W")  # the measures that read sentences
    equations: ClassVar[Any] = rouge155  # but those of n-grams
    best: ClassVar[str] = "recall"  # of several references, and the next two, as in `Formula`
    rounded: ClassVar[bool] = True
    from_counts: ClassVar[bool] = False

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
            object.__setattr__(self, "multi", self.usual_multi)
        number("the weight of ROUGE-W", self.weight, 1, MAX_WEIGHT)
        if self.words is not None and self.bytes is not None:
            raise InputError("ROUGE has limits in words and in bytes", remedy="Give one of the two limits.")

    @property
    def name(self) -> str:
        if self.measure == "W":
            return f"ROUGE-W-{written(self.weight)}-{self.part}"
        return f"ROUGE-{self.measure}{'' if self.gap is None else self.gap}-{self.part}"

    @property
    def signature(self) -> str:
        stop = "removed" if self.stop else "kept"
        if self.stopped is not None:
            stop = hashlib.sha256("\n".join(sorted(self.stopped)).encode()).hexdigest()[:12]
        settings: dict[str, object] = {"stem": self.stem, "stop": stop, "refs": self.multi}
        settings["alpha"] = self._alpha
        for limit in ("words", "bytes", "first_references"):
            if (value := getattr(self, limit)) is not None:
                settings[limit] = value
        if self.tokenizer is not None:
            settings["tokenizer"] = _name_of(self.tokenizer) if callable(self.tokenizer) else self.tokenizer
        if self.dialect != ORIGINAL:
            settings["dialect"] = self.dialect
        return signature(self.name, **settings, **self.sign_texts())

    @property
    def _alpha(self) -> float:
        """The program's ``-p``, in F = PR / ((1 - alpha) P + alpha R)."""
        return 0.0 if self.beta == "infinity" else 1 / (1 + float(self.beta) ** 2)

    @classmethod
    def parse(cls, name: str, **settings: Any) -> Rouge:
        """The metric of a name like ``ROUGE-2-F``, ``ROUGE-L-R``, ``ROUGE-W-1.2-P`` or ``ROUGE-SU4-F``.

        ``settings`` are the ``dialect`` and the fields that are not part of a name. ValueError for any other
        name, TypeError for an unknown setting, InputError for a setting out of its range, and for a measure
        or a setting that the dialect does not have.
        """
        dialect = one_of("dialect", settings.pop("dialect", ORIGINAL), tuple(_DIALECTS))
        kind = _DIALECTS[dialect]
        fitting = [other for other, one in _DIALECTS.items() if re.fullmatch(one.pattern, name)]
        if not fitting:
            raise ValueError(f"{name!r} is not the name of a ROUGE metric")
        if dialect not in fitting:
            hint = f"; ROUGE-L, which rouge-score calls Lsum, is in {ORIGINAL} too" if "Lsum" in name else ""
            raise _lacks(dialect, name, f"{fitting[0]}{hint}")
        own = {each.name for each in declared(kind)}
        for each in declared(Rouge):
            if each.name in settings and each.name not in own:
                value = each.check(settings.pop(each.name))
                if value not in (each.default, getattr(kind, each.name)):
                    raise _lacks(dialect, f"{each.name}={written(value)} ({each.help})")
        match = re.fullmatch(kind.pattern, name)
        assert match is not None
        parts = match.groupdict()
        settings["measure"] = parts["plain"] or parts["skip"] or "W"
        if parts.get("weight"):
            settings["weight"] = float(parts["weight"])
        if parts.get("gap"):
            settings["gap"] = int(parts["gap"])
        return kind(part=parts["part"], **settings)

    @classmethod
    def names(cls, gaps: Sequence[int] = ()) -> list[str]:
        """The measures of the paper's Table 2 and ROUGE-5 to -9; S and SU with any gap, 4 and these."""
        skips = [f"{skip}{gap}" for gap in ("", 4, *sorted({*gaps} - {4})) for skip in _SKIPS]
        measures = (*_NGRAMS, "L", "W-1.2", *skips)
        return [f"ROUGE-{measure}-{part}" for measure in measures for part in _PARTS]

    @classmethod
    def describe(cls, name: str) -> str:
        metric: Any = cls.parse(name)
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
                what += f", runs of k words weighing k^{written(metric.weight)}"
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
    def counts_ascii_alone(self) -> bool:
        return self.tokenizer == ASCII or (self.tokenizer is None and self.language == ENGLISH)

    def with_one_left_out(self) -> Rouge:
        return replace(self, left_out=True) if self.multi == "jackknife" else self

    @cached_property
    def preparation(self) -> Preparation:
        splits = TOKENIZERS[self.tokenizer] if isinstance(self.tokenizer, str) else self.tokenizer
        return Preparation(
            self.stem,
            self.stop,
            self.words,
            self.bytes,
            splits,
            language=self.language,
            stop_words=self.stopped,
        )

    @property
    def counting(self) -> tuple[Any, ...]:
        """A function of `Compared` that counts what texts share, and its other arguments."""
        if self.measure in _NGRAMS:
            return rouge155.ngrams, int(self.measure)
        if self.measure in _SKIPS:
            return self.equations.skip_bigrams, self.gap, self.measure == "SU"
        if self.measure == "W":
            return self.equations.weighted_lcs, self.weight
        return (self.equations.union_lcs,)

    @property
    def formula(self) -> Formula:
        jackknife = "parts" if self.left_out else "jackknife"
        ways: Any = {"pooled": "pooled", "best": self.best, "jackknife": jackknife}
        return Formula(ways[self.multi], self._alpha, self.rounded, self.from_counts)


@dataclass(frozen=True)
class PaperRouge(Rouge):
    """ROUGE by the equations of Lin (2004), `sera.metrics.rouge.lin2004`.

    Scores are not rounded; P and F by L and W can exceed 1.
    """

    dialect: str = _dialect(PAPER)

    usual_multi = "jackknife"
    by_sentence = ("L", "W", *_SKIPS)
    equations: ClassVar[Any] = lin2004
    best = "parts"
    rounded = False
    from_counts = True

    @cached_property
    def preparation(self) -> Preparation:
        return replace(super().preparation, paper=True)


@dataclass(frozen=True)
class RougeScore(Rouge):
    """ROUGE as Google's package rouge-score, version 0.1.2, computes it; scores are not rounded.

    ``"L"`` is its rougeL (a text is one sentence), and ``"Lsum"`` its rougeLsum (each line is a sentence);
    ``stem`` is its use_stemmer.
    """

    weight: float = _fixed(WEIGHT)
    gap: int | None = _fixed(None)
    stop: bool = _fixed(False)
    multi: Literal["pooled", "best", "jackknife"] | None = _fixed("best")
    words: int | None = _fixed(None)
    bytes: int | None = _fixed(None)
    stop_words: str | None = _fixed(None)
    dialect: str = _dialect(ROUGE_SCORE)
    beta: float | Literal["infinity"] = _fixed(1.0)
    language: str = _fixed(ENGLISH)
    left_out: bool = _fixed(False)

    pattern = r"ROUGE-(?P<plain>[1-9]|L|Lsum)-(?P<part>[PRF])"
    by_sentence = ()  # it takes the whole text, or its lines
    best = "F"
    rounded = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stem and self.tokenizer is not None:
            raise _lacks(self.dialect, "a stemmer beside a tokenizer")

    @cached_property
    def preparation(self) -> Preparation:
        return replace(super().preparation, rouge_score="lines" if self.measure == "Lsum" else "text")


_DIALECTS: dict[str, Any] = {ORIGINAL: Rouge, ROUGE_SCORE: RougeScore, PAPER: PaperRouge}


def _lacks(dialect: str, what: str, other: str = ORIGINAL) -> InputError:
    remedy = f"Leave it out, or use the dialect {other}."
    return InputError(f"the dialect {dialect} does not have {what}", remedy=remedy)


_Columns = dict[Formula, list[tuple[int, int]]]


@lru_cache(maxsize=64)
def _plan(
    metrics: tuple[Rouge, ...],
) -> dict[tuple[Preparation, bool, int | None], dict[tuple[Any, ...], _Columns]]:
    """The work to do once for several metrics.

    For each preparation, whether running text is split, and number of references, what is counted; for each
    count, its formulas; for each formula, the columns of the metrics that use it, with their places in PRF.
    """
    plan: dict[Any, dict[Any, _Columns]] = {}
    by_sentence = {metric.preparation for metric in metrics if metric.measure in metric.by_sentence}
    for column, metric in enumerate(metrics):
        # the n-grams of a text that is not cut are the same, so that it is prepared once for all measures
        shares_sentences = metric.preparation.is_whole and metric.preparation in by_sentence
        is_split = metric.measure in metric.by_sentence or shares_sentences
        counts = plan.setdefault((metric.preparation, is_split, metric.first_references), {})
        formulas = counts.setdefault(metric.counting, {})
        formulas.setdefault(metric.formula, []).append((column, "PRF".index(metric.part)))
    return plan


def _scores(metrics: tuple[Any, ...], rows: Sequence[Row]) -> np.ndarray:
    scores = np.empty((len(rows), len(metrics)))
    for (preparation, is_split, first), counts in _plan(metrics).items():
        longest = max((count[1] for count in counts if count[0] is rouge155.ngrams), default=1)
        step = _CUT_AT_ONCE if preparation.byte_limit else len(rows)
        for begin in range(0, len(rows), step):
            compared = _compared(preparation, is_split, first, longest, rows[begin : begin + step])
            for (count, *settings), formulas in counts.items():
                counted = count(compared, *settings)
                for formula, columns in formulas.items():
                    triples = scores_of(counted, compared.begins, formula)
                    for column, place in columns:
                        scores[begin : begin + step, column] = triples[place]
    return scores


def _compared(
    preparation: Preparation, is_split: bool, first: int | None, longest: int, rows: Sequence[Row]
) -> Compared:
    references, candidates, begins, firsts = group_texts(rows)
    if first is not None:
        sets = [references[begin:end][:first] for begin, end in pairwise(begins.tolist())]
        references, begins = list(chain.from_iterable(sets)), np.cumsum([0, *map(len, sets)])
    texts = [*references, *candidates]
    if is_split:
        texts = [sentences_of(text) if isinstance(text, RunningText) else text for text in texts]
    return Compared(vocabulary(preparation).prepare(texts), begins, firsts + len(references), longest)


def _name_of(function: Tokenizer) -> str:
    """The name of a function in a signature, with its module, so that equal names differ."""
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{getattr(named, '__module__', None) or 'builtins'}.{named.__qualname__}"
