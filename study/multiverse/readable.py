"""The tables of answers in readable form: the columns that a reader compares, in words."""

from __future__ import annotations

import pandas as pd

from sera.evaluation.correlation.coefficients import CORRELATIONS
from sera.evaluation.tables import SYMBOLS, printed

_NAMES = {
    "pyramid_size": "Pyramid: X of P_max counts nuggets of",
    "pyramid_threshold": "Pyramid: share of stems to match",
    "pyramid_tiers": "Pyramid: tiers from",
    "pyramid_recogniser": "Pyramid: a nugget's stems in",
    "length": "summary length",
    "order": "sentences in the order of",
    "summarizers": "summarizers with the parameters of",
    "cleaning": "cleaning of the article",
    "figures": "captions in the index",
    "topic_documents": "topics' documents in the index",
    "index_size": "share of articles indexed",
    "analyzer": "index terms",
    "mu": "smoothing μ",
    "scorer": "language model by formula of",
    "query_stop": "queries drop stop words",
    "noun_phrases": "noun phrases found by",
    "keyword_threshold": "keyword threshold (idf)",
    "rouge_stem": "ROUGE stems",
    "rouge_stop": "ROUGE drops stop words",
    "rouge_multi": "ROUGE's references",
    "rouge_side": "ROUGE's F, P or R, if open",
    "skip_gap": "words ROUGE-S may skip",
    "systems": "systems compared",
    "level": "level of correlation",
    "interplay": "choices together, and which systems are drawn",
}
_VALUES = {
    "True": "yes",
    "true": "yes",
    "false": "no",
    "null": "any number",
    "query-likelihood": "the textbook",
    "lucene": "Lucene",
    "collection": "mean of the collection",
    "query": "mean of the summary",
    "leave_one_out": "all but one",
    "source": "the article",
    "choice": "their choice",
    "study": "the study",
    "papers": "their papers",
    "sentence": "one sentence",
    "whole": "the whole text",
    "with_baselines": "with baselines",
    "with_humans": "with gold summaries",
}
ANSWER_COLUMNS = {
    "claims": ["question", "claim", "coefficient", "paper", "own", "share", "low", "high"]
    + ["share_first", "share_second", "undefined", "true_share", "recovered"],
    "null": ["question", "claim", "coefficient", "median", "p_median", "holm_median", "share"]
    + ["null_share", "p_share", "holm_share"],
    "exchange": ["question", "claim", "coefficient", "median", "exchanged_median", "p_median", "p_contrary"]
    + ["holm_median", "holm_contrary", "share", "p_share", "undefined"],
    "choices": ["question", "dimension", "value", "claim", "coefficient", "universes", "share", "effect"],
    "variance": ["question", "claim", "coefficient", "dimension", "adjusted"],
    "systems": ["system", "coefficient"]
    + [f"{family}_{what}" for family in ("ROUGE", "SERA") for what in ("with", "change", "carried")]
    + ["decided_otherwise"],
    "outliers": [
        "metric",
        *(f"{name}{without}" for name in CORRELATIONS for without in ("", "_without")),
        "undefined",
    ],
    "agreement": ["metric", "dimension", "pairs", "undefined", "kendall", "kendall_5", "same_best"],
}
"""The tables of `study.multiverse.answers` for readers, each with its columns to show."""

_HEADINGS = {"coefficient": "by", "low": "share_low", "high": "share_high", "adjusted": "explained"}


def readable_name(name: str) -> str:
    """The readable name of a dimension or of one of its values."""
    return _NAMES.get(name) or _VALUES.get(name) or name.replace("_", " ")


def readable_answer(name: str, table: pd.DataFrame) -> pd.DataFrame:
    """A table of answers as text, with the `ANSWER_COLUMNS` of its name that it has."""
    of_paper = (
        {"paper", "own"} if "paper" not in table else set()
    )  # no decision of claims without the paper's
    shown = table[[column for column in ANSWER_COLUMNS[name] if column in table and column not in of_paper]]
    shown = shown.replace({"dimension": {"all": "one or more of these"}, "coefficient": SYMBOLS})
    for column in shown.columns.intersection(["claim", "dimension", "value"]):
        shown[column] = shown[column].map(readable_name)
    if "system" in shown:
        shown["system"] = shown["system"].str.replace("_", " ")
    return printed(shown.rename(columns=_HEADINGS))
