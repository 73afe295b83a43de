"""Score the summaries of files, topic by topic; the texts stay in their files (`sera.io.record_index`).

The rows are in the order of the candidates, whatever the order and the number of processes that score.
"""

from __future__ import annotations

import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from sera.errors import InputError
from sera.io.record_index import RecordIndex
from sera.io.records import HUMAN, Candidate, Reference, Source
from sera.io.score_formats import NOTE
from sera.io.scores import SCORE_COLUMNS
from sera.metrics.base import Metric
from sera.metrics.notes import NoteCounts, notes_of
from sera.metrics.scoring import AT_ONCE, Compared, compared_scores, compared_with, labels_of, no_article
from sera.progress import Progress

_ROWS = 1 << 15  # of a table
_Scored = tuple[np.ndarray, np.ndarray, list[str]]


class FileScores:
    """The scores of the candidates of a file by several metrics.

    ``rows`` is the number of scores and ``undefined`` the number of those that are NaN; ``systems`` and
    ``topics`` count those that were scored. ``cautions`` has those of the metrics, by label.
    """

    def __init__(
        self,
        metrics: Sequence[Metric],
        candidates: RecordIndex[Candidate],
        references: RecordIndex[Reference],
        sources: RecordIndex[Source] | None = None,
        *,
        jobs: int = 1,
        label: Callable[[Metric], str] = str,
    ) -> None:
        """Score them, in ``jobs`` processes; the scores are the same for any number.

        ``label`` gives the name of a metric in the tables, as in `sera.metrics.scoring.score`.

        Raises InputError as `sera.metrics.scoring.score` does, before anything is scored, and for ``jobs``
        where processes cannot be forked. Raises ChildProcessError if a process is ended from outside.
        """
        self._labels = labels_of(metrics, label)
        for metric in metrics:
            metric.ready()
        self._metrics, self._candidates, self._references = list(metrics), candidates, references
        self._sources = sources
        self._check()
        self._scores = np.empty((len(candidates), len(metrics)))
        self.cautions = dict.fromkeys(self._labels, "")
        with Progress("summaries scored", len(candidates)) as report:
            for numbers, scores, cautions in _each(self._scored, self._pieces(jobs), jobs):
                self._scores[numbers] = scores
                for name, caution in zip(self._labels, cautions, strict=True):
                    # what is known only grows while a process scores: the longest of all is the caution
                    self.cautions[name] = max(self.cautions[name], caution, key=len)
                report.advance(len(numbers))
        for metric in metrics:
            metric.warn()
        self.rows, self.undefined = self._scores.size, int(np.isnan(self._scores).sum())
        self.systems, self.topics = (
            len(np.unique(each)) for each in (candidates.name_of, candidates.topic_of)
        )
        self.notes = NoteCounts()

    def _check(self) -> None:
        """InputError for the first candidate without a reference, or without an article that it needs."""
        topics = self._candidates.topics
        alone = np.array([not self._references.of_topic(topic) for topic in topics], bool)
        human = np.array([name.startswith(HUMAN) for name in self._candidates.names], bool)
        for number in np.flatnonzero(alone[self._candidates.topic_of] | human[self._candidates.name_of]):
            candidate = self._candidates[int(number)]
            compared_with(candidate, self._of_topic(candidate.topic), self._references.topics)
        needing = next((metric for metric in self._metrics if metric.needs_source), None)
        for topic in topics:
            if needing and (self._sources is None or not self._sources.of_topic(topic)):
                raise no_article(needing, topic)

    def _of_topic(self, topic: str) -> list[Reference]:
        return [self._references[number] for number in self._references.of_topic(topic)]

    def _pieces(self, jobs: int) -> list[np.ndarray]:
        """The numbers of the candidates, topic by topic, in pieces of work."""
        numbers = self._candidates.by_topic()
        size = min(AT_ONCE, -(-len(numbers) // (4 * jobs)) or 1)
        return [numbers[begin : begin + size] for begin in range(0, len(numbers), size)]

    def _scored(self, numbers: np.ndarray) -> _Scored:
        """The numbers, their scores (candidate, metric), and the metrics' cautions so far."""
        rows: list[Compared] = []
        articles: list[Source | None] = []
        for place, some in groupby(numbers.tolist(), key=self._candidates.topic_of.__getitem__):
            topic = self._candidates.topics[place]
            gold, article = self._of_topic(topic), None
            if self._sources is not None and (there := self._sources.of_topic(topic)):
                article = self._sources[there[0]]
            for number in some:
                rows.append(compared_with(self._candidates[number], gold, self._references.topics))
                articles.append(article)
        scores = compared_scores(self._metrics, rows, articles)
        return numbers, scores, [each.caution for each in self._metrics]

    def tables(self) -> Iterator[dict[str, list[Any]]]:
        """The score table in pieces, by column; one with notes has the column ``note`` in each.

        ``notes`` counts the notes of the pieces that were taken.
        """
        candidates, labels = self._candidates, self._labels
        empty = {each.topic for each in self._sources or () if not each.sentences} if self.undefined else ()
        metrics = dict(zip(labels, self._metrics, strict=True))
        ascii_alone = any(each.counts_ascii_alone for each in self._metrics)
        others = candidates.other_letters & ascii_alone
        noted = self.undefined > 0 or any(self.cautions.values()) or others.any()
        self.notes = NoteCounts()
        names, topics = np.array(candidates.names, object), np.array(candidates.topics, object)
        step = max(1, _ROWS // len(labels))
        for begin in range(0, len(candidates), step):
            scores = self._scores[begin : begin + step]
            part = slice(begin, begin + len(scores))
            columns = [
                np.repeat(topics[candidates.topic_of[part]], len(labels)).tolist(),
                np.repeat(names[candidates.name_of[part]], len(labels)).tolist(),
                labels * len(scores),
                scores.ravel().tolist(),
            ]
            table = dict(zip(SCORE_COLUMNS, columns, strict=True))
            if noted:
                rows = columns[0], columns[2], np.isnan(columns[3]), np.repeat(others[part], len(labels))
                table[NOTE] = notes_of(*rows, metrics, self.cautions, empty)
                self.notes.add(columns[2], table[NOTE])
            yield table


def _each(
    score: Callable[[np.ndarray], _Scored], pieces: Sequence[np.ndarray], jobs: int
) -> Iterator[_Scored]:
    """The scores of the pieces."""
    if jobs == 1:
        yield from map(score, pieces)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_all_start_methods, get_context

    if "fork" not in get_all_start_methods():
        raise InputError("this system cannot fork processes", remedy="Leave --jobs out.")
    forked = get_context("fork")
    with (
        warnings.catch_warnings(),
        ProcessPoolExecutor(jobs, forked, initializer=_begin, initargs=(score,)) as processes,
    ):
        # threads of libraries for linear algebra; they prepare themselves for a fork
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        try:
            yield from processes.map(_score_piece, pieces)
        except BrokenProcessPool:
            raise ChildProcessError(
                "a scoring process was ended, perhaps for lack of memory: give fewer --jobs"
            ) from None


_score: Callable[[np.ndarray], _Scored]
"""What scores a piece in this process, if it is one of several."""


def _begin(score: Callable[[np.ndarray], _Scored]) -> None:
    global _score
    _score = score
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends the others


def _score_piece(numbers: np.ndarray) -> _Scored:
    return _score(numbers)
