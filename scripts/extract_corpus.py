"""Read the articles of one package."""

import logging
from pathlib import Path

from sera.corpora.pmc_oa import read_selection, write_extract
from study.workflow.job import job

with job(snakemake) as rule:
    counts = write_extract(
        [rule.params.package],
        rule.output.documents,
        rule.output.unreadable,
        left_out={Path(rule.params.package): read_selection(rule.input.selection)},
        figures=rule.params.figures,
    )
    logging.info(
        "%s: %d articles read, %d not (listed in %s)",
        rule.wildcards.package,
        counts.documents,
        counts.unreadable,
        rule.output.unreadable,
    )
