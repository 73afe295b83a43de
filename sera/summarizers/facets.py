"""Discourse facets: hypothesis, method, results, implication or discussion. No annotation is used.

These are the facets of Cohan & Goharian 2015 and of the TAC 2014 track.

`facet_of_citance` tells which facet of an article a citing passage takes up, from the passage's own cue
words: what is said to be used is a method, what was shown or found a result. A passage without a cue
states what is known, and is of the discussion.

`facets` tells it of the article's own sentences: by cue words of the sentence, and else by the title of its
section. A section whose title tells nothing continues the one before, as a heading inside Results does;
after an introduction it is the first of the results, because introductions have no headings inside.
Sentences of a methods section are of the method, whatever their words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sera.records import Section

FACETS = ("hypothesis", "method", "results", "implication", "discussion")
"""In the order in which an article unfolds."""

# The first pattern that is found decides: "Results and Discussion" holds results.
_TITLES = (
    (
        "method",
        r"method|material|procedure|protocol|statistical anal|^experiments?$"
        r"|experimental (section|design|setup|details)",
    ),
    ("results", r"result|finding"),
    ("implication", r"conclusion|concluding|implication|perspective|significance|future"),
    ("discussion", r"discussion"),
    ("hypothesis", r"introduction|background|abstract|summary|objective|related work|aims?\b|hypothes"),
)

_CUES = (
    (
        "hypothesis",
        r"\b(hypothesi[sz]\w*|(we|authors) (asked|reasoned|speculated|wondered|sought|set out|aimed)\b"
        r"|to (test|determine|examine|investigate|ask|address|assess) (whether|if)\b"
        r"|remains? (unclear|unknown))",
    ),
    (
        "implication",
        r"\b(suggest(s|ed|ing)? that|impl(y|ies|ied|ying|ication\w*)\b|we (conclude|propose)\b|in conclusion"
        r"|(results|data|findings|observations|work|study) (\w+ly )?"
        r"(suggest|indicate|imply|support|provide|establish)"
        r"|(therapeutic|clinical) (target|potential|relevance|value|benefit)\w*)",
    ),
    (
        "results",
        r"\b(we (\w+ly )?(f(ou|i)nd|observed?|show(ed)?|identif(y|ied)|detected?|demonstrated?|discover(ed)?"
        r"|report)|(revealed|showed|demonstrated) that|resulted in|data not shown"
        r"|significantly (\w+er|increas|decreas|reduc)\w*)",
    ),
    (
        "method",
        r"\b(w(as|ere) (\w+ly )?(performed|cultured|incubated|transfected|infected|purchased|stained|washed"
        r"|collected|harvested|isolated|purified|amplified|generated|measured|quantified|analy[sz]ed|obtained"
        r"|constructed|cloned)|according to the manufacturer|as (previously )?described)",
    ),
)

# What a citing passage says of the article that it cites.
_CITING_CUES = (
    (
        "method",
        r"\b(using|used (to|as|for|by|in)|methods?|assays?|techniques?|protocols?|algorithms?|software|tools?"
        r"|programs?|databases?|vectors?|constructs?|librar(y|ies)|plasmids?|kits?|as (previously )?described"
        r"|described (previously|elsewhere|in)|w(as|ere) (\w+ly )?(performed|generated|obtained|calculated"
        r"|measured|transfected|cloned|purified|cultured))\b",
    ),
    ("hypothesis", r"\b(hypothesi[sz]\w*|speculat\w*|proposed (that|as|to|model)|may be|might|could)\b"),
    (
        "implication",
        r"\b(suggest\w*|impl(y|ies|ied|ying|icat\w*)|therapeutic\w*|therap(y|ies)|potential\w*|conclu\w*"
        r"|indicat(e|es|ing))\b",
    ),
    (
        "results",
        r"\b(show(n|s|ed|ing)?|f(ou|i)nd(ings?|s)?|identif\w+|demonstrat\w+|observ\w+|report(s|ed)?|reveal\w*"
        r"|discover\w*|detect\w*|confirm\w*)\b",
    ),
)

_TITLE_PATTERNS = [(facet, re.compile(pattern)) for facet, pattern in _TITLES]
_CUE_PATTERNS = [(facet, re.compile(pattern)) for facet, pattern in _CUES]
_CITING_PATTERNS = [(facet, re.compile(pattern)) for facet, pattern in _CITING_CUES]


def facet_of_citance(text: str) -> str:
    """The facet that a citing passage, without citation markers, takes up; the first cue above decides."""
    return _first(_CITING_PATTERNS, text.lower()) or "discussion"


def facets(sections: Sequence[Section]) -> list[str]:
    """The facet of each sentence of an article's sections, in order.

    An article that starts under no telling title starts with the hypothesis.
    """
    found = []
    facet = None
    for section in sections:
        told = _first(_TITLE_PATTERNS, section.title.lower())
        if told is None and section.title and facet == "hypothesis":
            told = "results"
        facet = told or facet or "hypothesis"
        for sentence in section.sentences:
            cue = None if facet == "method" else _first(_CUE_PATTERNS, sentence.lower())
            found.append(cue or facet)
    return found


def _first(patterns: list[tuple[str, re.Pattern[str]]], text: str) -> str | None:
    return next((facet for facet, pattern in patterns if pattern.search(text)), None)
