"""The scores that universes share, computed once for each part of the choices.

The scores of a part (`study.multiverse.choices.SCORE_PARTS`) under one set of choices are a *cell*, an
array, (metric, topic, system). A job computes the cells of one batch of summaries or of one index, and
gathers them in one file.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sera.errors import InputError
from sera.io.files import writing
from sera.io.records import Candidate, Nugget, Reference
from sera.metrics.base import Metric
from sera.metrics.scoring import compared_scores, compared_sets
from sera.progress import progress
from sera.retrieval.lucene import LuceneEngine
from sera.retrieval.queries import collect_texts
from sera.retrieval.search import documents, formulate_queries, rank_documents
from study.claims.sentences import SERA
from study.multiverse.choices import INDEXES, JACKKNIFED, MISREAD, SEARCHES, SETS

Choices = tuple[Any, ...]
Wanted = tuple[str, Choices]
"""A cell's part and its choices."""
Made = tuple[str, Choices, dict[str, np.ndarray]]
Queries = dict[str, dict[str, str]]
"""The queries of summaries by `name_of_queries` and the ids of the summaries."""
Path_ = str | os.PathLike[str]

MEASURES = ("1", "2", "3", "L", "W-1.2")
SKIPS = ("S", "SU")
RANKING_DEPTH = 10  # of rankings, the highest cut-off of Table 2
_AXES = ("metrics", "topics", "systems")  # of the values of a cell


# Cells
# -----


def write_arrays(path: Path_, **arrays: np.ndarray) -> None:
    """Write arrays by name into one file."""
    with writing(path, binary=True) as stream:
        np.savez_compressed(stream, allow_pickle=False, **arrays)


def read_arrays(path: Path_) -> dict[str, np.ndarray]:
    """Read what `write_arrays` wrote."""
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)


def gather(path: Path_, cells: Iterable[Made]) -> None:
    """Write cells into one file, for `read_cells`.

    Cells of the same axes are one array with their names in order: a file of fewer arrays is read faster.
    """
    by_axes: dict[Any, list[Made]] = {}
    for made in cells:
        alike = tuple((made[2][axis].dtype.str, made[2][axis].tobytes()) for axis in _AXES)
        by_axes.setdefault(alike, []).append(made)
    arrays: dict[str, np.ndarray] = {}
    for number, of in enumerate(by_axes.values()):
        arrays[f"names {number}"] = np.array(
            [json.dumps([part, *choices]) for part, choices, _ in of], dtype=str
        )
        arrays[f"values {number}"] = np.stack([cell["values"] for _, _, cell in of])
        arrays |= {f"{axis} {number}": of[0][2][axis] for axis in _AXES}
    write_arrays(path, **arrays)


