"""Correlate every metric with the judgements, and SERA with the ROUGE variants of Table 3."""

import pandas as pd

from sera.evaluation.bootstrap import Bootstrap
from sera.evaluation.correlate import Scores, correlate
from sera.evaluation.tables import write_tsv
from sera.io.scores import add_judgements, read_scores
from study.published.tables import keep_metrics, read_published
from study.workflow.job import job

with job(snakemake) as rule:
    table = add_judgements(read_scores(rule.input.scores), rule.input.get("judgements"))
    scores = Scores.from_table(table, rule.params.systems)
    judgements = rule.params.against
    paper_pairs = [
        pair
        for path in rule.input.published
        for pair in keep_metrics(read_published(path), scores.metrics)[["metric", "against"]].to_numpy()
    ]
    bootstrap = Bootstrap(rule.params.bootstrap, rule.params.resamples, rule.params.seed)
    metrics = [name for name in scores.metrics if name not in judgements]
    parts = [
        (scores.keep_judged(judgement), [(name, judgement) for name in metrics]) for judgement in judgements
    ]
    parts.append((scores, [tuple(pair) for pair in paper_pairs if pair[1] != "Pyramid"]))
    write_tsv(
        rule.output[0],
        pd.concat(
            [
                correlate(part, pairs, bootstrap=bootstrap, confidence=rule.params.confidence)
                for part, pairs in parts
            ],
            ignore_index=True,
        ),
    )
