"""Score a batch of sets of summaries by ROUGE or by Pyramid, recognised and misread, in every setting."""

from functools import partial

from sera.io import records
from study.multiverse.cells import CellStore, by_set, fingerprint, gather, pyramid_cells, rouge_cells
from study.workflow.job import job

with job(snakemake) as rule:
    references = records.read(rule.input.references, records.Reference)
    settings = rule.params.settings
    beside = [rule.input.references, *rule.input.nuggets]
    score = partial(rouge_cells, references=references, **settings)
    for path in rule.input.nuggets:
        nuggets = records.read(path, records.Nugget)
        score = partial(pyramid_cells, references=references, nuggets=nuggets, **settings)

    def scored():
        for name, path, wanted in by_set(rule.params.wanted, rule.params.sets, rule.input.summaries):
            found = fingerprint(rule.params.code, [path, *beside], settings)
            cells = CellStore(f"{rule.params.cells}/{name}", found)
            make = partial(score, candidates=records.read(path, records.Candidate))
            yield from cells.kept_or_made(wanted, make)

    gather(rule.output[0], scored())
