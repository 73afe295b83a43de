"""Score every candidate by Pyramid at each threshold of nugget matching."""

import pandas as pd

from sera.io import records
from sera.io.scores import write_scores
from sera.metrics.configure import equip, listed_names
from sera.metrics.scoring import canonical_name, score
from study.workflow.job import job
from study.workflow.resources import open_resources

with job(snakemake) as rule:
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    references = records.read(rule.input.references, records.Reference)
    resources = open_resources(rule, [*candidates, *references])
    tables = []
    for threshold in rule.params.thresholds:
        settings = {"Pyramid": {**rule.params.settings, "threshold": float(threshold)}}
        metrics = equip(listed_names(["Pyramid"], settings=settings), settings, resources)
        table = score(metrics, candidates, references, label=canonical_name)
        tables.append(table.assign(metric=table["metric"] + f"(threshold={threshold})"))
    write_scores(rule.output[0], pd.concat(tables))
