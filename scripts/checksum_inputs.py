"""List the input files of the study with their checksums."""

from pathlib import Path

from sera.reporting.job import job
from sera.reporting.provenance import checksums, write_files

with job(snakemake) as rule:
    write_files(rule.output[0], checksums(rule.params.paths, Path(rule.output[0]).parent))
