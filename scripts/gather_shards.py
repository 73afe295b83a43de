"""Gather the scores and signatures of all shards in one table each."""

from sera.io import records
from sera.metrics.shards import gather_scores, gather_signatures
from study.workflow.job import job

with job(snakemake) as rule:
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    gather_scores(rule.output.scores, candidates, rule.input.scores)
    gather_signatures(rule.output.signatures, rule.input.signatures)
