"""Score a batch of sets of summaries by ROUGE or by Pyramid, recognised and misread, in every setting."""

from functools import partial

from sera.io import records
from study.multiverse.cells import pyramid_cells, rouge_cells, write_cells
from study.workflow.job import job

with job(snakemake) as rule:
    score = partial(rouge_cells, references=records.read(rule.input.references, records.Reference))
    for path in rule.input.nuggets:
        nuggets = records.read(path, records.Nugget)
        score = partial(pyramid_cells, **score.keywords, nuggets=nuggets, **rule.params.settings)
    sets = zip(rule.input.summaries, rule.params.wanted, strict=True)
    write_cells(
        rule.output[0],
        (cell for path, keys in sets for cell in score(keys, records.read(path, records.Candidate))),
    )
