"""Score every candidate by metrics with word vectors or frames, and by S3, trained on the other topics.

The metrics that lack what they need are listed with the reason.
"""

import logging

import pandas as pd

from sera.io import records, tsv
from sera.io.scores import read_scores, write_scores
from sera.metrics.base import signature
from sera.metrics.configure import Resources, equip_usable, without_resource
from sera.metrics.frames import FrameNet
from sera.metrics.s3.model import MODELS
from sera.metrics.s3.training import (
    available,
    chosen_features,
    feature_scores,
    impossible,
    leave_one_topic_out,
    table_scores,
    training_judgements,
)
from sera.metrics.s3.words import distinct_words
from sera.metrics.scoring import LEFT_OUT_COLUMNS, canonical_name, score, write_signatures
from sera.text.languages import signed
from sera.vectors.word_vectors import read_any
from study.workflow.job import job

with job(snakemake) as rule:
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    references = records.read(rule.input.references, records.Reference)
    sources = records.read(rule.input.sources, records.Source)
    judgements = training_judgements(rule.input.get("judgements"), rule.input.pyramid, rule.params.systems)
    named = [*rule.input.vectors, *rule.params.vectors]
    vectors = read_any(named, distinct_words([*candidates, *references]))
    frames = FrameNet(rule.params.framenet) if rule.params.framenet else None
    language = rule.params.language
    features = available(vectors=vectors, frames=frames, sources=True, language=language)
    resources = Resources(vectors=vectors, frames=frames)
    others = equip_usable(rule.params.families, rule.params.settings, resources)
    if rule.input.get("features"):  # of shards
        table, *tables = map(read_scores, [rule.input.features, rule.input.others])
    else:
        table = feature_scores(features, candidates, references, sources)
        tables = [score(others, candidates, references, sources, label=canonical_name)]
    reasons = impossible(table, judgements, rule.params.judgement)
    no_vectors = "the vectors have no word of the texts" if named else "the setting vectors is null"
    lacking = {"vectors": no_vectors, "frames": "the setting framenet is null"}
    lacking["encoder"] = "the setting encoder is null"
    left_out = without_resource(rule.params.families, resources, lacking) | reasons
    left_out |= dict.fromkeys(rule.params.unread, f"it reads English, and the language is {language}")
    for name, reason in left_out.items():
        logging.warning("no %s: %s", name, reason)
    tsv.write(rule.output.left_out, pd.DataFrame(left_out.items(), columns=LEFT_OUT_COLUMNS))
    learnt: dict[str, pd.DataFrame] = {}
    trained = [name for name in MODELS if name not in reasons]
    if trained and judgements is not None:
        learnt[rule.params.judgement] = leave_one_topic_out(table, judgements, rule.params.judgement, trained)
    write_scores(rule.output.scores, pd.concat([*tables, *learnt.values()], ignore_index=True))
    write_scores(rule.output.of_tables, table_scores(table, judgements, learnt))
    signatures = {
        name: signature(
            name,
            features=len(chosen_features(name, [one.name for one in features])),
            trained="other topics",
            judgement=rule.params.judgement,
            **signed(language),
        )
        for name in trained
    }
    write_signatures(rule.output.signatures, others, label=canonical_name, others=signatures)
