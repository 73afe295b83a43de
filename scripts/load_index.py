"""Load the articles into an index on a server."""

from sera.reporting.job import job
from sera.retrieval.engines.elasticsearch_loading import Documents, load

with job(snakemake) as rule:
    load(
        Documents(rule.params.documents),
        rule.output[0],
        name=rule.params.name,
        analyzer=rule.params.analyzer,
        mu=rule.params.mu,
    )
