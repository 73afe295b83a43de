"""Compute the results of a block of universes: assemble their scores, and correlate."""

from sera.evaluation.correlation.correlate import Bootstrap
from study.multiverse.cells import read_cells
from study.multiverse.universes import look, write_looked
from study.workflow.job import job

with job(snakemake) as rule:
    cells = read_cells(rule.input.cells)
    write_looked(
        rule.output[0],
        look(
            rule.params.universes,
            cells,
            rule.params.systems,
            Bootstrap("both", rule.params.resamples, rule.params.seed),
            summarizers=rule.params.summarizers,
            confidence=rule.params.confidence,
            misread=rule.params.misread,
            truth=read_cells(rule.input.truth) if rule.input.get("truth") else None,
        ),
    )
