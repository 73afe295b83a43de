"""Generate the synthetic demo benchmark."""

from sera.benchmarks.demo.benchmark import Settings, generate
from sera.reporting.job import job

with job(snakemake):
    generate(Settings(**snakemake.params.settings), snakemake.output[0])
