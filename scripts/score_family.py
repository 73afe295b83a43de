"""Score every candidate by all metrics of a family that needs nothing but the texts."""

from job import job

from sera import records
from sera.metrics import FAMILIES, metric
from sera.scoring import score, write_scores

with job(snakemake) as rule:  # noqa: F821
    write_scores(
        rule.output[0],
        score(
            [metric(name) for name in FAMILIES.load(rule.wildcards.family).names()],
            records.read_all(rule.input.candidates, records.Candidate),
            records.read(rule.input.references, records.Reference),
        ),
    )
