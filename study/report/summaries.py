"""The page's data on single summaries: their scores, nuggets and rankings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from sera.io.records import Candidate, Nugget, Reference
from sera.metrics.configure import Resources, equip
from sera.metrics.pyramid import Pyramid, content_stems
from sera.metrics.scoring import comparisons
from sera.retrieval.queries import query_id

SHOWN_DOCUMENTS = 5
"""The number of retrieved documents shown per query."""


def topic_data(
    candidates: Sequence[Candidate],
    references: Sequence[Reference],
    scores: pd.DataFrame,
    *,
    metrics: Sequence[str],
    nuggets: Iterable[Nugget] = (),
    runs: Mapping[str, Mapping[str, Sequence[str]]],
    pyramid: Mapping[str, Any],
) -> dict[str, dict[str, Any]]:
    """The data of each topic.

    ``scores`` is a score table, of which ``metrics`` are shown, ``runs`` has the rankings by formulation and
    query id, and ``pyramid`` the settings of `Pyramid`.

    references    {annotator: sentences}
    summaries     {system: sentences; scores by metric; the number of content units and those found, each a
                  (tier, wordings); rankings by formulation: (document, whether a reference retrieved it)}
    """
    marks = Pyramid.from_records(nuggets)
    [metric] = equip(["Pyramid"], {"Pyramid": pyramid}, Resources(nuggets=marks))
    assert isinstance(metric, Pyramid)
    wide = scores.pivot(index=["topic", "system"], columns="metric", values="score")[list(metrics)]
    scores_by_summary = wide.to_dict("index")
    topics: dict[str, dict[str, Any]] = {}
    for reference in references:
        topic = topics.setdefault(reference.topic, {"references": {}, "summaries": {}})
        topic["references"][reference.annotator] = reference.sentences
    for candidate, golds in comparisons(candidates, references):
        units = metric.units(golds) if marks else []
        there = metric.found(candidate, units) if marks else []
        texts = {text: None for each in golds for text in marks.get((each.topic, each.annotator), ())}
        stems = {text: content_stems(text, metric.language) for text in texts}
        rankings = {}
        for formulation, run in runs.items():
            theirs = {name for each in golds for name in run.get(query_id(each), ())[:SHOWN_DOCUMENTS]}
            ranking = run.get(query_id(candidate), ())[:SHOWN_DOCUMENTS]
            rankings[formulation] = [(name, name in theirs) for name in ranking]
        topics[candidate.topic]["summaries"][candidate.system] = {
            "sentences": candidate.sentences,
            "scores": scores_by_summary.get((candidate.topic, candidate.system), {}),
            "units": len(units),
            "found": [
                (unit.tier, [text for text, each in stems.items() if each in unit.wordings])
                for unit, hit in zip(units, there, strict=True)
                if hit
            ],
            "rankings": rankings,
        }
    return topics
