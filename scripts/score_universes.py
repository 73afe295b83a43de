"""Score a batch of sets of summaries by ROUGE or by Pyramid, recognised and misread, in every setting."""

from functools import partial

from sera.io import records
from study.multiverse.cells import gather, group_by_set, pyramid_cells, rouge_cells
from study.workflow.job import job

with job(snakemake) as rule:
    references = records.read(rule.input.references, records.Reference)
    settings = rule.params.settings
    score = partial(rouge_cells, references=references)
    for path in rule.input.nuggets:
        nuggets = records.read(path, records.Nugget)
        score = partial(pyramid_cells, references=references, nuggets=nuggets, **settings)

    cells = (
        cell
        for path, wanted in group_by_set(rule.params.wanted, rule.params.sets, rule.input.summaries)
        for cell in score(wanted, records.read(path, records.Candidate))
    )
    gather(rule.output[0], cells)
