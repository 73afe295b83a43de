"""Agreement of citation contexts with what the annotators of TAC 2014 marked for each citance.

An annotator marked one to three passages of the reference article that a citance refers to, and named the
citance's discourse facet. These annotations never reach a summarizer: they evaluate `citation_context` and
its baselines, see docs/summarizers.md.

Overlap is counted in words of the article (runs of letters and digits, in lower case). Some offsets of the
release are wrong and annotators cut sentences, so a passage is located by its text, and may be part of a
sentence or span several.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate, groupby, pairwise, permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from sera.benchmarks import Topic
from sera.benchmarks.tac2014 import read, read_annotations
from sera.io.records import Citance
from sera.summarizers.citation_context import CitationContext
from sera.summarizers.document import Article

_PLAIN: dict[str, Any] = {"neighbours": 0.0, "others": 0.0, "group_by": "section"}
_SYSTEMS: dict[str, dict[str, Any]] = {
    "citation_context": {},
    "BM25": {"match": "bm25", **_PLAIN},
    "TF-IDF cosine": {"match": "tfidf", **_PLAIN},
}
_GRID = {"neighbours": (0.0, 0.1, 0.25, 0.5), "others": (0.0, 0.25, 0.5, 1.0)}
_MEASURES = ("precision", "recall", "F", "first is marked", "facet of any annotator", "facet of most")
_F = 2  # column of F among the overlaps
_CONTEXTS = 3  # sentences found for each citance
SHORTEST = 3  # words in a row that place a piece of a passage in the article


class Judged(NamedTuple):
    """One citance with its annotations.

    ``marked`` has, for each annotator whose passages are in the article, the numbers of the article's words
    that they cover; none is empty. ``facets`` has the facet by each annotator, in lower case.
    """

    citance: Citance
    marked: tuple[frozenset[int], ...]
    facets: tuple[str, ...]


def read_judged(release: str | Path) -> list[tuple[Topic, list[Judged]]]:
    """Read the topics of the release (`tac2014.read`) with the annotations of their citances.

    Passages that are not in the cleaned article (legends, tables) are ignored. An annotator who marked
    nothing else is left out of ``marked`` for the citance.
    """
    annotations = sorted(read_annotations(release), key=lambda a: (a.topic, a.citance, a.annotator))
    annotations_by_topic = {
        id: list(rows_of_topic) for id, rows_of_topic in groupby(annotations, key=lambda a: a.topic)
    }
    pairs = []
    for topic in sorted(read(release=release), key=lambda topic: topic.id):
        article = [word for sentence in topic.source.sentences for word in split_words(sentence)]
        groups = [
            list(group)
            for _, group in groupby(annotations_by_topic.get(topic.id, ()), key=lambda a: a.citance)
        ]
        rows = []
        for citance, group in zip(topic.citances, groups, strict=True):
            mark_sets = (frozenset(locate_passages(each.reference_texts, article)) for each in group)
            rows.append(
                Judged(citance, tuple(filter(None, mark_sets)), tuple(a.facet.lower() for a in group))
            )
        pairs.append((topic, rows))
    return pairs


def split_words(text: str) -> list[str]:
    """The words of a text: runs of letters and digits, in lower case."""
    return re.findall(r"\w+", text.lower())


def locate_passages(passages: Sequence[str], article: Sequence[str]) -> set[int]:
    """The numbers of the article's words that passages cover.

    A passage is located by its longest matching run of words (the first of equals), with the matching runs of
    `SHORTEST` words or more before and after it.
    """
    places: set[int] = set()
    for passage in passages:
        matcher = SequenceMatcher(None, split_words(passage), article, autojunk=False)
        for block in matcher.get_matching_blocks():
            if block.size >= SHORTEST:
                places.update(range(block.b, block.b + block.size))
    return places


def spans(sentences: Sequence[str]) -> list[range]:
    """The numbers of each sentence's words, counted over all sentences."""
    ends = accumulate((len(split_words(sentence)) for sentence in sentences), initial=0)
    return [range(*ends_of_one) for ends_of_one in pairwise(ends)]


def passage_overlap(
    sentences: Sequence[range], marked: Sequence[frozenset[int]]
) -> tuple[float, float, float, float]:
    """The agreement of the words of found sentences, best first, with what each annotator marked.

    It is precision, recall and F, means over annotators, and whether the first sentence has a word that any
    annotator marked; each 0 to 1.
    """
    text_words = {word for sentence in sentences for word in sentence}
    both = np.array([len(text_words & own) for own in marked])
    sizes = np.array([len(own) for own in marked])
    first = bool(sentences) and any(not own.isdisjoint(sentences[0]) for own in marked)
    means = [
        (both / total).mean() for total in (max(len(text_words), 1), sizes, (len(text_words) + sizes) / 2)
    ]
    return means[0], means[1], means[2], float(first)


