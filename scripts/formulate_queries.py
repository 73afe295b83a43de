"""Make one query for every summary, candidates and gold summaries."""

from sera.io import records
from sera.retrieval.engines import ENGINES
from sera.retrieval.queries import texts_of
from sera.retrieval.search import formulated
from study.workflow.job import job

with job(snakemake) as rule:
    queries = formulated(
        rule.wildcards.formulation,
        texts_of(
            (record for path in rule.input.candidates for record in records.iterate(path, records.Candidate)),
            records.iterate(rule.input.references, records.Reference),
        ),
        ENGINES.load(rule.params.engine)(rule.input.index) if rule.input.index else None,
        threshold=rule.params.threshold,
        parser=rule.params.parser,
        stop=rule.params.query_stop,
        language=rule.params.language,
    )
    records.write(rule.output[0], (records.Query(*query) for query in queries.items()))
