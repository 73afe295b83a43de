"""Make the queries of one set of summaries that need no index: plain, and noun phrases by each parser."""

import json

from sera import records
from sera.files import writing
from sera.reporting.job import job
from sera.retrieval.queries import texts_of
from sera.retrieval.ranking import formulated

with job(snakemake) as rule:
    of = texts_of(
        records.iterate(rule.input.summaries, records.Candidate),
        records.iterate(rule.input.references, records.Reference),
    )
    made = {"plain": formulated("plain", of)}
    made |= {f"np-{parser}": formulated("np", of, parser=parser) for parser in rule.params.parsers}
    with writing(rule.output[0]) as stream:
        json.dump(made, stream, ensure_ascii=False)
