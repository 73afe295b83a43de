"""Index the articles, with or without the topics' documents."""

from itertools import chain

from sera.io import records
from sera.retrieval.engines.index_building import build_part
from study.workflow.job import job

with job(snakemake) as rule:
    paths = [*rule.input.articles, *rule.input.topics]
    build_part(
        chain.from_iterable(records.iterate(path, records.Document) for path in paths),
        rule.output[0],
        analyzer=rule.params.analyzer,
        memory=rule.resources.index_mb * 10**6,
    )
