"""Recognisers of content units beside REALSumm's human judgements; see docs/statistics.md.

Intervals are 95 % bootstrap percentiles over documents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import compress
from pathlib import Path

import numpy as np
import pandas as pd

from sera.benchmarks import Topic
from sera.benchmarks.realsumm import REALSUMM, read_labels
from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.tables import align_table, format_table
from sera.io.language_models import Answers
from sera.io.records import Candidate, Reference
from sera.metrics.configure import equip
from sera.metrics.nugget_support import ask_support, support_requests
from sera.metrics.pyramid import RECOGNISERS, Pyramid
from study.recognition import quality
from study.recognition.recognisers import PRESENT, recognisers, stems_in_order

Compared = tuple[Candidate, Sequence[Reference]]
_METRICS = ("ROUGE-1-F", "ROUGE-2-F", "ROUGE-L-F")
_KINDS = ("", "abs_", "ext_")  # REALSumm's systems by the beginning of their names
_OWN = Pyramid().threshold
_TITLES = {
    "thresholds": "Fixed thresholds",
    "cross_validated": "Threshold with the highest kappa on the other documents",
    "compared": f"Less {PRESENT}, both with their cross-validated thresholds",
    "stems": "By the number of a unit's stems",
    "kinds": "Systems that rewrite (abs_) and that extract (ext_), at 0.75",
    "metrics": "Metrics against the share of units by people, and as recognised at 0.75",
}
_KEYS = ("systems", "recogniser", "threshold", "stems", "units", "metric", "against", "clearly_better")
_LEVELS = ("system_pearson", "system_kendall", "summary_pearson", "summary_kendall", "global_pearson")


def measure(release: Path, model: str | None = None) -> dict[str, pd.DataFrame]:
    """Print what is compared, and return the tables of docs/statistics.md, by name and with all numbers.

    ``release`` is REALSumm's folder as released with Lite2-3Pyramid; ``model`` is a language model that is
    compared too.
    """
    topics, documents, candidates = _read_topics(release)
    bootstrap = Bootstrap("topics", 2000)
    labels = [each.labels for each in topics]
    judgements = sum(each.size for each in labels)
    print(f"{len(topics)} documents, {len(topics[0].summaries)} systems, {judgements} judgements, ", end="")
    print(f"{sum(each.sum() for each in labels) / judgements:.1%} of the units present.")

    threshold_rows, best_rows, decisions = [], [], {}
    scores = {name: quality.score_units(one, topics) for name, one in recognisers(documents).items()}
    if model:
        scores["model"] = ask_model(REALSUMM.read(release=release), model, Answers())
    for name, unit_scores in scores.items():
        for threshold in quality.THRESHOLDS:
            row = quality.judge(quality.decisions(unit_scores, threshold), labels, bootstrap)
            threshold_rows.append({"recogniser": name, "threshold": threshold, **row})
        decisions[name], thresholds = quality.cross_validate(unit_scores, labels)
        row = quality.judge(decisions[name], labels, bootstrap)
        lowest, highest = f"{min(thresholds):g}", f"{max(thresholds):g}"
        span = lowest if lowest == highest else f"{lowest} to {highest}"
        best_rows.append({"recogniser": name, "threshold": span, **row})
    tables = {
        "thresholds": pd.DataFrame(threshold_rows),
        "cross_validated": pd.DataFrame(best_rows),
        "compared": quality.compare(decisions, labels, bootstrap),
    }
    better = list(tables["compared"].query("clearly_better")["recogniser"])
    stem_tables = {
        (name, threshold): quality.rates_by_length(
            quality.decisions(scores[name], threshold), topics, bootstrap
        )
        for name in (PRESENT, *better)
        for threshold in (0.5, 0.75, 1.0)  # those of the study
    }
    tables["stems"] = pd.concat(stem_tables, names=["recogniser", "threshold"]).reset_index([0, 1])

    kinds, metrics = [], []
    for kind in _KINDS:
        mask = np.array([each.system.startswith(kind) for each, _ in candidates[0]])
        if not mask.any():
            continue
        part = [
            replace(each, summaries=tuple(compress(each.summaries, mask)), labels=each.labels[mask])
            for each in topics
        ]
        kind_scores = {name: [each[mask] for each in scores[name]] for name in RECOGNISERS}
        label = {"systems": f"{kind or 'all'} ({mask.sum()})"}
        for name, unit_scores in kind_scores.items():
            row = quality.judge(
                quality.decisions(unit_scores, _OWN), [each.labels for each in part], bootstrap
            )
            kinds.append({**label, "recogniser": name, **row})
        kind_candidates = [list(compress(each, mask)) for each in candidates]
        correlation_table = _correlate_rouge(part, kind_candidates, kind_scores, bootstrap)
        metrics += [{**label, **row} for row in correlation_table.to_dict("records")]
    return tables | {"kinds": pd.DataFrame(kinds), "metrics": pd.DataFrame(metrics)}


def show(tables: dict[str, pd.DataFrame]) -> None:
    """Print the tables of `measure`."""
    for name, table in tables.items():
        measures = [each for each in (*quality.RATES, *_LEVELS) if each in table]
        keys = [each for each in _KEYS if each in table]
        ends = [f"{each}_{end}" for each in measures for end in ("low", "high")]
        print(f"\n{_TITLES[name]}:\n\n{align_table(format_table(table[[*keys, *measures, *ends]]))}")


def ask_model(topics: Iterable[Topic], model: str, answers: Answers) -> list[np.ndarray]:
    """How far each summary supports each unit by a language model; 0 where it does not say."""
    asked = []
    for topic in topics:
        nuggets = [nugget.text for nugget in topic.nuggets]
        candidates = sorted(topic.candidates, key=lambda each: each.system)
        asked.append([(each.sentences, nuggets) for each in candidates])
    answers.to([one for topic in asked for each in topic for one in support_requests(model, *each)])
    found = [[ask_support(answers, model, text, nuggets) for text, nuggets in topic] for topic in asked]
    return [
        np.nan_to_num([[support[nugget] for nugget in topic[0][1]] for support in rows])
        for rows, topic in zip(found, asked, strict=True)
    ]


def _read_topics(release: Path) -> tuple[list[quality.Labelled], list[tuple[str, ...]], list[list[Compared]]]:
    """The labelled topics, the stems of the documents, the candidates with references; systems by name."""
    labels = read_labels(release)
    topics, documents = [], []
    candidate_rows: list[list[Compared]] = []
    for topic in REALSUMM.read(release=release):
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
        candidate_rows.append([(each, topic.references) for each in candidates])
    return topics, documents, candidate_rows


def _correlate_rouge(
    topics: list[quality.Labelled],
    candidates: Sequence[Sequence[Compared]],
    scores: dict[str, list[np.ndarray]],
    bootstrap: Bootstrap,
) -> pd.DataFrame:
    """The correlation of ROUGE with people's shares of units, and with recognised ones."""
    shares = {"people": quality.unit_shares([each.labels for each in topics])}
    for recogniser in RECOGNISERS:
        shares[recogniser] = quality.unit_shares(quality.decisions(scores[recogniser], _OWN))
    metrics = equip(_METRICS, {"ROUGE": {"stem": True, "stop": True}})
    rouge = np.array(
        [
            [type(metrics[0]).score_together(metrics, *each) for each in topic_pairs]
            for topic_pairs in candidates
        ]
    )
    return pd.DataFrame(
        {"metric": metric, "against": source, **quality.correlations(rouge[:, :, number], share, bootstrap)}
        for number, metric in enumerate(_METRICS)
        for source, share in shares.items()
    )
