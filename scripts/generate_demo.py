"""Generate the synthetic demo benchmark."""

from sera.benchmarks.demo.benchmark import DemoSettings, generate
from sera.reporting.job import job

with job(snakemake):
    generate(DemoSettings(**snakemake.params.settings), snakemake.output[0])
