"""Unpack the synthetic demo benchmark."""

from study.demo.benchmark import unpack
from study.workflow.job import job

with job(snakemake):
    unpack(snakemake.output[0], **snakemake.params.settings)
