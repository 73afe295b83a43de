"""Search the index with every query."""

from job import job

from sera import records
from sera.retrieval.engines import ENGINES
from sera.retrieval.runs import write_run

with job(snakemake) as rule:  # noqa: F821
    engine = ENGINES.load(rule.params.engine)(rule.input.index)
    queries = records.read(rule.input.queries, records.Query)
    rankings = engine.search([query.text for query in queries], rule.params.depth, mu=rule.params.mu)
    write_run(
        rule.output[0],
        zip((query.id for query in queries), rankings, strict=True),
        tag=f"{rule.params.engine}-{rule.wildcards.formulation}",
    )
