"""Write one of the paper's tables, with published and reproduced values."""

from sera.evaluation.tables import caption, read_tsv, write_comparison
from sera.metrics.notes import captioned, signature_lines
from study.published.tables import beside, elsewhere, of_metrics, read_published
from study.workflow.job import job

with job(snakemake) as rule:
    published = read_published(rule.input.published)
    if not rule.params.compared:
        published = elsewhere(published, rule.params.against)
    correlations = read_tsv(rule.input.correlations)
    table = beside(of_metrics(published, correlations["metric"]), correlations)
    title = caption(
        rule.wildcards.table,
        rule.params.benchmark,
        " and ".join(rule.params.against),
        compared=rule.params.compared,
    )
    shown = {*table["metric"], *table["against"]}
    write_comparison(
        rule.output[0].removesuffix(".tsv"),
        table,
        caption=captioned(title, signature_lines(rule.input.signatures, shown)),
        benchmark=rule.params.benchmark,
    )
