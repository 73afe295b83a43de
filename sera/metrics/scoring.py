"""Scoring many summaries: who is compared with whom, and the table that comes out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sera.errors import InputError
from sera.io import tsv
from sera.io.records import HUMAN, Candidate, GivenRecords, RecordColumns, Reference, Source, check_unique
from sera.io.scores import NOTE, SCORE_COLUMNS, SIGNATURE_COLUMNS
from sera.metrics.base import NO_WORD, Metric, Row, Rows, name_wordless, parts_of
from sera.metrics.notes import NO_ARTICLE, settings_text
from sera.names import check_forms
from sera.progress import Progress
from sera.registry import listed

if TYPE_CHECKING:
    import pandas as pd

AT_ONCE = 512  # candidates that are scored at once
LEFT_OUT_COLUMNS = ["metric", "reason"]


def comparisons(
    candidates: Iterable[Candidate], references: Iterable[Reference]
) -> Iterator[tuple[Candidate, list[Reference]]]:
    """Each candidate with the references of its topic; ``human_A`` meets the other annotators' alone.

    Raises InputError for a topic without references, for two candidates of one system and topic, and for two
    references of one annotator and topic.
    """
    for candidate, sets, _ in compared_sets(candidates, references):
        yield candidate, sets[0]


class Compared(NamedTuple):
    """A candidate and the sets of references over which its score is the mean.

    ``left_out``: whether each set lacks one of the topic's references.
    """

    candidate: Candidate
    sets: list[list[Reference]]
    left_out: bool


def compared_sets(
    candidates: Iterable[Candidate], references: Iterable[Reference], *, jackknifed: bool = False
) -> list[Compared]:
    """Each candidate with its sets of references: one set, that of `comparisons`, unless ``jackknifed``.

    Raises InputError as `comparisons` does.
    """
    return Comparison(candidates, references, jackknifed=jackknifed).list_sets()


class Comparison:
    """Candidates and the sets of references over which the score of each is the mean.

    ``jackknifed`` makes systems comparable with annotators, whose own reference is left out: a system's sets
    are then those that lack one of the topic's references in turn (Lin 2004, section 2.1), each as large as
    an annotator's one set. A single reference is kept. Raises InputError as `comparisons` does.
    """

    def __init__(
        self, candidates: Iterable[Candidate], references: Iterable[Reference], *, jackknifed: bool = False
    ) -> None:
        self.candidates, self.references = _as_columns(candidates), _as_columns(references)
        self._jackknifed = jackknifed
        numbers = {topic: number for number, topic in enumerate(dict.fromkeys(self.references.topics))}
        of_references = _number(self.references.topics, numbers)
        self._by_topic = np.argsort(of_references, kind="stable")
        self._ends = np.append(np.cumsum(np.bincount(of_references, minlength=len(numbers))), 0)
        self._begins = np.append(0, self._ends)[:-1]
        self._begins[-1] = 0  # the last has no reference: that of other topics
        self.topics = _number(self.candidates.topics, numbers)
        self._own = np.full(len(self.candidates), -1)  # the place of a candidate's own reference
        self.people = {name for name in set(self.candidates.authors) if name.startswith(HUMAN)}
        if self.people:
            names = zip(self.references.topics, self.references.authors)
            places = {name: place for place, name in enumerate(names)}
            for place, (topic, system) in enumerate(zip(self.candidates.topics, self.candidates.authors)):
                if system in self.people:
                    self._own[place] = places.get((topic, system.removeprefix(HUMAN)), -1)

    def check(self) -> None:
        """InputError for a candidate without a reference."""
        sizes = self._ends[self.topics] - self._begins[self.topics]
        for place in np.flatnonzero(sizes == 0)[:1].tolist():
            candidate, topics = self.candidates[place], sorted(set(self.references.topics))
            raise InputError(
                f"topic {candidate.topic!r} of system {candidate.system!r} has no reference to compare with",
                remedy=f"The references have the topics {listed(topics) or '(none)'}.",
            )
        for place in np.flatnonzero(sizes == (self._own >= 0))[:1].tolist():
            candidate = self.candidates[place]
            raise InputError(
                f"topic {candidate.topic!r} has no reference but that of {candidate.annotator!r}, whose own "
                f"summary {candidate.system!r} is",
                remedy="Add another annotator's reference, or leave the summary out.",
            )

    def group(
        self, places: np.ndarray, articles: Mapping[str, Source] = MappingProxyType({})
    ) -> Iterator[tuple[bool, np.ndarray, Rows]]:
        """Rows for the sets of the candidates at these places, without and then with a reference left out.

        Each comes with whether one is, and with the number of the place to which each row belongs.
        """
        owners, topics, without = np.arange(len(places)), self.topics[places], self._own[places]
        if self._jackknifed:
            sizes = np.where(without < 0, self._ends[topics] - self._begins[topics], 1)
            owners = np.repeat(owners, sizes)
            nth = np.arange(len(owners)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            topics, is_one = topics[owners], (sizes == 1)[owners]
            without = np.where(is_one, without[owners], self._by_topic[self._begins[topics] + nth])
        order = np.lexsort((without, topics))
        for left_out in (False, True):
            if len(rows := order[(without[order] >= 0) == left_out]):
                chosen = places[owners[rows]]
                yield left_out, owners[rows], self._rows(chosen, topics[rows], without[rows], articles)

    def _rows(
        self, chosen: np.ndarray, topics: np.ndarray, without: np.ndarray, articles: Mapping[str, Source]
    ) -> Rows:
        is_new = np.append(True, (np.diff(topics) != 0) | (np.diff(without) != 0))
        sizes = (self._ends - self._begins)[topics[is_new]]
        before = np.cumsum(sizes) - sizes
        members = np.repeat(self._begins[topics[is_new]] - before, sizes) + np.arange(sizes.sum())
        members = self._by_topic[members]
        if (without >= 0).any():
            members, sizes = members[members != np.repeat(without[is_new], sizes)], sizes - 1
        firsts = np.append(np.flatnonzero(is_new), len(chosen))
        begins = np.append(0, np.cumsum(sizes))
        return Rows(self.candidates, self.references, chosen, firsts, members, begins, articles)

    def list_sets(self) -> list[Compared]:
        """All candidates with their sets."""
        self.check()
        compared: dict[int, Compared] = {}
        candidate: Any
        references: Any
        for left_out, owners, rows in self.group(np.arange(len(self.candidates))):
            for owner, (candidate, references, _) in zip(owners.tolist(), rows, strict=True):
                compared.setdefault(owner, Compared(candidate, [], left_out)).sets.append(references)
        return [compared[owner] for owner in range(len(compared))]


def _as_columns(records: Iterable[Any]) -> RecordColumns[Any]:
    if not isinstance(records, RecordColumns):
        records = list(records)
        records = GivenRecords(records, list(map(parts_of, records)))
    check_unique(records)
    return records


def _number(names: Sequence[str], numbers: Mapping[str, int]) -> np.ndarray:
    """The number of each name; -1 for one that has none."""
    return np.fromiter(map(numbers.get, names, repeat(-1)), np.int64, len(names))


def scores_of(metrics: Sequence[Metric], rows: Sequence[Row]) -> np.ndarray:
    """The scores of candidates by metrics, (candidate, metric): the scores of all tables come from here.

    Metrics of one family are computed together. A score is NaN by a metric that needs the article where
    there is none, or none with a sentence.
    """
    scores = np.full((len(rows), len(metrics)), np.nan)
    groups = {True: list(range(len(rows)))}
    if any(metric.needs_source for metric in metrics):
        rows = list(rows)
        articles = {id(article): bool(article and parts_of(article)) for _, _, article in rows}
        has_text = [articles[id(article)] for _, _, article in rows]
        groups = {
            each: [number for number in groups[True] if has_text[number] == each] for each in (True, False)
        }
    families: dict[type[Metric], list[int]] = {}
    for position, metric in enumerate(metrics):
        families.setdefault(type(metric), []).append(position)
    for has_article, numbers in groups.items():
        every = len(numbers) == len(rows)
        texts = rows if every else [rows[number] for number in numbers]
        for family, positions in families.items():
            computed = [each for each in positions if has_article or not metrics[each].needs_source]
            if computed and numbers:
                values = family.score_rows([metrics[position] for position in computed], texts)
                scores[(slice(None), computed) if every else np.ix_(numbers, computed)] = values
    return scores


def compared_scores(
    metrics: Sequence[Metric],
    comparison: Comparison,
    places: np.ndarray | None = None,
    articles: Mapping[str, Source] = MappingProxyType({}),
) -> np.ndarray:
    """The scores of candidates, all or those at some places, (candidate, metric): means over their sets.

    ``articles`` are by topic, if there are any. A score that is undefined for one of the sets is NaN. No
    reference is left out twice: where the sets lack one already, ROUGE's ``multi="jackknife"`` is the best
    score of a set.
    """
    if places is None:
        places = np.arange(len(comparison.candidates))
    scores = np.empty((len(places), len(metrics)))
    for left_out, owners, rows in comparison.group(places, articles):
        scorers = [metric.with_one_left_out() for metric in metrics] if left_out else metrics
        scores[owners] = row_scores = scores_of(scorers, rows)
        counts = np.bincount(owners)
        if counts.max() > 1:
            by_owner = np.split(row_scores[np.argsort(owners, kind="stable")], np.cumsum(counts)[:-1])
            for owner in np.flatnonzero(counts > 1).tolist():
                sets = by_owner[owner].tolist()
                scores[owner] = [math.fsum(values) / len(sets) for values in zip(*sets)]
    return scores


def score(
    metrics: Sequence[Metric],
    candidates: Iterable[Candidate],
    references: Iterable[Reference],
    sources: Iterable[Source] = (),
    *,
    label: Callable[[Metric], str] = str,
    jackknifed: bool = False,
) -> pd.DataFrame:
    """Every metric on every candidate: topic, system, metric, score, in the order given: `score_columns`."""
    import pandas as pd  # slow to import

    columns = score_columns(metrics, candidates, references, sources, label=label, jackknifed=jackknifed)
    return pd.DataFrame({name: columns[name] for name in SCORE_COLUMNS})


def score_columns(
    metrics: Sequence[Metric],
    candidates: Iterable[Candidate],
    references: Iterable[Reference],
    sources: Iterable[Source] = (),
    *,
    label: Callable[[Metric], str] = str,
    jackknifed: bool = False,
) -> dict[str, np.ndarray]:
    """The columns of a score table, a row for each candidate and metric in the order given.

    If a score is undefined, says little, or is of texts without a word that counts, a column ``note`` has the
    reason.

    ``jackknifed``: a system's score is the mean over the sets of references that lack one in turn, so that
    systems and annotators, who meet one reference less, can be compared (`compared_sets`).

    A metric's ``label`` is its selector, which shows the settings that are not the defaults. A study, whose
    settings hold for all its tables, uses `canonical_name`. A score that is undefined is NaN; so are those
    that need the source where it has no sentence. Metrics of one family are computed together. Raises
    InputError as `comparisons` does, for a topic without the source that a metric needs or with two of them,
    for two metrics of one label, and for a metric that lacks what it needs besides texts. Warns with
    `sera.metrics.base.Caution` of scores that say little.
    """
    labels = labels_of(metrics, label)
    for metric in metrics:
        metric.ready()
    comparison = Comparison(candidates, references, jackknifed=jackknifed)
    sources = list(sources)
    _check_forms(metrics, comparison, sources)
    comparison.check()
    articles: dict[str, Source] = {}
    for source in sources:
        if articles.setdefault(source.topic, source) is not source:
            raise InputError(f"topic {source.topic!r} has two sources", remedy="Keep one of them.")
    topics, systems = comparison.candidates.topics, comparison.candidates.authors
    needing = next((metric for metric in metrics if metric.needs_source), None)
    if needing and (missing := [topic for topic in topics if topic not in articles]):
        problem = f"{needing.name} compares with the article, and topic {missing[0]!r} has none"
        raise InputError(problem, remedy="Name the sources: --sources FILE on the command line.")
    count = len(topics)
    scores = np.empty((count, len(metrics)))
    notes: dict[tuple[int, int], str] = {}
    order = np.argsort(comparison.topics, kind="stable")
    with Progress("summaries scored", count) as report:
        for begin in range(0, count, AT_ONCE):
            places = order[begin : begin + AT_ONCE]
            scores[places] = compared_scores(metrics, comparison, places, articles)
            notes |= _note_scores(metrics, comparison, places, articles, scores)
            report.advance(len(places))
    for metric in metrics:
        metric.warn()
    columns = {
        "topic": np.repeat(np.array(topics, dtype=object), len(labels)),
        "system": np.repeat(np.array(systems, dtype=object), len(labels)),
        "metric": np.tile(np.array(labels, dtype=object), count),
        "score": scores.ravel(),
    }
    noted = np.tile(np.array([metric.caution for metric in metrics], dtype=object), (count, 1))
    for place, note in notes.items():
        noted[place] = note
    return {**columns, NOTE: noted.ravel()} if noted.any() else columns


def _note_scores(
    metrics: Sequence[Metric],
    comparison: Comparison,
    places: np.ndarray,
    articles: Mapping[str, Source],
    scores: np.ndarray,
) -> dict[tuple[int, int], str]:
    """The notes of the scores of candidates at these places, by candidate and metric."""
    notes: dict[tuple[int, int], str] = {}
    counting_ascii = np.flatnonzero([metric.counts_ascii_alone for metric in metrics])
    if len(counting_ascii):  # a text without a word that counts shares none
        suspects = places[~(scores[places][:, counting_ascii] > 0).any(axis=1)]
        wordless: dict[int, str] = {}
        for _, owners, rows in comparison.group(suspects):
            for place, (candidate, references, _) in zip(suspects[owners].tolist(), rows, strict=True):
                found = name_wordless(candidate, references)
                wordless[place] = found if wordless.get(place, found) else ""
        for place, found in wordless.items():
            if found:
                notes |= {(place, number): NO_WORD.format(found) for number in counting_ascii.tolist()}
    for row, number in np.argwhere(np.isnan(scores[places])).tolist():
        candidate = comparison.candidates[places[row]]
        article = articles.get(candidate.topic)
        no_article = metrics[number].needs_source and article and not article.sentences
        reason = NO_ARTICLE if no_article else metrics[number].explain_undefined(candidate)
        notes[int(places[row]), number] = f"undefined: {reason}"
    return notes


def _check_forms(metrics: Sequence[Metric], comparison: Comparison, sources: Sequence[Source]) -> None:
    """InputError for topics and annotators as of `sera.names.check_forms`."""
    topics, annotators = set(comparison.references.topics), set(comparison.references.authors)
    marked = {key for metric in metrics for key in getattr(metric, "nuggets", None) or ()}
    people = {name.removeprefix(HUMAN) for name in comparison.people}
    check_forms("topic", comparison.candidates.topics, topics)
    check_forms("topic", {source.topic for source in sources}, topics)
    check_forms("topic", {topic for topic, _ in marked}, topics)
    check_forms("annotator", {annotator for _, annotator in marked}, annotators)
    check_forms("annotator", people, annotators)


def canonical_name(metric: Metric) -> str:
    """The name of a metric without its settings, as the label of its scores."""
    return metric.name


def labels_of(metrics: Sequence[Metric], label: Callable[[Metric], str] = str) -> list[str]:
    """The labels of metrics; InputError for two of one label."""
    labels = list(map(label, metrics))
    if twice := next((each for each in labels if labels.count(each) > 1), None):
        raise InputError(f"the metric {twice} is there twice", remedy="Leave one of them out.")
    return labels


def write_signatures(
    path: str | PathLike[str],
    metrics: Sequence[Metric],
    *,
    label: Callable[[Metric], str] = str,
    others: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write the signatures of metrics as TSV, to stand beside their scores.

    Columns: metric, signature, settings (those that are not the defaults), caution (`Metric.caution`).
    ``others``: signatures of further rows of the scores, by label.
    """
    import pandas as pd  # slow to import

    rows = [
        (name, metric.signature, settings_text(metric), metric.caution)
        for name, metric in zip(labels_of(metrics, label), metrics, strict=True)
    ]
    rows += [(name, text, "", "") for name, text in others.items()]
    tsv.write(path, pd.DataFrame(rows, columns=SIGNATURE_COLUMNS))
