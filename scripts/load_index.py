"""Load the articles into an index on a server."""

from sera.retrieval.engines import LOADERS
from sera.retrieval.engines.server import Documents
from study.workflow.job import job

with job(snakemake) as rule:
    LOADERS.load(rule.params.engine)(
        Documents(rule.input),
        rule.output[0],
        name=rule.params.name,
        analyzer=rule.params.analyzer,
        mu=rule.params.mu,
    )
