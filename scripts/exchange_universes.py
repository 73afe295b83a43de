"""Exchange the scores of SERA and ROUGE at random, and compute a sample of a question's universes anew."""

from study.multiverse.cells import read_cells
from study.multiverse.exchange import drawn_exchanges, exchange
from study.multiverse.null_curve import write_permuted
from study.workflow.job import job

with job(snakemake) as rule:
    cells, systems = read_cells(rule.input.cells), rule.params.systems
    topics = next(iter(cells.values()))["topics"]  # the same in all cells
    drawn = drawn_exchanges(rule.params.exchanges, len(topics), len(systems), rule.params.seed)
    write_permuted(rule.output[0], exchange(rule.params.universes, cells, systems, drawn))
