"""Permute the judgements, or exchange the scores of SERA and ROUGE, in a sample of a question's universes."""

from collections.abc import Callable
from functools import partial

import numpy as np

from study.multiverse import permutation_tests as tests
from study.multiverse.cells import read_cells, write_arrays
from study.workflow.job import job

with job(snakemake) as rule:
    cells, systems, draws = read_cells(rule.input.cells), rule.params.systems, rule.params.draws
    effects: Callable[..., np.ndarray]
    if rule.wildcards.test == "null":
        assignments = tests.draw_assignments(draws, len(systems), rule.params.seed)
        effects = partial(tests.permuted_effects, assignments=assignments)
    else:
        topics = next(iter(cells.values()))["topics"]  # the same in all cells
        exchanges = tests.draw_exchanges(draws, len(topics), len(systems), rule.params.seed)
        effects = partial(tests.exchanged_effects, exchanges=exchanges)
    found = tests.universe_effects(rule.params.universes, lambda universe: effects(universe, cells, systems))
    write_arrays(rule.output[0], effects=found)
