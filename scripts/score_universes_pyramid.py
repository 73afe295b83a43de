"""Score a batch of sets of summaries by Pyramid, under every setting of a universe."""

from functools import partial

from sera import records
from sera.multiverse.stages import CellStore, by_set, fingerprint, gather, kept_or_made, pyramid_cells
from sera.reporting.job import job

with job(snakemake) as rule:
    references = records.read(rule.input.references, records.Reference)
    nuggets = records.read(rule.input.nuggets, records.Nugget)

    def scored():
        for name, path, wanted in by_set(rule.params.wanted, rule.params.sets, rule.input.summaries):
            candidates = records.read(path, records.Candidate)
            cells = CellStore(
                f"{rule.params.cells}/{name}",
                fingerprint(rule.params.code, [path, rule.input.references, rule.input.nuggets]),
            )
            make = partial(pyramid_cells, candidates=candidates, references=references, nuggets=nuggets)
            yield from kept_or_made(cells, wanted, make)

    gather(rule.output[0], scored())
