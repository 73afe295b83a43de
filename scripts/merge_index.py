"""Merge the parts of the index."""

from sera.retrieval.index import merge
from study.workflow.job import job

with job(snakemake) as rule:
    merge(list(rule.input), rule.output[0])
