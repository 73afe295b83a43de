"""Write the page that shows the results."""

from study.report.study_page import write_report
from study.workflow.job import job

with job(snakemake) as rule:
    write_report(
        rule.output[0],
        files=dict(rule.input.items()) | rule.params.optional,
        benchmark=rule.params.benchmark,
        judgements=rule.params.judgements,
        systems=rule.params.systems,
        collection=rule.params.documents,
        release=rule.params.release,
        no_multiverse=rule.params.no_multiverse,
        defaults=rule.params.defaults,
    )
