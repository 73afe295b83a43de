"""The commands of the metric S3: train a model, and evaluate one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sera.cli.inputs import (
    CANDIDATES,
    FRAMENET,
    IN,
    LANGUAGE,
    OUT,
    REFERENCES,
    VECTORS,
    read_summaries,
    resources,
)
from sera.cli.options import Group, options, say


@click.group(cls=Group)
def s3() -> None:
    """Train and evaluate the metric S3, which is learnt from human judgements."""


_LEARNING = options(
    CANDIDATES,
    REFERENCES,
    click.option("--sources", type=IN, help="JSONL: topic, id, sentences; for the article's features."),
    click.option("--judgements", required=True, type=IN, help="TSV: topic, system, judgement, score."),
    click.option("--judgement", help="Name of the judgement to learn, if there are several."),
    VECTORS,
    FRAMENET,
    LANGUAGE,
    click.option(
        "--model-of",
        "name",
        type=click.Choice(["S3-best", "S3-full"]),
        default="S3-best",
        help="Model: the paper's six features (S3-best), or all available ones (S3-full).",
    ),
    click.option("--all-sets", is_flag=True, help="Keep TAC's update sets, topics such as D0801-B."),
)
"""The options of what a model of S3 is trained on."""


def _training(
    name: str,
    judgement: str | None,
    candidates: Path,
    references: Path,
    sources: Path | None,
    judgements: Path,
    language: str,
    all_sets: bool,
    **given: Any,
) -> tuple[Any, Any, Any]:
    """Features, their scores, and the judgements; prints the update sets and features that are left out."""
    from sera.evaluation.papers.s3_tables import update_lines
    from sera.io.records import Source, read_unique
    from sera.io.scores import read_judgements
    from sera.metrics.s3.model import FULL, MODELS
    from sera.metrics.s3.training import (
        available,
        chosen_features,
        feature_scores,
        initial_topics,
        one_judgement,
    )

    table = read_judgements(judgements)
    one_judgement(table, judgement)
    summaries, gold = read_summaries(candidates, references)
    topics = {each.topic for each in summaries}
    if not all_sets and (lines := update_lines(topics)):
        say(f"{lines[0]}; --all-sets keeps them")
        topics = set(initial_topics(topics))
        summaries = [each for each in summaries if each.topic in topics]
    found = resources([*summaries, *gold], given)
    features = available(
        vectors=found.get("vectors", {}),
        frames=found.get("frames", {}),
        sources=bool(sources),
        language=language,
    )
    features = [each for each in features if each.name in MODELS[name]]
    names = [each.name for each in features]
    chosen_features(name, names)
    if missing := [each for each in FULL if each in MODELS[name] and each not in names]:
        say(f"without {', '.join(missing)}: give --vectors, --framenet and --sources for all features")
    articles = read_unique(sources, Source) if sources else []
    return features, feature_scores(features, summaries, gold, articles), table


@s3.command("train")
@_LEARNING
@click.option("--out", required=True, type=OUT, help="Model (JSON) to write.")
def train_s3(name: str, judgement: str | None, out: Path, **given: Any) -> None:
    """Train a model on human judgements, for `sera score --metrics S3-best --model FILE`."""
    from sera.metrics.s3.training import train

    model = train(name, *_training(name, judgement, **given), judgement)
    model.save(out)
    say(
        f"{name} of {len(model.features)} features, trained on {model.trained['summaries']} summaries "
        f"of {model.trained['topics']} topics, in {out}"
    )


@s3.command("evaluate")
@_LEARNING
@click.option("--out", required=True, type=OUT, help="TSV to write: topic, system, metric, score.")
def evaluate_s3(name: str, judgement: str | None, out: Path, **given: Any) -> None:
    """Score each topic with a model trained on the other topics."""
    from sera.io.scores import write_scores
    from sera.metrics.s3.training import leave_one_topic_out

    _, table, judgements = _training(name, judgement, **given)
    scores = leave_one_topic_out(table, judgements, judgement, [name])
    write_scores(out, scores)
    undefined = int(scores["score"].isna().sum())
    say(
        f"{len(scores)} scores on {scores['topic'].nunique()} topics in {out}"
        + (f"; {undefined} undefined" if undefined else "")
    )
