"""Score all sets of summaries by SERA on a collection and on shares of it, under every setting."""

import json
from functools import cache, partial
from pathlib import Path

from sera.io import records
from sera.retrieval.lucene import open_index
from study.multiverse.cells import (
    CellStore,
    Summaries,
    by_set,
    fingerprint,
    gather,
    part_of_index,
    sera_cells,
)
from study.multiverse.choices import SETS
from study.workflow.job import job

SHARE = len(SETS) + 3  # the place of the share of the articles among a cell's choices

with job(snakemake) as rule:
    whole = open_index(rule.input.index)
    references = records.read(rule.input.references, records.Reference)
    topics = [each.id for path in rule.input.topics for each in records.iterate(path, records.Document)]
    queries_of = dict(zip(rule.input.summaries, rule.input.queries, strict=True))

    def summaries_of(path: str) -> Summaries:
        queries = json.loads(Path(queries_of[path]).read_text(encoding="utf-8"))
        return Summaries(records.read(path, records.Candidate), references, queries)

    @cache
    def engine_of(share: float):
        return part_of_index(whole, share, topics)

    def scored():
        # the shares of a set one after the other, since they are searched for the same queries
        for name, path, cells_of_set in by_set(rule.params.wanted, rule.params.sets, rule.input.summaries):
            summaries = summaries_of(str(path))
            for share in sorted({of[SHARE] for _, of in cells_of_set}):
                engine = engine_of(share)
                cells = CellStore(
                    f"{rule.params.cells}/{share:g}/{name}",
                    fingerprint(rule.params.code, [path, rule.input.references], engine.fingerprint),
                )
                wanted = [(part, of) for part, of in cells_of_set if of[SHARE] == share]
                make = partial(sera_cells, summaries=summaries, engine=engine)
                yield from cells.kept_or_made(wanted, make)

    gather(rule.output[0], scored())
