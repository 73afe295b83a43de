"""The positions of a reference on a longest common subsequence (LCS) with the candidate, for the union LCS.

`union_marks` serves ROUGE-L and `union_marks_weighted` ROUGE-W (Lin 2004, sections 3 and 4). Of several
longest common subsequences they mark the one that ROUGE-1.5.5's table gives:

* a table has the tokens x1..xm of a reference sentence as rows and y1..yn of a candidate sentence as columns;
* where xi = yj, a cell is the diagonal cell plus the match, even if another one is larger;
* elsewhere it is the larger of the cell above and the cell to the left, above on a tie;
* the trace goes back from the last cell the same way, and marks xi wherever it goes diagonally.

A text is an array of token numbers, with the places where its sentences start, the last being its length.
``types`` is above all token numbers; candidate tokens below 0 match nothing.
"""

from __future__ import annotations

import numpy as np

from sera.compiled import compiled

_ONE, _ALL = np.uint64(1), np.uint64(2**64 - 1)
_SHIFTS = tuple(np.uint64(1 << power) for power in range(6))


@compiled
def _longest(starts):
    longest = 0
    for sentence in range(len(starts) - 1):
        longest = max(longest, starts[sentence + 1] - starts[sentence])
    return longest


@compiled
def union_marks(reference, starts, candidate, candidate_starts, types):
    """Whether the table with any candidate sentence marks each token of the reference, (token,).

    A row of the table is stored as the set of columns where it does *not* rise by one (bits, 64 per word),
    and the next row follows by one addition (Hyyrö 2004, "Bit-parallel LCS-length computation revisited").
    Rows without a match repeat the row above, and the trace goes straight up through them, so they are not
    stored.
    """
    marks = np.zeros(len(reference), np.bool_)
    most_words = (_longest(candidate_starts) + 63) // 64
    rows = _longest(starts)
    if most_words <= 1:
        _mark_within_word(reference, starts, candidate, candidate_starts, types, rows, marks)
        return marks
    where = np.zeros((types, most_words), np.uint64)  # the columns of each token
    last_with = np.full(types, -1)  # the last candidate sentence with the token
    flat = np.empty(most_words, np.uint64)
    stops = np.empty((rows, most_words), np.uint64)
    row_places = np.empty(rows, np.int64)
    one = np.uint64(1)
    for theirs in range(len(candidate_starts) - 1):
        first, end = candidate_starts[theirs], candidate_starts[theirs + 1]
        words = (end - first + 63) // 64
        for column in range(end - first):
            token = candidate[first + column]
            if token >= 0:
                where[token, column >> 6] |= one << np.uint64(column & 63)
                last_with[token] = theirs
        for ours in range(len(starts) - 1):
            kept = 0
            for word in range(words):
                flat[word] = ~np.uint64(0)
            for place in range(starts[ours], starts[ours + 1]):
                token = reference[place]
                if last_with[token] != theirs:
                    continue
                carry, borrow = np.uint64(0), np.uint64(0)
                for word in range(words):
                    above, matched = flat[word], where[token, word]
                    hit = above & matched
                    total = above + hit
                    over = np.uint64(total < hit)
                    total += carry
                    carry = over | np.uint64(total < carry)
                    flat[word] = total | (above & ~matched)
                    # The rises of a row and of the row above alternate from the left, so their difference as
                    # numbers has a bit set exactly where a cell is larger than the cell above.
                    larger = flat[word] - above - borrow
                    borrow = np.uint64(flat[word] < above or (flat[word] == above and borrow != 0))
                    stops[kept, word] = matched | ~larger
                row_places[kept] = place
                kept += 1
            # In a row, the trace goes left to a match, or to a cell that equals the one above.
            column = end - first - 1
            for row in range(kept - 1, -1, -1):
                while column >= 0 and not (stops[row, column >> 6] >> np.uint64(column & 63)) & one:
                    column -= 1
                if column < 0:
                    break
                if candidate[first + column] == reference[row_places[row]]:
                    marks[row_places[row]] = True
                    column -= 1
        for column in range(end - first):
            token = candidate[first + column]
            if token >= 0:
                where[token, column >> 6] = 0
    return marks


