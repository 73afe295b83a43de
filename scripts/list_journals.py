"""List journal and publisher of the articles of one part of a collection."""

from sera.io import records
from study.multiverse.journals import write_journals
from study.workflow.job import job

with job(snakemake) as rule:
    write_journals(
        rule.params.folder,
        rule.wildcards.package,
        {each.id for each in records.iterate(rule.input.documents, records.Document)},
        rule.output[0],
    )
