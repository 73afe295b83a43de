"""A metric: a value that scores summaries, and that prints as the text that selects it."""

from __future__ import annotations

import re
import warnings
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from sera.errors import InputError
from sera.io.records import RecordColumns, RunningText, has_only_other_letters, mark_running_text
from sera.settings import Setting, check_declared, declared, shown, written
from sera.text.languages import ENGLISH, sign_language
from sera.text.sentences import split


class HasSentences(Protocol):
    """A record that holds a text, such as `sera.io.records.Candidate` or `sera.io.records.Reference`."""

    @property
    def sentences(self) -> Sequence[str]: ...


Text = str | Sequence[str] | HasSentences
"""One summary: a `Summary` or another record, a string, which is split into sentences, or its sentences.

`Metric.score` refuses a candidate in a list, which may as well be several summaries.
"""

Row = tuple[Text, Sequence[Text], Text | None]
"""A candidate, its references, and the article if there is one."""


@dataclass(frozen=True, eq=False)
class Rows(Sequence[Row]):
    """Rows of tables: each is made when it is read, and those of a set share its list of references.

    Set s has the references at the places ``members[begins[s] : begins[s + 1]]``, and the rows from
    ``firsts[s]`` to ``firsts[s + 1]``, whose candidates are at the places ``chosen``. The ``articles`` are by
    topic.
    """

    candidates: RecordColumns[Any]
    references: RecordColumns[Any]
    chosen: np.ndarray
    firsts: np.ndarray
    members: np.ndarray
    begins: np.ndarray
    articles: Mapping[str, Any]

    def __len__(self) -> int:
        return len(self.chosen)

    def __iter__(self) -> Iterator[Row]:
        chosen = self.chosen.tolist()
        for number, places in enumerate(np.split(self.members, self.begins[1:-1])):
            references = [self.references[place] for place in places.tolist()]
            for place in chosen[self.firsts[number] : self.firsts[number + 1]]:
                candidate = self.candidates[place]
                yield candidate, references, self.articles.get(candidate.topic)

    def __getitem__(self, row: Any) -> Any:
        if not isinstance(row, slice):
            return next(iter(self[range(len(self))[row] :]))
        begin, end, _ = row.indices(len(self))
        last = np.searchsorted(self.firsts, end, "left")
        sets = slice(np.searchsorted(self.firsts, begin, "right") - 1, last + 1)
        firsts, begins = np.clip(self.firsts[sets], begin, end) - begin, self.begins[sets]
        members = self.members[begins[0] : begins[-1]]
        texts = self.candidates, self.references, self.chosen[begin:end]
        return Rows(*texts, firsts, members, begins - begins[0], self.articles)


_Texts = Sequence[Sequence[str]]


def group_texts(rows: Sequence[Row]) -> tuple[_Texts, _Texts, np.ndarray, np.ndarray]:
    """The parts (`parts_of`) of references and candidates, and where each set of `Rows` begins in them.

    Neighbours that have the same list of references are a set.
    """
    if isinstance(rows, Rows):
        references = rows.references.list_parts(rows.members.tolist())
        return references, rows.candidates.list_parts(rows.chosen.tolist()), rows.begins, rows.firsts
    references, begins, firsts = [], [0], [0]
    before: Sequence[Text] | None = None
    for number, (_, own, _) in enumerate(rows):
        if own is not before:
            before = own
            references += map(parts_of, own)
            begins.append(len(references))
            firsts.append(number)
    candidates = [parts_of(candidate) for candidate, _, _ in rows]
    return references, candidates, np.array(begins), np.array([*firsts[1:], len(rows)])


@dataclass(frozen=True)
class Summary:
    """One summary or reference by its sentences: ``Summary(["Cells divide.", "They grow."])``.

    Raises InputError for anything but a list of strings.
    """

    sentences: Sequence[str]
    """A tuple, whatever is given."""

    def __post_init__(self) -> None:
        if isinstance(self.sentences, str):
            problem = f"the sentences of a summary are one string, {shown(self.sentences)}"
            raise InputError(problem, remedy="Give a list of strings: Summary([sentence, sentence]).")
        check_text("the summary", self.sentences)
        object.__setattr__(self, "sentences", tuple(self.sentences))


