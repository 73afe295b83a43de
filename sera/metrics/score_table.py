"""`score` and `score_batch`: a table of summaries in, a table of scores out, in one call from Python."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, repeat
from os import PathLike
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from sera.errors import InputError
from sera.io.data_frames import as_pandas, cells_of, columns_of, library_of
from sera.io.records import Candidate, Nugget, Reference, Section, Source, of_line
from sera.metrics import metric
from sera.metrics.base import HasSentences, Metric, Summary, Text, check_text, sentences_of
from sera.metrics.configure import FamilySettings, Resources, equip, in_language
from sera.metrics.notes import with_notes
from sera.metrics.scoring import labels_of, scores_of, several
from sera.metrics.scoring import score as score_records
from sera.names import check
from sera.registry import listed
from sera.retrieval.engines import ENGINES, Engine
from sera.settings import shown
from sera.text.languages import ENGLISH
from sera.vectors.word_vectors import WordVectors

TEXT_COLUMNS = ("sentences", "summary", "reference", "text")
"""The columns of a data frame that may hold its texts; the first one that is there does."""

SYSTEM = "summary"
"""The system's name in the table if the summaries are given as texts."""

_REMEDY = "Give a data frame with the columns {}, or a list of texts."
_Record = TypeVar("_Record", Candidate, Reference, Source)
_Frame = TypeVar("_Frame")
_Fields = Mapping[str, Any]


