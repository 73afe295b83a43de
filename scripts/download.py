"""Fetch packages; continue an earlier download."""

from job import job

from sera.corpora.download import download
from sera.corpora.package_catalogue import write_table

with job(snakemake) as rule:  # noqa: F821
    write_table(rule.output[0], download(rule.params.folder, **rule.params.settings))
