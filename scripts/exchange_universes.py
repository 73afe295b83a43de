"""Exchange the scores of SERA and ROUGE at random, and compute a sample of a question's universes anew."""

from sera.multiverse.exchange import drawn_exchanges, exchange
from sera.multiverse.null_curve import write_permuted
from sera.multiverse.stages import read_cells
from sera.reporting.job import job

with job(snakemake) as rule:
    cells, systems = read_cells(rule.input.cells), rule.params.systems
    topics = next(iter(cells.values()))["topics"]  # the same in all cells
    drawn = drawn_exchanges(rule.params.exchanges, len(topics), len(systems), rule.params.seed)
    write_permuted(rule.output[0], exchange(rule.params.universes, cells, systems, drawn))
