"""Load the articles into an index on a server."""

from sera.retrieval.elasticsearch import Documents, load
from study.workflow.job import job

with job(snakemake) as rule:
    load(
        Documents(rule.input),
        rule.output[0],
        name=rule.params.name,
        analyzer=rule.params.analyzer,
        mu=rule.params.mu,
    )
