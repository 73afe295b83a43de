"""MOULIN ROUGE (Nelson 2020, "A Method for Automatic Evaluation of Abstractive Summaries").

It is the weighted harmonic mean of ROUGE-S, which measures the references' content, and an abstraction score,
which measures words and phrases that the article does not have (the paper's equations 1 to 3). The author
published no code and no numbers; docs/metrics.md says what was decided where the text is open. Further:

* A content score below 0 (a cosine) counts as 0, and one above 1 (a modified Pyramid score) as 1. ParaEval,
  which section 5 proposes for content too, needs a table of paraphrases and is not among `CONTENTS`.
* An n-gram of the summary counts as often as the summary has it (equation 2).
* Stop words are SMART's, and Snowball's in German. Like frequent words, they are left out of both counts.
* The mean of two zeros is 0.
"""

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import lru_cache
from typing import Any, ClassVar

from sera.errors import InputError
from sera.metrics import FAMILIES, family_of, make_metric, read_selector
from sera.metrics.base import Metric, Text, sentences_of, signature
from sera.metrics.frequent_words import IndexedCollection, WordList, most_within
from sera.metrics.s3.words import ngrams
from sera.settings import alternatives, setting, shown
from sera.text.content import stop_words, words
from sera.text.languages import ENGLISH, language_setting, other_language

FAMILY = "MOULIN-ROUGE"
CONTENTS = ("ROUGE", "Pyramid", "ROUGE-WE", "AVG_SIM")
"""The families that may measure the content."""

PARTS = {
    "": "content, ROUGE-S unless set, and abstraction: their weighted harmonic mean",
    "Content": "the content score alone, ROUGE-S unless set",
    "Abstraction": "harmonic mean of Novel-Phrase-5 and Novel-Word",
    "Novel-Phrase": "share of the summary's {n}-grams that the article does not have",
    "Novel-Word": "share of the summary's distinct content words that the article does not have",
}
_WORDS = ("frequent", "frequent_in_article")
_USED = {
    "": ("n", "beta", *_WORDS, "content"),
    "Content": ("content",),
    "Abstraction": ("n", *_WORDS),
    "Novel-Phrase": (),
    "Novel-Word": _WORDS,
}
"""The settings that each part depends on besides the language; the number of Novel-Phrase is in its name."""
_SHARE: dict[str, Any] = {"low": 0, "high": 1, "above": True}
_MOST = 10**6  # for words of a phrase, and for beta, whose square must be finite


def novel_phrase(candidate: Sequence[Sequence[str]], article: Collection[tuple[str, ...]], n: int) -> float:
    """The share of novel n-grams in tokenised sentences, 0 to 1 (equation 2).

    ``article`` has the article's n-grams. NaN if no sentence has n tokens.
    """
    grams = [ngram for sentence in candidate for ngram in ngrams(sentence, n)]
    return 1 - sum(ngram in article for ngram in grams) / len(grams) if grams else math.nan


def novel_word(
    candidate: Collection[str], article: Collection[str], left_out: Collection[str] = frozenset()
) -> float:
    """The share of novel words among the candidate's distinct words, 0 to 1 (equation 3).

    ``article`` has the article's words; those in ``left_out`` do not count. NaN if no word is left.
    """
    words = {word for word in candidate if word not in left_out}
    return 1 - sum(word in article for word in words) / len(words) if words else math.nan


def harmonic_mean(content: float, abstraction: float, beta: float = 1.0) -> float:
    """The harmonic mean (equation 1); a greater ``beta`` weighs ``abstraction`` more. 0 if both are 0."""
    denominator = beta**2 * content + abstraction
    return (1 + beta**2) * content * abstraction / denominator if denominator else 0.0


