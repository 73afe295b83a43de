"""Score all sets of summaries by SERA on a collection and on shares of it, under every setting."""

import json
from functools import cache
from pathlib import Path

from sera.io import records
from sera.retrieval.lucene import open_index
from study.multiverse.cells import Summaries, gather, group_by_set, part_of_index, sera_cells
from study.multiverse.choices import SETS
from study.workflow.job import job

SHARE = len(SETS) + 3  # the place of the share of the articles among a cell's choices

with job(snakemake) as rule:
    whole = open_index(rule.input.index)
    references = records.read(rule.input.references, records.Reference)
    topics = [each.id for path in rule.input.topics for each in records.iterate(path, records.Document)]
    queries_of = dict(zip(rule.input.summaries, rule.input.queries, strict=True))

    @cache
    def engine_of(share: float):
        return part_of_index(whole, share, topics)

    def scored():
        # the shares of a set one after the other, since they are searched for the same queries
        for path, wanted in group_by_set(rule.params.wanted, rule.params.sets, rule.input.summaries):
            queries = json.loads(Path(queries_of[path]).read_text(encoding="utf-8"))
            summaries = Summaries(records.read(path, records.Candidate), references, queries)
            for share in sorted({of[SHARE] for _, of in wanted}):
                of_share = [(part, of) for part, of in wanted if of[SHARE] == share]
                yield from sera_cells(of_share, summaries, engine_of(share))

    gather(rule.output[0], scored())
