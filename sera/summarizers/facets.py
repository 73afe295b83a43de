"""Find discourse facets (hypothesis, method, results, implication or discussion) without annotations.

These are the facets of Cohan & Goharian 2015 and of the TAC 2014 track.

`facet_of_citance` finds which facet of an article a citing passage is about, by the passage's cue words: they
mark something used as a method, and something shown or found as results. A passage without a cue states what
is known and is discussion.

`facets` finds the facets of an article's own sentences: by the cue words of the sentence, or else by the
title of its section. A section whose title has no cue continues the facet before it, as a heading inside
Results does. After an introduction it begins the results, because introductions have no headings inside. All
sentences of a methods section are method, whatever their words.
"""

import re
from collections.abc import Sequence

from sera.io.records import Section

FACETS = ("hypothesis", "method", "results", "implication", "discussion")
"""The facets in the order in which an article presents them."""

# The first pattern that matches decides: "Results and Discussion" is results.
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

# Cues in a passage that cites the article.
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


def facet_of_citance(text: str) -> str:
    """The facet of a citing passage, given without citation markers; the first cue above decides."""
    return _first(_CITING_CUES, text.lower()) or "discussion"


def facets(sections: Sequence[Section]) -> list[str]:
    """The facet of each sentence of an article's sections, in order.

    If the first title has no cue, the article begins with the hypothesis.
    """
    names = []
    facet = None
    for section in sections:
        title_facet = _first(_TITLES, section.title.lower())
        if title_facet is None and section.title and facet == "hypothesis":
            title_facet = "results"
        facet = title_facet or facet or "hypothesis"
        for sentence in section.sentences:
            cue = None if facet == "method" else _first(_CUES, sentence.lower())
            names.append(cue or facet)
    return names


def _first(patterns: Sequence[tuple[str, str]], text: str) -> str | None:
    return next((facet for facet, pattern in patterns if re.search(pattern, text)), None)
