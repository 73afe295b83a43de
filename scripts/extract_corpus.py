"""Read the articles of one part of a collection."""

import logging

from sera.pubmed.articles import write_extract
from study.workflow.job import job

with job(snakemake) as rule:
    part = rule.wildcards.articles
    documents, unreadable = write_extract(
        [rule.params.folder],
        rule.output.documents,
        rule.output.unreadable,
        part=part,
        figures=rule.params.figures,
    )
    logging.info("%s: %d articles read, %d not (%s)", part, documents, unreadable, rule.output.unreadable)
