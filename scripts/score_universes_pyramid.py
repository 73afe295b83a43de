"""Score a batch of sets of summaries by Pyramid, as recognised and as misread, under every setting."""

from functools import partial

from sera.io import records
from study.multiverse.cells import CellStore, by_set, fingerprint, gather, kept_or_made, pyramid_cells
from study.workflow.job import job

with job(snakemake) as rule:
    references = records.read(rule.input.references, records.Reference)
    nuggets = records.read(rule.input.nuggets, records.Nugget)
    draws = {"draws": rule.params.draws, "seed": rule.params.seed}

    def scored():
        for name, path, wanted in by_set(rule.params.wanted, rule.params.sets, rule.input.summaries):
            candidates = records.read(path, records.Candidate)
            inputs = [path, rule.input.references, rule.input.nuggets]
            cells = CellStore(f"{rule.params.cells}/{name}", fingerprint(rule.params.code, inputs, draws))
            make = partial(
                pyramid_cells, candidates=candidates, references=references, nuggets=nuggets, **draws
            )
            yield from kept_or_made(cells, wanted, make)

    gather(rule.output[0], scored())
