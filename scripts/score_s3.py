"""Score every candidate by metrics with word vectors or frames, and by S3, trained on the other topics."""

import logging
from typing import Any

import pandas as pd

from sera import records
from sera.metrics import FAMILIES, metric
from sera.metrics.framenet import FrameNet
from sera.metrics.s3.model import MODELS
from sera.metrics.s3.training import available, impossible, leave_one_topic_out
from sera.metrics.s3.words import distinct_words
from sera.metrics.scoring import read_judgements, read_scores, score, write_scores
from sera.reporting.job import job
from sera.vectors.word_vectors import read as read_vectors

with job(snakemake) as rule:  # noqa: F821
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    references = records.read(rule.input.references, records.Reference)
    sources = records.read(rule.input.sources, records.Source)
    if "judgements" in rule.input.keys():
        judgements = read_judgements(rule.input.judgements)
    else:
        pyramid = read_scores(rule.input.pyramid[0]).rename(columns={"metric": "judgement"})
        judgements = pyramid[pyramid["system"].isin(rule.params.systems)].dropna()
    vectors = None
    if named := [*rule.input.vectors, *rule.params.vectors]:
        vectors = read_vectors(named[0], distinct_words([*candidates, *references]))
    frames = FrameNet(rule.params.framenet) if rule.params.framenet else None
    given: dict[str, Any] = {
        "vectors": vectors if vectors is not None and len(vectors.words) else None,
        "frames": frames,
    }
    features = available(**given, sources=True)
    others = [
        metric(name, **{need: given[need] for need in needs}, **rule.params.settings.get(family, {}))
        for family in FAMILIES
        if (needs := FAMILIES.needs(family)) and all(given.get(need) is not None for need in needs)
        for name in FAMILIES.load(family).names()
    ]
    table = score(features, candidates, references, sources)
    tables = [score(others, candidates, references, sources)]
    reasons = impossible(table, judgements, rule.params.judgement)
    for name, reason in reasons.items():
        logging.warning("no %s: %s", name, reason)
    if trained := [name for name in MODELS if name not in reasons]:
        tables.append(leave_one_topic_out(table, judgements, rule.params.judgement, trained))
    write_scores(rule.output[0], pd.concat(tables, ignore_index=True))
