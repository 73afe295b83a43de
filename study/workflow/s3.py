"""S3 in a study: what its models are trained on, and the scores behind the tables of its paper."""

from collections.abc import Collection, Mapping, Sequence
from os import PathLike
from types import MappingProxyType

import pandas as pd

from sera.io.scores import SCORE_COLUMNS, read_judgements, read_scores
from sera.metrics import family_of, is_metric
from sera.metrics.s3.features import FULL, MODELS
from sera.metrics.s3.training import impossible, initial_topics, learnt_on, leave_one_topic_out

_SUMMARY = ["topic", "system"]

S3_SETTINGS = (
    "ROUGE is stemmed and keeps stop words, and each model of S3 is learnt on the judgement that it is "
    "compared with"
)
"""The note in a study's tables on the scores of `replace_scores`."""


def table_scores(
    table: pd.DataFrame,
    judgements: pd.DataFrame | None,
    learnt: Mapping[str, pd.DataFrame] = MappingProxyType({}),
) -> pd.DataFrame:
    """The scores behind Tables 1 and 3 of the paper: features, and models for each judgement (`learnt_on`).

    They are of the initial topics alone, in training too. A model that a judgement does not allow is left
    out. ``learnt``: the scores of `leave_one_topic_out` over all topics, by judgement, where they are known;
    they are used if all topics are initial.
    """
    topics = table["topic"].unique()
    initial = initial_topics(topics)
    table = table[table["topic"].isin(initial)]
    tables = [table]
    for judgement in () if judgements is None else dict.fromkeys(judgements["judgement"]):
        if judgement in learnt and len(initial) == len(topics):
            scores = learnt[judgement]
        elif models := [name for name in MODELS if name not in impossible(table, judgements, judgement)]:
            scores = leave_one_topic_out(table, judgements, judgement, models)
        else:
            continue
        tables.append(scores.assign(metric=[learnt_on(name, judgement) for name in scores["metric"]]))
    return pd.concat(tables, ignore_index=True)


def scores_of_others(
    features: pd.DataFrame, table: pd.DataFrame, judgements: pd.DataFrame, judgement: str
) -> pd.DataFrame:
    """The scores of further summaries of the topics, by models trained on the judged ones of other topics.

    ``features`` has their features, ``table`` those of the judged summaries; other metrics in it are ignored.
    The rows are those of `leave_one_topic_out`; a model that the data do not allow is left out.
    """
    both = pd.concat([table[table["metric"].isin(FULL)], features], ignore_index=True)
    models = [name for name in MODELS if name not in impossible(both, judgements, judgement)]
    if not models:
        return pd.DataFrame(columns=SCORE_COLUMNS)
    scores = leave_one_topic_out(both, judgements, judgement, models)
    own = pd.MultiIndex.from_frame(features[_SUMMARY])
    return scores[pd.MultiIndex.from_frame(scores[_SUMMARY]).isin(own)].reset_index(drop=True)


def training_judgements(
    judgements: str | PathLike[str] | None, pyramid: Sequence[str | PathLike[str]], systems: Collection[str]
) -> pd.DataFrame | None:
    """The judgements to train on: those in a file, or the defined Pyramid scores of the systems, or None."""
    if judgements is not None:
        return read_judgements(judgements)
    if not pyramid:
        return None
    table = read_scores(pyramid[0]).rename(columns={"metric": "judgement"})
    return table[table["system"].isin(systems)].dropna()


def replace_scores(scores: pd.DataFrame, own: pd.DataFrame) -> pd.DataFrame:
    """A study's scores with those of S3's features and models (``own``) in place of its own.

    The other measures of ROUGE are left out, since their settings are the study's.
    """
    names = {name.partition("(")[0] for name in own["metric"].unique()}
    rouge_names = {
        name for name in scores["metric"].unique() if is_metric(name) and family_of(name) == "ROUGE"
    }
    return pd.concat([scores[~scores["metric"].isin(names | rouge_names)], own], ignore_index=True)
