"""Permute the judgements, or exchange the scores of SERA and ROUGE, in a sample of a question's universes."""

from collections.abc import Callable
from functools import partial

import numpy as np

from sera.progress import progress
from study.multiverse import permutation_tests as tests
from study.multiverse.cells import read_cells, write_arrays
from study.workflow.job import job

with job(snakemake) as rule:
    cells, systems, draws = read_cells(rule.input.cells), rule.params.systems, rule.params.draws
    test: Callable[..., np.ndarray]
    if rule.wildcards.test == "null":
        assignments = tests.draw_assignments(draws, len(systems), rule.params.seed)
        test = partial(tests.permuted_effects, assignments=assignments)
    else:
        topics = next(iter(cells.values())).topics  # the same in all cells
        exchanges = tests.draw_exchanges(draws, len(topics), len(systems), rule.params.seed)
        test = partial(tests.exchanged_effects, exchanges=exchanges)
    effects = [
        test(universe, cells, systems) for universe in progress(rule.params.universes, "universes tested")
    ]
    write_arrays(rule.output[0], effects=np.stack(effects).astype(np.float32))
