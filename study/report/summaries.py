"""The report's data on single summaries: each with its references, scores, nuggets and rankings."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import pandas as pd

from sera.io.records import HUMAN, Candidate, Document, Nugget, Reference, iterate
from sera.metrics.configure import Resources, equip
from sera.metrics.pyramid import Pyramid, content_stems
from sera.metrics.scoring import comparisons
from sera.retrieval.queries import query_id

SHOWN_DOCUMENTS = 10
"""The number of retrieved documents shown per query."""

LARGEST_COLLECTION = 200_000_000
"""The largest size, in bytes, of files searched for titles; for larger collections only ids are shown."""


def topic_data(
    candidates: Sequence[Candidate],
    references: Sequence[Reference],
    scores: pd.DataFrame,
    *,
    nuggets: Iterable[Nugget] = (),
    runs: Mapping[str, Mapping[str, Sequence[str]]],
    titles: Mapping[str, str],
    pyramid: Mapping[str, Any],
) -> dict[str, dict[str, Any]]:
    """The data of each topic as plain data, which `pack` packs and the page's script unpacks.

    ``scores`` is a score table, ``runs`` has the rankings by formulation and query id, ``titles`` the titles
    of documents by id, and ``pyramid`` the settings of `Pyramid`.

    references    {annotator: sentences}
    summaries     {system: {"sentences": …, "scores": …, "found": numbers of units}}, with a score per metric
                  of `metrics_of`
    units         {"": the topic's content units, and of a gold summary ``human_A`` those of the others}, each
                  a list of [tier, wordings]
    rankings      {formulation: {system: numbers of documents}}
    documents     [id, title], by number
    """
    marked = Pyramid.from_records(nuggets)
    [metric] = equip(["Pyramid"], {"Pyramid": pyramid}, Resources(nuggets=marked))
    assert isinstance(metric, Pyramid)
    metrics = metrics_of(scores)
    wide = scores.pivot(index=["topic", "system"], columns="metric", values="score")[metrics].round(3)
    none = [None] * len(metrics)
    by_summary = dict(
        zip(wide.index, wide.astype(object).where(wide.notna(), None).to_numpy().tolist(), strict=True)
    )
    made: dict[str, dict[str, Any]] = {}
    for reference in references:
        empty: dict[str, Any] = {"references": {}, "summaries": {}, "units": {}}
        topic = made.setdefault(reference.topic, empty | {"rankings": {f: {} for f in runs}, "documents": []})
        topic["references"][reference.annotator] = list(reference.sentences)
    numbers: dict[str, dict[str, int]] = {topic: {} for topic in made}
    summaries: list[Candidate | Reference] = [*candidates, *references]
    for summary in summaries:
        if summary.topic in made:
            _rank(made[summary.topic], numbers[summary.topic], summary, runs, titles)
    for candidate, against in comparisons(candidates, references):
        topic = made[candidate.topic]
        entry: dict[str, Any] = {
            "sentences": list(candidate.sentences),
            "scores": by_summary.get((candidate.topic, candidate.system), none),
        }
        topic["summaries"][candidate.system] = entry
        if marked:
            units = metric.units(against)
            name = candidate.system if candidate.annotator else ""
            if name not in topic["units"]:
                texts = [text for r in against for text in marked.get((r.topic, r.annotator), ())]
                stems = {text: content_stems(text, metric.language) for text in texts}
                topic["units"][name] = [
                    [unit.tier, [text for text, of in stems.items() if of in unit.wordings]] for unit in units
                ]
            entry["found"] = [number for number, there in enumerate(metric.found(candidate, units)) if there]
    return made


def metrics_of(scores: pd.DataFrame) -> list[str]:
    """The metrics of a score table, in its order."""
    return list(scores["metric"].unique())


def _rank(
    topic: dict[str, Any],
    numbers: dict[str, int],
    summary: Candidate | Reference,
    runs: Mapping[str, Mapping[str, Sequence[str]]],
    titles: Mapping[str, str],
) -> None:
    """Add the documents that a summary's queries retrieved; ``numbers`` has the numbers given so far."""
    query = query_id(summary)
    name = summary.system if isinstance(summary, Candidate) else HUMAN + summary.annotator
    for formulation, run in runs.items():
        ranking = run.get(query, ())[:SHOWN_DOCUMENTS]
        for document in ranking:
            if document not in numbers:
                numbers[document] = len(numbers)
                topic["documents"].append([document, titles.get(document, "")])
        topic["rankings"][formulation][name] = [numbers[document] for document in ranking]


def pack(topic: Mapping[str, Any]) -> str:
    """A topic as JSON, compressed, in base 64; equal topics give equal text."""
    text = json.dumps(topic, ensure_ascii=False, separators=(",", ":"))
    return b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def find_titles(
    paths: Iterable[str | PathLike[str]], wanted: Iterable[str], largest: int = LARGEST_COLLECTION
) -> dict[str, str]:
    """The titles of documents by id, from the indexed files; none if these have over ``largest`` bytes.

    A document without a title is plain text, and has its first line.
    """
    files, missing = list(map(Path, paths)), set(wanted)
    if sum(path.stat().st_size for path in files) > largest:
        return {}
    documents = (each for path in files for each in iterate(path, Document) if each.id in missing)
    return {each.id: each.title or each.text.strip()[:120].split("\n")[0] for each in documents}
