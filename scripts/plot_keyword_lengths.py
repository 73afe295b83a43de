"""Draw Figure 2 of ROUGE-K's paper: the share of keywords found by their length."""

from functools import partial

from sera.evaluation.tables import caption, read_tsv
from sera.reporting.figures import save_both
from sera.reporting.keyword_figure import recall_by_length
from study.workflow.job import job

with job(snakemake) as rule:
    title = caption("rougek_figure2", rule.params.benchmark)
    draw = partial(recall_by_length, read_tsv(rule.input.table), title=title)
    save_both(draw, rule.output[0].removesuffix(".svg"))
