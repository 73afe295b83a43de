"""Index articles: all, or the first of them, once for each size."""

from itertools import chain, islice

from sera.io import records
from sera.retrieval.index import build_part
from study.workflow.job import job

with job(snakemake) as rule:
    for size, folder in zip(rule.params.get("sizes", [None]), rule.output, strict=True):
        paths = rule.input
        documents = chain.from_iterable(records.iterate(path, records.Document) for path in paths)
        build_part(
            records.checked_documents(islice(documents, size)),
            folder,
            analyzer=rule.params.analyzer,
        )
