"""Summarise every topic by one system."""

from dataclasses import replace

from sera.extras import import_nltk
from sera.io import records
from sera.progress import progress
from sera.summarizers import summarize
from study.workflow.job import job

with job(snakemake) as rule:
    import_nltk()
    citances = records.read_all(rule.input.citances, records.Citance)
    references = records.read_all(rule.input.references, records.Reference)
    sources = records.read(rule.input.sources, records.Source)
    summaries = (
        summarize(
            rule.params.summarizer,
            source,
            citances,
            references,
            **rule.params.budget,
            order=rule.params.order,
            seed=rule.params.seed,
            **rule.params.parameters,
        )
        for source in progress(sources, "articles summarised")
    )
    records.write(rule.output[0], (replace(summary, system=rule.wildcards.system) for summary in summaries))
