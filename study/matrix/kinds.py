"""Kinds of metrics: what they compare (words, vectors, …), and with what (reference, source, summary alone).

``sera/resources/released_metrics.tsv`` has the kinds of released metrics, and that of a language model as a
judge by the model. The kind's effect on a benchmark is the mean over its metrics (`study.matrix.effects`).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from sera.benchmarks.released_metrics import released_metrics
from sera.io.scores import GIVEN
from sera.resources import lines
from study.claims.multiverse import METRICS
from study.multiverse.page import fill_template

BASELINE = "ROUGE-1-F"
KINDS_TITLE = f"Kinds of metrics less {BASELINE} in Spearman's ρ with people's relevance or coverage, pooled."
RELEVANCE, CONSISTENCY = "relevance or coverage", "consistency"
_CONSISTENCIES = ("consistency", "sentiment consistency", "Faithfulness")
_OWN_KIND = {
    "ROUGE": ("words", "reference"),
    "SERA": ("retrieval", "reference"),
    "BERTScore": ("vectors", "reference"),
}
OWN_KINDS = set(_OWN_KIND.values())
"""The kinds whose metrics `sera` computes without a language model."""

_TODAY = "gpt-4"
"""The newest language models that judge a release; all others that do are older or smaller."""

_RELEASED = {f"{GIVEN}{each.metric}": each for each in released_metrics()}

KIND_WORDS = {
    (kind, reads): words
    for kind, reads, words in (line.split("\t") for line in lines("kinds_of_metrics.tsv", "study.resources"))
}


SHOWN = (
    *("ROUGE-1-R", "ROUGE-1-F", "ROUGE-2-R", "ROUGE-2-F", "ROUGE-L-R", "ROUGE-L-F", "SERA-5", "SERA-10"),
    *("SERA-KW-5", "SERA-NP-5", "SERA-POS-5", "SERA-RBO-10", "S3-full", "BERTScore-F"),
    *(f"{GIVEN}{name}" for name in ("QuestEval", "BARTScore(source to summary)", "GPT-4")),
    f"{GIVEN}GPT-4 (reason, then score, relevance)",
)
"""The usual metrics, which the document shows; the tables and the page have all others."""


def judgement_dimension(judgement: str, first: str) -> str:
    """What a judgement is of: a benchmark's first one is of relevance or coverage; empty for all others."""
    return RELEVANCE if judgement == first else CONSISTENCY if judgement in _CONSISTENCIES else ""


def kinds_of_metrics(metrics: Iterable[str], dimension: str = "") -> dict[str, tuple[str, str]]:
    """The kind of each metric, and what it reads; of judges, only those of the ``dimension`` if it is given.

    S3 is left out, since it is trained on these judgements, and so is a release's ROUGE: our own is there.
    """
    kinds: dict[str, tuple[str, str]] = {}
    for name in metrics:
        released = _RELEASED.get(name)
        if released and not released.metric.startswith("ROUGE"):
            if not dimension or released.dimension in ("", dimension.partition(" ")[0]):
                kinds[name] = _kind(name)
        elif name in METRICS or name.startswith("BERTScore-"):
            kinds[name] = _kind(name)
    return kinds


def name_kind(metric: str) -> str:
    """The kind of a metric in words, also of one that no effect counts; empty if it has none."""
    return KIND_WORDS.get(_kind(metric), "")


def _kind(metric: str) -> tuple[str, str]:
    if released := _RELEASED.get(metric):
        return _TODAY if released.model.startswith(_TODAY) else released.kind, released.reads
    return _OWN_KIND.get(metric.partition("-")[0], ("", ""))


# Pooled over releases

FEWEST = 3  # the fewest releases on which a sentence about a kind of metrics rests


def well_known_kinds(
    pooled: pd.DataFrame, baseline: str | None = BASELINE, dimension: str | None = RELEVANCE
) -> pd.DataFrame:
    """The rows of `study.matrix.pooling.kinds_table` that rest on at least `FEWEST` releases.

    ``name`` is the kind in words. None keeps every baseline, or dimension.
    """
    table = pooled[pooled["releases"] >= FEWEST]
    table = table if baseline is None else table[table["baseline"] == baseline]
    table = table if dimension is None else table[table["dimension"] == dimension]
    names = [KIND_WORDS[pair] for pair in zip(table["kind"], table["reads"], strict=True)]
    return table.assign(name=names)


def kind_sentences(pooled: pd.DataFrame) -> list[str]:
    """Which kinds of metrics follow people better or worse than ROUGE-1-F, as ``kinds.md.j2`` says it."""
    rows = {
        question: group.to_dict("records")
        for question, group in well_known_kinds(pooled).groupby("question", sort=False)
    }
    template = Path(__file__).with_name("kinds.md.j2")
    return fill_template(template, questions=rows, fewest=FEWEST, baseline=BASELINE).split("\n")
