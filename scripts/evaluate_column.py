"""Evaluate every metric by every judgement of one benchmark."""

from sera.evaluation.tables import write_tsv
from sera.io import records
from sera.io.preferences import read_choices
from sera.io.scores import read_judgements, read_judges, read_scores
from sera.retrieval.engines import documents_in
from study.matrix.column import claims_of_matrix, column_facts, column_power, matrix_column, searched
from study.workflow.job import job

with job(snakemake) as rule:
    candidates = list(records.read_all(rule.input.candidates, records.Candidate))
    sources = list(records.read(rule.input.sources, records.Source))
    scores = read_scores(rule.input.scores)
    judges = None
    if path := rule.input.get("judgements"):
        judgements, judges = read_judgements(path), read_judges(path).query("judge != ''")
    else:  # by nuggets
        of_people = scores["metric"].isin(rule.params.against)
        judgements, scores = scores[of_people].rename(columns={"metric": "judgement"}), scores[~of_people]
    preferences = read_choices(path) if (path := rule.input.get("preferences")) else None
    cells, claims = matrix_column(
        rule.params.name,
        scores,
        judgements,
        candidates,
        sources=sources,
        systems=rule.params.systems,
        judges=judges,
        claims=claims_of_matrix(rule.input.get("own_claims")),
        preferences=preferences,
        resamples=rule.params.resamples,
        confidence=rule.params.confidence,
        seed=rule.params.seed,
    )
    write_tsv(rule.output.cells, cells)
    write_tsv(rule.output.claims, claims)
    references = records.read(rule.input.references, records.Reference)
    documents = documents_in(rule.input.index)
    power = column_power(
        scores,
        judgements,
        systems=rule.params.systems,
        resamples=rule.params.resamples,
        seed=rule.params.seed,
    )
    kind = searched(rule.params.collection, sources)
    facts = column_facts(rule.params.name, cells, candidates, references, documents, kind, power)
    write_tsv(rule.output.facts, facts)