def judge(
    system: CitationContext, judged: Sequence[tuple[Topic, Sequence[Judged]]]
) -> tuple[np.ndarray, np.ndarray]:
    """The agreement of the system's contexts with the annotators: means over the citances of each topic.

    Returns overlaps, (topic, value of `passage_overlap`), and facets, (topic, value of `facet_agreement`).
    """
    overlaps, facet_values = [], []
    for topic, rows in judged:
        article = Article(topic.source, [row.citance for row in rows])
        places = spans([str(sentence) for sentence in article.sentences])
        contexts = system.find_contexts(article)
        pairs = list(zip(contexts, rows, strict=True))
        marked_pairs = [([places[n] for n in own.sentences], row.marked) for own, row in pairs if row.marked]
        overlaps.append([passage_overlap(*each) for each in marked_pairs])
        facet_values.append([facet_agreement(own.facet, row.facets) for own, row in pairs])
    return _means(overlaps), _means(facet_values)


def _means(rows: list) -> np.ndarray:
    return np.array([np.mean(own, axis=0) for own in rows])


def annotators_overlap(judged: Sequence[tuple[Topic, Sequence[Judged]]]) -> np.ndarray:
    """The agreement between annotators, (topic, 2): precision (equal to recall) and F, means over pairs."""
    topics = []
    for _, rows in judged:
        pairs = [pair for row in rows for pair in permutations(row.marked, 2)]
        topics.append([(len(a & b) / len(a), 2 * len(a & b) / (len(a) + len(b))) for a, b in pairs])
    return _means(topics)


def facet_agreement(facet: str, facets: Sequence[str]) -> tuple[float, float]:
    """Whether an annotator named the facet, and whether no other facet was named more often; each 0 or 1."""
    votes = Counter(facets)
    return float(facet in votes), float(votes[facet] == max(votes.values()))


def measure(release: Path) -> pd.DataFrame:
    """The table of docs/summarizers.md: percent, means over topics, with 95 % bootstrap intervals."""
    topic_pairs = read_judged(release)
    draws = np.random.default_rng(0).integers(len(topic_pairs), size=(10_000, len(topic_pairs)))
    rows = {
        name: np.hstack(judge(CitationContext(contexts=_CONTEXTS, **parameters), topic_pairs))
        for name, parameters in _SYSTEMS.items()
    }
    own, *peers = rows
    rows |= {f"{own} less {name}": rows[own] - rows[name] for name in peers}
    best_overlaps = _leave_one_out(topic_pairs)
    rows["its weights chosen on the other topics"] = best_overlaps
    rows |= {f"these less {name}": best_overlaps - rows[name][:, : best_overlaps.shape[1]] for name in peers}
    rows["an annotator beside another"] = annotators_overlap(topic_pairs)[:, [0, 0, 1]]
    for facet in ("results", "discussion"):
        facet_values = [
            [facet_agreement(facet, row.facets) for row in topic_rows] for _, topic_rows in topic_pairs
        ]
        rows[f"always {facet}"] = np.hstack([np.full((len(topic_pairs), 4), np.nan), _means(facet_values)])
    return pd.DataFrame(
        {"": name, **dict(zip(_MEASURES, _write_means(values, draws), strict=False))}
        for name, values in rows.items()
    ).fillna("")


def _write_means(values: np.ndarray, draws: np.ndarray) -> list[str]:
    """Means in percent with their intervals, "" for NaN; ``values``: topics by measures, 0 to 1."""
    low, high = np.percentile(values[draws].mean(axis=1), (2.5, 97.5), axis=0) * 100
    mean = values.mean(axis=0) * 100
    return [
        "" if np.isnan(m) else f"{m:.1f} ({a:.1f} to {b:.1f})"
        for m, a, b in zip(mean, low, high, strict=True)
    ]


def _leave_one_out(topic_pairs: list[tuple[Topic, list[Judged]]]) -> np.ndarray:
    """Overlaps (topics by measures), each topic with the weights of the highest mean F on the others."""
    results = []
    for neighbours, others in product(*_GRID.values()):
        system = CitationContext(contexts=_CONTEXTS, neighbours=neighbours, others=others)
        results.append(judge(system, topic_pairs)[0])
    grid = np.array(results)  # weights, topics, measures
    rest = grid[:, :, _F].sum(axis=1, keepdims=True) - grid[:, :, _F]
    return grid[rest.argmax(axis=0), np.arange(len(topic_pairs))]
