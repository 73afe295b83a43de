"""Compare recognisers of content units with human judgements and print Markdown tables.

    python bench/recognition.py RELEASE [--out FOLDER] [--resamples 2000]

RELEASE is REALSumm's folder as released with Lite2-3Pyramid. Intervals are 95 % bootstrap percentiles over
documents. With --out, all numbers are written as TSV. See docs/recognition.md.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from sera import tsv
from sera.benchmarks import realsumm
from sera.errors import InputError
from sera.evaluation.correlation import Bootstrap
from sera.evaluation.recognition_quality import (
    RATES,
    THRESHOLDS,
    Labelled,
    by_length,
    compare,
    cross_validated,
    decisions,
    judge,
    score_units,
)
from sera.metrics.pyramid import Pyramid
from sera.metrics.recognition import PRESENT, recognisers, stems_in_order

_SHOWN_THRESHOLDS = (0.25, 0.5, 0.75, 1.0)
_LEVELS = ("system_pearson", "system_kendall", "summary_pearson", "summary_kendall", "global_pearson")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("release", help="folder of REALSumm's files with content units")
    parser.add_argument("--out", help="folder for the tables as TSV")
    parser.add_argument("--resamples", type=int, default=2000, help="resamples of the bootstrap")
    settings = parser.parse_args()
    try:
        topics, documents = _read(settings.release)
        bootstrap = Bootstrap("topics", settings.resamples)
    except InputError as error:
        sys.exit(f"error: {error}")
    labels = [each.labels for each in topics]
    judgements = sum(each.size for each in labels)
    print(f"{len(topics)} documents, {len(topics[0].summaries)} systems, {judgements} judgements, ", end="")
    print(f"{sum(each.sum() for each in labels) / judgements:.1%} of the units present.")

    by_threshold, chosen, found = [], [], {}
    scores = {name: score_units(one, topics) for name, one in recognisers(documents).items()}
    for name, of_units in scores.items():
        for threshold in THRESHOLDS:
            row = judge(decisions(of_units, threshold), labels, bootstrap)
            by_threshold.append({"recogniser": name, "threshold": threshold, **row})
        found[name], thresholds = cross_validated(of_units, labels)
        row = judge(found[name], labels, bootstrap)
        chosen.append({"recogniser": name, "threshold": _range(thresholds), **row})
    tables = {
        "thresholds": pd.DataFrame(by_threshold),
        "cross_validated": pd.DataFrame(chosen),
        "compared": compare(found, labels, bootstrap),
    }
    better = list(tables["compared"].query("clearly_better")["recogniser"])
    tables["stems"] = pd.concat(
        [_by_length(name, scores[name], topics, bootstrap) for name in (PRESENT, *better)], ignore_index=True
    )

    print("\nThreshold with the highest kappa on the other documents:\n")
    _print(tables["cross_validated"], ["recogniser", "threshold"], [*RATES, *_LEVELS])
    print("\nFixed thresholds:\n")
    some = tables["thresholds"]["threshold"].isin(_SHOWN_THRESHOLDS)
    _print(tables["thresholds"][some], ["recogniser", "threshold"], [*RATES, *_LEVELS], ends=False)
    print(f"\nLess `{PRESENT}`, both with their cross-validated thresholds:\n")
    _print(tables["compared"], ["recogniser", "confidence", "clearly_better"], ["kappa", "summary_kendall"])
    print("\nBy the number of a unit's stems:\n")
    _print(
        tables["stems"],
        ["recogniser", "threshold", "stems", "units"],
        ["present", *RATES],
        only=("recall", "specificity"),
    )
    if settings.out:
        folder = Path(settings.out)
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in tables.items():
            tsv.write(folder / f"recognition_{name}.tsv", table)


def _read(release: str) -> tuple[list[Labelled], list[tuple[str, ...]]]:
    """The labelled topics, systems in order of name, and the stems of the documents."""
    labels = realsumm.read_labels(release)
    topics, documents = [], []
    for topic in realsumm.read(release=release):
        assert topic.source
        candidates = sorted(topic.candidates, key=lambda each: each.system)
        topics.append(
            Labelled(
                topic.id,
                tuple(stems_in_order(nugget.text) for nugget in topic.nuggets),
                tuple(tuple(map(stems_in_order, each.sentences)) for each in candidates),
                np.array([labels[topic.id, each.system] for each in candidates], bool),
            )
        )
        documents.append(tuple(stem for text in topic.source.sentences for stem in stems_in_order(text)))
    return topics, documents


def _by_length(
    name: str, scores: list[np.ndarray], topics: list[Labelled], bootstrap: Bootstrap
) -> pd.DataFrame:
    """The rates by the number of stems, at Pyramid's own threshold and at 0.5."""
    tables = []
    for threshold in (Pyramid().threshold, 0.5):
        table = by_length(decisions(scores, threshold), topics, bootstrap)
        table.insert(0, "threshold", threshold)
        table.insert(0, "recogniser", name)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


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


if __name__ == "__main__":
    main()
