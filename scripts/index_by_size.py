"""Index the first articles of the collection, once for each size."""

from itertools import islice

from sera.io import records
from sera.retrieval.engines.index_building import build_part
from study.workflow.job import job

with job(snakemake) as rule:
    for size, folder in zip(rule.params.sizes, rule.output, strict=True):
        documents = (each for path in rule.input for each in records.iterate(path, records.Document))
        build_part(islice(documents, size), folder, analyzer=rule.params.analyzer)
