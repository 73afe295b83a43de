"""Score every candidate by Pyramid and Pyramid-Modified, with the annotated nuggets."""

from sera import records
from sera.metrics import metric
from sera.metrics.pyramid import Pyramid
from sera.metrics.scoring import score, write_scores
from sera.reporting.job import job

with job(snakemake) as rule:  # noqa: F821
    settings = {
        "nuggets": Pyramid.from_records(records.iterate(rule.input.nuggets, records.Nugget)),
        "threshold": float(rule.wildcards.threshold),
        "tiers": rule.params.tiers,
    }
    write_scores(
        rule.output[0],
        score(
            [metric("Pyramid", size=rule.params.size, **settings), metric("Pyramid-Modified", **settings)],
            records.read_all(rule.input.candidates, records.Candidate),
            records.read(rule.input.references, records.Reference),
        ),
    )
