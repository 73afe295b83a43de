"""Is one metric better than another? The difference of their correlations with people, in a sentence.

The interval resamples systems and topics, so that it is about other systems and other topics. In simulations
(docs/statistics.md), it contains the true difference in 94 to 100% of studies.
"""

import re
from collections.abc import Collection, Sequence
from typing import Any

import pandas as pd

from sera.evaluation.correlate import WHY, Scores, level_coefficients
from sera.evaluation.significance import differences
from sera.metrics import family_of, is_metric
from sera.registry import unknown

MOST_VERSUS = 20
"""The most metrics that are compared with the best of ROUGE if none is named."""

_RANKED = {"system": "{} systems", "summary": "the summaries of a topic by {} systems"}


def best_metric(scores: Scores, names: Sequence[str], against: str) -> str | None:
    """The metric with the highest Spearman's rho over systems; None if none has one."""
    rho = {name: level_coefficients(scores, name, against)["spearman"] for name in names}
    return max((name for name in names if not pd.isna(rho[name])), key=rho.__getitem__, default=None)


def list_variants(name: str, metrics: Sequence[str]) -> list[str]:
    """The metrics that a name means: itself, or of a measure without its part, as ROUGE-2, its P, R and F."""
    part = re.compile(rf"{re.escape(name)}-[PRF](\(.*\))?")
    return [name] if name in metrics else [metric for metric in metrics if part.fullmatch(metric)]


def select_variants(names: Collection[str], scores: Scores, against: str) -> list[str]:
    """The metrics that names mean (`list_variants`), of several the best one, which favours it."""
    best = []
    for variants in (list_variants(name, scores.metrics) for name in names):
        best += variants if len(variants) < 2 else [best_metric(scores, variants, against) or variants[0]]
    return list(dict.fromkeys(best))


def verdict_lines(
    judged: Any, name: str | None = None, compared: pd.DataFrame | None = None, **drawn: Any
) -> list[str]:
    """`best_sentence` and `versus_lines` of a `JudgedScores`, by each of its judgements in turn.

    Below them are the lines of ``compared``, its table ``differences``. InputError if ``name`` has no scores.
    """
    metrics = list(judged.metrics)
    if name is not None and name not in metrics:
        raise unknown("metric in the scores", name, metrics)
    rising, lines = judged.scores.negate(judged.falling), []
    for judgement in judged.judgements:
        scores = rising.keep_judged(judgement)
        lines.append(best_sentence(scores, metrics, judgement, **drawn))
        lines += versus_lines(scores, metrics, judgement, name, **drawn)
    lines += difference_lines(compared) if compared is not None else []
    return [line for line in lines if line]


def best_sentence(scores: Scores, metrics: Sequence[str], against: str, **drawn: Any) -> str:
    """The metric with the highest rho over systems, and how many metrics it cannot be told from.

    ``drawn`` are the resamples, confidence and seed of `differences`. Empty without two metrics or a rho.
    """
    best = best_metric(scores, metrics, against)
    others = [name for name in metrics if name != best]
    if best is None or not others:
        return ""
    pairs = [(best, other) for other in others]
    table = differences(scores, pairs, against, levels=["system"], **drawn).query("coefficient == 'spearman'")
    rivals = table[~(table["difference_low"] > 0)]
    head = f"By Spearman's ρ with {against} over systems, {best} is highest"
    if rivals.empty:
        return f"{head}, significantly above all {len(others)} other metrics."
    sentence = f"{head}, but it cannot be told from {len(rivals)} of {len(others)} other metrics."
    rows = rivals.dropna(subset="difference")
    return " ".join([sentence, *versus_sentences(rows.nsmallest(1, "difference"))])


def versus_lines(
    scores: Scores, metrics: Sequence[str], against: str, name: str | None = None, **drawn: Any
) -> list[str]:
    """Whether each metric is better than the named one, or than the best variant of ROUGE.

    Without a name, the other variants of ROUGE are left out, and so are all but the first `MOST_VERSUS`.
    ``drawn`` are the resamples, confidence and seed of `differences`.
    """
    rouge_metrics = [own for own in metrics if is_metric(own) and family_of(own) == "ROUGE"]
    other = name or best_metric(scores, rouge_metrics, against)
    names = [own for own in metrics if own not in ([name] if name else rouge_metrics)]
    if other is None or not names:
        return []
    pairs = [(metric, other) for metric in (names if name else names[:MOST_VERSUS])]
    note = "" if name else f" {other} is the best of ROUGE here, which favours it."
    return difference_lines(differences(scores, pairs, against, **drawn), note)


def difference_lines(table: pd.DataFrame, note: str = "") -> list[str]:
    """The `versus_sentences` by each judgement, below a line that names it and ends with the ``note``."""
    lines = []
    for against, rows in table.groupby("against", sort=False):
        head = f"Differences of Spearman's ρ with {against}, intervals over systems and topics:{note}"
        lines += [head, *versus_sentences(rows)]
    return lines


def versus_sentences(table: pd.DataFrame) -> list[str]:
    """A sentence for each rho of `differences`: which metric is ahead, by how much, and how sure."""
    sentences = []
    for row in table.query("coefficient == 'spearman'").to_dict("records"):
        items = _RANKED[row["level"]].format(row["systems"])
        if pd.isna(row["difference"]):
            sentences.append(f"{row['metric']} and {row['other']} in ranking {items}: {row[WHY]}.")
            continue
        side = "ahead of" if row["difference"] > 0 else "behind"
        where = f"{side} {row['other']} by {abs(row['difference']):.2f}"
        where = where if row["difference"] else f"level with {row['other']}"
        low, high = row["difference_low"], row["difference_high"]
        interval = f"({low:+z.2f} to {high:+z.2f})".replace("-", "−")
        verdict = "significant" if low > 0 or high < 0 else "not significant"
        sentences.append(f"{row['metric']} is {where} in ranking {items} {interval}: {verdict}.")
    return sentences
