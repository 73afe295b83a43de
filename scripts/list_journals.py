"""List journal and publisher of the articles of one package."""

from sera.corpora.pmc_oa import read_selection
from sera.io import records
from study.multiverse.journals import write_journals
from study.workflow.job import job

with job(snakemake) as rule:
    write_journals(
        rule.params.package,
        {each.id for each in records.iterate(rule.input.documents, records.Document)},
        read_selection(rule.input.selection),
        rule.output[0],
    )
