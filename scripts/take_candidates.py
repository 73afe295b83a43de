"""Take the user's own summaries as a system's."""

from sera import records
from sera.corpora.candidates import read_candidates
from sera.reporting.job import job

with job(snakemake) as rule:
    topics = [source.topic for source in records.iterate(rule.input.sources, records.Source)]
    records.write(rule.output[0], read_candidates(rule.params.path, rule.wildcards.system, topics))
