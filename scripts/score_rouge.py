"""Score every candidate by the ROUGE measures."""

from sera import records
from sera.metrics import metric
from sera.metrics.rouge.measures import Rouge
from sera.metrics.scoring import score, write_scores
from sera.reporting.job import job

with job(snakemake) as rule:  # noqa: F821
    write_scores(
        rule.output[0],
        score(
            [metric(name, **rule.params.settings) for name in Rouge.names()],
            records.read_all(rule.input.candidates, records.Candidate),
            records.read(rule.input.references, records.Reference),
        ),
    )
