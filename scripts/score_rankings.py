"""Score every candidate by the families of metrics that need rankings, from the runs that were kept."""

from sera.io import records
from sera.io.scores import write_scores
from sera.metrics.configure import Resources, equip, listed_names
from sera.metrics.scoring import canonical_name, score, write_signatures
from sera.metrics.sera import RunRankings, search_settings
from sera.metrics.shards import TopicShard
from sera.retrieval.engines import documents_in
from sera.retrieval.runs import first_zero_of_run, read_run
from study.workflow.job import job

with job(snakemake) as rule:
    runs = dict(zip(rule.params.formulations, map(read_run, rule.input.runs), strict=True))
    firsts = dict(zip(rule.params.formulations, map(first_zero_of_run, rule.input.runs), strict=True))
    zeros = {formulation: rank for formulation, rank in firsts.items() if rank is not None}
    search = search_settings(
        rule.params.analyzer, documents_in(rule.input.index), **rule.params.settings["SERA"]
    )
    metrics = equip(
        listed_names(rule.params.families, rule.params.listing, rule.params.settings),
        rule.params.settings,
        Resources(rankings=RunRankings(runs, search, zeros)),
    )
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
