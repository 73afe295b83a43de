"""Make the queries of a batch of sets of summaries that need no index: plain, and noun phrases."""

import json

from sera.io import records
from sera.io.files import writing
from study.multiverse.cells import queries_without_index
from study.workflow.job import job
from study.workflow.query_texts import collect_texts

with job(snakemake) as rule:
    references = records.read(rule.input.references, records.Reference)
    for summaries, path in zip(rule.input.summaries, rule.output, strict=True):
        texts = collect_texts(records.iterate(summaries, records.Candidate), references)
        with writing(path) as stream:
            json.dump(queries_without_index(texts, rule.params.wanted), stream, ensure_ascii=False)
