"""`score`: a table of summaries in, a table of scores out, in one call from Python."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from operator import attrgetter
from os import PathLike
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.io.data_frames import check_frame, no_column
from sera.io.language_models import Answers
from sera.io.records import Candidate, Nugget, RecordColumns, Reference, Section, Source, mark_running_text
from sera.metrics import expand_parts
from sera.metrics.base import Text, check_text, parts_of
from sera.metrics.configure import FamilySettings, Resources, equip, in_language, openers
from sera.metrics.functions import name_function
from sera.metrics.pyramid import Pyramid
from sera.metrics.s3.words import distinct_words
from sera.metrics.scoring import score_columns
from sera.names import check
from sera.retrieval.engines import Engine
from sera.settings import shown
from sera.text.languages import ENGLISH
from sera.vectors.word_vectors import WordVectors
from sera.vectors.word_vectors import read as read_vectors

TEXT_COLUMNS = ("sentences", "summary", "reference", "text")
"""The columns of a data frame that may hold its texts; the first one that is there does."""

SPLIT, AS_GIVEN = "split", "as given"
"""What happens to a text that comes as one string."""

SYSTEM = "summary"
"""The system's name in the table if the summaries are given as texts."""

_NEEDED: dict[type, str] = {
    Candidate: "Give a data frame with the columns topic, system and summary, or a list of texts.",
    Reference: "Give a data frame with the columns topic and reference, or a list of texts.",
    Source: "Give a data frame with the columns topic and text, or a list of texts.",
}
_AUTHOR_COLUMNS: dict[type, str] = {Candidate: "system", Reference: "annotator", Source: "id"}
_TOPIC = attrgetter("topic")
_Record = TypeVar("_Record", Candidate, Reference, Source)


def score(
    candidates: pd.DataFrame | Iterable[Text] | str,
    references: pd.DataFrame | Iterable[Sequence[Text] | Text] | str = (),
    metrics: str | Callable[..., float] | Iterable[str | Callable[..., float]] = "ROUGE-2-F",
    *,
    sources: pd.DataFrame | Iterable[Text] | str = (),
    index: Engine | str | PathLike[str] | None = None,
    nuggets: pd.DataFrame | list[Nugget] | None = None,
    vectors: WordVectors | str | PathLike[str] | None = None,
    settings: FamilySettings | None = None,
    language: str = ENGLISH,
    sentences: str = SPLIT,
    **resources: Any,
) -> pd.DataFrame:
    """Score summaries by metrics; the table has a row per score: topic, system, metric, score.

    >>> import pandas as pd
    >>> summaries = pd.DataFrame({"topic": ["t"], "system": ["s"], "summary": ["the kinase binds p53"]})
    >>> gold = pd.DataFrame({"topic": ["t"], "reference": ["p53 is bound by the kinase"]})
    >>> score(summaries, gold, ["ROUGE-1-F", "ROUGE-2-F"])
      topic system     metric  score
    0     t      s  ROUGE-1-F   0.60
    1     t      s  ROUGE-2-F   0.25

    candidates:  a data frame with the columns topic, system and the text (one of `TEXT_COLUMNS`); records; or
                 texts, whose topics are then 1, 2 and so on, and whose system is `SYSTEM`
    references:  a data frame with the columns topic, the text and, if it is known, annotator; records; or an
                 item per text of the candidates: its reference, a list of its references, or these by
                 annotator, as ``{"A": text}``; nothing if the frame of the candidates has a column
                 references with such an item in each cell, the same in all rows of a topic
    metrics:     names or selectors, as `sera metrics` lists them, where ROUGE-L stands for its P, R and F; or
                 functions of yours, as of `sera.metric_function`; all metrics get the same texts
    sources:     the articles, as references; a topic has one
    index:       of SERA and of others that look up words: what `sera.index` returns, or its folder
    nuggets:     of Pyramid: a data frame with the columns topic, annotator and text, or records
    vectors:     word vectors, or their file
    settings:    by family and name, as ``{"ROUGE": {"stem": True}}``
    language:    of the texts: "en" or "de"
    sentences:   "split": a metric that reads sentences splits a text given as one string at its newlines, or
                 without any by `sera.text.sentences`; "as given": such a text is one sentence
    resources:   others of `sera.metrics.RESOURCES`, as ``model`` and ``frames``

    Records are those of `sera.io.records`. A cell with a string holds a text, a cell with a list its
    sentences. If a score is undefined (NaN) or says little, the table has a column note with the reason. The
    system ``human_A`` is annotator A's own summary and is scored against the other references.

    Raises InputError for a frame without these columns, for a cell that is not a text, for a topic without a
    reference, for a summary that is there twice, and for a metric that is unknown or lacks what it needs.
    """
    if sentences not in (SPLIT, AS_GIVEN):
        raise InputError(f"sentences is {shown(sentences)}", remedy=f'Give "{SPLIT}" or "{AS_GIVEN}".')
    split_in = language if sentences == SPLIT else None
    summaries = _read_records(candidates, "candidates", Candidate, split_in)
    none_given = isinstance(references, tuple) and not references
    topics = len(set(summaries.topics if isinstance(summaries, RecordColumns) else map(_TOPIC, summaries)))
    if isinstance(candidates, pd.DataFrame) and "references" in candidates and none_given:
        gold = _read_column(candidates, split_in)
    else:
        gold = _read_records(references, "references", Reference, split_in, topics)
    articles = _read_records(sources, "sources", Source, split_in, topics)
    if not summaries:
        raise InputError("there is no candidate", remedy=_NEEDED[Candidate])
    listed = [metrics] if isinstance(metrics, str) or callable(metrics) else metrics
    names = expand_parts(name_function(one) if callable(one) else one for one in listed)
    settings = settings or {}
    if not isinstance(settings, Mapping) or not all(isinstance(each, Mapping) for each in settings.values()):
        problem = f"the settings are {shown(settings)}"
        raise InputError(problem, remedy='Give them as {"ROUGE": {"stem": True}}.')
    if isinstance(vectors, str | os.PathLike):
        vectors = read_vectors(vectors, distinct_words([*summaries, *gold, *articles]))
    makers = {
        **openers({"index": index}),
        "nuggets": _nuggets(nuggets),
        "vectors": vectors,
        "answers": Answers,
        **resources,
    }
    chosen = equip(names, in_language(names, settings, language), Resources(**makers))
    return pd.DataFrame(score_columns(chosen, summaries, gold, articles)).astype({"score": float})


