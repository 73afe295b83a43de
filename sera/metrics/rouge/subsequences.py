"""Longest common subsequences (LCS) of sentences, for ROUGE-L, ROUGE-W and MEAD (Lin 2004, sections 3 and 4).

A table has the tokens x1..xm of a reference sentence as rows and y1..yn of a candidate sentence as columns:

* where xi = yj, a cell is the diagonal cell plus the match, even if another cell is larger: f(k) - f(k - 1),
  where the match is the k-th in a row and f(k) = ``weights[k]``, in ROUGE-L f(k) = k;
* elsewhere it is the larger of the cell above and the cell to the left;
* the trace goes back from the last cell the same way and marks xi wherever it goes diagonally; of equal
  cells, ROUGE-1.5.5 takes the one above and the paper the one to the left.

A text is an array of token numbers, with the places where its sentences start, the last being its length.
``types`` is above all token numbers; candidate tokens below 0 match nothing.
"""

from __future__ import annotations

import numpy as np

from sera.compiled import compiled

_ROW_GAP, _COLUMN_GAP = -1, -2  # differ from all tokens and from each other


@compiled
def _longest(starts):
    longest = 0
    for sentence in range(len(starts) - 1):
        longest = max(longest, starts[sentence + 1] - starts[sentence])
    return longest


@compiled
def _keep_shared(text, start, end, others, gap, kept, places):
    """Fill in the tokens of a sentence that are in ``others``, and their places; returns their number.

    A row or column without a match only passes on a maximum and ends a run, so a gap stands for neighbours.
    """
    count = 0
    for place in range(start, end):
        token = text[place]
        if token >= 0 and others[token]:
            kept[count], places[count] = token, place
            count += 1
        elif count and kept[count - 1] != gap:  # before the first match, the table holds zeros
            kept[count] = gap
            count += 1
    return count


@compiled
def _fill(rows, columns, weights, prefers_left, goes_left):
    """Fill in where the trace goes left from a cell without a match; returns the last cell."""
    scores, runs = np.zeros(len(columns) + 1), np.zeros(len(columns) + 1, np.int64)
    for i in range(len(rows)):
        left = corner = 0.0
        run_corner = 0
        for j in range(len(columns)):
            above, run_above = scores[j + 1], runs[j + 1]
            if rows[i] == columns[j]:
                # the order of operations matters, since rounding decides ties
                left = corner + weights[run_corner + 1] - weights[run_corner]
                runs[j + 1] = run_corner + 1
            else:
                goes_left[i, j] = above < left or (prefers_left and above == left)
                left = max(above, left)
                runs[j + 1] = 0
            corner, run_corner = above, run_above
            scores[j + 1] = left
    return scores[-1]


@compiled
def compare(reference, starts, candidate, candidate_starts, types, weights, as_paper):
    """Compare each sentence of the reference with each of the candidate.

    Returns for each token of the reference whether a trace marks it, and whether its match is in a run with
    that of the token before, both (token,); and the sums of the best last cells of the reference's sentences
    and of the candidate's.
    """
    marks, continues = np.zeros(len(reference), np.bool_), np.zeros(len(reference), np.bool_)
    longest, longest_candidate = _longest(starts), _longest(candidate_starts)
    rows, places = np.empty(longest, np.int64), np.empty(longest, np.int64)
    columns, ignored = np.empty(longest_candidate, np.int64), np.empty(longest_candidate, np.int64)
    goes_left = np.empty((longest, longest_candidate), np.bool_)
    ours, theirs = np.zeros(types, np.bool_), np.zeros(types, np.bool_)
    best, best_candidate = np.zeros(len(starts) - 1), np.zeros(len(candidate_starts) - 1)
    for one in range(len(starts) - 1):
        for token in reference[starts[one] : starts[one + 1]]:
            ours[token] = True
        for other in range(len(candidate_starts) - 1):
            first, end = candidate_starts[other], candidate_starts[other + 1]
            for token in candidate[first:end]:
                if token >= 0:
                    theirs[token] = True
            m = _keep_shared(reference, starts[one], starts[one + 1], theirs, _ROW_GAP, rows, places)
            for token in candidate[first:end]:
                if token >= 0:
                    theirs[token] = False
            if not m:
                continue
            n = _keep_shared(candidate, first, end, ours, _COLUMN_GAP, columns, ignored)
            last = _fill(rows[:m], columns[:n], weights, as_paper, goes_left)
            best[one], best_candidate[other] = max(best[one], last), max(best_candidate[other], last)
            i, j = m - 1, n - 1
            while i >= 0 and j >= 0:
                if rows[i] == columns[j]:
                    marks[places[i]] = True
                    i -= 1
                    j -= 1
                    if i >= 0 and j >= 0 and rows[i] == columns[j]:
                        continues[places[i + 1]] = True
                elif goes_left[i, j]:
                    j -= 1
                else:
                    i -= 1
        for token in reference[starts[one] : starts[one + 1]]:
            ours[token] = False
    return marks, continues, best.sum(), best_candidate.sum()


