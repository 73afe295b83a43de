"""Write the page that shows what was found."""

from job import job

from sera.report import write_report

with job(snakemake) as rule:  # noqa: F821
    write_report(
        rule.output[0],
        rule.input.template,
        files=dict(rule.input.items()),
        settings=rule.params.settings,
        benchmark=rule.params.benchmark,
        judgement=rule.params.judgement,
    )
