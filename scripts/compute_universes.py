"""Compute the results of a block of universes: assemble their scores, and correlate."""

from sera.evaluation.correlation import Bootstrap
from sera.multiverse.stages import read_cells
from sera.multiverse.worlds import look, topics_of, write_looked
from sera.reporting.job import job

with job(snakemake) as rule:
    cells = read_cells(rule.input.cells)
    draws = Bootstrap("topics", rule.params.resamples, rule.params.seed).of_topics(len(topics_of(cells)))
    write_looked(
        rule.output[0],
        look(
            rule.params.universes,
            cells,
            rule.params.systems,
            draws,
            confidence=rule.params.confidence,
            truth=read_cells(rule.input.truth) if rule.input.get("truth") else None,
        ),
    )
