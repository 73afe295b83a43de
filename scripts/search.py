"""Search the index with every query."""

from sera.io import records
from sera.retrieval.engines import ENGINES
from sera.retrieval.runs import write_run
from sera.retrieval.search import ranked
from study.workflow.job import job

with job(snakemake) as rule:
    queries = {query.id: query.text for query in records.iterate(rule.input.queries, records.Query)}
    engine = ENGINES.load(rule.params.engine)(rule.input.index)
    write_run(
        rule.output[0],
        ranked(queries, engine, rule.params.depth, mu=rule.params.mu).items(),
        tag=f"{rule.params.engine}-{rule.wildcards.formulation}",
    )
