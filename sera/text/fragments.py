"""How extractive a summary is: the fragments that it shares with its article (Grusky et al. 2018)."""

import re
from collections import defaultdict
from dataclasses import dataclass

_WORD = re.compile(r"\w+(?:[-'’]\w+)*|[^\w\s]")
_LETTERS = re.compile(r"\w")


@dataclass(frozen=True)
class FragmentStatistics:
    """What a summary shares with its article.

    length:    words of the summary, without punctuation
    coverage:  share of the summary's tokens that are in a fragment, 0 to 1
    density:   the mean over tokens of the length of their fragment, in tokens; 0 for a token in none
    """

    length: int
    coverage: float
    density: float


def fragment_statistics(summary: str, article: str) -> FragmentStatistics:
    """The length of a summary, and its extractive coverage and density (Grusky et al. 2018, section 4).

    The tokens are lower-cased words and single punctuation marks. The paper's are spaCy's, with their case.
    Coverage and density are NaN for a summary without a token.
    """
    tokens = _WORD.findall(summary.lower())
    length = sum(bool(_LETTERS.match(token)) for token in tokens)
    if not tokens:
        return FragmentStatistics(0, float("nan"), float("nan"))
    sizes = fragments(tokens, _WORD.findall(article.lower()))
    return FragmentStatistics(
        length, sum(sizes) / len(tokens), sum(size * size for size in sizes) / len(tokens)
    )


def fragments(summary: list[str], article: list[str]) -> list[int]:
    """The lengths of the shared fragments, found greedily from the summary's first token, as in the paper.

    At each token, the longest run that the article has too is a fragment, and the search continues after it.
    As in the paper, the search through the article also continues after a run: of two runs that overlap in
    the article, only the first is seen.
    """
    places = defaultdict(list)
    for place, token in enumerate(article):
        places[token].append(place)
    sizes = []
    position = 0
    while position < len(summary):
        longest = run_end = 0
        for place in places.get(summary[position], ()):
            if place < run_end:
                continue
            size = 1
            while (
                position + size < len(summary)
                and place + size < len(article)
                and summary[position + size] == article[place + size]
            ):
                size += 1
            longest, run_end = max(longest, size), place + size
        if longest:
            sizes.append(longest)
        position += max(longest, 1)
    return sizes
