"""Permute the Pyramid scores among the systems, and compute the first universes of a question anew."""

from study.multiverse.cells import read_cells
from study.multiverse.null_curve import orders, permute, write_permuted
from study.workflow.job import job

with job(snakemake) as rule:
    assignments = orders(rule.params.permutations, len(rule.params.summarizers), rule.params.seed)
    found = permute(rule.params.universes, read_cells(rule.input.cells), rule.params.summarizers, assignments)
    write_permuted(rule.output[0], found)
