"""A universe whose scores a test makes: its cells, as the stages of the multiverse write them."""

from __future__ import annotations

import numpy as np

from study.claims.multiverse import METRICS
from study.multiverse.choices import SCORE_PARTS, Universe, choices
from study.multiverse.universes import Cells


def made_universe(
    x: np.ndarray, y: np.ndarray, level: str, members: tuple[str, ...] = ()
) -> tuple[Universe, Cells]:
    """A universe and its cells; ``x``: the scores of `METRICS`, (metric, topic, system), ``y``: Pyramid's.

    Systems are ``s0``, ``s1`` and so on; ``members`` are all if not given.
    """
    names = [f"s{number}" for number in range(x.shape[2])]
    of_parts = {
        **{part: ([], x[:0]) for part in SCORE_PARTS},
        "pyramid": (["Pyramid"], y[None]),
        "rouge": (METRICS[:21], x[:21]),
        "plain": (METRICS[21:], x[21:]),
    }
    universe = {name: 0 for of in SCORE_PARTS.values() for name in of}
    universe |= {"systems": "all", "level": level, "members": members or tuple(names), "rouge_side": "all"}
    topics = np.array([f"t{number}" for number in range(x.shape[1])])
    cells = {
        (part, *choices(universe, part)): {
            "metrics": np.array(metrics),
            "topics": topics,
            "systems": np.array(names),
            "values": values,
        }
        for part, (metrics, values) in of_parts.items()
    }
    return universe, cells