@compiled
def _mark_within_word(reference, starts, candidate, candidate_starts, types, rows, marks):
    """`union_marks` for candidate sentences of at most 64 tokens, as most are, with one word for a row."""
    where = np.zeros(types, np.uint64)
    stops, matches = np.empty(rows, np.uint64), np.empty(rows, np.uint64)
    row_places = np.empty(rows, np.int64)
    for theirs in range(len(candidate_starts) - 1):
        first, end = candidate_starts[theirs], candidate_starts[theirs + 1]
        bit = _ONE
        for place in range(first, end):
            token = candidate[place]
            if token >= 0:
                where[token] |= bit
            bit <<= _ONE
        for ours in range(len(starts) - 1):
            kept = 0
            for place in range(starts[ours], starts[ours + 1]):
                matched = where[reference[place]]
                matches[kept], row_places[kept] = matched, place
                kept += matched != 0
            flat = _ALL
            for row in range(kept):
                above, matched = flat, matches[row]
                flat = (above + (above & matched)) | (above & ~matched)
                stops[row] = matched | ~(flat - above)
            # the columns up to the trace; if there are none, kept is 0, and a shift by 64 does no harm
            left = _ALL >> np.uint64(64 - (end - first))
            for row in range(kept - 1, -1, -1):
                left &= stops[row]
                for shift in _SHIFTS:
                    left |= left >> shift  # all bits below the highest
                is_match = ((left ^ (left >> _ONE)) & matches[row]) != 0
                marks[row_places[row]] |= is_match
                left >>= np.uint64(is_match)
        for place in range(first, end):
            if candidate[place] >= 0:
                where[candidate[place]] = 0


_ROW_GAP, _COLUMN_GAP = -1, -2  # differ from all tokens and from each other


