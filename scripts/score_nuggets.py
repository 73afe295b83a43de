"""Score every candidate by the families of metrics that need the annotated nuggets, at each threshold."""

from sera.io import records
from sera.io.scores import write_scores
from sera.metrics.configure import Resources, equip, listed_names
from sera.metrics.pyramid import Pyramid
from sera.metrics.scoring import canonical_name, score, write_signatures
from sera.metrics.shards import TopicShard
from study.workflow.job import job

with job(snakemake) as rule:
    nuggets = Pyramid.from_records(records.iterate(rule.input.nuggets, records.Nugget))
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    shard = TopicShard(rule.wildcards.get("shard"), candidates)
    references = shard.of(records.read(rule.input.references, records.Reference))
    for settings, scores, signatures in zip(
        rule.params.settings, rule.output.scores, rule.output.signatures, strict=True
    ):
        names = listed_names(rule.params.families, settings=settings)
        metrics = equip(names, settings, Resources(nuggets=nuggets))
        write_scores(scores, score(metrics, shard.of(candidates), references, label=canonical_name))
        write_signatures(signatures, metrics, label=canonical_name)
