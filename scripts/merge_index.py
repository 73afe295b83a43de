"""Merge the parts of the index; a part may be without words, but not all of them."""

from sera.errors import InputError
from sera.retrieval.index import merge, read_index
from study.workflow.job import job

with job(snakemake) as rule:
    merge(list(rule.input), rule.output[0])
    index = read_index(rule.output[0])
    if index.ids and not index.terms:
        raise InputError(f"all documents ({len(index.ids)}) are empty", remedy="Give each its text.")
