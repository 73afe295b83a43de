"""Score a batch of sets of summaries in every setting, by ROUGE, Pyramid or the truth of the demo."""

from functools import partial
from pathlib import Path

from sera.io import records
from study.demo.truth import read_truth
from study.multiverse.cells import pyramid_cells, rouge_cells, true_cells, write_cells
from study.workflow.job import job

with job(snakemake) as rule:
    references = records.read(rule.input.references, records.Reference)
    if rule.wildcards.family == "rouge":
        score = partial(rouge_cells, references=references)
    elif rule.wildcards.family == "pyramid":
        nuggets = records.read(rule.input.known[0], records.Nugget)
        score = partial(pyramid_cells, references=references, nuggets=nuggets, **rule.params.settings)
    else:
        score = partial(true_cells, truth=read_truth(Path(rule.input.known[0], "truth.jsonl")))
    sets = zip(rule.input.summaries, rule.params.wanted, strict=True)
    write_cells(
        rule.output[0],
        (cell for path, keys in sets for cell in score(keys, records.read(path, records.Candidate))),
    )
