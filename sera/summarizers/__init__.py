"""Summarizers: the nine systems of Cohan & Goharian 2016, section 4.3, and three baselines.

Each has the interface of sumy's `AbstractSummarizer`, ``summarizer(document, sentences_count)``: ``document``
is a `sera.summarizers.document.Article`, and ``sentences_count`` a number or a
`sera.summarizers.budget.Budget`. If sumy has a system, ours is sumy's own class with faster parts, and it
chooses the same sentences. `summarize` does all steps in one call.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sera.errors import InputError
from sera.extras import extra_for
from sera.io.records import Candidate, Citance, Reference, Section, Source
from sera.registry import Registry
from sera.settings import shown
from sera.text.languages import only_english

if TYPE_CHECKING:
    from sumy.summarizers._summarizer import SentenceInfo

    from sera.summarizers.budget import Budget

NINE = ("lexrank", "lsa", "mmr", "citation_lexrank", "luhn", "sumbasic", "citation_context", "kl", "lda")
"""The systems of the paper, in its order."""

SUMMARIZERS = Registry(
    "summarizer",
    {
        "lexrank": (".lexrank:LexRank", "central sentences (Erkan & Radev 2004)"),
        "lsa": (".lsa:LSA", "latent semantic analysis (Steinberger & Jezek 2004)"),
        "mmr": (".mmr:MMR", "maximal marginal relevance (Carbonell & Goldstein 1998)"),
        "citation_lexrank": (
            ".citation_lexrank:CitationLexRank",
            "C-LexRank: central sentences of the communities of citances (Qazvinian et al. 2013)",
            "citances",
        ),
        "luhn": (".luhn:Luhn", "clusters of frequent words (Luhn 1958)"),
        "sumbasic": (".sumbasic:SumBasic", "probable words (Vanderwende et al. 2007)"),
        "citation_context": (
            ".citation_context:CitationContext",
            "what citances reflect, by discourse facet (Cohan & Goharian 2015)",
            "citances",
        ),
        "kl": (".kl:KL", "unigram divergence (Haghighi & Vanderwende 2009)"),
        "lda": (".lda:LDA", "divergence of topic models (Haghighi & Vanderwende 2009)", "seed"),
        "lead": (".baselines:Lead", "baseline: the first sentences"),
        "random": (".baselines:Random", "baseline: sentences by chance, seeded by topic", "seed"),
        "oracle": (
            ".oracle:Oracle",
            "ceiling: sentences that raise ROUGE-2 against the references, greedily",
            "references",
            "budget",
        ),
    },
    group="sera.summarizers",
)


def summarizer(name: str, **parameters: Any) -> Any:
    """The summarizer ``name`` with these parameters (see its class); the others have their defaults.

    Raises InputError for an unknown name or parameter and for a value out of its range.
    """
    kind = SUMMARIZERS.load(name)
    options = _parameters(kind)
    for parameter in parameters:
        if parameter == "language" and parameter not in options:
            raise only_english(f"summarizer {name!r}", parameters["language"], multilingual_summarizers())
        if parameter not in options:
            problem = f"summarizer {name!r} has no parameter {parameter!r}"
            raise InputError(problem, remedy=f"Choose one of: {', '.join(options)}.")
    return kind(**parameters)


@extra_for("sera.summarize")
def summarize(
    name: str,
    source: Source | Sequence[str],
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
    """Summarise ``source`` with the system ``name`` in whole sentences within a budget.

    >>> article = ["The kinase binds p53.", "We thank our colleagues.", "Kinases bind p53 in human cells."]
    >>> summarize("luhn", article, words=6).sentences
    ('The kinase binds p53.',)

    source:      an article, or its sentences; the topic and the name of an article by its sentences are ""
    citances:    passages that cite the source; those of other topics are skipped
    references:  gold summaries; only ``oracle`` gets them
    words, sentences, share:  the budget, one of the three: a number of words (by default 250) or sentences,
                 or a share of the source's words, above 0 and up to 1. White space separates words.
    seed:        for the systems that draw random numbers (``lda``, ``random``)
    order:       of the summary's sentences: "source" for that of the article, "choice" for best first
    parameters:  those of the system; see its class. ``language="de"`` is one of all systems but those of
                 citances

    All systems fill the budget by the same rule: sentences are taken best first, and one that no longer fits
    is skipped. The sentences are those of the source (of the citances for ``citation_lexrank``), without
    white space around them. The paper names no length; 250 words is the limit of the TAC 2014 track.

    Raises InputError if the source has no sentence, if no sentence fits into the budget, if the system needs
    citances or references and there are none, and for a wrong name or value.
    """
    from sera.summarizers.budget import budget

    if not isinstance(source, Source):
        source = _article(source)
    limit = budget(source, words=words, sentences=sentences, share=share, order=order)
    return summarize_within(name, source, citances, references, budgets=[limit], seed=seed, **parameters)[0]


@extra_for("sera.summarizers")
def summarize_within(
    name: str,
    source: Source,
    citances: Sequence[Citance] = (),
    references: Sequence[Reference] = (),
    *,
    budgets: Sequence[Budget],
    seed: int = 0,
    **parameters: Any,
) -> list[Candidate]:
    """A summary of ``source`` within each budget; the sentences are rated once for all budgets.

    The other parameters and the errors are those of `summarize`.
    """
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
        problem = f"the source {source.id!r} of topic {source.topic!r} has no sentences"
        raise InputError(problem, remedy="Check how its article was read and cleaned.")
    ratings: list[SentenceInfo] = []  # best first

    def keep(infos: Sequence[SentenceInfo]) -> list[SentenceInfo]:
        ratings.extend(infos)
        return []

    if "budget" not in SUMMARIZERS.needs(name):
        system(document, keep)
    summaries = []
    for limit in budgets:
        if "budget" in SUMMARIZERS.needs(name):  # its choices depend on the budget
            choices = system(document, limit)
        else:  # what sumy does with a budget
            choices = [info.sentence for info in sorted(limit(ratings), key=lambda info: info.order)]
        if not choices:
            problem = f"{name} finds no sentence of at most {limit} for topic {source.topic!r}"
            raise InputError(problem, remedy="Raise the budget.")
        summaries.append(Candidate(source.topic, name, tuple(str(sentence) for sentence in choices)))
    return summaries


def _article(sentences: Sequence[str]) -> Source:
    if isinstance(sentences, str) or not all(isinstance(sentence, str) for sentence in sentences):
        problem = f"the source is {shown(sentences)}"
        raise InputError(problem, remedy="Give a list of sentences, or a sera.io.records.Source.")
    return Source("", "", sections=(Section("", tuple(sentences)),))


def multilingual_summarizers() -> list[str]:
    """The summarizers that have other languages than English."""
    return [name for name in SUMMARIZERS if "language" in _parameters(SUMMARIZERS.load(name))]


def _parameters(kind: type) -> list[str]:
    return sorted(inspect.signature(kind).parameters, key="language".__eq__)  # the system's own first
