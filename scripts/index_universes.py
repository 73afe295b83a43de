"""Index a share of the articles, with or without the topics' documents."""

from itertools import chain

from sera import records
from sera.multiverse.stages import sampled
from sera.reporting.job import job
from sera.retrieval.engines.index_building import build_part

with job(snakemake) as rule:
    articles = chain.from_iterable(records.iterate(path, records.Document) for path in rule.input.articles)
    topics = chain.from_iterable(records.iterate(path, records.Document) for path in rule.input.topics)
    build_part(
        chain(sampled(articles, rule.params.share), topics),
        rule.output[0],
        analyzer=rule.params.analyzer,
        memory=rule.resources.index_mb * 10**6,
    )
