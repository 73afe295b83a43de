"""Score every set of the demo's summaries by the true Pyramid scores."""

from pathlib import Path

from sera.io import records
from study.demo.truth import read_truth
from study.multiverse.cells import true_cells, write_cells
from study.workflow.job import job

with job(snakemake) as rule:
    truth = read_truth(Path(rule.input.data) / "truth.jsonl")
    write_cells(
        rule.output[0],
        (
            cell
            for of, path in zip(rule.params.sets, rule.input.summaries, strict=True)
            for cell in true_cells(tuple(of), records.read(path, records.Candidate), truth, rule.params.sizes)
        ),
    )
