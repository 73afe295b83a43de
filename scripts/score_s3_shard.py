"""Score the candidates of a shard by S3's features, and by the other metrics with word vectors or frames."""

from sera.io import records
from sera.io.scores import write_scores
from sera.metrics.configure import Resources, equip_usable
from sera.metrics.frames import FrameNet
from sera.metrics.s3.training import available, feature_scores
from sera.metrics.s3.words import distinct_words
from sera.metrics.scoring import canonical_name, score, write_signatures
from sera.metrics.shards import TopicShard
from sera.vectors.word_vectors import read_any
from study.workflow.job import job

with job(snakemake) as rule:
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    references = records.read(rule.input.references, records.Reference)
    named = [*rule.input.vectors, *rule.params.vectors]
    # the words of all texts: whether there are vectors does not depend on the shard
    vectors = read_any(named, distinct_words([*candidates, *references]))
    frames = FrameNet(rule.params.framenet) if rule.params.framenet else None
    features = available(vectors=vectors, frames=frames, sources=True, language=rule.params.language)
    resources = Resources(vectors=vectors, frames=frames)
    others = equip_usable(rule.params.families, rule.params.settings, resources)
    shard = TopicShard(rule.wildcards.shard, candidates)
    sources = records.read(rule.input.sources, records.Source)
    texts = (shard.of(candidates), shard.of(references), shard.of(sources))
    write_scores(rule.output.features, feature_scores(features, *texts))
    write_signatures(rule.output.signatures_of_features, features, label=canonical_name)
    write_scores(rule.output.others, score(others, *texts, label=canonical_name))
    write_signatures(rule.output.signatures_of_others, others, label=canonical_name)
