"""Read the articles of one package."""

import logging

from job import job

from sera.corpora.pmc_oa import write_extract

with job(snakemake) as rule:  # noqa: F821
    counts = write_extract(
        [rule.params.package], rule.output.documents, rule.output.unreadable, figures=rule.params.figures
    )
    logging.info(
        "%s: %d articles read, %d not (listed in %s)",
        rule.wildcards.package,
        counts.documents,
        counts.unreadable,
        rule.output.unreadable,
    )
