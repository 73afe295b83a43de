"""ROUGE-K (Takeshita, Ponzetto & Eckert 2024, "ROUGE-K: Do Your Summaries Have Keywords?", section 3).

The score is the share of a topic's keywords that a summary has. Keywords are the n-grams that at least two
texts of the topic share: its references, or one reference and the article's title. docs/metrics.md lists
where the authors' code (github.com/sobamchan/rougek) differs from the paper, and the settings that follow it.
In German, too, words are unstemmed; the stop words are those of `sera.text.languages`.

The paper compares with keywords by TF-IDF and TextRank, in the same number, without further details; see
`tfidf_keywords` and `textrank_keywords`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import KW_ONLY, dataclass
from functools import cache, lru_cache
from itertools import accumulate, chain, groupby, pairwise
from typing import Any, ClassVar

from sera.errors import InputError
from sera.extras import extra_for
from sera.metrics.base import Metric, Text, sentences_of, signature
from sera.resources import lines
from sera.settings import TYPES, can, check_declared, one_of, setting, shown
from sera.text import content
from sera.text.languages import ENGLISH, language_setting, only_english
from sera.text.spacy_models import SPACY, STANDARD, lemmas, lemmatizer

Keyword = tuple[str, ...]

LONGEST_NGRAM = 10  # words of an n-gram, stop words included
_MOST = 1000  # highest value of the setting, since each length is searched in turn
UNGUIDED = 3  # keywords by TF-IDF or TextRank without a second text; the paper's mean (Table 4)
EXTRACTIONS = {
    "": "n-grams that two references share, or a reference and the title",
    "TFIDF": "as many words of the references, by TF-IDF",
    "TextRank": "as many nouns and adjectives of the references, by TextRank",
}
_SECONDS = ("title", "title-always", "article")


@cache
def authors_stop_words() -> frozenset[str]:
    """The stop words of the authors' code, in lower case."""
    return frozenset(" ".join(lines("rouge_k_stop_words.txt")).split())


# Keywords
# --------


def shared_keywords(
    texts: Sequence[Sequence[str]],
    stop_words: frozenset[str],
    *,
    longest: int = LONGEST_NGRAM,
    stop: str = "after",
) -> tuple[Keyword, ...]:
    """The keywords of tokenised texts by the paper's heuristic: n-grams that at least two of them share.

    The longest come first, and among equal n the first in the texts; see the module.
    """
    if stop == "before":
        texts = [[token for token in text if token not in stop_words] for text in texts]
    keywords: list[Keyword] = []
    words: set[str] = set()
    for n in range(longest, 0, -1):
        texts_with: Counter[Keyword] = Counter()
        for text in texts:
            texts_with.update(list(dict.fromkeys(_ngrams(text, n, stop_words))))  # once per text, in order
        for ngram, count in texts_with.items():
            if count >= 2 and words.isdisjoint(ngram):
                keywords.append(ngram)
                words.update(ngram)
    return tuple(keywords)


def _ngrams(tokens: Sequence[str], n: int, stopped: frozenset[str]) -> Iterator[Keyword]:
    """The n-grams after removal of stop words, without empty ones."""
    words = tuple(token for token in tokens if token not in stopped)
    counts = [0, *accumulate(token not in stopped for token in tokens)]  # tokens left before each place
    for first, end in zip(counts, counts[n:], strict=False):
        if first < end:
            yield words[first:end]


@dataclass(frozen=True)
class DocumentFrequencies:
    """The number of texts, of ``documents`` texts, that have each word."""

    documents: int
    of: Mapping[str, int]

    @classmethod
    def count(cls, texts: Iterable[Iterable[str]]) -> DocumentFrequencies:
        """Count the words of tokenised texts."""
        documents, frequencies = 0, Counter[str]()
        for text in texts:
            documents += 1
            frequencies.update(set(text))
        return cls(documents, frequencies)

    def idf(self, word: str) -> float:
        """The idf, ln((1 + documents) / (1 + documents with the word)) + 1, above 0 for every word."""
        return math.log((1 + self.documents) / (1 + self.of.get(word, 0))) + 1


