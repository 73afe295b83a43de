"""Write the correlations of Table 2 of this study beside those of the further studies of the run."""

from sera.evaluation.tables import caption, read_tsv, write_table
from study.published.tables import beside_studies
from study.workflow.job import job

with job(snakemake) as rule:
    others = dict(zip(rule.params.studies, map(read_tsv, rule.input.others), strict=True))
    table = beside_studies(read_tsv(rule.input.own), others)
    title = caption("studies", rule.params.benchmark)
    write_table(rule.output[0].removesuffix(".tsv"), table, caption=title, benchmark=rule.params.benchmark)
