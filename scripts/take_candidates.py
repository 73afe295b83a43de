"""Take the user's own summaries as a system's."""

from sera.io import records
from study.workflow.job import job
from study.workflow.own_summaries import read_candidates

with job(snakemake) as rule:
    topics = [source.topic for source in records.iterate(rule.input.sources, records.Source)]
    records.write(rule.output[0], read_candidates(rule.params.path, rule.wildcards.system, topics))