def _read_records(
    given: Any, what: str, kind: type[_Record], language: str | None, topics: int = 0
) -> Sequence[_Record]:
    """The records of a frame, of records or of texts.

    ``language`` is that in which a text given as one string is split; None if it is not. InputError also for
    texts whose number is not that of the ``topics``, if this is given.
    """
    if isinstance(given, pd.DataFrame):
        return _read_frame(check_frame(given, what), what, kind, language)
    if not isinstance(given, Iterable) or isinstance(given, Mapping | bytes):
        raise InputError(f"the {what} are {shown(given)}", remedy=_NEEDED[kind])
    items: list[Any] = [given] if isinstance(given, str) else list(given)
    if all(isinstance(item, kind) for item in items):
        return items
    if topics and len(items) != topics:
        problem = f"the {what} are {len(items)}, and the topics of the candidates {topics}"
        raise InputError(problem, remedy="Give an item for each: a text, or a list of references.")
    author = SYSTEM if kind is Candidate else "1"
    rows: list[tuple[str, str, Text]] = []
    for number, item in enumerate(items, 1):
        if isinstance(item, str):
            rows.append((str(number), author, item))
            continue
        where = f"item {number} of the {what}"
        if kind is Reference:
            rows += ((str(number), annotator, text) for annotator, text in _list_references(item, where))
        else:
            check_text(where, item)
            rows.append((str(number), author, item))
    numbers, authors, texts = zip(*rows) if rows else ((), (), ())
    return _make_records(kind, numbers, authors, texts, language)


def _read_frame(
    frame: pd.DataFrame, what: str, kind: type[_Record], language: str | None
) -> Sequence[_Record]:
    named = _AUTHOR_COLUMNS[kind]
    column = next((name for name in TEXT_COLUMNS if name in frame), None)
    for name, there in (
        ("topic", "topic" in frame),
        ("with the text", column is not None),
        (named, kind is not Candidate or named in frame),
    ):
        if not there:
            raise no_column(what, name, frame, _NEEDED[kind])
    topics = _read_names(frame["topic"], what, "topic")
    if named in frame:
        authors = _read_names(frame[named], what, named)
    else:  # the references of a topic are numbered if nobody is named
        authors = (pd.Series(topics, dtype=object).groupby(topics).cumcount() + 1).astype(str).tolist()
    texts = frame[column].tolist()
    for row, text in enumerate(texts, 1):
        if type(text) is not str:
            texts[row - 1] = text = text.tolist() if isinstance(text, np.ndarray) else text
            check_text(f"the text in row {row} of the {what}", text)
    return _make_records(kind, topics, authors, texts, language)


