"""Score one set of summaries by ROUGE, under every setting of a universe."""

from sera import records
from sera.multiverse.stages import CellStore, fingerprint, gather, kept_or_made, rouge_cells
from sera.reporting.job import job

with job(snakemake) as rule:
    candidates = records.read(rule.input.summaries, records.Candidate)
    references = records.read(rule.input.references, records.Reference)
    cells = CellStore(rule.params.cells, fingerprint(rule.params.code, rule.input))
    gather(
        rule.output[0],
        kept_or_made(
            cells,
            [(part, tuple(each)) for part, wanted in rule.params.wanted.items() for each in wanted],
            lambda missing: rouge_cells(missing, candidates, references),
        ),
    )
