"""Fetch packages; continue an earlier download."""

from sera.corpora.download import download
from sera.corpora.package_catalogue import write_catalogue
from sera.reporting.job import job

with job(snakemake) as rule:
    write_catalogue(rule.output[0], download(rule.params.folder, **rule.params.settings))
