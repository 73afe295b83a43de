"""Communities of a small weighted graph by greedy modularity (Clauset, Newman & Moore 2004).

Each node begins as a community of its own. The two communities whose union raises modularity most are joined,
until no union raises it; ties go to the communities with the earliest nodes. The graphs are of citing
sentences, with tens to hundreds of nodes; time is cubic in their number in the worst case, all in numpy.
"""

import numpy as np

from sera.summarizers.term_vectors import DIGITS


def communities(weights: np.ndarray) -> list[list[int]]:
    """The nodes of each community, ascending; the largest community first, equal ones by first node.

    ``weights``: nodes by nodes, symmetric, 0 or more; the diagonal is ignored. A node without an edge is a
    community of its own.
    """
    share = np.array(weights, dtype=float)
    np.fill_diagonal(share, 0.0)
    groups = {node: [node] for node in range(len(share))}
    if total := share.sum():
        share /= total  # part of all edge ends between two communities
        ends = share.sum(axis=1)  # part of all edge ends at a community
        gain = 2 * (share - np.outer(ends, ends)).round(DIGITS)
        # The union of communities without an edge between them never raises modularity.
        gain[np.tril_indices(len(gain))] = -np.inf
        while gain.max() > 0:
            first, second = map(int, np.unravel_index(gain.argmax(), gain.shape))
            groups[first] += groups.pop(second)
            share[first] += share[second]
            share[:, first] += share[:, second]
            ends[first] += ends[second]
            share[second], share[:, second], ends[second] = 0.0, 0.0, 0.0
            gain[second], gain[:, second] = -np.inf, -np.inf
            new_gain = 2 * (share[first] - ends[first] * ends).round(DIGITS)
            for other in groups:
                if other != first:
                    gain[min(first, other), max(first, other)] = new_gain[other]
    return sorted((sorted(group) for group in groups.values()), key=lambda group: (-len(group), group[0]))
