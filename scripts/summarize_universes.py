"""Write a batch of sets of summaries: by every system and baseline, in every length and order."""

from dataclasses import replace

from sera.io import records
from sera.progress import progress
from sera.summarizers import summarize_within
from sera.summarizers.budget import budget
from study.workflow.job import job
from study.workflow.own_summaries import read_candidates

with job(snakemake) as rule:
    citances = records.read(rule.input.citances, records.Citance)
    references = records.read(rule.input.references, records.Reference)
    sources = records.read(rule.input.sources, records.Source)
    sets: list[list[records.Candidate]] = [[] for _ in rule.output]
    for name, system in progress(rule.params.systems.items(), "systems"):
        if name == "human":
            given = [records.as_candidate(reference) for reference in references]
        elif name in rule.params.candidates:
            topics = [source.topic for source in sources]
            given = read_candidates(rule.params.candidates[name], name, topics)
        else:
            for source in sources:
                made = summarize_within(
                    system["summarizer"],
                    source,
                    citances,
                    references,
                    budgets=[
                        budget(source, **length, order=order)
                        for length, order in zip(rule.params.lengths, rule.params.orders, strict=True)
                    ],
                    seed=system["seed"],
                    **system["parameters"],
                )
                for summaries, summary in zip(sets, made, strict=True):
                    summaries.append(replace(summary, system=name))
            continue
        for summaries in sets:
            summaries += given
    for path, summaries in zip(rule.output, sets, strict=True):
        records.write(path, summaries)