class Caution(UserWarning):
    """A warning that a score is valid but says little, such as SERA's from a very small index."""


NO_WORD = (
    "no word: the {} no ASCII letter or digit, and no others count. Give ROUGE the tokenizer unicode, or "
    "characters for Chinese and Japanese"
)
"""The note on a score of what has no word that counts: "summary has", "references have"."""


def sentences_of(text: Text) -> tuple[str, ...]:
    """The sentences of a text; one that came as one string is split here (`sera.text.sentences.split`)."""
    given = parts_of(text)
    return split(given[0], given.language) if isinstance(given, RunningText) else given


def name_wordless(candidate: Text, references: Iterable[Text]) -> str:
    """What has letters and none of ASCII, "summary has" or else "references have"; empty if neither."""
    if has_only_other_letters(parts_of(candidate)):
        return "summary has"
    is_wordless = False
    for reference in references:
        if not (is_wordless := has_only_other_letters(parts_of(reference))):
            break
    return "references have" if is_wordless else ""


def parts_of(text: Text) -> tuple[str, ...]:
    """The sentences of a text, or the one string as which it came: for metrics that read no sentences."""
    sentences: Any = getattr(text, "sentences", text)
    if isinstance(sentences, tuple):
        return sentences
    if isinstance(text, str):
        return (text,)
    if isinstance(sentences, str):  # each letter would be a sentence
        problem = f"the sentences of a record are {shown(sentences)}"
        raise InputError(problem, remedy="Give a list of strings.")
    return tuple(sentences)


def check_text(what: str, text: Any) -> None:
    """InputError for what is not a `Text`."""
    if isinstance(text, str):
        return
    sentences = getattr(text, "sentences", text)
    if not _is_list(sentences) or isinstance(sentences, Iterator):  # it could be read only once
        raise InputError(f"{what} is {shown(text)}", remedy=_EXPECTED)
    for number, sentence in enumerate(sentences, 1):
        if not isinstance(sentence, str):
            raise InputError(f"sentence {number} of {what} is {shown(sentence)}", remedy=_EXPECTED)


def _is_one(text: Any) -> bool:
    """Whether the type alone says that this is one text."""
    return isinstance(text, str | RunningText) or hasattr(text, "sentences")


def _is_list(texts: Any) -> bool:
    if isinstance(texts, list | tuple):  # most are, and the next line takes a microsecond
        return True
    return isinstance(texts, Iterable) and not isinstance(texts, str | bytes | Mapping | Set)


def _read_list(what: str, texts: Any) -> list[Any]:
    if _is_one(texts) or not _is_list(texts):
        raise InputError(f"the {what} are {shown(texts)}, which is not a list", remedy=_SHAPES)
    return list(texts)


_EXPECTED = "Give one string, a Summary(sentences), or a record."
_SHAPES = (
    "Write score(Summary([sentence, sentence]), [reference, reference]) for one summary, and "
    "score_all([candidate, candidate], [[reference], [reference]]) for several."
)


def make_rows(
    metrics: Sequence[Metric],
    candidates: Iterable[Text],
    references: Iterable[Sequence[Text] | Text] | None,
    sources: Iterable[Text] | None,
) -> list[Row]:
    """What is to be scored by all of the metrics; arguments and errors as of `Metric.score_all`."""
    texts = [  # in a list of candidates, a list can only be the sentences of one
        Summary(tuple(text)) if isinstance(text, list | tuple) and not _is_one(text) else text
        for text in _read_list("candidates", candidates)
    ]
    gold, articles = [()] * len(texts), [None] * len(texts)
    if references is not None or any(metric.needs_references for metric in metrics):
        gold = _read_list("references", references)
    if sources is not None:
        articles = _read_list("sources", sources)
    if not len(texts) == len(gold) == len(articles):
        problem = f"there are {len(texts)} candidates, references of {len(gold)} and {len(articles)} sources"
        raise InputError(problem, remedy=_SHAPES)
    rows = []
    for number, row in enumerate(zip(texts, gold, articles), 1):
        try:
            rows.append(make_row(metrics, *row))
        except InputError as error:
            raise InputError(f"candidate {number}: {error.problem}", remedy=error.remedy) from None
    return rows


