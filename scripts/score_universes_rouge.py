"""Score a batch of sets of summaries by ROUGE, under every setting of a universe."""

from functools import partial

from sera.io import records
from study.multiverse.cells import CellStore, by_set, fingerprint, gather, kept_or_made, rouge_cells
from study.workflow.job import job

with job(snakemake) as rule:
    references = records.read(rule.input.references, records.Reference)

    def scored():
        for name, path, wanted in by_set(rule.params.wanted, rule.params.sets, rule.input.summaries):
            candidates = records.read(path, records.Candidate)
            cells = CellStore(
                f"{rule.params.cells}/{name}",
                fingerprint(rule.params.code, [path, rule.input.references]),
            )
            make = partial(rouge_cells, candidates=candidates, references=references)
            yield from kept_or_made(cells, wanted, make)

    gather(rule.output[0], scored())
