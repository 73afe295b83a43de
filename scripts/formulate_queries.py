"""Make one query of every summary, candidates and gold summaries alike."""

from job import job

from sera import records
from sera.progress import progress
from sera.retrieval.engines import ENGINES
from sera.retrieval.queries import formulate, texts_of

with job(snakemake) as rule:  # noqa: F821
    engine = ENGINES.load(rule.params.engine)(rule.input.index) if rule.input.index else None
    by_id = texts_of(
        (record for path in rule.input.candidates for record in records.iterate(path, records.Candidate)),
        records.iterate(rule.input.references, records.Reference),
    )
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