@dataclass(frozen=True)
class MoulinRouge(Metric):
    """MOULIN ROUGE or one of its component scores, in 0..1.

    ``part`` is the end of the metric's name; a setting that it does not depend on has no effect. ``frequent``
    has none without a collection, nor on a list. ``collection`` has the frequent words, from an index or a
    list (`sera.metrics.frequent_words`); without it only stop words are left out, and a caution says so.
    ``nuggets`` and ``vectors`` are what the content metric needs, if it is Pyramid, or ROUGE-WE or AVG_SIM.
    """

    part: str = ""
    _: KW_ONLY
    n: int = setting(5, int, "words of a phrase", low=1, high=_MOST)
    beta: float = setting(1.0, float, "weight of abstraction", low=0, high=_MOST, above=True)
    frequent: float = setting(
        0.5, float, "share of the collection's documents above which a word is too frequent", **_SHARE
    )
    frequent_in_article: float = setting(
        1.0, float, "share of the article's words above which a word is too frequent", **_SHARE
    )
    content: str = setting("ROUGE-S-F", str, f"metric of the content, of {alternatives(CONTENTS)}")
    language: str = language_setting()
    collection: IndexedCollection | WordList | None = None
    nuggets: Mapping[tuple[str, str], tuple[str, ...]] | None = field(default=None, hash=False)
    vectors: Any = None
    _measure: Metric = field(init=False, repr=False, compare=False)

    pattern: ClassVar[str] = (
        rf"{FAMILY}(?:-(?P<part>Content|Abstraction|Novel-Word|Novel-Phrase(?=-))(?:(?<=e)-(?P<n>[1-9][0-9]*))?)?"
    )
    undefined: ClassVar[str] = "the candidate has no phrase, or no word that counts, or no content score"
    citation: ClassVar[str] = (
        "Luke Nelson. 2020. MOULIN ROUGE: A Method for Automatic Evaluation of Abstractive Summaries. "
        "Manuscript, University of Southern California."
    )
    needs_source: ClassVar[bool] = True

    @property
    def needs_references(self) -> bool:  # type: ignore[override]
        """Whether references are needed: only for content, since the other parts use the article alone."""
        return "content" in _USED[self.part]

    def __post_init__(self) -> None:
        super().__post_init__()
        collection_language = getattr(self.collection, "language", self.language)
        if collection_language != self.language:
            raise other_language("collection", collection_language, self.language)
        measure = _content(self.content, {"nuggets": self.nuggets, "vectors": self.vectors}, self.language)
        object.__setattr__(self, "_measure", measure)
        # one spelling for one metric, so that its selector and its signature are one too
        object.__setattr__(self, "content", measure.selector)

    @classmethod
    def has(cls, name: str, setting: str) -> bool:
        part = name.removeprefix(FAMILY).strip("-0123456789")
        return setting == "language" or setting in _USED.get(part, ())

    @property
    def name(self) -> str:
        number = f"-{self.n}" if self.part == "Novel-Phrase" else ""
        return "-".join(filter(None, (FAMILY, self.part))) + number

    @property
    def made_of(self) -> tuple[Metric, ...]:
        return (self._measure,) if self.needs_references else ()

    @property
    def signature(self) -> str:
        settings = {name: getattr(self, name) for name in _USED[self.part]}
        for measure in self.made_of:
            settings["content"] = measure.signature.rpartition("|sera:")[0].replace("|", ",")
        if "frequent" in _USED[self.part]:
            settings["collection"] = self.collection and self.collection.name
        return signature(self.name, **settings, tokenizer="standard", **self.sign_texts())

    @property
    def caution(self) -> str:
        has_share = "frequent" in _USED[self.part]
        if not has_share or self.collection or self.frequent == 1 or self.frequent_in_article < 1:
            return ""
        return (
            "neither a collection nor a list says which words are frequent, so of these only stop words are "
            "left out"
        )

    def ready(self) -> None:
        for measure in self.made_of:
            measure.ready()

    def with_one_left_out(self) -> Metric:
        one = replace(self)
        object.__setattr__(one, "_measure", self._measure.with_one_left_out())
        return one

    @classmethod
    def score_together(
        cls, metrics: Sequence[Any], candidate: Text, references: Sequence[Text], source: Text | None = None
    ) -> list[float]:
        """Scores in 0..1; the module says where they are undefined."""
        assert source is not None
        texts = sentences_of(candidate)
        tokens: dict[str, list[list[str]]] = {}  # by language
        article = sentences_of(source)
        contents: dict[tuple[Any, ...], float] = {}
        scores = []
        for one in metrics:
            content = math.nan
            for measure in one.made_of:
                key = one.content, id(one.nuggets), id(one.vectors)
                if key not in contents:
                    (content,) = measure.score_together([measure], candidate, references)
                    contents[key] = content if math.isnan(content) else min(max(content, 0.0), 1.0)
                content = contents[key]
            if one.language not in tokens:
                tokens[one.language] = [words(sentence, one.language) for sentence in texts]
            scores.append(one._score(tokens[one.language], article, content))
        return scores

    def _score(self, sentences: Sequence[Sequence[str]], article: tuple[str, ...], content: float) -> float:
        if self.part == "Content":
            return content
        if self.part == "Novel-Phrase":
            return novel_phrase(sentences, _phrases(article, self.n, self.language), self.n)
        candidate = {word for sentence in sentences for word in sentence}
        vocabulary, left_out = _vocabulary(article, self.frequent_in_article, self.language)
        if self.collection is not None:
            left_out = left_out | self.collection.frequent(candidate - left_out, self.frequent)
        word = novel_word(candidate, vocabulary, left_out)
        if self.part == "Novel-Word":
            return word
        phrase = novel_phrase(sentences, _phrases(article, self.n, self.language), self.n)
        abstraction = harmonic_mean(phrase, word)
        return abstraction if self.part else harmonic_mean(content, abstraction, self.beta)

    @classmethod
    def names(cls) -> list[str]:
        return [cls(part).name for part in PARTS]

    @classmethod
    def describe(cls, name: str) -> str:
        metric = cls.parse(name)
        return PARTS[metric.part].format(n=metric.n)


def _content(selector: str, resources: Mapping[str, Any], language: str) -> Metric:
    """The content metric that a selector names, with the language and those of the resources that it uses.

    InputError for a metric whose family is not in `CONTENTS`.
    """
    try:
        family = family_of(selector)
    except InputError:  # it lists all metrics
        family = ""
    if family not in CONTENTS:
        problem = f"content is {shown(selector)}"
        raise InputError(problem, remedy=f"Give a metric of {alternatives(CONTENTS)}.")
    name, settings = read_selector(selector)
    uses = FAMILIES.uses(family)
    if language != ENGLISH:
        settings = {"language": language, **settings}
    return make_metric(name, **settings, **{key: value for key, value in resources.items() if key in uses})


@lru_cache(maxsize=128)
def _vocabulary(
    article: tuple[str, ...], frequent: float, language: str
) -> tuple[frozenset[str], frozenset[str]]:
    """The words of an article, and those that do not count; cached, since every summary needs them."""
    counts = Counter(word for sentence in article for word in words(sentence, language))
    most = most_within(frequent, counts.total())
    return frozenset(counts), stop_words(language).union(word for word, n in counts.items() if n > most)


@lru_cache(maxsize=128)
def _phrases(article: tuple[str, ...], n: int, language: str) -> frozenset[tuple[str, ...]]:
    return frozenset(ngrams([word for sentence in article for word in words(sentence, language)], n))
