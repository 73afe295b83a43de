"""Score all sets of summaries by SERA on a collection and on shares of it, under every setting."""

import json
from functools import cache
from pathlib import Path

from sera.io import records
from sera.retrieval.lucene import open_index
from study.multiverse.cells import key_choices, part_of_index, sera_cells, write_cells
from study.workflow.job import job

with job(snakemake) as rule:
    whole = open_index(rule.input.index)
    references = records.read(rule.input.references, records.Reference)
    topics = {article.id for path in rule.input.topics for article in records.iterate(path, records.Document)}

    @cache
    def open_share(share: float):
        return part_of_index(whole, share, topics)

    def score_sets():
        # the shares of a set one after the other, since they are searched for the same queries
        for path, texts, keys in zip(
            rule.input.summaries, rule.input.queries, rule.params.wanted, strict=True
        ):
            candidates = records.read(path, records.Candidate)
            queries = json.loads(Path(texts).read_text(encoding="utf-8"))
            shares = [key_choices(key)["index_size"] for key in keys]
            for share in sorted(set(shares)):
                some = [key for key, size in zip(keys, shares, strict=True) if size == share]
                yield from sera_cells(some, candidates, references, queries, open_share(share))

    write_cells(rule.output[0], score_sets())
