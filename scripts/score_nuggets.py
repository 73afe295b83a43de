"""Score every candidate by the families of metrics that need the annotated nuggets."""

from sera.io import records
from sera.io.scores import write_scores
from sera.metrics.configure import Resources, equip, listed_names
from sera.metrics.pyramid import Pyramid
from sera.metrics.scoring import canonical_name, score, write_signatures
from sera.metrics.shards import TopicShard
from study.workflow.job import job

with job(snakemake) as rule:
    nuggets = Pyramid.from_records(records.iterate(rule.input.nuggets, records.Nugget))
    names = listed_names(rule.params.families, settings=rule.params.settings)
    metrics = equip(names, rule.params.settings, Resources(nuggets=nuggets))
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    shard = TopicShard(rule.wildcards.get("shard"), candidates)
    table = score(
        metrics,
        shard.of(candidates),
        shard.of(records.read(rule.input.references, records.Reference)),
        label=canonical_name,
    )
    write_scores(rule.output.scores, table)
    write_signatures(rule.output.signatures, metrics, label=canonical_name)