def score(
    candidates: pd.DataFrame | Iterable[Text | _Fields] | str,
    references: pd.DataFrame | Iterable[Sequence[Text] | Text | _Fields] | str = (),
    metrics: str | Iterable[str] = "ROUGE-2-F",
    *,
    sources: pd.DataFrame | Iterable[Text | _Fields] | str = (),
    index: Engine | str | PathLike[str] | None = None,
    nuggets: pd.DataFrame | Iterable[Nugget | _Fields] | None = None,
    vectors: WordVectors | str | PathLike[str] | None = None,
    settings: FamilySettings | None = None,
    language: str = ENGLISH,
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
                 item per text of the candidates, its reference or a list of its references
    metrics:     names or selectors, as `sera metrics` lists them; all metrics get the same texts
    sources:     the articles, as references; a topic has one
    index:       of SERA and of others that look up words: what `sera.index` returns, or its folder
    nuggets:     of Pyramid: a data frame with the columns topic, annotator and text, or records
    vectors:     word vectors, or their file
    settings:    by family and name, as ``{"ROUGE": {"stem": True}}``
    language:    of the texts: "en" or "de"
    resources:   others of `sera.metrics.configure.RESOURCES`, as ``model`` and ``frames``

    A record may be a dictionary that equals a line of its JSONL file (`sera.io.records`). A data frame may be
    one of polars, or a table of pyarrow; the result is one of pandas. A cell with a string holds one
    sentence, a cell with a list the sentences. If a score is undefined (NaN) or says little, the table has a
    column note with the reason. The system ``human_A`` is annotator A's own summary and is scored against the
    other references.

    Raises InputError for a frame without these columns, for a cell that is no text, for a topic without a
    reference, for a summary that stands twice, and for a metric that is unknown or lacks what it needs.
    """
    summaries, gold, articles = _records(candidates, references, sources)
    if not summaries:
        raise InputError("there is no candidate", remedy=_REMEDY.format("topic, system and summary"))
    names = several(metrics)
    settings = settings or {}
    if not isinstance(settings, Mapping) or not all(isinstance(each, Mapping) for each in settings.values()):
        raise InputError(
            f"the settings are {shown(settings)}", remedy='Give them as {"ROUGE": {"stem": True}}.'
        )
    given = {
        "rankings": _rankings(index),
        "collection": _collection(index),
        "nuggets": _nuggets(nuggets),
        "vectors": _vectors(vectors, [*summaries, *gold, *articles]),
        **resources,
    }
    chosen = equip(names, in_language(names, settings, language), Resources(**given))
    return with_notes(score_records(chosen, summaries, gold, articles), chosen, articles)


def _records(
    candidates: Any, references: Any, sources: Any
) -> tuple[list[Candidate], list[Reference], list[Source]]:
    return (
        _of(candidates, "candidates", Candidate, ("system",)),
        _of(references, "references", Reference, ("annotator",)),
        _of(sources, "sources", Source, ("id",)),
    )


def _of(given: Any, what: str, kind: type[_Record], named: tuple[str]) -> list[_Record]:
    """The records of a frame, of records or of texts."""
    given = as_pandas(given, what)
    if isinstance(given, pd.DataFrame):
        return list(_of_frame(given, what, kind, named[0]))
    if isinstance(given, str) or not isinstance(given, Iterable) or isinstance(given, Mapping | bytes):
        if not isinstance(given, str):
            raise InputError(f"the {what} are {shown(given)}", remedy=_needed(kind, named[0]))
        given = [given]
    items = _items(given, what, kind)
    if items and all(isinstance(item, kind) for item in items):
        return items
    return list(_of_texts(items, what, kind))


def _items(given: Iterable[Any], what: str, kind: type) -> list[Any]:
    """The items of a list, each dictionary as a record of the kind."""
    return [
        of_line(item, kind, f"item {number} of the {what}") if isinstance(item, Mapping) else item
        for number, item in enumerate(given, 1)
    ]


def _of_texts(items: list[Any], what: str, kind: type[_Record]) -> Iterator[_Record]:
    for number, item in enumerate(items, 1):
        topic = str(number)
        several = kind is Reference and isinstance(item, list | tuple)
        for annotator, text in enumerate(item if several else [item], 1):
            check_text(f"item {number} of the {what}", text)
            yield _made(kind, topic, SYSTEM if kind is Candidate else str(annotator), text)


def _of_frame(frame: pd.DataFrame, what: str, kind: type[_Record], named: str) -> Iterator[_Record]:
    column = next((name for name in TEXT_COLUMNS if name in frame), None)
    for name, there in (("topic", "topic" in frame), ("with the text", column is not None)):
        if not there:
            raise InputError(f"the {what} have no column {name}", remedy=_needed(kind, named))
    if kind is Candidate and named not in frame:
        raise InputError(f"the {what} have no column {named}", remedy=_needed(kind, named))
    topics = frame["topic"]
    for row, topic in enumerate(topics, 1):
        if isinstance(topic, list | tuple | dict | set | np.ndarray):
            raise InputError(f"row {row} of the {what} has the topic {shown(topic)}", remedy="Give its name.")
    # the references of a topic are numbered if nobody is named
    names = frame[named] if named in frame else frame.groupby("topic").cumcount() + 1
    for row, (topic, name, cell) in enumerate(zip(topics, names, frame[column]), 1):
        text = cell.tolist() if isinstance(cell, np.ndarray) else cell
        check_text(f"the text in row {row} of the {what}", text)
        for label, value in (("topic", topic), (named, name)):
            if pd.isna(value):
                raise InputError(f"row {row} of the {what} has no {label}", remedy="Name it.")
            check(label, str(value))
        yield _made(kind, str(topic), str(name), text)


def _made(kind: type[_Record], topic: str, name: str, text: Text) -> _Record:
    sentences = sentences_of(text)
    made: Any = Source(topic, name, sections=(Section("", sentences),)) if kind is Source else None
    return made or kind(topic, name, sentences)  # type: ignore[arg-type]


def _needed(kind: type, named: str) -> str:
    columns: dict[type, str] = {Candidate: "topic, system and summary", Reference: "topic and reference"}
    return _REMEDY.format(columns.get(kind, "topic and text"))


def _rankings(index: Any) -> Any:
    if index is None:
        return None

    def rankings(**search: Any) -> Any:
        from sera.metrics.sera import EngineRankings

        return EngineRankings(_opened(index), **search)

    return rankings


def _collection(index: Any) -> Any:
    if index is None:
        return None

    def collection() -> Any:
        from sera.metrics.frequent_words import IndexedCollection

        return IndexedCollection(_opened(index))

    return collection


def _opened(index: Any) -> Engine:
    if isinstance(index, str | os.PathLike):
        return ENGINES.load("embedded")(index)
    if not hasattr(index, "search"):
        raise InputError(
            f"the index is {shown(index)}", remedy="Give what sera.index returns, or its folder."
        )
    return index


def _nuggets(nuggets: Any) -> Any:
    if nuggets is None:
        return None
    nuggets = as_pandas(nuggets, "nuggets")
    if isinstance(nuggets, pd.DataFrame):
        for name in ("topic", "annotator", "text"):
            if name not in nuggets:
                raise InputError(
                    f"the nuggets have no column {name}", remedy="Name the columns topic, annotator and text."
                )
        nuggets = [
            Nugget(str(topic), str(annotator), text)
            for topic, annotator, text in zip(nuggets["topic"], nuggets["annotator"], nuggets["text"])
        ]
    elif isinstance(nuggets, Iterable) and not isinstance(nuggets, str):
        nuggets = _items(nuggets, "nuggets", Nugget)
    if not isinstance(nuggets, list) or not all(isinstance(each, Nugget) for each in nuggets):
        raise InputError(
            f"the nuggets are {shown(nuggets)}", remedy="Give a data frame of topic, annotator and text."
        )
    from sera.metrics.pyramid import Pyramid

    return Pyramid.from_records(nuggets)


def _vectors(vectors: Any, texts: Sequence[HasSentences]) -> Any:
    if isinstance(vectors, str | os.PathLike):
        from sera.metrics.s3.words import distinct_words
        from sera.vectors.word_vectors import read

        return read(vectors, distinct_words(texts))
    return vectors


def score_batch(
    table: _Frame,
    metrics: str | Iterable[str | Metric],
    *,
    candidate: str = "candidate",
    references: str = "references",
    source: str | None = None,
) -> _Frame:
    """Score the rows of a data frame: a function to map over the partitions of a larger one.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"candidate": ["the kinase binds p53"], "references": [["p53 binds"]]})
    >>> score_batch(frame, ["ROUGE-1-F", "ROUGE-2-F(stem=true)"])["ROUGE-2-F(stem=true)"].tolist()
    [0.33333]

    The result is the table with one more column of scores (float64) for each metric, named by its selector. A
    row has all that its scores need, so that they do not depend on how rows are parted.

    ``table`` is a data frame of pandas or polars, or a table or record batch of pyarrow; the result is of the
    same kind and has its rows in the same order. In the column ``candidate`` a cell is a text, or a list of
    its sentences. In ``references`` it is a list of references, each a text or a list of its sentences, or
    one text. ``source`` names the column of the articles, for metrics that need them.

    ``metrics``: selectors such as ``ROUGE-2-F(stem=true)``, or metrics with their resources.

    Raises InputError for another kind of table, for a column that is missing or already there, for two
    metrics of one selector, and with the number of the row (from 1) for what is no text. Warns with
    `sera.metrics.base.Caution` of scores that say little.
    """
    chosen = [each if isinstance(each, Metric) else metric(each) for each in several(metrics)]
    labels = labels_of(chosen)
    for each in chosen:
        each.ready()
        if each.needs_source and source is None:
            raise InputError(f"{each.name} compares with the article", remedy="Name its column: source=...")
    _library(table)
    names = columns_of(table, "rows")
    for name in filter(None, (candidate, references, source)):
        if name not in names:
            raise InputError(f"the table has no column {name!r}", remedy=f"It has {listed(names)}.")
    if again := [label for label in labels if label in names]:
        raise InputError(f"the table has a column {again[0]} already", remedy="Rename or drop it.")
    columns = [cells_of(table, name) for name in (candidate, references, *filter(None, [source]))]
    cells = [list(map(_references_of, columns[1])), columns[0], *columns[2:]]
    try:
        gold = iter(_texts(list(chain.from_iterable(cells[0]))))
        texts, *others = map(_texts, cells[1:])
    except InputError:
        for number, row in enumerate(zip(*cells), 1):
            _check_row(number, *row)
        raise
    if [] in cells[0]:
        raise InputError(f"row {cells[0].index([]) + 1} has no reference", remedy=_CELLS)
    of_rows = [list(islice(gold, len(cell))) for cell in cells[0]]
    articles: Iterable[Text | None] = others[0] if others else repeat(None)
    scores = scores_of(chosen, list(zip(texts, of_rows, articles)))
    for each in chosen:
        each.warn()
    return _with_columns(table, dict(zip(labels, scores.T)))


_CELLS = "A candidate is a text or a list of its sentences, and references are a list of such."


def _references_of(cell: Any) -> list[Any]:
    """The references in a cell."""
    return [cell] if isinstance(cell, str) else _items_of(cell)


def _texts(cells: list[Any]) -> list[Text]:
    """The texts of cells; InputError for a cell that is no text."""
    if set(map(type, cells)) <= {str} and "".join(cells).isascii():
        return list(zip(cells))
    return [Summary(tuple(_items_of(cell))) for cell in cells]


def _check_row(number: int, references: list[Any], *others: Any) -> None:
    """InputError with the number of a row where a cell holds no text."""
    try:
        _texts([*others, *references])
    except InputError as error:
        raise InputError(f"row {number}: {error.problem}", remedy=_CELLS) from None


def _items_of(cell: Any) -> list[Any]:
    """The items of a cell, which pandas reads as an array; a cell that is no list has itself."""
    if isinstance(cell, np.ndarray):
        return cell.tolist()
    return list(cell) if isinstance(cell, list | tuple) else [cell]


def _with_columns(table: Any, scores: dict[str, np.ndarray]) -> Any:
    match _library(table):
        case "pandas":
            return table.assign(**scores)
        case "polars":
            series = sys.modules["polars"].Series
            return table.with_columns(*(series(name, column) for name, column in scores.items()))
    for name, column in scores.items():
        table = table.append_column(name, sys.modules["pyarrow"].array(column))
    return table


def _library(table: Any) -> str:
    """The library of a table; InputError for what is none."""
    if found := library_of(table):
        return found
    raise InputError(
        f"the table is {shown(table)}", remedy="Give a data frame of pandas or polars, or pyarrow's table."
    )
