"""Score every candidate by S3, trained on the other topics, and list its models that cannot be trained."""

import logging

import pandas as pd

from sera.extras import import_nltk
from sera.io import records, tsv
from sera.io.scores import SCORE_COLUMNS, write_scores
from sera.metrics.base import signature
from sera.metrics.s3.features import MODELS
from sera.metrics.s3.training import (
    available,
    chosen_features,
    feature_scores,
    impossible,
    leave_one_topic_out,
)
from sera.metrics.scoring import LEFT_OUT_COLUMNS, write_signatures
from sera.text.languages import sign_language
from study.workflow.job import job
from study.workflow.resources import open_resources
from study.workflow.s3 import table_scores, training_judgements

with job(snakemake) as rule:
    import_nltk()
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    references = records.read(rule.input.references, records.Reference)
    sources = records.read(rule.input.sources, records.Source)
    judgements = training_judgements(rule.input.get("judgements"), rule.input.pyramid, rule.params.systems)
    resources = open_resources(rule, [*candidates, *references])
    language = rule.params.language
    features = available(resources, sources=True, language=language)
    table = feature_scores(features, candidates, references, sources)
    reasons = impossible(table, judgements, rule.params.judgement)
    for name, reason in reasons.items():
        logging.warning("no %s: %s", name, reason)
    tsv.write(rule.output.left_out, pd.DataFrame(reasons.items(), columns=LEFT_OUT_COLUMNS))
    judgement, models = rule.params.judgement, [name for name in MODELS if name not in reasons]
    scores, learnt = pd.DataFrame(columns=SCORE_COLUMNS), {}
    if models and judgements is not None:
        scores = leave_one_topic_out(table, judgements, judgement, models)
        learnt[judgement] = scores
    write_scores(rule.output.scores, scores)
    write_scores(rule.output.of_tables, table_scores(table, judgements, learnt))
    signatures = {
        name: signature(
            name,
            features=len(chosen_features(name, [feature.name for feature in features])),
            trained="other topics",
            judgement=judgement,
            **sign_language(language),
        )
        for name in models
    }
    write_signatures(rule.output.signatures, [], others=signatures)
