"""Take each gold summary as a candidate, to score it against the others of its topic."""

from sera import records
from sera.reporting.job import job

with job(snakemake) as rule:
    references = records.read(rule.input[0], records.Reference)
    records.write(rule.output[0], map(records.as_candidate, references))
