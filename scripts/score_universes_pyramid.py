"""Score one set of summaries by Pyramid, as recognised and as misread, under every setting of a universe."""

from sera import records
from sera.multiverse.stages import CellStore, fingerprint, gather, kept_or_made, pyramid_cells
from sera.reporting.job import job

with job(snakemake) as rule:
    candidates = records.read(rule.input.summaries, records.Candidate)
    references = records.read(rule.input.references, records.Reference)
    nuggets = records.read(rule.input.nuggets, records.Nugget)
    draws = {"draws": rule.params.draws, "seed": rule.params.seed}
    cells = CellStore(rule.params.cells, fingerprint(rule.params.code, rule.input, draws))
    gather(
        rule.output[0],
        kept_or_made(
            cells,
            [(part, tuple(each)) for part, wanted in rule.params.wanted.items() for each in wanted],
            lambda missing: pyramid_cells(missing, candidates, references, nuggets, **draws),
        ),
    )