@compiled
def union_marks_weighted(reference, starts, candidate, candidate_starts, types, powers):
    """`union_marks` for weighted LCS (section 4): f(k) = ``powers[k]``, for k up to the longest sentence.

    A row or column without any match only passes on a maximum and ends a run of matches. Neighbouring ones do
    the same, so one of them represents all.
    """
    marks = np.zeros(len(reference), np.bool_)
    most_rows, most_columns = _longest(starts), _longest(candidate_starts)
    rows, row_places = np.empty(most_rows, np.int64), np.empty(most_rows, np.int64)
    columns = np.empty(most_columns, np.int64)
    scores, runs = np.empty(most_columns + 1), np.empty(most_columns + 1, np.int64)
    # whether the trace goes left, a bit per cell; where tokens are equal it goes diagonally, elsewhere up
    goes_left = np.empty((most_rows, (most_columns + 7) // 8), np.uint8)
    last_with = np.full(types, -1)  # the last candidate sentence with the token
    last_pair = np.full(types, -1)  # the last pair of sentences that share it
    pair = -1
    for theirs in range(len(candidate_starts) - 1):
        first, end = candidate_starts[theirs], candidate_starts[theirs + 1]
        for place in range(first, end):
            if candidate[place] >= 0:
                last_with[candidate[place]] = theirs
        for ours in range(len(starts) - 1):
            pair += 1
            m = 0
            for place in range(starts[ours], starts[ours + 1]):
                token = reference[place]
                if last_with[token] == theirs:
                    last_pair[token] = pair
                    rows[m], row_places[m] = token, place
                    m += 1
                elif m and rows[m - 1] != _ROW_GAP:  # above the first match the table holds zeros
                    rows[m] = _ROW_GAP
                    m += 1
            if not m:
                continue
            n = 0
            for place in range(first, end):
                token = candidate[place]
                if token >= 0 and last_pair[token] == pair:
                    columns[n] = token
                    n += 1
                elif n and columns[n - 1] != _COLUMN_GAP:
                    columns[n] = _COLUMN_GAP
                    n += 1

            scores[: n + 1] = 0.0
            runs[: n + 1] = 0
            for i in range(m):
                score = corner = 0.0  # the cell to the left; the cell above it
                run_corner = 0
                bits = np.uint8(0)
                for j in range(n):
                    above, run_above = scores[j + 1], runs[j + 1]
                    if rows[i] == columns[j]:
                        # the order of operations matters, since rounding decides ties
                        score = corner + powers[run_corner + 1] - powers[run_corner]
                        runs[j + 1] = run_corner + 1
                    else:
                        runs[j + 1] = 0
                        if above >= score:
                            score = above
                        else:
                            bits |= np.uint8(1 << (j & 7))
                    if j & 7 == 7 or j == n - 1:
                        goes_left[i, j >> 3] = bits
                        bits = np.uint8(0)
                    corner, run_corner = above, run_above
                    scores[j + 1] = score

            i, j = m - 1, n - 1
            while i >= 0 and j >= 0:
                if rows[i] == columns[j]:
                    marks[row_places[i]] = True
                    i -= 1
                    j -= 1
                elif goes_left[i, j >> 3] >> (j & 7) & 1:
                    j -= 1
                else:
                    i -= 1
    return marks


@compiled
def within_budgets(marks, tokens, budgets):
    """The marks that count: each uses one of its token's budget, if any is left.

    ``budgets``, (token,), holds how often both texts have each token; it is changed in place.
    """
    counted = np.zeros(len(marks), np.bool_)
    for place, token in enumerate(tokens):
        if marks[place] and budgets[token] > 0:
            budgets[token] -= 1
            counted[place] = True
    return counted


@compiled
def paid(marks, counted, starts, powers):
    """The hits of ROUGE-W: the sum of f over the runs of matches along the reference's sentences.

    A counted token lengthens the run. The run is added when an unmarked token or the end of the sentence
    follows a counted token. A marked token that does not count is skipped: the run continues after it, and is
    lost if no counted token follows.
    """
    sum_of_powers = 0.0
    for sentence in range(len(starts) - 1):
        run = 0
        for place in range(starts[sentence], starts[sentence + 1]):
            if counted[place]:
                run += 1
                if place + 1 == starts[sentence + 1] or not marks[place + 1]:
                    sum_of_powers += powers[run]
                    run = 0
    return sum_of_powers


@compiled(interpret=5_000)
def union_hits(numbers, bounds, sentences, ends, starts, firsts, pairs, types, powers, limited):
    """The sum of hits of pairs, (pair,): the tokens of the references that `union_marks` marks.

    With ``powers``, it is what `paid` pays for those that `union_marks_weighted` marks. If ``limited``, only
    those count that are `within_budgets`. ``numbers`` and ``bounds`` are the tokens of whole texts, which
    give the budgets; ``sentences``, ``ends``, ``starts`` and ``firsts`` the parts of the `Tokens` to mark. A
    pair has the numbers of two texts, a candidate and a reference, and ``types`` above their tokens.
    """
    hits = np.zeros(len(pairs))
    for pair in range(len(pairs)):
        ours, theirs = pairs[pair, 0], pairs[pair, 1]
        candidate = sentences[ends[ours] : ends[ours + 1] - 1]
        reference = sentences[ends[theirs] : ends[theirs + 1] - 1]
        of_candidate = starts[firsts[ours] : firsts[ours + 1]]
        of_reference = starts[firsts[theirs] : firsts[theirs + 1]]
        if len(powers):
            marks = union_marks_weighted(
                reference, of_reference, candidate, of_candidate, types[pair], powers
            )
        else:
            marks = union_marks(reference, of_reference, candidate, of_candidate, types[pair])
        counted = marks
        if limited:
            counts = np.zeros((2, types[pair]), np.int64)
            for text in range(2):
                for token in numbers[bounds[pairs[pair, text]] : bounds[pairs[pair, text] + 1] - 1]:
                    if token >= 0:
                        counts[text, token] += 1
            counted = within_budgets(marks, reference, np.minimum(counts[0], counts[1]))
        hits[pair] = paid(marks, counted, of_reference, powers) if len(powers) else counted.sum()
    return hits
