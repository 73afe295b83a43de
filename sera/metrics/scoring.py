"""Scoring many summaries: who is compared with whom, and the table that comes out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sera.errors import InputError
from sera.io import tsv
from sera.io.records import HUMAN, Candidate, Reference, Source, list_keys
from sera.io.scores import NOTE, SCORE_COLUMNS, SIGNATURE_COLUMNS
from sera.metrics.base import NO_WORD, Metric, Row, name_wordless, parts_of
from sera.metrics.jackknife import leave_each_out
from sera.metrics.notes import NO_ARTICLE, settings_text
from sera.names import check_forms
from sera.progress import Progress
from sera.registry import listed

if TYPE_CHECKING:
    import pandas as pd

AT_ONCE = 256  # candidates that are scored at once
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

    ``jackknifed`` makes systems comparable with annotators, whose own reference is left out: a system's sets
    are then those that lack one of the topic's references in turn (Lin 2004, section 2.1), each as large as
    an annotator's one set. A single reference is kept. Raises InputError as `comparisons` does.
    """
    comparison = _Comparison(candidates, references, jackknifed=jackknifed)
    return comparison.list_sets(range(len(comparison.candidates)))


class _Comparison:
    """Candidates and the references of their topics, which `compared_with` brings together.

    Raises InputError for two candidates of one system and topic, or references of one annotator and topic.
    """

    def __init__(
        self, candidates: Iterable[Candidate], references: Iterable[Reference], *, jackknifed: bool
    ) -> None:
        self.candidates = candidates if isinstance(candidates, Sequence) else list(candidates)
        self.references = references if isinstance(references, Sequence) else list(references)
        self.topics, self.systems = list_keys(self.candidates)
        self.reference_topics, self.annotators = list_keys(self.references)
        self._by_topic = sorted(range(len(self.references)), key=self.reference_topics.__getitem__)
        self._ranges: dict[str, tuple[int, int]] = {}
        for place, position in enumerate(self._by_topic):
            topic = self.reference_topics[position]
            self._ranges[topic] = (self._ranges.get(topic, (place, 0))[0], place + 1)
        self._jackknifed = jackknifed

    def check(self) -> None:
        """InputError for a candidate without a reference."""
        people = (place for place, system in enumerate(self.systems) if system.startswith(HUMAN))
        strangers = (place for place, topic in enumerate(self.topics) if topic not in self._ranges)
        self.list_sets(chain(strangers, people))

    def list_sets(self, places: Iterable[int]) -> list[Compared]:
        """The candidates at these places with their sets; those of one topic share its list of references."""
        by_topic: dict[str, list[Reference]] = {}
        compared = []
        for place in places:
            topic = self.topics[place]
            if (references := by_topic.get(topic)) is None:
                references = by_topic[topic] = self._list_references(topic)
            candidate = self.candidates[place]
            compared.append(compared_with(candidate, references, self._ranges, jackknifed=self._jackknifed))
        return compared

    def _list_references(self, topic: str) -> list[Reference]:
        begin, end = self._ranges.get(topic, (0, 0))
        return [self.references[place] for place in self._by_topic[begin:end]]


def compared_with(
    candidate: Candidate, references: list[Reference], topics: Iterable[str], *, jackknifed: bool = False
) -> Compared:
    """A candidate with its sets out of the topic's references; ``topics`` are those that have references."""
    gold = references
    if (annotator := candidate.annotator) is not None:
        gold = [reference for reference in references if reference.annotator != annotator]
    if references and not gold:
        raise InputError(
            f"topic {candidate.topic!r} has no reference but that of {annotator!r}, whose own summary "
            f"{candidate.system!r} is",
            remedy="Add another annotator's reference, or leave the summary out.",
        )
    if not gold:
        raise InputError(
            f"topic {candidate.topic!r} of system {candidate.system!r} has no reference to compare with",
            remedy=f"The references have the topics {listed(sorted(topics)) or '(none)'}.",
        )
    left_out = len(gold) < len(references)
    if jackknifed and not left_out and len(gold) > 1:
        return Compared(candidate, leave_each_out(gold), left_out=True)
    return Compared(candidate, [gold], left_out)


def scores_of(metrics: Sequence[Metric], rows: Sequence[Row]) -> np.ndarray:
    """The scores of candidates by metrics, (candidate, metric): the scores of all tables come from here.

    Metrics of one family are computed together. A score is NaN by a metric that needs the article where
    there is none, or none with a sentence.
    """
    scores = np.full((len(rows), len(metrics)), np.nan)
    groups = {True: list(range(len(rows)))}
    if any(metric.needs_source for metric in metrics):
        articles = {id(article): bool(article and parts_of(article)) for _, _, article in rows}
        has_text = [articles[id(article)] for _, _, article in rows]
        groups = {
            each: [number for number in groups[True] if has_text[number] == each] for each in (True, False)
        }
    families: dict[type[Metric], list[int]] = {}
    for position, metric in enumerate(metrics):
        families.setdefault(type(metric), []).append(position)
    for has_article, numbers in groups.items():
        texts = [rows[number] for number in numbers]
        for family, positions in families.items():
            computed = [each for each in positions if has_article or not metrics[each].needs_source]
            if computed and texts:
                values = family.score_rows([metrics[position] for position in computed], texts)
                scores[np.ix_(numbers, computed)] = values
    return scores


