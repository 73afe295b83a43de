"""Summarise every topic by one system."""

from job import job

from sera import records
from sera.progress import progress
from sera.summarizers import summarize

with job(snakemake) as rule:  # noqa: F821
    citances = records.read(rule.input.citances, records.Citance) if rule.input.citances else []
    sources = records.read(rule.input.sources, records.Source)
    records.write(
        rule.output[0],
        (
            summarize(
                rule.wildcards.system,
                source,
                citances,
                **rule.params.budget,
                order=rule.params.order,
                seed=rule.params.seed,
            )
            for source in progress(sources, "articles summarised")
        ),
    )
