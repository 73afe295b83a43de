"""Scoring many summaries: who is compared with whom, and the table that comes out."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from os import PathLike
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sera.errors import InputError
from sera.io import tsv
from sera.io.records import Candidate, Reference, Source, same
from sera.io.scores import SCORE_COLUMNS, SIGNATURE_COLUMNS
from sera.metrics import family_of
from sera.metrics.base import Metric
from sera.metrics.notes import settings_text
from sera.progress import progress
from sera.registry import listed
from sera.settings import shown

if TYPE_CHECKING:
    import pandas as pd

LEFT_OUT_COLUMNS = ["metric", "reason"]

_Summary = TypeVar("_Summary", Candidate, Reference)


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
) -> Iterator[Compared]:
    """Each candidate with its sets of references: one set, that of `comparisons`, unless ``jackknifed``.

    ``jackknifed`` makes systems comparable with annotators, whose own reference is left out: a system's sets
    are then those that lack one of the topic's references in turn (Lin 2004, section 2.1), each as large as
    an annotator's one set. A single reference is kept. Raises InputError as `comparisons` does.
    """
    by_topic: dict[str, list[Reference]] = {}
    for reference in _each_once(references):
        by_topic.setdefault(reference.topic, []).append(reference)
    for candidate in _each_once(candidates):
        all_of_topic = by_topic.get(candidate.topic, [])
        against = [r for r in all_of_topic if r.annotator != candidate.annotator]
        if not against:
            raise no_reference(candidate.topic, candidate.system, by_topic)
        left_out = len(against) < len(all_of_topic)
        if jackknifed and not left_out and len(against) > 1:
            sets = [against[:out] + against[out + 1 :] for out in range(len(against))]
            yield Compared(candidate, sets, left_out=True)
        else:
            yield Compared(candidate, [against], left_out)


def no_reference(topic: str, system: str, topics: Iterable[str]) -> InputError:
    """The InputError for a summary without a reference, where the references have these topics."""
    return InputError(
        f"topic {topic!r} of system {system!r} has no reference to compare with",
        remedy=f"The references have the topics {listed(sorted(topics)) or '(none)'}.",
    )


def no_article(metric: Metric, topic: str) -> InputError:
    """The InputError for a topic without the article that a metric needs."""
    return InputError(
        f"{metric.name} compares with the article, and topic {topic!r} has none",
        remedy="Name the sources: --sources FILE on the command line.",
    )


def by_family(metrics: Iterable[Metric]) -> list[list[Metric]]:
    """Metrics in runs of one family, which are computed together."""
    return [list(group) for _, group in groupby(metrics, key=lambda metric: family_of(metric.name))]


def scores_of(
    families: Iterable[Sequence[Metric]], compared: Compared, article: Source | None = None
) -> list[float]:
    """The scores of a candidate by the metrics of `by_family`, in their order.

    A metric that needs the article is NaN where there is none, or none with a sentence.
    """
    has_text = article is not None and bool(article.sentences)
    scores = []
    for family in families:
        defined = [metric for metric in family if has_text or not metric.needs_source]
        values = iter(scores_over_sets(defined, compared, article) if defined else [])
        scores += [next(values) if has_text or not metric.needs_source else math.nan for metric in family]
    return scores


def scores_over_sets(
    metrics: Sequence[Metric], compared: Compared, source: Source | None = None
) -> list[float]:
    """The scores of a candidate by metrics of one family: the mean over its sets of references.

    A score that is undefined for one of the sets is NaN. No reference is left out twice: where the sets lack
    one already, ROUGE's ``multi="jackknife"`` is the best score of a set.
    """
    candidate, sets, left_out = compared
    if left_out:
        metrics = [metric.with_one_left_out() for metric in metrics]
    rows = [type(metrics[0]).score_together(metrics, candidate, each, source) for each in sets]
    return rows[0] if len(rows) == 1 else [math.fsum(of_one) / len(rows) for of_one in zip(*rows)]


def _each_once(records: Iterable[_Summary]) -> Iterator[_Summary]:
    """Candidates or references; InputError for one that stands twice."""
    seen = set()
    for record in records:
        named = same(record)
        assert named
        key, problem = named
        if key in seen:
            raise InputError(problem, remedy="Leave one of them out.")
        seen.add(key)
        yield record


def score(
    metrics: Sequence[Metric],
    candidates: Iterable[Candidate],
    references: Iterable[Reference],
    sources: Iterable[Source] = (),
    *,
    label: Callable[[Metric], str] = str,
    jackknifed: bool = False,
) -> pd.DataFrame:
    """Every metric on every candidate: topic, system, metric, score, in the order given.

    ``jackknifed``: a system's score is the mean over the sets of references that lack one in turn, so that
    systems and annotators, who meet one reference less, can be compared (`compared_sets`).

    A metric's ``label`` is its selector, which shows the settings that are not the defaults. A study, whose
    settings hold for all its tables, uses `canonical_name`. A score that is undefined is NaN; so are those
    that need the source where it has no sentence. Metrics of one family are computed together. Raises
    InputError as `comparisons` does, for a topic without the source that a metric needs or with two of them,
    for two metrics of one label, and for a metric that lacks what it needs besides texts. Warns with
    `sera.metrics.base.Caution` of scores that say little.
    """
    import pandas as pd  # slow to import

    labels = dict(zip(metrics, labels_of(metrics, label), strict=True))
    for metric in metrics:
        metric.ready()
    articles: dict[str, Source] = {}
    for source in sources:
        if articles.setdefault(source.topic, source) is not source:
            raise InputError(f"topic {source.topic!r} has two sources", remedy="Keep one of them.")
    needing = next((metric for metric in metrics if metric.needs_source), None)
    compared = list(compared_sets(candidates, references, jackknifed=jackknifed))
    if needing:
        for candidate, *_ in compared:
            if candidate.topic not in articles:
                raise no_article(needing, candidate.topic)
    families = by_family(metrics)
    rows = []
    for each in progress(compared, "summaries scored"):
        topic, system = each.candidate.topic, each.candidate.system
        values = scores_of(families, each, articles.get(topic))
        rows += [(topic, system, name, value) for name, value in zip(labels.values(), values, strict=True)]
    for metric in metrics:
        metric.warn()
    return pd.DataFrame(rows, columns=SCORE_COLUMNS)


def several(metrics: Any) -> list[Any]:
    """The metrics that are given, one or several; InputError for what is neither a text nor a list."""
    if not isinstance(metrics, Iterable):
        raise InputError(f"the metrics are {shown(metrics)}", remedy="Name one, or a list of them.")
    return [metrics] if isinstance(metrics, str) else list(metrics)


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
