"""Dice's coefficient of the words of a candidate and of its references together."""

import re

import sera


@sera.metric_function("Dice")
def dice(candidate: str, references: list[str]) -> float:
    """Words in common with the references (Dice 1945).

    The score is 2 |A & B| / (|A| + |B|), from 0 to 1; A and B are the sets of distinct words in lower case.
    """
    mine, theirs = (set(re.findall(r"\w+", text.lower())) for text in (candidate, " ".join(references)))
    return 2 * len(mine & theirs) / (len(mine) + len(theirs) or 1)
