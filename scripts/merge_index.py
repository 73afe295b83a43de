"""Merge the parts of the index."""

from sera.reporting.job import job
from sera.retrieval.engines.index_building import merge

with job(snakemake) as rule:
    merge(list(rule.input), rule.output[0])
