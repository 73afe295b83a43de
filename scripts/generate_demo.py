"""Generate the synthetic demo benchmark."""

from job import job

from sera.benchmarks.demo.benchmark import Settings, generate

with job(snakemake):  # noqa: F821
    generate(Settings(**snakemake.params.settings), snakemake.output[0])  # noqa: F821
