"""List the input files of the study with their checksums."""

from pathlib import Path

from sera.io.checksums import checksums, write_files
from study.workflow.job import job

with job(snakemake) as rule:
    write_files(rule.output[0], checksums(rule.input, Path(rule.output[0]).parent))