@compiled
def paid(marks, counted, starts, weights):
    """The hits of ROUGE-W: the sum of f over the runs of matches along the reference's sentences.

    A counted token lengthens the run. The run is added when an unmarked token or the end of the sentence
    follows a counted token. A marked token that does not count is skipped: the run continues after it, and is
    lost if no counted token follows.
    """
    hits = 0.0
    for sentence in range(len(starts) - 1):
        run = 0
        for place in range(starts[sentence], starts[sentence + 1]):
            if counted[place]:
                run += 1
                if place + 1 == starts[sentence + 1] or not marks[place + 1]:
                    hits += weights[run]
                    run = 0
    return hits


@compiled
def sum_runs(marks, continues, weights):
    """The hits of the paper's ROUGE-W: the sum of f over the runs; of two sentences, WLCS(X, Y)."""
    hits = 0.0
    run = 0
    for place in range(len(marks)):
        if not continues[place]:
            hits += weights[run]
            run = 0
        run += marks[place]
    return hits + weights[run]


@compiled
def union_hits(numbers, bounds, sentences, ends, starts, firsts, pairs, types, weights, weighted, limited):
    """The hits of pairs by the union of LCS, (pair,): the marked tokens or, if ``weighted``, what is `paid`.

    If ``limited``, a token counts at most as often as both texts have it. ``numbers`` and ``bounds`` are the
    tokens of whole texts, which say how often; ``sentences``, ``ends``, ``starts`` and ``firsts`` are the
    parts of the `Tokens` to mark. A pair has the numbers of a candidate and of a reference, and ``types``
    above their tokens.
    """
    hits = np.zeros(len(pairs))
    for pair in range(len(pairs)):
        ours, theirs = pairs[pair, 0], pairs[pair, 1]
        reference = sentences[ends[theirs] : ends[theirs + 1] - 1]
        reference_starts = starts[firsts[theirs] : firsts[theirs + 1]]
        marks, _, _, _ = compare(
            reference,
            reference_starts,
            sentences[ends[ours] : ends[ours + 1] - 1],
            starts[firsts[ours] : firsts[ours + 1]],
            types[pair],
            weights,
            False,
        )
        counted = marks.copy()
        if limited:
            left = np.zeros((2, types[pair]), np.int64)
            for text in range(2):
                for token in numbers[bounds[pairs[pair, text]] : bounds[pairs[pair, text] + 1] - 1]:
                    if token >= 0:
                        left[text, token] += 1
            for place, token in enumerate(reference):
                counted[place] = marks[place] and left[0, token] > 0 and left[1, token] > 0
                if counted[place]:
                    left[0, token] -= 1
                    left[1, token] -= 1
        hits[pair] = paid(marks, counted, reference_starts, weights) if weighted else counted.sum()
    return hits
