"""Gather the summaries of the correlated systems in one file, and those of the others in another."""

from sera.io import records
from study.workflow.job import job

with job(snakemake) as rule:
    given = records.read_all(rule.input.given, records.Candidate)  # by the benchmark's systems, judged or not
    made: dict[str, list[records.Candidate]] = {}
    for summary in records.read_all(rule.input.made, records.Candidate):
        name = "human" if summary.system.startswith(records.HUMAN) else summary.system
        made.setdefault(name, []).append(summary)
    judged = set(rule.params.systems)
    for kind, names in (("systems", rule.params.systems), ("baselines", rule.params.baselines)):
        own = [summary for summary in given if (summary.system in judged) == (kind == "systems")]
        records.write(rule.output[kind], own + [each for name in names for each in made.get(name, [])])