def read_cells(paths: Iterable[Path_]) -> dict[tuple[Any, ...], dict[str, np.ndarray]]:
    """Read the cells of files by (part, *choices): ``values``, ``metrics``, ``topics`` and ``systems``."""
    cells: dict[tuple[Any, ...], dict[str, np.ndarray]] = {}
    for path in paths:
        arrays = read_arrays(path)
        for number in range(len(arrays) // (2 + len(_AXES))):
            axes = {axis: arrays[f"{axis} {number}"] for axis in _AXES}
            for name, values in zip(arrays[f"names {number}"], arrays[f"values {number}"], strict=True):
                cells[tuple(json.loads(str(name)))] = {"values": values, **axes}
    return cells


def _cell(metrics: Sequence[str], scores: Mapping[tuple[str, str], Sequence[float]]) -> dict[str, np.ndarray]:
    """A cell from the scores of each (topic, system) by the metrics; NaN for a missing summary."""
    topics, systems = (sorted({pair[place] for pair in scores}) for place in (0, 1))
    values = np.full((len(metrics), len(topics), len(systems)), np.nan)
    for (topic, system), row in scores.items():
        values[:, topics.index(topic), systems.index(system)] = row
    axes = zip(_AXES, (metrics, topics, systems), strict=True)
    return {"values": values, **{axis: np.array(names, dtype=str) for axis, names in axes}}


def _scored(
    metrics: Sequence[Metric], candidates: Sequence[Candidate], references: Sequence[Reference], part: str
) -> dict[tuple[str, str], list[float]]:
    """The scores of each candidate, by (topic, system), by metrics of one family, for the cells of a part."""
    sets = list(compared_sets(candidates, references, jackknifed=part.endswith(JACKKNIFED)))
    keys = [(each.candidate.topic, each.candidate.system) for each in sets]
    return dict(zip(keys, compared_scores(metrics, sets).tolist(), strict=True))


def group_by_set(
    wanted: Mapping[str, Iterable[Sequence[Any]]], sets: Iterable[Sequence[Any]], paths: Iterable[Path_]
) -> Iterator[tuple[Path_, list[Wanted]]]:
    """The wanted cells of each set of summaries: the set's file, and the cells.

    ``wanted`` has the choices of each part, which begin with those of `SETS`; ``sets`` are the choices of the
    files in ``paths``. Sets without cells are left out.
    """
    of_sets: dict[Choices, list[Wanted]] = {}
    for part, of_part in wanted.items():
        for choices in map(tuple, of_part):
            of_sets.setdefault(choices[: len(SETS)], []).append((part, choices))
    for of, path in zip(sets, paths, strict=True):
        if cells := of_sets.get(tuple(of)):
            yield path, cells


# ROUGE and Pyramid, of one set of summaries
# ------------------------------------------


def rouge_cells(
    wanted: Sequence[Wanted], candidates: Sequence[Candidate], references: Sequence[Reference]
) -> Iterator[Made]:
    """The cells of ``rouge`` (those of `SETS`, stem, stop, multi) and ``skip`` (..., gap).

    A measure with a gap is named as without one. Parts may be jackknifed ones.
    """
    from sera.metrics.configure import equip

    compared: dict[tuple[Any, ...], list[Wanted]] = {}  # the cells that compare the same words
    for part, choices in wanted:
        stem, stop, *_ = choices[len(SETS) :]
        compared.setdefault((part.endswith(JACKKNIFED), stem, stop), []).append((part, choices))
    for cells in progress(compared.values(), "settings of ROUGE"):
        metrics: list[Metric] = []
        names_of = []
        for part, choices in cells:
            stem, stop, multi, *gap = choices[len(SETS) :]
            measures = MEASURES if part.removesuffix(JACKKNIFED) == "rouge" else SKIPS
            gapped = gap[0] if gap and gap[0] is not None else ""
            names = [f"ROUGE-{m}{gapped}-{p}" for m in measures for p in "FPR"]
            metrics += equip(names, {"ROUGE": {"stem": stem, "stop": stop, "multi": multi}})
            names_of.append([f"ROUGE-{m}-{p}" for m in measures for p in "FPR"])
        rows = _scored(metrics, candidates, references, cells[0][0])
        first = 0
        for (part, choices), names in zip(cells, names_of, strict=True):
            end = first + len(names)
            yield part, choices, _cell(names, {summary: row[first:end] for summary, row in rows.items()})
            first = end


def pyramid_cells(
    wanted: Sequence[Wanted],
    candidates: Sequence[Candidate],
    references: Sequence[Reference],
    nuggets: Iterable[Nugget],
    *,
    draws: int = 1,
    seed: int = 0,
) -> Iterator[Made]:
    """The cells of ``pyramid`` and ``misread`` (those of `SETS`, size, threshold, tiers, recogniser).

    The metrics of ``misread`` are ``draws`` draws; they are NaN for a recogniser or threshold without
    measured rates. Parts may be jackknifed ones.
    """
    from sera.metrics.configure import Resources, equip
    from sera.metrics.pyramid import Pyramid
    from study.recognition.errors import MEASURED, misread_scores

    marked = Resources(nuggets=Pyramid.from_records(nuggets))
    recognised: dict[tuple[Any, ...], list[Choices]] = {}  # the cells for which the same is recognised
    for part, choices in wanted:
        recognised.setdefault((part, *choices[len(SETS) + 1 :]), []).append(choices)
    for (part, threshold, tiers, recogniser), of_sizes in progress(recognised.items(), "settings of Pyramid"):
        metrics = []
        for choices in of_sizes:
            settings = {"threshold": float(threshold), "tiers": tiers, "recogniser": recogniser}
            settings["size"] = choices[len(SETS)]
            (metric,) = equip(["Pyramid"], {"Pyramid": settings}, marked)
            assert isinstance(metric, Pyramid)
            metrics.append(metric)
        if part.removesuffix(JACKKNIFED) == MISREAD:
            names = [str(draw) for draw in range(draws)]
            how = {"draws": draws, "seed": seed, "jackknifed": part.endswith(JACKKNIFED)}
            rates = MEASURED.get((recogniser, float(threshold)))
            found = misread_scores(metrics, candidates, references, rates, **how)
            for choices, scores in zip(of_sizes, found, strict=True):
                yield part, choices, _cell(names, scores)
        else:
            rows = _scored(metrics, candidates, references, part)
            for place, choices in enumerate(of_sizes):
                of_size = {summary: row[place : place + 1] for summary, row in rows.items()}
                yield part, choices, _cell(["Pyramid"], of_size)


# SERA, of one index
# ------------------


@dataclass
class Summaries:
    """A set of summaries with the queries that need no index: plain, and noun phrases by each parser."""

    candidates: Sequence[Candidate]
    references: Sequence[Reference]
    queries: Queries

    @cached_property
    def texts(self) -> dict[str, tuple[str, ...]]:
        return collect_texts(self.candidates, self.references)


def sera_cells(wanted: Sequence[Wanted], summaries: Summaries, engine: Any) -> Iterator[Made]:
    """The cells of ``plain``, ``np`` and ``kw`` for one index: the variants of SERA in Table 2.

    All are of one set of summaries. A cell's choices begin with those of `SETS` and `INDEXES`; mu and scorer
    follow, then the choices that make the queries (`SCORE_PARTS`). ``engine`` is an embedded engine.
    """
    from sera.metrics.configure import Resources, equip
    from sera.metrics.sera import RunRankings, Sera

    by_keywords: dict[Choices, dict[str, str]] = {}
    searches: dict[Choices, list[Wanted]] = {}
    for part, choices in wanted:
        searches.setdefault(choices[len(SETS) + len(INDEXES) : len(SEARCHES)], []).append((part, choices))
    for (mu, scorer), cells in progress(searches.items(), "settings of the search"):
        queries_of = {}
        for part, choices in cells:
            how = choices[len(SEARCHES) :]
            if part != "kw":
                queries_of[part, choices] = summaries.queries[name_of_queries(part, *how)]
                continue
            if how not in by_keywords:
                by_keywords[how] = formulate_queries("kw", summaries.texts, engine, threshold=how[0])
            queries_of[part, choices] = by_keywords[how]
        texts = {text: text for each in queries_of.values() for text in each.values()}
        found = documents(rank_documents(texts, engine, RANKING_DEPTH, mu=float(mu), scorer=scorer))
        for part, choices in cells:
            run = {name: found[text] for name, text in queries_of[part, choices].items()}
            names = [name for name in SERA if Sera.parse(name).formulation == part]
            metrics = equip(names, resources=Resources(rankings=RunRankings({part: run})))
            scores = _scored(metrics, summaries.candidates, summaries.references, part)
            yield part, choices, _cell(names, scores)


def name_of_queries(part: str, *how: Any) -> str:
    """The name of the queries ``plain`` or ``np`` under some choices, in a file of queries."""
    return json.dumps([part, *how])


def queries_without_index(texts: Mapping[str, tuple[str, ...]], wanted: Iterable[Wanted]) -> Queries:
    """The queries of summaries that need no index, by `name_of_queries`.

    ``wanted``: ``plain`` with (query_stop,) and ``np`` with (query_stop, noun_phrases).
    """
    made = {}
    for part, (stop, *parser) in wanted:
        named = {"parser": parser[0]} if parser else {}
        made[name_of_queries(part, stop, *parser)] = formulate_queries(part, texts, stop=stop, **named)
    return made


def sample_documents(ids: Iterable[str], share: float) -> Iterator[str]:
    """A share of the documents' ids, chosen by a hash of each, so that larger shares include smaller ones.

    InputError for a share that is not above 0 and at most 1.
    """
    if not 0 < share <= 1:
        problem = f"multiverse.dimensions.index_size: {share} is not a share"
        raise InputError(problem, remedy="Give a value above 0 and up to 1.")
    for id in ids:
        place = int.from_bytes(hashlib.sha256(id.encode()).digest()[:8], "big") / 2**64
        if place < share:
            yield id


def part_of_index(whole: LuceneEngine, share: float, always: Iterable[str]) -> LuceneEngine:
    """An engine over a share of an index's articles, `sample_documents`, and the documents ``always``."""
    always = set(always)
    chosen = always.union(sample_documents((id for id in whole.ids if id not in always), share))
    return whole.part(chosen) if len(chosen) < whole.documents else whole


# The demo's truth
# ----------------


def true_cells(
    of: Choices, candidates: Sequence[Candidate], truth: Mapping[str, Any], sizes: Iterable[str]
) -> Iterator[Made]:
    """The cells of ``truth`` (``of``, the choices of `SETS`, and size): the demo's true Pyramid scores."""
    from study.demo.truth import true_pyramid

    for size in sizes:
        scores = {
            (each.topic, each.system): [true_pyramid(each.sentences, truth[each.topic], size)]
            for each in candidates
        }
        yield "truth", (*of, size), _cell(["Pyramid"], scores)
