"""Select the package that each article is read from."""

from pathlib import Path

from sera.corpora.pmc_oa import select, write_selection
from study.workflow.job import job

with job(snakemake) as rule:
    left_out = select(rule.params.packages)
    for package, path in zip(rule.params.packages, rule.output, strict=True):
        write_selection(path, left_out[Path(package)])
