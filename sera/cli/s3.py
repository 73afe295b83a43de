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
    read_frames,
    read_summaries,
    read_vectors,
)
from sera.cli.options import Group, Renamed, say


@click.group(cls=Group)
def s3() -> None:
    """Train and evaluate the metric S3, which is learnt from human judgements."""


_MODEL_OF = click.option(
    "--model-of",
    "name",
    type=click.Choice(["S3-best", "S3-full"]),
    default="S3-best",
    show_default=True,
    help="Model: the paper's six features (S3-best), or all available ones (S3-full).",
)


def _learning(command: Any) -> Any:
    """The options of what a model of S3 is trained on."""
    for option in reversed(
        (
            CANDIDATES,
            REFERENCES,
            click.option(
                "--sources", type=IN, help="JSONL: topic, id, sentences; for the article's features."
            ),
            click.option(
                "--judgements",
                cls=Renamed,
                former="--human",
                required=True,
                type=IN,
                help="TSV: topic, system, judgement, score.",
            ),
            click.option("--judgement", help="Name of the judgement to learn, if there are several."),
            VECTORS,
            FRAMENET,
            LANGUAGE,
            _MODEL_OF,
            click.option("--all-sets", is_flag=True, help="Keep TAC's update sets, topics such as D0801-B."),
        )
    ):
        command = option(command)
    return command


def _training(
    name: str,
    judgement: str | None,
    candidates: Path,
    references: Path,
    sources: Path | None,
    judgements: Path,
    vectors: Path | None,
    framenet: Path | None,
    language: str,
    all_sets: bool,
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
    features = available(
        vectors=read_vectors(vectors, [*summaries, *gold]),
        frames=read_frames(framenet),
        sources=bool(sources),
        language=language,
    )
    features = [each for each in features if each.name in MODELS[name]]
    names = [each.name for each in features]
    chosen_features(name, names)
    if missing := [each for each in FULL if each in MODELS[name] and each not in names]:
        say(f"without {', '.join(missing)}: give --vectors, --framenet and --sources for all features")
    return (
        features,
        feature_scores(features, summaries, gold, read_unique(sources, Source) if sources else []),
        table,
    )


@s3.command("train")
@_learning
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
@_learning
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


@s3.command("convert")
@click.argument("pickled", type=IN)
@click.option(
    "--model-of",
    "name",
    type=click.Choice(["S3-pyr-released", "S3-resp-released"]),
    required=True,
    help="Name of the model: its judgement is Pyramid (pyr) or responsiveness (resp).",
)
@click.option("--out", required=True, type=OUT, help="Model (JSON) to write.")
def convert_s3(pickled: Path, name: str, out: Path) -> None:
    """Convert a model that the authors of S3 released, without running anything of the file.

    PICKLED is one of their files, such as svr.pyr_score.en.pkl. The package has the two English models
    converted, and S3-pyr-released and S3-resp-released score by them.
    """
    from sera.metrics.s3.released import convert

    model = convert(pickled, name)
    model.save(out)
    number = len(model.coefficients)
    say(
        f"{name} with {number} support vectors in {out}"
        + ("" if number else f"; it predicts {model.intercept} for every summary")
    )
