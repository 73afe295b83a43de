"""What splits texts into words: as in rouge_score.tokenizers."""

from abc import ABC, abstractmethod

from sera.metrics.rouge import tokens
from sera.metrics.rouge.preparation import stem_as_rouge_score


class Tokenizer(ABC):
    @abstractmethod
    def tokenize(self, text):
        """The tokens of a text."""


class DefaultTokenizer(Tokenizer):
    """The words of ASCII letters and digits in lower case, stemmed by NLTK's Porter stemmer if wanted."""

    def __init__(self, use_stemmer: bool = False) -> None:
        self._use_stemmer = use_stemmer

    def tokenize(self, text: str | bytes) -> list[str]:
        # by Unicode's rules, so the Kelvin sign becomes k
        encoded = text if isinstance(text, bytes) else text.lower().encode("ascii", "replace")
        words = b" ".join(tokens.tokenize(encoded)).decode("ascii").split()
        return list(map(stem_as_rouge_score, words)) if self._use_stemmer else words
