"""Score the summaries of files, topic by topic, in memory that does not grow with the texts.

Candidates and references stay in their files (`sera.io.record_index`), and the scores go to a temporary file.
The rows are in the order of the candidates, whatever the order and the number of processes that score.
"""

from __future__ import annotations

import os
import signal
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import groupby
from multiprocessing import get_all_start_methods, get_context
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
from sera.metrics.shards import Shard
from sera.progress import Progress

_ROWS = 1 << 15  # of a table
_Scored = tuple[np.ndarray, np.ndarray, list[str]]


class FileScores:
    """The scores of the candidates of a file by several metrics, in a temporary file.

    ``rows`` is the number of scores and ``undefined`` the number of those that are NaN.
    """

    def __init__(
        self,
        metrics: Sequence[Metric],
        candidates: RecordIndex[Candidate],
        references: RecordIndex[Reference],
        sources: RecordIndex[Source] | None = None,
        *,
        jobs: int = 1,
        shard: Shard = Shard(),
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
        if shard.parts > max(1, len(candidates)):
            raise InputError(
                f"{shard.parts} parts of {len(candidates)} candidates have parts without a candidate",
                remedy=f"Give {len(candidates)} parts at most.",
            )
        self._part = shard.of(len(candidates))
        self._spool = tempfile.TemporaryFile()
        self.cautions = {label: "" for label in self._labels}
        self.undefined = 0
        self.notes = NoteCounts()
        with Progress("summaries scored", len(self._part)) as report:
            for numbers, scores, cautions in _each(self._scored, self._pieces(jobs), jobs):
                self._keep(numbers, scores, cautions)
                report.advance(len(numbers))
        for metric in metrics:
            metric.warn()

    def _check(self) -> None:
        """InputError for the first candidate without a reference, or without an article that it needs."""
        topics = self._candidates.topics
        alone = np.array([not self._references.of_topic(topic) for topic in topics], bool)
        human = np.array([name.startswith(HUMAN) for name in self._candidates.names], bool)
        for number in np.flatnonzero(alone[self._candidates.topic_of] | human[self._candidates.name_of]):
            candidate = self._candidates[int(number)]
            compared_with(candidate, self._of_topic(candidate.topic), self._references.topics)
        needing = next((metric for metric in self._metrics if metric.needs_source), None)
        if needing:
            for topic in topics:
                if self._sources is None or not self._sources.of_topic(topic):
                    raise no_article(needing, topic)

    def _of_topic(self, topic: str) -> list[Reference]:
        return [self._references[number] for number in self._references.of_topic(topic)]

    def _pieces(self, jobs: int) -> list[np.ndarray]:
        """The numbers of the part's candidates, topic by topic, in pieces of work."""
        numbers = self._candidates.by_topic()
        numbers = numbers[(numbers >= self._part.start) & (numbers < self._part.stop)]
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
        return (
            numbers,
            compared_scores(self._metrics, rows, articles),
            [each.caution for each in self._metrics],
        )

    def _keep(self, numbers: np.ndarray, scores: np.ndarray, cautions: list[str]) -> None:
        self.undefined += int(np.isnan(scores).sum())
        for label, caution in zip(self._labels, cautions, strict=True):
            # what is known only grows while a process scores: the longest of all is the caution
            self.cautions[label] = max(self.cautions[label], caution, key=len)
        width = scores.shape[1] * scores.itemsize
        breaks = np.flatnonzero(np.diff(numbers) != 1) + 1
        for first, last in zip([0, *breaks.tolist()], [*breaks.tolist(), len(numbers)]):
            place = (int(numbers[first]) - self._part.start) * width
            os.pwrite(self._spool.fileno(), scores[first:last].tobytes(), place)

    @property
    def rows(self) -> int:
        return len(self._part) * len(self._labels)

    @property
    def systems(self) -> int:
        """The number of systems in this part."""
        return len(np.unique(self._candidates.name_of[self._part.start : self._part.stop]))

    @property
    def topics(self) -> int:
        """The number of topics in this part."""
        return len(np.unique(self._candidates.topic_of[self._part.start : self._part.stop]))

    def tables(self) -> Iterator[dict[str, list[Any]]]:
        """The score table in pieces, by column; one with notes has the column ``note`` in each.

        ``notes`` counts the notes of the pieces that were taken.
        """
        candidates = self._candidates
        empty = {each.topic for each in self._sources or () if not each.sentences} if self.undefined else ()
        noted = self.undefined > 0 or any(self.cautions.values())
        self.notes = NoteCounts()
        step = max(1, _ROWS // len(self._labels))
        names = np.array(candidates.names, dtype=object)
        topics = np.array(candidates.topics, dtype=object)
        labels = self._labels
        width = len(labels) * np.dtype(float).itemsize
        for begin in range(self._part.start, self._part.stop, step):
            end = min(begin + step, self._part.stop)
            kept = os.pread(self._spool.fileno(), (end - begin) * width, (begin - self._part.start) * width)
            columns = [
                np.repeat(topics[candidates.topic_of[begin:end]], len(labels)).tolist(),
                np.repeat(names[candidates.name_of[begin:end]], len(labels)).tolist(),
                labels * (end - begin),
                np.frombuffer(kept).tolist(),
            ]
            table = dict(zip(SCORE_COLUMNS, columns, strict=True))
            if noted:
                rows = columns[0], columns[2], np.isnan(columns[3])
                table[NOTE] = notes_of(*rows, self._metrics, self.cautions, empty)
                self.notes.add(columns[2], table[NOTE])
            yield table


def _each(
    score: Callable[[np.ndarray], _Scored], pieces: Sequence[np.ndarray], jobs: int
) -> Iterator[_Scored]:
    """The scores of the pieces, each as soon as it is there."""
    if jobs == 1:
        yield from map(score, pieces)
        return
    if "fork" not in get_all_start_methods():
        raise InputError("this system cannot fork processes", remedy="Leave --jobs out.")
    with (
        warnings.catch_warnings(),
        ProcessPoolExecutor(
            jobs, mp_context=get_context("fork"), initializer=_begin, initargs=(score,)
        ) as processes,
    ):
        # threads of libraries for linear algebra; they prepare themselves for a fork
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        left = iter(pieces)
        running: set[Future[_Scored]] = set()
        try:
            while True:
                while len(running) < 2 * jobs and (piece := next(left, None)) is not None:
                    running.add(processes.submit(_score_piece, piece))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (each.result() for each in done)
        except BrokenProcessPool:
            raise ChildProcessError(
                "a scoring process was ended, perhaps for lack of memory: give fewer --jobs"
            ) from None
        finally:
            for each in running:
                each.cancel()


_score: Callable[[np.ndarray], _Scored]
"""What scores a piece in this process, if it is one of several."""


def _begin(score: Callable[[np.ndarray], _Scored]) -> None:
    global _score
    _score = score
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends the others


def _score_piece(numbers: np.ndarray) -> _Scored:
    return _score(numbers)
