"""Score all sets of summaries by SERA on one index, under every setting of a universe."""

import json
from pathlib import Path

from sera import records
from sera.multiverse.stages import (
    CellStore,
    RememberingEngine,
    Summaries,
    fingerprint,
    gather,
    kept_or_made,
    sera_cells,
)
from sera.reporting.job import job
from sera.retrieval.engines.embedded import open_index

with job(snakemake) as rule:
    engine = RememberingEngine(open_index(rule.input.index))
    references = records.read(rule.input.references, records.Reference)
    sets = {
        tuple(of): Summaries(
            records.read(summaries, records.Candidate),
            references,
            json.loads(Path(queries).read_text(encoding="utf-8")),
        )
        for of, summaries, queries in zip(
            rule.params.sets, rule.input.summaries, rule.input.queries, strict=True
        )
    }
    wanted = [(part, tuple(each)) for part, of_part in rule.params.wanted.items() for each in of_part]

    # Cells of one set of summaries do not depend on the other sets.
    def cells_of(of, paths):
        folder = f"{rule.params.cells}/{'-'.join(map(str, of))}"
        return CellStore(folder, fingerprint(rule.params.code, paths, engine.engine.fingerprint))

    def scored():
        for of, summaries in zip(rule.params.sets, rule.input.summaries, strict=True):
            cells = cells_of(of, [summaries, rule.input.references])
            here = [each for each in wanted if each[1][:2] == tuple(of)]
            yield from kept_or_made(cells, here, lambda missing: sera_cells(missing, sets, engine))

    gather(rule.output[0], scored())
