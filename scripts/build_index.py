"""Index articles."""

from itertools import chain

from sera.io import records
from sera.retrieval.index import build_part
from study.workflow.job import job

with job(snakemake) as rule:
    documents = chain.from_iterable(records.iterate(path, records.Document) for path in rule.input)
    build_part(documents, rule.output[0], analyzer=rule.params.analyzer)