def _read_names(column: pd.Series, what: str, label: str) -> list[str]:
    """The names in a column of a frame; InputError, with the row, for one that is none."""
    values = column.tolist()
    for row, value in enumerate(values, 1):
        if type(value) is str:
            continue
        if isinstance(value, list | tuple | dict | set | np.ndarray):
            problem = f"row {row} of the {what} has the {label} {shown(value)}"
            raise InputError(problem, remedy="Give its name.")
        if pd.isna(value):
            raise InputError(f"row {row} of the {what} has no {label}", remedy="Name it.")
        values[row - 1] = str(value)
    for name in dict.fromkeys(values):
        check(label, name)
    return values


def _read_column(candidates: pd.DataFrame, language: str | None) -> Sequence[Reference]:
    """The references in the column references; InputError for two rows of a topic that differ in them."""
    first: dict[str, tuple[Any, str, list[tuple[str, Text]]]] = {}
    columns = (candidates[name] for name in ("topic", "system", "references"))
    for row, (topic, system, cell) in enumerate(zip(*columns, strict=True), 1):
        topic = str(topic)
        if topic in first and cell is first[topic][0]:
            continue
        what = f"the references in row {row} of the candidates"
        is_missing = pd.api.types.is_scalar(cell) and pd.isna(cell)
        items = [] if is_missing else list(_list_references(cell, what))
        _, other, others = first.setdefault(topic, (cell, system, items))
        if items != others:
            problem = f"topic {topic!r} has other references with the system {system} than with {other}"
            remedy = "Give all rows of a topic the same references in one order, or name the topics apart."
            raise InputError(problem, remedy=remedy)
    rows = [(topic, *item) for topic, (*_, items) in first.items() for item in items]
    topics, authors, texts = zip(*rows) if rows else ((), (), ())
    return _make_records(Reference, topics, authors, texts, language)


def _list_references(given: Any, what: str) -> Iterator[tuple[str, Text]]:
    """Each reference of a topic with its annotator: of one text, of several, or of texts by annotator."""
    if isinstance(given, np.ndarray | pd.Series):
        given = given.tolist()
    several = True
    named: list[tuple[Any, Any]] = [(1, given)]
    if isinstance(given, list | tuple):
        named = list(enumerate(given, 1))
    elif isinstance(given, Mapping):
        named = sorted(given.items(), key=str)
    elif isinstance(given, Set):  # in an order that does not change
        named = list(enumerate(sorted(given, key=str), 1))
    else:
        several = False
    for annotator, text in named:
        check_text(f"text {annotator} of {what}" if several else what, text)
        yield check("annotator", str(annotator)), text if isinstance(text, str) else parts_of(text)


def _make_records(
    kind: type[_Record],
    topics: Sequence[str],
    authors: Sequence[str],
    texts: Sequence[Text],
    language: str | None,
) -> RecordColumns[_Record]:
    def make(topic: str, author: str, text: Text) -> Any:
        sentences = mark_running_text(text, language) if isinstance(text, str) else parts_of(text)
        if kind is Source:
            return Source(topic, author, sections=(Section("", sentences),))
        return (Candidate if kind is Candidate else Reference)(topic, author, sentences)

    return RecordColumns(make, topics, authors, texts)


def _nuggets(nuggets: Any) -> Any:
    if nuggets is None:
        return None
    if isinstance(nuggets, pd.DataFrame):
        columns = ["topic", "annotator", "text"]
        if missing := [name for name in columns if name not in nuggets]:
            remedy = "Name the columns topic, annotator and text."
            raise no_column("nuggets", missing[0], nuggets, remedy)
        rows = nuggets[columns].itertuples(index=False)
        nuggets = [Nugget(str(topic), str(annotator), text) for topic, annotator, text in rows]
    if not isinstance(nuggets, list) or not all(isinstance(each, Nugget) for each in nuggets):
        problem = f"the nuggets are {shown(nuggets)}"
        raise InputError(problem, remedy="Give a data frame of topic, annotator and text.")
    return Pyramid.from_records(nuggets)
