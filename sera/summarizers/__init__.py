"""Summarizers: the nine systems whose summaries are judged, and what is seen beside them.

The nine are those of Cohan & Goharian 2016, section 4.3. Each has the interface of sumy's
`AbstractSummarizer`, ``summarizer(document, sentences_count)``, where ``document`` is a
`sera.summarizers.document.Article` and ``sentences_count`` may be a number or a
`sera.summarizers.budget.Budget`. Where sumy has the system, it is sumy's own class with its slow
parts replaced, and chooses the sentences that sumy chooses. `summarize` does the whole in one call.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from sera.errors import InputError
from sera.records import Candidate, Citance, Reference, Source
from sera.registry import Registry

NINE = (
    "lexrank",
    "lsa",
    "mmr",
    "citation_lexrank",
    "luhn",
    "sumbasic",
    "citation_context",
    "kl",
    "lda",
)
"""The systems of the paper, in its order."""

BASELINES = ("lead", "random", "oracle")
"""What the paper does not have, to see the nine against; outside every published figure."""

SUMMARIZERS = Registry(
    "summarizer",
    {
        "lexrank": ("sera.summarizers.lexrank:LexRank", "central sentences (Erkan & Radev 2004)"),
        "lsa": ("sera.summarizers.lsa:LSA", "latent semantic analysis (Steinberger & Jezek 2004)"),
        "mmr": ("sera.summarizers.mmr:MMR", "maximal marginal relevance (Carbonell & Goldstein 1998)"),
        "citation_lexrank": (
            "sera.summarizers.citation_lexrank:CitationLexRank",
            "C-LexRank: central sentences of the communities of citances (Qazvinian et al. 2013)",
            "citances",
        ),
        "luhn": ("sera.summarizers.luhn:Luhn", "clusters of frequent words (Luhn 1958)"),
        "sumbasic": ("sera.summarizers.sumbasic:SumBasic", "probable words (Vanderwende et al. 2007)"),
        "citation_context": (
            "sera.summarizers.citation_context:CitationContext",
            "what citances reflect, by discourse facet (Cohan & Goharian 2015)",
            "citances",
        ),
        "kl": ("sera.summarizers.kl:KL", "unigram divergence (Haghighi & Vanderwende 2009)"),
        "lda": (
            "sera.summarizers.lda:LDA",
            "divergence of topic models (Haghighi & Vanderwende 2009)",
            "seed",
        ),
        "lead": ("sera.summarizers.baselines:Lead", "baseline: the first sentences"),
        "random": (
            "sera.summarizers.baselines:Random",
            "baseline: sentences by chance, seeded by topic",
            "seed",
        ),
        "oracle": (
            "sera.summarizers.oracle:Oracle",
            "ceiling: sentences that raise ROUGE-2 against the references, greedily",
            "references",
        ),
    },
)


def summarizer(name: str, **parameters: Any) -> Any:
    """The summarizer of a name, with its own parameters (see the class); the others keep their defaults.

    Raises InputError for a name or a parameter that does not exist, and for a value out of its range.
    """
    kind = SUMMARIZERS.load(name)
    known = _parameters(kind)
    for parameter in parameters:
        if parameter not in known:
            raise InputError(
                f"summarizer {name!r} has no parameter {parameter!r}",
                remedy=f"It has: {', '.join(known)}." if known else "It has none.",
            )
    try:
        return kind(**parameters)
    except TypeError as error:
        raise InputError(f"summarizer {name!r}: {error}", remedy="Look at the types of its values.") from None


def summarize(
    name: str,
    source: Source,
    citances: Sequence[Citance] = (),
    references: Sequence[Reference] = (),
    *,
    words: int | None = None,
    sentences: int | None = None,
    share: float | None = None,
    seed: int = 0,
    order: str = "source",
    **parameters: Any,
) -> Candidate:
    """Summarise ``source`` with the system ``name`` in whole sentences, within a budget.

    The budget is one of ``words`` (250 if none is named), ``sentences``, or a ``share`` of the source's
    words (above 0, up to 1). A word is what white space separates. Sentences are taken in the system's
    order of choice; one that no longer fits is passed over and the next are tried, by the same rule for
    every system. The summary's sentences stand in the order of the source (``order="source"``) or of choice
    (``"choice"``). They are the source's own, without the white space around them; those of
    ``citation_lexrank`` are the citances'. ``citances`` and ``references`` of other topics are passed over;
    the references, gold summaries, reach systems that say so alone (``oracle``). ``seed`` reaches the systems
    that draw random numbers (``lda``, ``random``).

    The paper names no length; 250 words is the limit of the TAC 2014 track.

    Raises InputError if the source has no sentence, no sentence that fits into the budget, or no
    citance or reference for a system that needs them.
    """
    from sera.summarizers.budget import budget
    from sera.summarizers.document import Article

    if "seed" in SUMMARIZERS.needs(name):
        parameters = {"seed": seed, **parameters}
    system = summarizer(name, **parameters)
    document = Article(
        source,
        [citance for citance in citances if citance.topic == source.topic],
        [reference for reference in references if reference.topic == source.topic]
        if "references" in SUMMARIZERS.needs(name)
        else (),
    )
    if not document.sentences:
        raise InputError(
            f"the source {source.id!r} of topic {source.topic!r} has no sentences",
            remedy="Look at how its article was read and cleaned.",
        )
    room = budget(source, words=words, sentences=sentences, share=share, order=order)
    chosen = system(document, room)
    if not chosen:
        raise InputError(
            f"{name} finds no sentence of at most {room} for topic {source.topic!r}",
            remedy="Give more room.",
        )
    return Candidate(source.topic, name, tuple(str(sentence) for sentence in chosen))


def _parameters(kind: type) -> list[str]:
    return list(inspect.signature(kind).parameters)
