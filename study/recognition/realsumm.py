"""Recognisers of content units beside REALSumm's human judgements; see docs/statistics.md.

Intervals are 95 % bootstrap percentiles over documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd

from sera.benchmarks import realsumm
from sera.evaluation.correlate import Bootstrap
from sera.io import records
from sera.io.records import Candidate, Reference
from sera.metrics.configure import equip
from sera.metrics.pyramid import RECOGNISERS, Pyramid
from sera.metrics.recognition import PRESENT, recognisers, stems_in_order
from study.recognition import quality
from study.recognition.errors import MEASURED, Rates, implied_base_rate, misread

T = TypeVar("T")
Compared = tuple[Candidate, Sequence[Reference]]

_METRICS = ("ROUGE-1-F", "ROUGE-2-F", "ROUGE-L-F")
_DRAWS = 5
_KINDS = ("", "abs_", "ext_")  # REALSumm's systems by the beginning of their names
_OWN = Pyramid().threshold
_SHOWN_THRESHOLDS = (0.25, 0.5, 0.75, 1.0)
_LEVELS = ("system_pearson", "system_kendall", "summary_pearson", "summary_kendall", "global_pearson")


def measure(release: Path, resamples: int = 2000, study: Path | None = None) -> dict[str, pd.DataFrame]:
    """Print what is compared, and return the tables of docs/statistics.md, by name and with all numbers.

    release:  REALSumm's folder as released with Lite2-3Pyramid
    study:    a study's results, for the shares of present units that follow there
    """
    topics, documents, candidates = _read(release)
    bootstrap = Bootstrap("topics", resamples)
    labels = [each.labels for each in topics]
    judgements = sum(each.size for each in labels)
    print(f"{len(topics)} documents, {len(topics[0].summaries)} systems, {judgements} judgements, ", end="")
    print(f"{sum(each.sum() for each in labels) / judgements:.1%} of the units present.")

    by_threshold, chosen, found = [], [], {}
    scores = {name: quality.score_units(one, topics) for name, one in recognisers(documents).items()}
    for name, of_units in scores.items():
        for threshold in quality.THRESHOLDS:
            row = quality.judge(quality.decisions(of_units, threshold), labels, bootstrap)
            by_threshold.append({"recogniser": name, "threshold": threshold, **row})
        found[name], thresholds = quality.cross_validated(of_units, labels)
        row = quality.judge(found[name], labels, bootstrap)
        chosen.append({"recogniser": name, "threshold": _range(thresholds), **row})
    tables = {
        "thresholds": pd.DataFrame(by_threshold),
        "cross_validated": pd.DataFrame(chosen),
        "compared": quality.compare(found, labels, bootstrap),
    }
    better = list(tables["compared"].query("clearly_better")["recogniser"])
    by_stems = [
        quality.by_length(quality.decisions(scores[name], threshold), topics, bootstrap).assign(
            recogniser=name, threshold=threshold
        )
        for name in (PRESENT, *better)
        for threshold in (0.5, 0.75, 1.0)  # those of the study
    ]
    columns = ["recogniser", "threshold", *by_stems[0].columns[:-2]]
    tables["stems"] = pd.concat(by_stems, ignore_index=True)[columns]

    kinds, metrics = [], []
    for kind in _KINDS:
        kept = np.array([each.system.startswith(kind) for each, _ in candidates[0]])
        if not kept.any():
            continue
        part = [replace(t, summaries=_those(t.summaries, kept), labels=t.labels[kept]) for t in topics]
        of_kind = {name: [each[kept] for each in scores[name]] for name in RECOGNISERS}
        named = {"systems": f"{kind or 'all'} ({kept.sum()})"}
        for name, of_units in of_kind.items():
            row = quality.judge(quality.decisions(of_units, _OWN), [each.labels for each in part], bootstrap)
            kinds.append({**named, "recogniser": name, **row})
        against = _against(part, [_those(each, kept) for each in candidates], of_kind, bootstrap)
        metrics += [{**named, **row} for row in against.to_dict("records")]
    tables |= {"kinds": pd.DataFrame(kinds), "metrics": pd.DataFrame(metrics)}
    if study:
        tables["base_rates"] = _base_rates(study)
    return tables


def show(tables: dict[str, pd.DataFrame]) -> None:
    """Print the tables of `measure` in Markdown."""
    judged, at = [*quality.RATES, *_LEVELS], ["recogniser", "threshold"]
    print("\nThreshold with the highest kappa on the other documents:\n")
    _print(tables["cross_validated"], at, judged)
    print("\nFixed thresholds:\n")
    some = tables["thresholds"]["threshold"].isin(_SHOWN_THRESHOLDS)
    _print(tables["thresholds"][some], at, judged, ends=False)
    print(f"\nLess `{PRESENT}`, both with their cross-validated thresholds:\n")
    _print(tables["compared"], ["recogniser", "confidence", "clearly_better"], ["kappa", "summary_kendall"])
    print("\nBy the number of a unit's stems:\n")
    rates = ["present", *quality.RATES]
    _print(tables["stems"], [*at, "stems", "units"], rates, only=("recall", "specificity"))
    print("\nSystems that rewrite (abs_) and that extract (ext_), at 0.75:\n")
    _print(tables["kinds"], ["systems", "recogniser"], judged, only=("kappa", *_LEVELS))
    print("\nMetrics against the share of units by people, as recognised at 0.75, and as drawn:\n")
    _print(tables["metrics"], ["systems", "metric", "against"], list(_LEVELS), only=("summary_pearson",))
    if "base_rates" in tables:
        print("\nThe study's share of recognised units, and of present ones if these rates hold for it:\n")
        _print(tables["base_rates"], at, ["recognised", "present"])


def _read(release: Path) -> tuple[list[quality.Labelled], list[tuple[str, ...]], list[list[Compared]]]:
    """The labelled topics, the stems of the documents, the candidates with references; systems by name."""
    labels = realsumm.read_labels(release)
    topics, documents = [], []
    compared: list[list[Compared]] = []
    for topic in realsumm.read(release=release):
        assert topic.source
        candidates = sorted(topic.candidates, key=lambda each: each.system)
        topics.append(
            quality.Labelled(
                topic.id,
                tuple(stems_in_order(nugget.text) for nugget in topic.nuggets),
                tuple(tuple(map(stems_in_order, each.sentences)) for each in candidates),
                np.array([labels[topic.id, each.system] for each in candidates], bool),
            )
        )
        documents.append(tuple(stem for text in topic.source.sentences for stem in stems_in_order(text)))
        compared.append([(each, topic.references) for each in candidates])
    return topics, documents, compared


def _against(
    topics: list[quality.Labelled],
    candidates: Sequence[Sequence[Compared]],
    scores: dict[str, list[np.ndarray]],
    bootstrap: Bootstrap,
) -> pd.DataFrame:
    """The correlation of ROUGE with people's shares of units, with recognised and with drawn ones.

    Drawn ones are by the rates measured here on all units; their coefficients are means over _DRAWS draws.
    """
    labels = [each.labels for each in topics]
    names, systems = tuple(each.topic for each in topics), tuple(map(str, range(len(topics[0].summaries))))
    shares = {"people": [quality.shares_of(labels)]}
    for recogniser in RECOGNISERS:
        found = quality.decisions(scores[recogniser], _OWN)
        shares[f"`{recogniser}`"] = [quality.shares_of(found)]
        row = quality.judge(found, labels, bootstrap)
        measured = Rates(row["recall"], row["specificity"])
        places = {
            (topic, system, str(unit)): bool(there)
            for topic, of_topic in zip(names, found, strict=True)
            for system, of_system in zip(systems, of_topic, strict=True)
            for unit, there in enumerate(of_system)
        }
        shares[f"`{recogniser}`, drawn"] = []
        ends = np.cumsum([each.size for each in labels])[:-1]
        for drawn in misread(places, measured, draws=_DRAWS).T:
            of_topics = zip(np.split(drawn, ends), labels, strict=True)
            shares[f"`{recogniser}`, drawn"].append(
                quality.shares_of([of_topic.reshape(each.shape) for of_topic, each in of_topics])
            )
    rows = []
    metrics = equip(_METRICS, {"ROUGE": {"stem": True, "stop": True}})
    rouge = np.array(
        [[type(metrics[0]).score_together(metrics, *each) for each in of_topic] for of_topic in candidates]
    )
    for number, metric in enumerate(_METRICS):
        for against, draws in shares.items():
            lines = [quality.correlations(rouge[:, :, number], share, bootstrap) for share in draws]
            rows.append({"metric": metric, "against": against} | pd.DataFrame(lines).mean().to_dict())
    return pd.DataFrame(rows)


def _base_rates(study: Path) -> pd.DataFrame:
    candidates = list(records.read(study / "summaries.jsonl", records.Candidate))
    references = list(records.read(study / "references.jsonl", records.Reference))
    nuggets = Pyramid.from_records(records.read(study / "nuggets.jsonl", records.Nugget))
    rows = []
    for (recogniser, threshold), rates in MEASURED.items():
        metric = Pyramid(nuggets, threshold=threshold, recogniser=recogniser)
        found, present = implied_base_rate(metric, candidates, references, rates)
        rows.append(
            {"recogniser": recogniser, "threshold": threshold, "recognised": found, "present": present}
        )
    return pd.DataFrame(rows)


def _those(some: Sequence[T], kept: np.ndarray) -> tuple[T, ...]:
    return tuple(each for each, keep in zip(some, kept, strict=True) if keep)


def _range(values: list[float]) -> str:
    low, high = min(values), max(values)
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def _print(
    table: pd.DataFrame,
    names: list[str],
    measures: list[str],
    *,
    ends: bool = True,
    only: tuple[str, ...] = (),
) -> None:
    """A Markdown table of measures with their intervals; with ``only``, those of these measures."""
    print(f"| {' | '.join([*names, *(each.replace('_', ' ') for each in measures)])} |")
    print(f"|{' --- |' * len(names)}{' ---: |' * len(measures)}")
    for row in table.to_dict("records"):
        cells = [f"{row[name]:g}" if isinstance(row[name], float) else str(row[name]) for name in names]
        for each in measures:
            interval = ends and f"{each}_low" in row and (not only or each in only)
            shown = f" ({row[f'{each}_low']:.3f} to {row[f'{each}_high']:.3f})" if interval else ""
            cells.append(f"{row[each]:.3f}{shown}")
        print(f"| {' | '.join(cells)} |")
