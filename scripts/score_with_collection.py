"""Score every candidate by families of metrics that look up words in the collection."""

from typing import Any

from sera.io import records
from sera.io.scores import write_scores
from sera.metrics.configure import Resources, equip, listed_names
from sera.metrics.frequent_words import IndexedCollection, read_word_list
from sera.metrics.pyramid import Pyramid
from sera.metrics.s3.words import distinct_words
from sera.metrics.scoring import canonical_name, score, write_signatures
from sera.metrics.shards import TopicShard
from sera.retrieval.engines import ENGINES
from sera.vectors.word_vectors import read as read_vectors
from study.workflow.job import job

with job(snakemake) as rule:
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    references = records.read(rule.input.references, records.Reference)
    given: dict[str, Any] = {
        "collection": IndexedCollection(ENGINES.load(rule.params.engine)(rule.input.collection))
    }
    for path in rule.params.frequent_words:
        given["collection"] = read_word_list(path)
    for path in rule.input.nuggets:
        given["nuggets"] = Pyramid.from_records(records.iterate(path, records.Nugget))
    for path in [*rule.input.vectors, *rule.params.vectors]:
        given["vectors"] = read_vectors(path, distinct_words([*candidates, *references]))
    names = listed_names(rule.params.families, settings=rule.params.settings)
    metrics = equip(names, rule.params.settings, Resources(**given))
    sources = records.read(rule.input.sources, records.Source)
    shard = TopicShard(rule.wildcards.get("shard"), candidates)
    texts = (shard.of(candidates), shard.of(references), shard.of(sources))
    table = score(metrics, *texts, label=canonical_name)
    write_scores(rule.output.scores, table)
    write_signatures(rule.output.signatures, metrics, label=canonical_name)
