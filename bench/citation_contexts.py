"""Compare `citation_context` with the annotators of TAC 2014 and print a Markdown table.

    python bench/citation_contexts.py RELEASE [--contexts 3] [--samples 10000]

RELEASE is the folder of the track's data. Intervals are 95 % bootstrap percentiles over topics. See
docs/summarizers.md.
"""

from __future__ import annotations

import argparse
import sys
from itertools import product
from typing import Any

import numpy as np

from sera.benchmarks import Topic
from sera.errors import InputError
from sera.summarizers.citation_context import CitationContext
from study.recognition.citation_contexts import (
    Judged,
    annotators_overlap,
    facet_agreement,
    judge,
    read_judged,
)

_PLAIN: dict[str, Any] = {"neighbours": 0.0, "others": 0.0, "group_by": "section"}
_SYSTEMS: dict[str, dict[str, Any]] = {
    "`citation_context`": {},
    "BM25": {"match": "bm25", **_PLAIN},
    "TF-IDF cosine": {"match": "tfidf", **_PLAIN},
}
_GRID = {"neighbours": (0.0, 0.1, 0.25, 0.5), "others": (0.0, 0.25, 0.5, 1.0)}
_F = 2  # column of F among the overlaps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("release", help="folder of the TAC 2014 BiomedSumm release")
    parser.add_argument("--contexts", type=int, default=3, help="sentences found for each citance")
    parser.add_argument("--samples", type=int, default=10_000, help="resamples of the bootstrap")
    settings = parser.parse_args()
    try:
        judged = read_judged(settings.release)
    except InputError as error:
        sys.exit(f"error: {error}")
    draws = np.random.default_rng(0).integers(len(judged), size=(settings.samples, len(judged)))

    def cells(values: np.ndarray) -> list[str]:
        """Means in percent with their intervals; ``values``: topics by measures, 0 to 1."""
        low, high = np.percentile(values[draws].mean(axis=1), (2.5, 97.5), axis=0) * 100
        mean = values.mean(axis=0) * 100
        return [f"{m:.1f} ({a:.1f} to {b:.1f})" for m, a, b in zip(mean, low, high, strict=True)]

    print(f"{len(judged)} topics, {sum(len(rows) for _, rows in judged)} citances, ", end="")
    print(f"{settings.contexts} sentences found for each; percent, means over topics.\n")
    print("| | precision | recall | F | first is marked | facet of any annotator | facet of most |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    found = {}
    for name, parameters in _SYSTEMS.items():
        found[name] = np.hstack(judge(CitationContext(contexts=settings.contexts, **parameters), judged))
        print(f"| {name} | {' | '.join(cells(found[name]))} |", flush=True)
    own, *peers = found
    for name in peers:
        print(f"| {own} less {name} | {' | '.join(cells(found[own] - found[name]))} |")
    chosen = _left_out(judged, settings.contexts)
    print(f"| its weights chosen on the other topics | {' | '.join(cells(chosen))} | | |")
    for name in peers:
        print(f"| these less {name} | {' | '.join(cells(chosen - found[name][:, : chosen.shape[1]]))} | | |")
    agreed = cells(annotators_overlap(judged))
    print(f"| an annotator beside another | {agreed[0]} | {' | '.join(agreed)} | | | |")
    for facet in ("results", "discussion"):
        rows_of = [[facet_agreement(facet, row.facets) for row in rows] for _, rows in judged]
        always = np.array([np.mean(rows, axis=0) for rows in rows_of])
        print(f"| always {facet} | | | | | {' | '.join(cells(always))} |")


def _left_out(judged: list[tuple[Topic, list[Judged]]], contexts: int) -> np.ndarray:
    """Overlaps (topics by measures), each topic with the weights of the highest mean F on the others."""
    results = []
    for neighbours, others in product(*_GRID.values()):
        system = CitationContext(contexts=contexts, neighbours=neighbours, others=others)
        results.append(judge(system, judged)[0])
    grid = np.array(results)  # weights, topics, measures
    rest = grid[:, :, _F].sum(axis=1, keepdims=True) - grid[:, :, _F]
    return grid[rest.argmax(axis=0), np.arange(len(judged))]


if __name__ == "__main__":
    main()