def tfidf_keywords(
    tokens: Sequence[str],
    count: int,
    occurrences: Mapping[str, int],
    frequencies: DocumentFrequencies,
    stop_words: frozenset[str],
) -> tuple[Keyword, ...]:
    """The ``count`` words of a text with the highest tf * idf, among equals the first in the text.

    tf is the count of a word in ``occurrences``; the metric counts it, as the idf, in the sentences of the
    references and the article, so that the topic's texts suffice. The paper cites Salton & Buckley (1988)
    without units and collection; here units are single words.
    """
    words = dict.fromkeys(token for token in tokens if token not in stop_words)
    weights = {word: occurrences.get(word, 0) * frequencies.idf(word) for word in words}
    return tuple((word,) for word in sorted(words, key=lambda word: -weights[word])[:count])


DAMPING, CONVERGED = 0.85, 1e-4  # by Mihalcea & Tarau (2004)


def textrank_keywords(
    sentences: Sequence[Sequence[str]], count: int, stop_words: frozenset[str]
) -> tuple[Keyword, ...]:
    """At most ``count`` keywords of tokenised sentences by TextRank (Mihalcea & Tarau 2004, section 3).

    The nouns and adjectives, by TextBlob's tags, form a graph that joins neighbours in a sentence (that
    paper's best window, two words). The third of them with the highest ranks is kept (at least ``count``),
    and neighbours among these form one keyword. That paper does not order keywords; here those with the
    highest-ranked word come first, and a keyword with a word already taken is skipped.
    """
    with extra_for("ROUGE-K"):
        from textblob.en import parser  # slow to import

    open_class = [
        [
            token not in stop_words and tag.startswith(("NN", "JJ"))
            for token, tag in parser.find_tags(list(sentence))
        ]
        for sentence in sentences
    ]
    graph: dict[str, set[str]] = {}
    for sentence, flags in zip(sentences, open_class, strict=True):
        for token, flag in zip(sentence, flags, strict=True):
            if flag:
                graph.setdefault(token, set())
        for (one, other), (first, second) in zip(pairwise(sentence), pairwise(flags), strict=True):
            if first and second and one != other:
                graph[one].add(other)
                graph[other].add(one)
    ranks = _ranks(graph)
    best = sorted(ranks, key=lambda word: -ranks[word])[: max(count, math.ceil(len(ranks) / 3))]
    best_words = frozenset(best)
    phrases = [
        tuple(run)
        for sentence in sentences
        for is_marked, run in groupby(sentence, key=best_words.__contains__)
        if is_marked
    ]
    keywords: list[Keyword] = []
    words: set[str] = set()
    for phrase in sorted(phrases, key=lambda phrase: -max(ranks[word] for word in phrase)):
        if len(keywords) < count and words.isdisjoint(phrase):
            keywords.append(phrase)
            words.update(phrase)
    return tuple(keywords)


def _ranks(graph: Mapping[str, set[str]]) -> dict[str, float]:
    """TextRank's scores of the vertices of an undirected graph, rounded so that ties are exact."""
    ranks = dict.fromkeys(graph, 1.0)
    while True:
        new = {
            word: 1 - DAMPING + DAMPING * math.fsum(ranks[other] / len(graph[other]) for other in others)
            for word, others in graph.items()
        }
        change = max((abs(new[word] - ranks[word]) for word in new), default=0.0)
        ranks = new
        if change < CONVERGED:
            return {word: round(rank, 9) for word, rank in ranks.items()}


# The metric
# ----------


