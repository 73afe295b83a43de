"""Generate the synthetic demo benchmark."""

from study.demo.benchmark import generate
from study.demo.world import DemoSettings
from study.workflow.job import job

with job(snakemake):
    generate(DemoSettings(**snakemake.params.settings), snakemake.output[0])
