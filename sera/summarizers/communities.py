"""Communities of a small weighted graph by greedy modularity (Clauset, Newman & Moore 2004).

Every node starts alone; the two communities whose union raises modularity most are joined, until no
union raises it. Ties go to the communities with the earliest nodes. For graphs of citing
sentences: tens to hundreds of nodes; time is cubic in nodes in the worst case, all of it in numpy.
"""

from __future__ import annotations

import numpy as np

from sera.summarizers.term_vectors import DIGITS


def communities(weights: np.ndarray) -> list[list[int]]:
    """Nodes grouped, the largest group first, then by first node; nodes of a group ascending.

    ``weights``: square and symmetric, 0 or more; what stands on its diagonal is passed over. A node
    without an edge is a group of its own.
    """
    share = np.array(weights, dtype=float)
    np.fill_diagonal(share, 0.0)
    groups = {node: [node] for node in range(len(share))}
    if total := share.sum():
        share /= total  # part of all edge ends between two communities
        ends = share.sum(axis=1)  # part of all edge ends at a community
        gain = 2 * (share - np.outer(ends, ends)).round(DIGITS)
        # Joining communities without an edge between them never raises modularity.
        gain[np.tril_indices(len(gain))] = -np.inf
        while gain.max() > 0:
            first, second = map(int, np.unravel_index(gain.argmax(), gain.shape))
            groups[first] += groups.pop(second)
            share[first] += share[second]
            share[:, first] += share[:, second]
            ends[first] += ends[second]
            share[second], share[:, second], ends[second] = 0.0, 0.0, 0.0
            gain[second], gain[:, second] = -np.inf, -np.inf
            renewed = 2 * (share[first] - ends[first] * ends).round(DIGITS)
            for other in groups:
                if other != first:
                    gain[min(first, other), max(first, other)] = renewed[other]
    return sorted((sorted(group) for group in groups.values()), key=lambda group: (-len(group), group[0]))
