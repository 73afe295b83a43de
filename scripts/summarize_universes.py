"""Write the sets of summaries of one cleaning: by every system and baseline, in every length and order."""

import json
from dataclasses import replace

from sera.io import records
from sera.progress import progress
from sera.summarizers import summarize_within
from sera.summarizers.budget import budget
from study.settings.lengths import read_length
from study.workflow.job import job
from study.workflow.own_summaries import read_candidates

with job(snakemake) as rule:
    citances = records.read(rule.input.citances, records.Citance)
    references = records.read(rule.input.references, records.Reference)
    sources = records.read(rule.input.sources, records.Source)
    shapes = [(read_length(length), order) for length, order in rule.params.shapes]

    def write_summaries(name, system) -> list[list[records.Candidate]]:
        """The summaries of all topics in each length and order."""
        if name == "human":
            return [[records.as_candidate(reference) for reference in references]] * len(shapes)
        if name in rule.params.candidates:
            topics = [source.topic for source in sources]
            return [read_candidates(rule.params.candidates[name], name, topics)] * len(shapes)
        topic_summaries = [
            summarize_within(
                system["summarizer"],
                source,
                citances,
                references,
                budgets=[budget(source, **length, order=order) for length, order in shapes],
                seed=system["seed"],
                **system["parameters"],
            )
            for source in sources
        ]
        return [
            [replace(summary, system=name) for summary in shape_summaries]
            for shape_summaries in zip(*topic_summaries, strict=True)
        ]

    sets: list[list[records.Candidate]] = [[] for _ in rule.output]
    for name, variants in progress(rule.params.systems.items(), "systems"):
        sets_by_settings: dict[str, list[list[records.Candidate]]] = {}
        for number, system in enumerate(variants):
            settings = json.dumps(system, sort_keys=True)
            if settings not in sets_by_settings:
                sets_by_settings[settings] = write_summaries(name, system)
            for place, summaries in enumerate(sets_by_settings[settings], number * len(shapes)):
                sets[place] += summaries
    for path, summaries in zip(rule.output, sets, strict=True):
        records.write(path, summaries)
