"""Make one query of every summary, candidates and gold summaries alike."""

from job import job

from sera import records
from sera.engines import ENGINES
from sera.progress import progress
from sera.queries import formulate, query_id

with job(snakemake) as rule:  # noqa: F821
    engine = ENGINES.load(rule.params.engine)(rule.input.index) if rule.input.index else None
    summaries: list[records.Candidate | records.Reference] = [
        *(record for path in rule.input.candidates for record in records.iterate(path, records.Candidate)),
        *records.iterate(rule.input.references, records.Reference),
    ]
    # a gold summary that is a candidate too has the same name as both
    by_id = {query_id(summary): summary.sentences for summary in summaries}
    records.write(
        rule.output[0],
        (
            records.Query(
                name,
                formulate(
                    rule.wildcards.formulation,
                    sentences,
                    engine,
                    threshold=rule.params.threshold,
                    parser=rule.params.parser,
                ),
            )
            for name, sentences in progress(by_id.items(), "queries formulated")
        ),
    )
