"""A spaCy of two models: `made`, of German, and `blank`, which has neither lemmas nor noun chunks."""

import re
import sys
from types import SimpleNamespace as Namespace

import pytest

from sera.text.spacy_models import lemmas, lemmatizer, spacy_model


class Text:
    """A text whose noun chunks stand between bars."""

    def __init__(self, text: str, parsed: bool) -> None:
        self._text, self._parsed = text, parsed

    @property
    def noun_chunks(self) -> list[Namespace]:
        if not self._parsed:
            raise ValueError("[E029] noun_chunks requires the dependency parse")
        return [Namespace(text=part) for part in self._text.split("|")[1::2]]


class Model:
    """The lemma of a word lacks its last s."""

    Defaults = Namespace(infixes=["(?:-|~)", "/"])

    def __init__(self, lang: str, parsed: bool) -> None:
        self.lang, self._parsed = lang, parsed
        self.tokenizer = Namespace(infix_finditer=re.compile("-|~|/").finditer)

    def __call__(self, text):
        for word in text.replace(".", " .").split():
            ends = [end for hit in self.tokenizer.infix_finditer(word) for end in hit.span()]
            for start, end in zip([0, *ends], [*ends, len(word)]):
                yield Namespace(lemma_=word[start:end].removesuffix("s") if self._parsed else "")

    def pipe(self, texts):
        return (Text(text, self._parsed) for text in texts)


def load(name: str, disable) -> Model:
    if name not in ("made", "blank"):
        raise OSError(f"[E050] no model {name}")
    return Model("de", parsed=True) if name == "made" else Model("en", parsed=False)


@pytest.fixture
def spacy(monkeypatch):
    util = Namespace(compile_infix_regex=lambda infixes: re.compile("|".join(infixes)))
    modules = {"": Namespace(load=load), ".lang": Namespace(), ".util": util}
    for name, module in (modules | {".lang.char_classes": Namespace(HYPHENS="-|~")}).items():
        monkeypatch.setitem(sys.modules, f"spacy{name}", module)
    yield
    for each in (spacy_model, lemmatizer, lemmas):
        each.cache_clear()
