"""Summarise every topic by a batch of systems; `human` are the gold summaries where there are several."""

from collections import Counter
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
    number = Counter(reference.topic for reference in references)

    def summaries(name, summarizer, seed, parameters):
        for source in sources:
            options = {**rule.params.budget, "order": rule.params.order, **parameters}
            yield replace(
                summarize(summarizer, source, citances, references, seed=seed, **options), system=name
            )

    records.write(
        rule.output[0],
        (
            summary
            for name, system in progress(rule.params.systems.items(), "systems")
            for summary in (
                summaries(name, **system)
                if system
                else [records.as_candidate(each) for each in references if number[each.topic] > 1]
            )
        ),
    )