def make_row(metrics: Sequence[Metric], candidate: Any, references: Any, source: Any) -> Row:
    """A row of `make_rows`; InputError where what one of the metrics needs is not there."""
    if not _is_one(candidate):
        raise InputError(f"the candidate is {shown(candidate)}", remedy=_SHAPES)
    references = [references] if _is_one(references) else _read_list("references", references)
    if not references and any(metric.needs_references for metric in metrics):
        raise InputError("there is no reference to score against", remedy="Give at least one.")
    needing = next((metric.name for metric in metrics if metric.needs_source), "")
    if needing and source is None:
        raise InputError(
            f"{needing} compares with the article that is summarised, and none is given",
            remedy="Name it: --sources FILE on the command line, source=... in Python.",
        )
    language = getattr(metrics[0], "language", ENGLISH)

    def enter(text: Text) -> Text:
        return mark_running_text(text, language) if isinstance(text, str) else text

    return enter(candidate), list(map(enter, references)), source and enter(source)


@contextmanager
def checking(rows: Sequence[Row]) -> Iterator[None]:
    """A context that scores the rows: its error is an InputError if one of them holds what is not a text."""
    try:
        yield
    except (TypeError, AttributeError, ValueError):
        # looked at only now, since to look at every sentence takes longer than to score some
        for candidate, references, source in rows:
            check_text("the candidate", candidate)
            for number, reference in enumerate(references, 1):
                check_text(f"reference {number}", reference)
            check_text("the source", source or ())
        raise


