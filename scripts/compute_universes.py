"""Compute the results of a block of universes: assemble their scores, and correlate."""

from sera.evaluation.bootstrap import Bootstrap
from study.multiverse.cells import read_cells, write_arrays
from study.multiverse.universes import compute
from study.workflow.job import job

with job(snakemake) as rule:
    results = compute(
        rule.params.universes,
        read_cells(rule.input.cells),
        rule.params.systems,
        Bootstrap("both", rule.params.resamples, rule.params.seed),
        summarizers=rule.params.summarizers,
        confidence=rule.params.confidence,
    )
    write_arrays(rule.output[0], **results._asdict())
