"""Index the articles of one package."""

from sera.io import records
from sera.retrieval.engines.index_building import build_part
from study.workflow.job import job

with job(snakemake) as rule:
    build_part(
        records.iterate(rule.params.documents, records.Document),
        rule.output[0],
        analyzer=rule.params.analyzer,
        memory=rule.resources.index_mb * 10**6,
    )
