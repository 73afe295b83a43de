"""Compute the results of a block of universes: assemble their scores, and correlate."""

from sera.evaluation.correlation import Bootstrap
from sera.multiverse.stages import read_cells
from sera.multiverse.worlds import look, write_looked
from sera.reporting.job import job

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
