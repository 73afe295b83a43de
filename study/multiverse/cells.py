"""The scores that universes share, computed once for each part of the choices.

The scores of a part (`study.multiverse.choices.SCORE_PARTS`) under one set of choices are a *cell*. Its key
is the part's name, then the choices. A job computes the cells of one batch of summaries or of one index.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from sera.evaluation.correlate import Scores
from sera.io.files import writing
from sera.io.records import Candidate, Nugget, Reference
from sera.metrics.base import Metric
from sera.metrics.configure import Resources, equip
from sera.metrics.pyramid import Pyramid
from sera.metrics.scoring import Comparison, compared_scores
from sera.metrics.sera import RunRankings, Sera
from sera.progress import progress
from sera.retrieval.lucene import LuceneEngine
from sera.retrieval.search import documents, formulate_queries, rank_documents
from study.claims.sentences import SERA
from study.demo.truth import true_pyramid
from study.multiverse.choices import JACKKNIFED, MISREAD, SCORE_PARTS
from study.multiverse.indexes import SCORERS, PartEngine
from study.recognition.errors import MEASURED, misread_scores
from study.workflow.query_texts import collect_texts

Key = tuple[Any, ...]
Cell = tuple[Key, Scores]
Queries = dict[str, dict[str, str]]
"""The queries of summaries by `name_of_queries` and the ids of the summaries."""
Path_ = str | os.PathLike[str]
MEASURES = ("1", "2", "3", "L", "W-1.2")
SKIPS = ("S", "SU")
RANKING_DEPTH = 10  # of rankings, the highest cut-off of Table 2


# Cells


def write_arrays(path: Path_, **arrays: Any) -> None:
    """Write arrays by name into one file."""
    with writing(path, binary=True) as stream:
        np.savez_compressed(stream, allow_pickle=False, **arrays)


def read_arrays(path: Path_) -> dict[str, np.ndarray]:
    """Read what `write_arrays` wrote."""
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)


def write_cells(path: Path_, cells: Iterable[Cell]) -> None:
    """Write cells of the same topics and systems into one file, a row of values for each metric of each."""
    keys, scores = zip(*cells, strict=True)
    write_arrays(
        path,
        keys=list(map(json.dumps, keys)),
        sizes=[len(each.metrics) for each in scores],
        metrics=np.concatenate([each.metrics for each in scores]),
        values=np.concatenate([each.values for each in scores]),
        topics=scores[0].topics,
        systems=scores[0].systems,
    )


def read_cells(paths: Iterable[Path_]) -> dict[Key, Scores]:
    """Read what `write_cells` wrote, from several files, by key."""
    cells = {}
    for path in paths:
        arrays = read_arrays(path)
        ends = np.cumsum(arrays["sizes"])[:-1]
        topics, systems = (tuple(arrays[name].tolist()) for name in ("topics", "systems"))
        columns = (np.split(arrays[name], ends) for name in ("metrics", "values"))
        for key, metrics, values in zip(arrays["keys"].tolist(), *columns, strict=True):
            cells[tuple(json.loads(key))] = Scores(tuple(metrics.tolist()), topics, systems, values)
    return cells


def key_choices(key: Key) -> dict[str, Any]:
    """The choices of a key by the names of their dimensions."""
    part, *choices = key
    return dict(zip(SCORE_PARTS[part.removesuffix(JACKKNIFED)], choices, strict=True))


def arrange(metrics: Sequence[str], rows: Mapping[tuple[str, str], Sequence[float]]) -> Scores:
    """The scores of each (topic, system) by the metrics, as an array; NaN for a missing summary."""
    topics, systems = (tuple(sorted({pair[place] for pair in rows})) for place in (0, 1))
    values = np.full((len(metrics), len(topics), len(systems)), np.nan)
    for (topic, system), row in rows.items():
        values[:, topics.index(topic), systems.index(system)] = row
    return Scores(tuple(metrics), topics, systems, values)


def _score_cells(
    cells: Mapping[Key, Mapping[str, Metric]],
    candidates: Sequence[Candidate],
    references: Sequence[Reference],
) -> Iterator[Cell]:
    """The cells with these metrics by name, all of one family; they share what they prepare of the texts."""
    for is_jackknife in (False, True):
        keys = [key for key in cells if key[0].endswith(JACKKNIFED) == is_jackknife]
        comparison = Comparison(candidates if keys else (), references, jackknifed=is_jackknife)
        rows = compared_scores([metric for key in keys for metric in cells[key].values()], comparison)
        summaries = list(zip(comparison.candidates.topics, comparison.candidates.authors))
        begin = 0
        for key in keys:
            end = begin + len(cells[key])
            yield key, arrange(list(cells[key]), dict(zip(summaries, rows[:, begin:end], strict=True)))
            begin = end


# ROUGE and Pyramid, of one set of summaries


def rouge_cells(
    keys: Iterable[Key], candidates: Sequence[Candidate], references: Sequence[Reference]
) -> Iterator[Cell]:
    """The cells of ``rouge`` and ``skip``, also jackknifed. A measure with a gap is named as without one."""
    cells = {}
    for key in keys:
        choices = key_choices(key)
        measures = SKIPS if "skip_gap" in choices else MEASURES
        gap = "" if choices.get("skip_gap") is None else choices["skip_gap"]
        settings = {name: choices[f"rouge_{name}"] for name in ("stem", "stop", "multi")}
        metrics = equip([f"ROUGE-{m}{gap}-{p}" for m in measures for p in "FPR"], {"ROUGE": settings})
        names = (f"ROUGE-{m}-{p}" for m in measures for p in "FPR")
        cells[key] = dict(zip(names, metrics, strict=True))
    return _score_cells(cells, candidates, references)


def pyramid_cells(
    keys: Iterable[Key],
    candidates: Sequence[Candidate],
    references: Sequence[Reference],
    nuggets: Iterable[Nugget],
    *,
    draws: int = 1,
    seed: int = 0,
) -> Iterator[Cell]:
    """The cells of ``pyramid`` and ``misread``, also jackknifed.

    The metrics of ``misread`` are ``draws`` draws; they are NaN for a recogniser or threshold without
    measured rates.
    """
    resources = Resources(nuggets=Pyramid.from_records(nuggets))
    cells: dict[Key, dict[str, Metric]] = {}
    misreadings: dict[Key, dict[Key, Any]] = {}  # misread cells that differ in size alone
    for key in keys:
        settings = {name.removeprefix("pyramid_"): value for name, value in key_choices(key).items()}
        settings = {name: settings[name] for name in ("size", "threshold", "tiers", "recogniser")}
        (metric,) = equip(["Pyramid"], {"Pyramid": settings}, resources)
        if key[0].removesuffix(JACKKNIFED) == MISREAD:
            alike = key[0], *(value for name, value in settings.items() if name != "size")
            misreadings.setdefault(alike, {})[key] = metric
        else:
            cells[key] = {"Pyramid": metric}
    yield from _score_cells(cells, candidates, references)
    for (part, threshold, _, recogniser), metrics in progress(misreadings.items(), "settings of Pyramid"):
        rates = MEASURED.get((recogniser, threshold))
        how = {"draws": draws, "seed": seed, "jackknifed": part.endswith(JACKKNIFED)}
        rows_by_metric = misread_scores(list(metrics.values()), candidates, references, rates, **how)
        for key, rows in zip(metrics, rows_by_metric, strict=True):
            yield key, arrange(list(map(str, range(draws))), rows)


# SERA, of one index


def sera_cells(
    keys: Iterable[Key],
    candidates: Sequence[Candidate],
    references: Sequence[Reference],
    queries: Queries,
    engine: LuceneEngine,
) -> Iterator[Cell]:
    """The cells of ``plain``, ``np`` and ``kw`` for one index and set of summaries: SERA as in Table 2.

    ``queries`` are those that need no index, plain ones and noun phrases by each parser.
    """
    texts = collect_texts(candidates, references)
    queries_by_name = dict(queries)
    searches: dict[tuple[float, str], list[tuple[Key, str]]] = {}
    for key in keys:
        choices = key_choices(key)
        how = [value for name, value in choices.items() if name in _QUERIES]
        name = name_of_queries(key[0], *how)
        if key[0] == "kw" and name not in queries_by_name:
            queries_by_name[name] = formulate_queries("kw", texts, engine, threshold=how[0])
        searches.setdefault((choices["mu"], choices["scorer"]), []).append((key, name))
    for (mu, scorer), cells in progress(searches.items(), "settings of the search"):
        search_texts = {text: text for _, name in cells for text in queries_by_name[name].values()}
        ranker = SCORERS[scorer](engine)
        results = documents(rank_documents(search_texts, ranker, RANKING_DEPTH, mu=float(mu)))
        for key, name in cells:
            rankings = RunRankings(
                {key[0]: {id: results[text] for id, text in queries_by_name[name].items()}}
            )
            names = [metric for metric in SERA if Sera.parse(metric).formulation == key[0]]
            metrics = equip(names, resources=Resources(rankings=rankings))
            yield from _score_cells({key: dict(zip(names, metrics, strict=True))}, candidates, references)


_QUERIES = ("query_stop", "noun_phrases", "keyword_threshold")


def name_of_queries(part: str, *how: Any) -> str:
    """The name of the queries of a part under the choices that make them, in a file of queries."""
    return json.dumps([part, *how])


def queries_without_index(
    texts: Mapping[str, tuple[str, ...]], wanted: Iterable[tuple[str, Sequence[Any]]]
) -> Queries:
    """The queries of summaries that need no index, by `name_of_queries`.

    ``wanted``: ``plain`` with (query_stop,) and ``np`` with (query_stop, noun_phrases).
    """
    queries = {}
    for part, (stop, *parser) in wanted:
        options = {"parser": parser[0]} if parser else {}
        queries[name_of_queries(part, stop, *parser)] = formulate_queries(part, texts, stop=stop, **options)
    return queries


def part_of_index(whole: LuceneEngine, share: float, always: Collection[str]) -> LuceneEngine:
    """An engine over a share of an index's articles, and the documents ``always``.

    The articles are chosen by a hash of their ids, so that larger shares include smaller ones.
    """

    def place(id: str) -> float:
        return int.from_bytes(hashlib.sha256(id.encode()).digest()[:8], "big") / 2**64

    ids = {id for id in whole.ids if id in always or place(id) < share}
    return PartEngine(whole, ids) if len(ids) < whole.documents else whole


# The demo's truth


def true_cells(
    keys: Iterable[Key], candidates: Sequence[Candidate], truth: Mapping[str, Any]
) -> Iterator[Cell]:
    """The cells of ``truth``: the demo's true Pyramid scores; ``truth`` is by topic."""
    for key in keys:
        size = key_choices(key)["pyramid_size"]
        rows = {
            (each.topic, each.system): [true_pyramid(each.sentences, truth[each.topic], size)]
            for each in candidates
        }
        yield key, arrange(["Pyramid"], rows)
