"""Permute the judgements, or exchange the scores of SERA and ROUGE, in a sample of a question's universes."""

from study.multiverse.cells import read_cells
from study.multiverse.permutation_tests import (
    drawn_exchanges,
    exchanged_effects,
    in_universes,
    orders,
    permuted_effects,
    write_effects,
)
from study.workflow.job import job

with job(snakemake) as rule:
    cells, systems, seed = read_cells(rule.input.cells), rule.params.systems, rule.params.seed

    def permuted(universe):
        return permuted_effects(universe, cells, systems, assignments)

    def exchanged(universe):
        return exchanged_effects(universe, cells, systems, exchanges)

    if rule.wildcards.test == "null":
        assignments = orders(rule.params.draws, len(systems), seed)
    else:
        topics = next(iter(cells.values()))["topics"]  # the same in all cells
        exchanges = drawn_exchanges(rule.params.draws, len(topics), len(systems), seed)
    test = permuted if rule.wildcards.test == "null" else exchanged
    write_effects(rule.output[0], in_universes(rule.params.universes, test))
