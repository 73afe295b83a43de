"""Score every candidate by families of metrics that need summaries and articles only."""

from sera.io import records
from sera.io.scores import write_scores
from sera.metrics.configure import equip, listed_names
from sera.metrics.scoring import canonical_name, score, write_signatures
from sera.metrics.shards import TopicShard
from study.workflow.job import job

with job(snakemake) as rule:
    names = listed_names(rule.params.families, rule.params.listing, rule.params.settings)
    metrics = equip(names, rule.params.settings)
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    shard = TopicShard(rule.wildcards.get("shard"), candidates)
    table = score(
        metrics,
        shard.of(candidates),
        shard.of(records.read(rule.input.references, records.Reference)),
        shard.of(records.read(rule.input.sources, records.Source)) if rule.input.get("sources") else (),
        label=canonical_name,
    )
    write_scores(rule.output.scores, table)
    write_signatures(rule.output.signatures, metrics, label=canonical_name)