def compared_scores(
    metrics: Sequence[Metric], compared: Sequence[Compared], articles: Sequence[Source | None] = ()
) -> np.ndarray:
    """The scores of compared candidates, (candidate, metric): means over their sets of references.

    ``articles`` are those of the candidates, if there are any. A score that is undefined for one of the sets
    is NaN. No reference is left out twice: where the sets lack one already, ROUGE's ``multi="jackknife"`` is
    the best score of a set.
    """
    scores = np.empty((len(compared), len(metrics)))
    for left_out in (False, True):
        numbers = [number for number, each in enumerate(compared) if each.left_out == left_out]
        rows: list[Row] = [
            (compared[number].candidate, references, articles[number] if articles else None)
            for number in numbers
            for references in compared[number].sets
        ]
        scorers = [metric.with_one_left_out() for metric in metrics] if left_out else metrics
        row_scores = scores_of(scorers, rows)
        if len(rows) == len(numbers):
            scores[numbers] = row_scores
            continue
        of_sets = iter(row_scores.tolist())
        for number in numbers:
            sets = list(islice(of_sets, len(compared[number].sets)))
            scores[number] = (
                sets[0] if len(sets) == 1 else [math.fsum(values) / len(sets) for values in zip(*sets)]
            )
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
    return pd.DataFrame(columns, columns=SCORE_COLUMNS).astype({"score": float})


def score_columns(
    metrics: Sequence[Metric],
    candidates: Iterable[Candidate],
    references: Iterable[Reference],
    sources: Iterable[Source] = (),
    *,
    label: Callable[[Metric], str] = str,
    jackknifed: bool = False,
) -> dict[str, list[Any]]:
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
    comparison = _Comparison(candidates, references, jackknifed=jackknifed)
    sources = list(sources)
    _check_forms(metrics, comparison, sources)
    comparison.check()
    articles: dict[str, Source] = {}
    for source in sources:
        if articles.setdefault(source.topic, source) is not source:
            raise InputError(f"topic {source.topic!r} has two sources", remedy="Keep one of them.")
    needing = next((metric for metric in metrics if metric.needs_source), None)
    if needing and (missing := [topic for topic in comparison.topics if topic not in articles]):
        problem = f"{needing.name} compares with the article, and topic {missing[0]!r} has none"
        raise InputError(problem, remedy="Name the sources: --sources FILE on the command line.")
    count = len(comparison.topics)
    scores = np.empty((count, len(metrics)))
    notes = np.full((count, len(metrics)), "", dtype=object)
    order = sorted(range(count), key=comparison.topics.__getitem__)
    with Progress("summaries scored", count) as report:
        for begin in range(0, count, AT_ONCE):
            places = order[begin : begin + AT_ONCE]
            compared = comparison.list_sets(places)
            texts = [articles.get(candidate.topic) for candidate, *_ in compared]
            scores[places] = compared_scores(metrics, compared, texts)
            notes[places] = _note_scores(metrics, compared, texts, scores[places])
            report.advance(len(places))
    for metric in metrics:
        metric.warn()
    columns: dict[str, list[Any]] = {
        "topic": [topic for topic in comparison.topics for _ in labels],
        "system": [system for system in comparison.systems for _ in labels],
        "metric": labels * count,
        "score": scores.ravel().tolist(),
    }
    cautions = np.array([metric.caution for metric in metrics], dtype=object)
    noted = np.where(notes == "", cautions, notes).ravel().tolist()
    return {**columns, NOTE: noted} if any(noted) else columns


def _note_scores(
    metrics: Sequence[Metric],
    compared: Sequence[Compared],
    articles: Sequence[Source | None],
    scores: np.ndarray,
) -> np.ndarray:
    """The notes of scores on their texts, (candidate, metric)."""
    notes = np.full(scores.shape, "", dtype=object)
    counting_ascii = [place for place, metric in enumerate(metrics) if metric.counts_ascii_alone]
    for row, (candidate, sets, _) in enumerate(compared if counting_ascii else ()):
        if wordless := name_wordless(candidate, chain.from_iterable(sets)):
            notes[row, counting_ascii] = NO_WORD.format(wordless)
    for row, place in np.argwhere(np.isnan(scores)):
        article = articles[row]
        no_article = metrics[place].needs_source and article and not article.sentences
        reason = NO_ARTICLE if no_article else metrics[place].explain_undefined(compared[row].candidate)
        notes[row, place] = f"undefined: {reason}"
    return notes


def _check_forms(metrics: Sequence[Metric], comparison: _Comparison, sources: Sequence[Source]) -> None:
    """InputError for topics and annotators as of `sera.names.check_forms`."""
    topics, annotators = set(comparison.reference_topics), set(comparison.annotators)
    marked = {key for metric in metrics for key in getattr(metric, "nuggets", None) or ()}
    people = {name.removeprefix(HUMAN) for name in comparison.systems if name.startswith(HUMAN)}
    check_forms("topic", comparison.topics, topics)
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
