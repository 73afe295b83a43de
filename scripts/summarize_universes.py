"""Write one set of summaries of the multiverse: by every system and baseline, at one length."""

from dataclasses import replace

from sera import records
from sera.corpora.candidates import read_candidates
from sera.progress import progress
from sera.reporting.job import job
from sera.summarizers import summarize

with job(snakemake) as rule:
    citances = records.read(rule.input.citances, records.Citance)
    references = records.read(rule.input.references, records.Reference)
    sources = records.read(rule.input.sources, records.Source)
    summaries: list[records.Candidate] = []
    for name, system in progress(rule.params.systems.items(), "systems"):
        if name == "human":
            summaries += map(records.as_candidate, references)
        elif name in rule.params.candidates:
            summaries += read_candidates(
                rule.params.candidates[name], name, [source.topic for source in sources]
            )
        else:
            for source in sources:
                made = summarize(
                    system["summarizer"],
                    source,
                    citances,
                    references,
                    words=rule.params.words,
                    order=rule.params.order,
                    seed=system["seed"],
                    **system["parameters"],
                )
                summaries.append(replace(made, system=name))
    records.write(rule.output[0], summaries)
