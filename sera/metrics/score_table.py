"""`score`: a table of summaries in, a table of scores out, in one call from Python."""

import os
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import attrgetter
from os import PathLike
from typing import Any

import pandas as pd

from sera.defaults import METRICS
from sera.errors import InputError
from sera.io.data_frames import no_column
from sera.io.language_models import Answers
from sera.io.records import Candidate, Nugget, RecordColumns, Reference, Source
from sera.io.tables import Columns, Table
from sera.metrics import expand_parts
from sera.metrics.base import Caution, Text, check_text
from sera.metrics.configure import FamilySettings, Resources, equip, in_language, openers
from sera.metrics.functions import name_function
from sera.metrics.pyramid import Pyramid
from sera.metrics.s3.words import distinct_words
from sera.metrics.scoring import score_columns
from sera.metrics.summaries import (
    Record,
    are_plain,
    has_references,
    list_cells,
    list_references,
    make_records,
    read_joint_references,
    read_records,
)
from sera.retrieval.engines import Engine
from sera.settings import shown
from sera.text.languages import ENGLISH
from sera.vectors.word_vectors import WordVectors
from sera.vectors.word_vectors import read as read_vectors

SPLIT, AS_GIVEN = "split", "as given"
"""What happens to a text that comes as one string."""

SYSTEM = "summary"
"""The system's name in the table if the summaries are given as texts."""

_NEEDED: dict[type, str] = {
    Candidate: "Give a data frame with the columns topic, system and summary, or a list of texts.",
    Reference: "Give a data frame with the columns topic and reference, or a list of texts.",
    Source: "Give a data frame with the columns topic and text, or a list of texts.",
}
_TOPIC = attrgetter("topic")


def score(
    candidates: pd.DataFrame | Iterable[Text] | str,
    references: pd.DataFrame | Iterable[Sequence[Text] | Text] | str = (),
    metrics: str | Callable[..., float] | Iterable[str | Callable[..., float]] = METRICS,
    *,
    sources: pd.DataFrame | Iterable[Text] | str = (),
    index: Engine | str | PathLike[str] | None = None,
    nuggets: pd.DataFrame | list[Nugget] | None = None,
    vectors: WordVectors | str | PathLike[str] | None = None,
    settings: FamilySettings | None = None,
    language: str = ENGLISH,
    sentences: str = SPLIT,
    columns: Mapping[str, str] | None = None,
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

    candidates:  a data frame of pandas, or what has ``to_pandas()``, with the columns topic, system and
                 summary (or what is known by another name: `sera.io.tables.ROLES`); records; or texts, whose
                 topics are then 1, 2 and so on, and whose system is `SYSTEM`
    references:  a data frame with the columns topic, reference and, if it is known, annotator; records; or an
                 item per text of the candidates: its reference, a list of its references, or these by
                 annotator, as ``{"A": text}``; nothing if the frame of the candidates has a column reference,
                 or references with such an item in each cell, the same in all rows of a topic
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
    columns:     which columns hold what, if their names do not say it, as ``{"topic": "doc_id"}``
    resources:   others of `sera.metrics.RESOURCES`, as ``model`` and ``frames``

    Records are those of `sera.io.records`. A cell with a string holds a text, a cell with a list its
    sentences, or in a column references several texts. A warning (`Caution`) says in one line which columns
    were taken for what, where they have other names than ours. If a score is undefined (NaN) or says little,
    the table has a column note with the reason. The system ``human_A`` is annotator A's own summary and is
    scored against the other references.

    Raises InputError for a frame without these columns, for a cell that is not a text, for a topic without a
    reference, for a summary that is there twice, and for a metric that is unknown or lacks what it needs.
    """
    if sentences not in (SPLIT, AS_GIVEN):
        raise InputError(f"sentences is {shown(sentences)}", remedy=f'Give "{SPLIT}" or "{AS_GIVEN}".')
    split_in = language if sentences == SPLIT else None
    taken: list[str] = []
    chosen_columns = Columns(columns, taken.append)
    is_same = references is candidates
    candidates, references, sources = map(_as_frame, (candidates, references, sources))
    none_given = is_same or (isinstance(references, tuple) and not references)
    table = Table.of_frame(candidates, "candidates") if isinstance(candidates, pd.DataFrame) else None
    is_joint = table is not None and none_given and has_references(table, chosen_columns)
    summaries = _read_given(table or candidates, "candidates", Candidate, chosen_columns, split_in)
    topics = len(set(summaries.topics if isinstance(summaries, RecordColumns) else map(_TOPIC, summaries)))
    if table is not None and is_joint:
        gold: Sequence[Reference] = read_joint_references(table, chosen_columns, split_in)
    else:
        gold = _read_given(references, "references", Reference, chosen_columns, split_in, topics)
    articles = _read_given(sources, "sources", Source, chosen_columns, split_in, topics)
    chosen_columns.check_seen()
    for line in taken:
        warnings.warn(line, Caution, stacklevel=2)
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
    return pd.DataFrame(score_columns(chosen, summaries, gold, articles))


def _as_frame(given: Any) -> Any:
    return given.to_pandas() if hasattr(given, "to_pandas") else given


def _read_given(
    given: Any, what: str, kind: type[Record], columns: Columns, language: str | None, topics: int = 0
) -> Sequence[Record]:
    """The records of a frame, of records or of texts.

    ``language`` is that in which a text given as one string is split; None if it is not. InputError also for
    texts whose number is not that of the ``topics``, if this is given.
    """
    if isinstance(given, pd.DataFrame):
        given = Table.of_frame(given, what)
    if isinstance(given, Table):
        return read_records(given, kind, columns, language)
    if not isinstance(given, Iterable) or isinstance(given, Mapping | bytes):
        raise InputError(f"the {what} are {shown(given)}", remedy=_NEEDED[kind])
    items: list[Any] = [given] if isinstance(given, str) else list(given)
    if all(isinstance(item, kind) for item in items):
        return items
    if topics and len(items) != topics:
        problem = f"the {what} are {len(items)}, and the topics of the candidates {topics}"
        raise InputError(problem, remedy="Give an item for each: a text, or a list of references.")
    numbers = list(map(str, range(1, len(items) + 1)))
    if kind is Reference:

        def list_item(place: int, item: Any) -> Iterable[tuple[str, Text]]:
            is_one = isinstance(item, str)
            return [("1", item)] if is_one else list_references(item, f"item {place + 1} of the {what}")

        rows, authors, texts = list_cells(items, list_item)
        return make_records(kind, [numbers[row] for row in rows], authors, texts, language)
    for number, item in enumerate(() if are_plain(items) else items, 1):
        check_text(f"item {number} of the {what}", item)
    authors = [SYSTEM if kind is Candidate else "1"] * len(items)
    return make_records(kind, numbers, authors, items, language)


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
