"""Take each gold summary as a candidate, to score it against the others of its topic, if there are others."""

from collections import Counter

from sera.io import records
from study.workflow.job import job

with job(snakemake) as rule:
    references = records.read(rule.input[0], records.Reference)
    summaries = Counter(reference.topic for reference in references)
    several = [reference for reference in references if summaries[reference.topic] > 1]
    records.write(rule.output[0], map(records.as_candidate, several))
