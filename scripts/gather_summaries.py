"""Gather the summaries of the correlated systems in one file, and those of the others in another."""

from sera.io import records
from study.workflow.job import job

with job(snakemake) as rule:
    paths = {kind: rule.input.get(kind, []) for kind in ("systems", "baselines")}
    summaries = {kind: records.read_all(files, records.Candidate) for kind, files in paths.items()}
    if rule.params.judged:  # the benchmark's systems are in one file, judged or not
        everything, summaries["systems"] = summaries["systems"], []
        for summary in everything:
            summaries["systems" if summary.system in rule.params.judged else "baselines"].append(summary)
    for kind, part in summaries.items():
        records.write(rule.output[kind], part)