@dataclass(frozen=True)
class RougeK(Metric):
    """The share of a topic's keywords that a summary has, in 0..1; NaN if the topic has no keyword.

    docs/metrics.md says which settings are the paper's, and which the authors' code's.

    extraction:  "" (the paper's heuristic), "TFIDF" or "TextRank"; the end of the metric's name second:
    "title" and "article" are added if there is one reference, "title-always" in any case count:       of
    TF-IDF and TextRank; None for as many as the heuristic finds, or three without a second text stop_words:
    None for those of `authors_stop_words`, or of `sera.text.content` if not English tokenizer:   takes a
    sentence and returns its tokens in lower case; None for ``tokens``
    """

    extraction: str = ""
    _: KW_ONLY
    matching: str = setting(
        "tokens", str, "how to find a keyword in a summary", choices=("tokens", "substring")
    )
    second: str = setting(
        "title", str, "text to add to the references; see docs/metrics.md", choices=_SECONDS
    )
    stop: str = setting("after", str, "when to remove stop words", choices=("after", "before"))
    count: int | None = setting(None, int, "number of keywords", low=1, high=10**9, optional=True)
    longest: int = setting(LONGEST_NGRAM, int, "words of the longest n-gram", low=1, high=_MOST)
    tokens: str = setting(STANDARD, str, "what makes the words: standard, or spacy:MODEL for its lemmas")
    language: str = language_setting()
    stop_words: frozenset[str] | None = None
    tokenizer: Callable[[str], Sequence[str]] | None = None

    listed: ClassVar = ("ROUGE-K", "ROUGE-K-TFIDF", "ROUGE-K-TextRank")
    pattern: ClassVar[str] = "ROUGE-K(-(?P<extraction>TFIDF|TextRank))?"
    undefined: ClassVar[str] = "the references have no keyword"
    citation: ClassVar[str] = (
        "Sotaro Takeshita, Simone Paolo Ponzetto and Kai Eckert. 2024. ROUGE-K: Do Your Summaries Have "
        "Keywords? In Proceedings of *SEM 2024."
    )

    def __post_init__(self) -> None:
        if self.extraction != "":
            one_of("extraction of ROUGE-K", self.extraction, ("TFIDF", "TextRank"))
        check_declared(self)
        if not self.reads(self.name, self.language):
            raise only_english(self.name, self.language, ["ROUGE-K", "ROUGE-K-TFIDF"])
        words: Any = self.stop_words
        if words is not None:
            if not (isinstance(words, Set | list | tuple) and all(isinstance(word, str) for word in words)):
                raise InputError(f"stop_words are {shown(words)}", remedy=f"{TYPES}a list of words.")
            object.__setattr__(self, "stop_words", frozenset(words))
        can("tokenizer", self.tokenizer, "__call__", "a function")
        if self.tokens != STANDARD and not self.tokens.startswith(SPACY):
            problem = f"ROUGE-K.tokens is {shown(self.tokens)}"
            raise InputError(problem, remedy=f"Give standard or {SPACY}MODEL.")
        if self.count is not None and not self.extraction:
            remedy = "ROUGE-K-TFIDF and ROUGE-K-TextRank alone have a count."
            raise InputError(f"{self.name} cannot have {self.count} keywords", remedy=remedy)

    @classmethod
    def has(cls, name: str, setting: str) -> bool:
        return setting != "count" or name != "ROUGE-K"

    @property
    def name(self) -> str:
        return f"ROUGE-K-{self.extraction}" if self.extraction else "ROUGE-K"

    @property
    def signature(self) -> str:
        stop_words, tokenizer = "own", self.tokens
        if self.stop_words is None:
            stop_words = "ROUGE-K" if self.language == ENGLISH else "snowball"
        if self.tokenizer is not None:
            kind: Any = self.tokenizer if hasattr(self.tokenizer, "__qualname__") else type(self.tokenizer)
            tokenizer = kind.__qualname__
        settings = {name: getattr(self, name) for name in ("matching", "second", "stop", "longest")}
        settings |= {"stop_words": stop_words, "tokenizer": tokenizer}
        if self.extraction:
            settings["count"] = "heuristic" if self.count is None else self.count
        if self.extraction == "TFIDF":
            settings["frequencies"] = "topic"
        return signature(self.name, **settings, **self.sign_texts())

    @classmethod
    def reads(cls, name: str, language: str, settings: Mapping[str, Any] | None = None) -> bool:
        return language == ENGLISH or not name.endswith("TextRank")

    def score_one(self, candidate: Text, references: Sequence[Text], source: Text | None = None) -> float:
        """The score in 0..1; only a `sera.io.records.Source` has a title.

        InputError for ROUGE-K itself if there is one reference and no source.
        """
        flags = self.found(self.keywords(references, source), candidate)
        return sum(flags) / len(flags) if flags else math.nan

    def keywords(self, references: Sequence[Text], source: Text | None = None) -> tuple[Keyword, ...]:
        """The keywords of a topic, in the order of their extraction; InputError as in `score_one`."""
        texts = tuple(sentences_of(reference) for reference in references)
        title = getattr(source, "title", "")
        if source is None and len(texts) == 1 and not self.extraction:
            raise InputError(
                "keywords are what two texts share, but there is one reference and no article",
                remedy="Name the sources: --sources FILE on the command line, source=... in Python.",
            )
        wants_article = self.extraction == "TFIDF" or (self.second == "article" and len(texts) == 1)
        article = sentences_of(source) if source is not None and wants_article else ()
        return self._extract(texts, title, article)

    def found(self, keywords: Sequence[Keyword], text: Text) -> list[bool]:
        """Whether a text has each keyword."""
        tokens = self._counted(tuple(sentences_of(text)))
        blank, edge = (" ", "") if self.matching == "substring" else ("\0", "\0")  # an edge: whole tokens
        haystack = f"{edge}{blank.join(tokens)}{edge}"
        return [f"{edge}{blank.join(keyword)}{edge}" in haystack for keyword in keywords]

    @property
    def _stopped(self) -> frozenset[str]:
        if self.stop_words is not None:
            return self.stop_words
        return authors_stop_words() if self.language == ENGLISH else content.stop_words(self.language)

    def ready(self) -> None:
        if self.tokens != STANDARD and not self.tokenizer:
            lemmatizer(self.tokens, self.language)

    def _tokens(self, sentence: str) -> Sequence[str]:
        if self.tokenizer:
            return self.tokenizer(sentence)
        if self.tokens != STANDARD:
            return lemmas(sentence, self.tokens, self.language)
        return content.words(sentence, self.language)

    @lru_cache(maxsize=64)  # an article meets many sets of keywords
    def _counted(self, sentences: tuple[str, ...]) -> list[str]:
        """The tokens of a text that are not stop words."""
        exclusions = self._stopped
        return [token for each in sentences for token in self._tokens(each) if token not in exclusions]

    @lru_cache(maxsize=512)  # the keywords of a topic are the same for all its systems
    def _extract(
        self, references: tuple[tuple[str, ...], ...], title: str, article: tuple[str, ...]
    ) -> tuple[Keyword, ...]:
        sentences = [[self._tokens(sentence) for sentence in reference] for reference in references]
        article_sentences = [self._tokens(sentence) for sentence in article]
        texts = [list(chain.from_iterable(reference)) for reference in sentences]
        second = [*self._tokens(title)]
        if self.second == "article":
            second += chain.from_iterable(article_sentences)
        if second and (len(texts) == 1 or self.second == "title-always"):
            texts.append(second)
        keywords = shared_keywords(texts, self._stopped, longest=self.longest, stop=self.stop)
        if not self.extraction:
            return keywords
        reference_sentences = list(chain.from_iterable(sentences))
        count = self.count or (len(keywords) if len(texts) > 1 else UNGUIDED)
        if self.extraction == "TextRank":
            return textrank_keywords(reference_sentences, count, self._stopped)
        sentences_of_topic = [*reference_sentences, *article_sentences]
        return tfidf_keywords(
            list(chain.from_iterable(reference_sentences)),
            count,
            Counter(chain.from_iterable(sentences_of_topic)),
            DocumentFrequencies.count(sentences_of_topic),
            self._stopped,
        )

    @classmethod
    def describe(cls, name: str) -> str:
        return f"share of the keywords that the summary has: {EXTRACTIONS[name[len('ROUGE-K-') :]]}"
