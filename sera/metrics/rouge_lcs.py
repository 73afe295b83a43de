"""Which positions of a reference lie on a longest common subsequence with the candidate.

`union_marks` is all that ROUGE-L and ROUGE-W need from here (Lin 2004, sections 3 and 4). What it
marks is not any longest common subsequence but the one on which ROUGE-1.5.5's table ends up:

* tables run over the tokens x1..xm of a reference sentence (rows) and y1..yn of a candidate sentence;
* where xi = yj, the cell is the diagonal one with the match added, even if another were larger;
* elsewhere it is the larger of the cell above and the cell to the left, above on a tie;
* the trace goes from the last cell the same ways, and marks xi wherever it goes diagonally.
"""

from __future__ import annotations

from collections.abc import Sequence

Marks = list[bool]

_ROW_GAP, _COLUMN_GAP = object(), object()  # equal to no token, and not to each other


def union_marks(
    reference: Sequence[Sequence[str]],
    candidate: Sequence[Sequence[str]],
    places: Sequence[dict[str, int]],
    weight: float | None = None,
) -> list[Marks]:
    """For every reference sentence the union of its marks over all candidate sentences.

    ``reference`` and ``candidate`` are tokens by sentence, ``places`` says where the tokens stand in
    each candidate sentence (bit j for position j). Without a weight the longest common subsequence
    is traced (section 3.2, "union LCS"); with one the weighted one (section 4) with f(k) = k^weight.
    """
    powers = None if weight is None else [k**weight for k in range(1 + max(map(len, reference), default=0))]
    union = []
    for tokens in reference:
        marks = [False] * len(tokens)
        for sentence, where in zip(candidate, places):
            matches = [(row, where[token]) for row, token in enumerate(tokens) if token in where]
            if len(matches) < 2:
                marked = [row for row, _ in matches]
            elif powers is None:
                marked = _trace(matches, len(sentence))
            else:
                marked = _trace_weighted(tokens, matches, sentence, powers)
            for row in marked:
                marks[row] = True
        union.append(marks)
    return union


def _trace(matches: Sequence[tuple[int, int]], columns: int) -> list[int]:
    """The rows marked by the trace of a longest common subsequence, for rows that match anywhere.

    A row of the table is kept as the set of columns where it does *not* rise by one (bits of an
    int), and the next follows from it with one addition (Hyyrö 2004, "Bit-parallel LCS-length
    computation revisited"). Rows without a match repeat the row above, and the trace goes straight
    up through them, so they need no place in the table.
    """
    full = (1 << columns) - 1
    flat = full
    rows = []
    for row, places in matches:
        hit = flat & places
        above, flat = flat, ((flat + hit) | (flat - hit)) & full
        # A row's rises and the rises above it alternate from the left, so their difference as
        # numbers has a bit set exactly where the cell is larger than the cell above.
        larger = (flat - above) & full
        rows.append((row, places, places | ~larger))

    marked = []
    left = full  # the columns still to the left
    for row, places, stops in reversed(rows):
        # Along the row the trace runs left to a match, or to a cell that equals the one above.
        column = (stops & left).bit_length() - 1
        if column < 0:
            break
        if places >> column & 1:
            marked.append(row)
            left = (1 << column) - 1
        else:
            left = (2 << column) - 1
    return marked


def _trace_weighted(
    tokens: Sequence[str],
    matches: Sequence[tuple[int, int]],
    sentence: Sequence[str],
    powers: Sequence[float],
) -> list[int]:
    """The rows marked by the trace of a weighted longest common subsequence.

    Rows and columns without any match only carry a maximum on and end a run of matches. The second
    of two such neighbours repeats the first in both respects, so one stands for all of them.
    """
    rows = _condensed([row for row, _ in matches], len(tokens))
    shared = {tokens[row] for row, _ in matches}
    columns = _condensed([column for column, token in enumerate(sentence) if token in shared], len(sentence))
    row_tokens = [_ROW_GAP if row is None else tokens[row] for row in rows]
    column_tokens = [_COLUMN_GAP if column is None else sentence[column] for column in columns]

    diagonal, up, left = 0, 1, 2
    scores = [0.0] * (len(columns) + 1)
    runs = [0] * (len(columns) + 1)
    moves = []
    for row_token in row_tokens:
        score = corner = 0.0  # the cell to the left; the cell above it
        run_corner = 0
        moves_of_row = bytearray()
        for column, column_token in enumerate(column_tokens, 1):
            above, run_above = scores[column], runs[column]
            if row_token == column_token:
                # In this order: rounding decides ties.
                score = corner + powers[run_corner + 1] - powers[run_corner]
                runs[column] = run_corner + 1
                moves_of_row.append(diagonal)
            else:
                runs[column] = 0
                if above >= score:
                    score = above
                    moves_of_row.append(up)
                else:
                    moves_of_row.append(left)
            corner, run_corner = above, run_above
            scores[column] = score
        moves.append(moves_of_row)

    marked = []
    i, j = len(rows), len(columns)
    while i and j:
        move = moves[i - 1][j - 1]
        if move == diagonal:
            marked.append(rows[i - 1])
        i -= move != left
        j -= move != up
    return marked


def _condensed(positions: Sequence[int], length: int) -> list[int | None]:
    """The positions, with one None for each gap between them and after the last.

    A gap before the first needs none: it holds the same zeros as the table's edge.
    """
    condensed: list[int | None] = []
    expected = positions[0]
    for position in positions:
        if position != expected:
            condensed.append(None)
        condensed.append(position)
        expected = position + 1
    if expected != length:
        condensed.append(None)
    return condensed
