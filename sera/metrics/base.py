"""A metric: a value that scores one summary, and that prints as the text that selects it."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Protocol

from sera.errors import InputError
from sera.settings import Setting, check_declared, declared, shown, written


class HasSentences(Protocol):
    """A record that holds a text, such as `sera.records.Candidate` or `sera.records.Reference`."""

    @property
    def sentences(self) -> tuple[str, ...]: ...


Text = str | Sequence[str] | HasSentences
"""One summary: a record, its sentences, or one string, which is taken as one sentence."""


def sentences_of(text: Text) -> tuple[str, ...]:
    """The sentences of a summary in whichever of the three forms it is given."""
    if isinstance(text, str):
        return (text,)
    sentences: Any = getattr(text, "sentences", text)
    return tuple(sentences)


_NO_TEXT = (dict, set, frozenset, bytes, bytearray)  # iterable, but in no order, or of no sentences


def check_text(what: str, text: Any) -> None:
    """InputError for what is no `Text`; a sentence may be any string that can be written as UTF-8."""
    sentences = [text] if isinstance(text, str) else getattr(text, "sentences", text)
    if isinstance(sentences, _NO_TEXT) or not isinstance(sentences, Iterable):
        raise InputError(f"{what} is {shown(text)}", remedy=_EXPECTED)
    for number, sentence in enumerate(sentences, 1):
        if not isinstance(sentence, str):
            raise InputError(f"sentence {number} of {what} is {shown(sentence)}", remedy=_EXPECTED)
        if _HALF.search(sentence):
            raise InputError(f"sentence {number} of {what} has half a character in it (a lone surrogate)")


def _listed(references: Any) -> list[Text]:
    try:
        if not isinstance(references, _NO_TEXT):
            return list(references)
    except TypeError:
        pass
    raise InputError(f"the references are {shown(references)}", remedy="Give a list of texts.")


_HALF = re.compile("[\ud800-\udfff]")
_EXPECTED = "Give a record, a list of sentences, or one string."


class Metric(ABC):
    """A metric with its parameters fixed.

    A subclass is one family (one file); it is a frozen dataclass of the family's parameters, so two
    metrics with the same parameters are equal and a metric may be a key of a dictionary.
    """

    citation: ClassVar[str]
    """Where the metric was proposed."""

    needs_references: ClassVar[bool] = True
    needs_source: ClassVar[bool] = False

    falling: ClassVar[bool] = False
    """Whether lower scores are better, as with a divergence."""

    resource_settings: ClassVar[tuple[Setting, ...]] = ()
    """Settings of the family that belong to a resource, such as the search of SERA's rankings."""

    def __post_init__(self) -> None:
        check_declared(self)

    @classmethod
    def settings(cls) -> tuple[Setting, ...]:
        """The settings of the family: those that its fields declare, and those of its resources."""
        return (*declared(cls), *cls.resource_settings)

    def has(self, setting: str) -> bool:
        """Whether a setting of the family is one of this metric's; a metric's name may fix one."""
        return True

    @property
    @abstractmethod
    def name(self) -> str:
        """The canonical name, such as ``ROUGE-2-F``; it selects the metric with its default settings."""

    @property
    def selector(self) -> str:
        """The text that selects the metric: its name, and its settings that are not the defaults.

        ``ROUGE-2-F(stem=true)``. It has no resources, and nothing that only Python can give, as a tokenizer.
        """
        own = {each.name: getattr(self, each.name) for each in declared(type(self)) if self.has(each.name)}
        plain = self.parse(self.name)
        changed = {name: value for name, value in own.items() if value != getattr(plain, name)}
        for name in list(changed):  # one setting may imply another
            rest = {other: value for other, value in changed.items() if other != name}
            try:
                implied = getattr(self.parse(self.name, **rest), name)
            except InputError:
                continue
            if implied == own[name]:
                del changed[name]
        for each in self.resource_settings:
            resource = getattr(self, each.of)
            value = getattr(resource, "settings", {}).get(each.name, each.default)
            if self.has(each.name) and value != each.default:
                changed[each.name] = value
        settings = ",".join(f"{name}={written(value)}" for name, value in changed.items())
        return f"{self.name}({settings})" if settings else self.name

    @property
    @abstractmethod
    def signature(self) -> str:
        """The name and every setting that a score depends on, as ``key:value`` joined by ``|``."""

    def score(self, candidate: Text, references: Sequence[Text] = (), source: Text | None = None) -> float:
        """The score of one candidate against the references of its topic, or the article it summarises.

        A bare string is taken as the one reference. Raises InputError where what the metric needs of the
        two is not there, and for what is no text.
        """
        if isinstance(references, str):
            references = [references]
        else:
            references = _listed(references)
        if isinstance(candidate, _NO_TEXT):
            check_text("the candidate", candidate)
        if self.needs_references and not references:
            raise InputError("there is no reference to score against", remedy="Give at least one.")
        if self.needs_source and source is None:
            raise InputError(
                f"{self.name} compares with the article that is summarised, and none is given",
                remedy="Name it: --sources FILE on the command line, source=... in Python.",
            )
        try:
            return self.score_together([self], candidate, references, source)[0]
        except InputError:
            raise
        except (TypeError, AttributeError, ValueError):
            # looked at only now, since to look at every sentence takes longer than to score some
            check_text("the candidate", candidate)
            for number, reference in enumerate(references, 1):
                check_text(f"reference {number}", reference)
            if source is not None:
                check_text("the source", source)
            raise

    def ready(self) -> None:
        """InputError if the metric lacks what it needs besides texts, such as an index or word vectors."""

    def with_one_left_out(self) -> Metric:
        """This metric for references that already lack one, so that it leaves out none itself."""
        return self

    @classmethod
    @abstractmethod
    def score_together(
        cls,
        metrics: Sequence[Metric],
        candidate: Text,
        references: Sequence[Text],
        source: Text | None = None,
    ) -> list[float]:
        """The scores of one candidate by several metrics of this family, in the order given.

        A family whose members share work does that work once here. What the family needs of references
        and source is there.
        """

    @classmethod
    @abstractmethod
    def parse(cls, name: str, **settings: Any) -> Metric:
        """The metric that a canonical name selects; raises ValueError for what is no such name."""

    @classmethod
    @abstractmethod
    def names(cls) -> list[str]:
        """The canonical names that the catalogue lists; families with numbers accept more."""

    @classmethod
    @abstractmethod
    def describe(cls, name: str) -> str:
        """One line that says what the named metric measures."""

    def __str__(self) -> str:
        return self.selector


def signature(name: str, **settings: Any) -> str:
    """A signature's text; True and False read ``yes`` and ``no``."""
    from sera import __version__

    words = {"True": "yes", "False": "no", "None": "none"}
    values = {key: words.get(str(value), str(value)) for key, value in settings.items()}
    return "|".join([name, *(f"{key}:{value}" for key, value in values.items()), f"sera:{__version__}"])