@dataclass(frozen=True)
class Metric(ABC):
    """A metric with its parameters fixed.

    A subclass is one family (one file); it is a frozen dataclass of the family's parameters, so two
    metrics with the same parameters are equal and a metric may be a key of a dictionary.
    """

    citation: ClassVar[str]
    """Where the metric was proposed."""

    pattern: ClassVar[str]
    """A regular expression of the family's names; its named groups are fields, a number where it has digits.

    A family whose names are not of this form overrides `parse` and `name`.
    """

    listed: ClassVar[tuple[str, ...]]
    """The canonical names that the catalogue lists; families with numbers accept more."""

    measures: ClassVar[str]
    """What a metric of the family measures, in one line: its fields in braces, and {grams} and {measure}."""

    needs_references: ClassVar[bool] = True
    needs_source: ClassVar[bool] = False

    falling: ClassVar[bool] = False
    """Whether lower scores are better, as with a divergence."""

    undefined: ClassVar[str] = ""
    """Why a score of the family can be undefined, as a clause; empty if it never is."""

    resource_settings: ClassVar[tuple[Setting, ...]] = ()
    """Settings of the family that belong to a resource, such as the search of SERA's rankings."""

    needed: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """The resources without which there are no scores; for each, what is wrong without it, and the remedy."""

    def __post_init__(self) -> None:
        """Check the settings and, if the family has a pattern, the name."""
        check_declared(self)
        if hasattr(self, "pattern") and not re.fullmatch(self.pattern, self.name):
            raise InputError(f"there is no metric {self.name}", remedy="`sera metrics` lists them.")

    @classmethod
    def settings(cls) -> tuple[Setting, ...]:
        """The settings of the family: those that its fields declare, and those of its resources."""
        return (*declared(cls), *cls.resource_settings)

    @classmethod
    def reads(cls, name: str, language: str, settings: Mapping[str, Any] | None = None) -> bool:
        """Whether the metric of a name reads texts of a language, with these settings of its family."""
        return language == ENGLISH or any(each.name == "language" for each in cls.settings())

    @classmethod
    def has(cls, name: str, setting: str) -> bool:
        """Whether a setting of the family is one of the metric of a name; a name may fix one."""
        return True

    @property
    def name(self) -> str:
        """The canonical name, such as ``ROUGE-2-F``; it selects the metric with its default settings."""
        fields = re.sub(r"\(\?P<(\w+)>[^()]*\)", lambda group: str(getattr(self, group[1])), self.pattern)
        return fields.replace("\\", "")

    @property
    def selector(self) -> str:
        """The text that selects the metric: its name, and its settings that are not the defaults.

        ``ROUGE-2-F(stem=true)``. It has no resources, and nothing that only Python can give, as a tokenizer.
        """
        known = [each for each in declared(type(self)) if self.has(self.name, each.name)]
        known = [each for each in known if not callable(getattr(self, each.name))]
        own = {each.name: getattr(self, each.name) for each in known}
        changes = {each.name: own[each.name] for each in known if own[each.name] != each.default}
        for name in list(changes):  # the name or another setting may imply one
            rest = {other: value for other, value in changes.items() if other != name}
            try:
                implied = getattr(self.parse(self.name, **rest), name)
            except InputError:
                continue
            if implied == own[name]:
                del changes[name]
        for each in self.resource_settings:
            resource = getattr(self, each.of)
            value = getattr(resource, "settings", {}).get(each.name, each.default)
            if self.has(self.name, each.name) and value != each.default:
                changes[each.name] = value
        settings = ",".join(f"{name}={written(value)}" for name, value in changes.items())
        return f"{self.name}({settings})" if settings else self.name

    @property
    @abstractmethod
    def signature(self) -> str:
        """The name and every setting that a score depends on, as ``key:value`` joined by ``|``."""

    def sign_texts(self) -> dict[str, str]:
        """The part of a signature on texts: their language, if not English."""
        return sign_language(getattr(self, "language", ENGLISH))

    def score(self, candidate: Text, references: Sequence[Text] = (), source: Text | None = None) -> float:
        """The score of one candidate against the references of its topic, or the article it summarises.

        A candidate in sentences is a `Summary` or another record; a string is split by a metric that reads
        sentences, and ``Summary([string])`` is not. `score_all` scores several candidates. In
        ``references``, each item is one reference; a list in it holds the sentences of one. A bare string or
        record is taken as the one reference.

        Raises InputError where what the metric needs of the two is not there, for what is not a text, and for
        a candidate in a list, which may be sentences or several texts. Warns with `Caution` where there is a
        `caution`, and where a score is 0 since a text has no word that counts.
        """
        rows = [make_row([self], candidate, references, source)]
        (score,) = self._scores(rows)
        self.warn(self.count_wordless(rows))
        return score

    def score_all(
        self,
        candidates: Iterable[Text],
        references: Iterable[Sequence[Text] | Text] | None = None,
        sources: Iterable[Text] | None = None,
    ) -> list[float]:
        """The scores of several candidates, in their order.

        ``references`` has an item per candidate: its references in a list, or its one reference as a string
        or record. ``sources`` has an item per candidate too, its article. A list among ``candidates``, or
        in the list of a candidate's references, holds the sentences of one text.

        Raises InputError as `score` does, and for lists that differ in length. Warns with `Caution` as
        `score` does.
        """
        rows = make_rows([self], candidates, references, sources)
        scores = self._scores(rows)
        self.warn(self.count_wordless(rows))
        return scores

    @property
    def caution(self) -> str:
        """Why the scores so far say little, a sentence without its full stop; empty if nothing is known."""
        return ""

    def warn(self, notes: Mapping[str, int] = MappingProxyType({})) -> None:
        """Warn with `Caution` where there is a `caution`, and of each note with the number of its scores."""
        if caution := self.caution:
            warnings.warn(f"{self.name}: {caution}.", Caution, stacklevel=3)
        for note, count in notes.items():
            number = f" ({count} scores)" if count > 1 else ""
            warnings.warn(f"{self.name}{number}: {note}.", Caution, stacklevel=3)

    def count_wordless(self, rows: Sequence[Row]) -> Counter[str]:
        """How many scores there are of a summary, or of references, without a word that counts, by note."""
        texts = rows if self.counts_ascii_alone else ()
        wordless = (name_wordless(candidate, references) for candidate, references, _ in texts)
        return Counter(NO_WORD.format(what) for what in wordless if what)

    def _scores(self, rows: Sequence[Row]) -> list[float]:
        with checking(rows):
            return [float(score) for (score,) in self.score_rows([self], rows)]

    def explain_undefined(self, candidate: Text) -> str:
        """Why the score of this candidate is undefined, as a clause."""
        return self.undefined or "the texts are too short"

    def ready(self) -> None:
        """InputError if the metric lacks what it needs besides texts, such as an index or word vectors."""
        for resource, (problem, remedy) in self.needed.items():
            if getattr(self, resource) is None:
                raise InputError(f"{self.name} {problem}", remedy=remedy)

    @property
    def made_of(self) -> tuple[Metric, ...]:
        """The metrics of other families by which this one scores, as its settings name them.

        It needs what they need.
        """
        return ()

    @property
    def counts_ascii_alone(self) -> bool:
        """Whether only ASCII letters and digits count, so that texts in other scripts have no word."""
        return any(each.counts_ascii_alone for each in self.made_of)

    def with_one_left_out(self) -> Metric:
        """This metric for references that already lack one, so that it leaves out none itself."""
        return self

    def score_one(self, candidate: Text, references: Sequence[Text], source: Text | None = None) -> float:
        """The score of one candidate; what the family needs of references and source is there."""
        raise NotImplementedError

    @classmethod
    def score_together(
        cls, metrics: Sequence[Any], candidate: Text, references: Sequence[Text], source: Text | None = None
    ) -> list[float]:
        """The scores of one candidate by several metrics of this family, in the order given.

        A family whose members share work overrides it and does that work once; any other has `score_one`.
        """
        return [metric.score_one(candidate, references, source) for metric in metrics]

    @classmethod
    def score_rows(cls, metrics: Sequence[Metric], rows: Sequence[Row]) -> Iterable[Sequence[float]]:
        """The scores of many candidates, each as `score_together` gives them.

        A family that can score many texts at once overrides it.
        """
        return [cls.score_together(metrics, *row) for row in rows]

    @classmethod
    def parse(cls, name: str, **settings: Any) -> Self:
        """The metric that a canonical name selects; raises ValueError for any other name."""
        match = re.fullmatch(cls.pattern, name)
        if not match:
            raise ValueError(name)
        texts = {field: text for field, text in match.groupdict().items() if text is not None}
        values: dict[str, Any] = {
            field: int(text) if text.isdecimal() else text for field, text in texts.items()
        }
        return cls(**values, **settings)

    @classmethod
    def names(cls) -> list[str]:
        """The names in `listed`; a family whose list depends on settings of a study overrides it."""
        return list(cls.listed)

    @classmethod
    def describe(cls, name: str) -> str:
        """One line that says what the named metric measures, by `measures`."""
        one = vars(cls.parse(name))
        n, part = one.get("n"), one.get("part")
        grams = "unigrams" if n == 1 else f"{n}-grams"
        measure = {"P": "precision", "R": "recall", "F": "F1"}.get(str(part))
        return cls.measures.format(**{"grams": grams, "measure": measure, **one})

    def __str__(self) -> str:
        return self.selector


def signature(name: str, **settings: Any) -> str:
    """A signature's text; True and False read ``yes`` and ``no``."""
    from sera import __version__

    words = {"True": "yes", "False": "no", "None": "none"}
    values = {key: words.get(str(value), str(value)) for key, value in settings.items()}
    return "|".join([name, *(f"{key}:{value}" for key, value in values.items()), f"sera:{__version__}"])
