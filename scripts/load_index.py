"""Load the articles into an index on a server."""

from sera.reporting.job import job
from sera.retrieval.engines import LOADERS
from sera.retrieval.engines.server_loading import Documents

with job(snakemake) as rule:
    LOADERS.load(rule.params.engine)(
        Documents(rule.params.documents),
        rule.output[0],
        name=rule.params.name,
        analyzer=rule.params.analyzer,
        mu=rule.params.mu,
    )
