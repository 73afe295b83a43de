"""Evaluate every metric by every judgement of one benchmark."""

from sera import records
from sera.evaluation.tables import write_tsv
from sera.matrix.column import column_facts, matrix_column
from sera.metrics.scoring import read_judgements, read_judges, read_scores
from sera.reporting.job import job
from sera.retrieval.engines import documents_in

with job(snakemake) as rule:
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    scores = read_scores(rule.input.scores)
    judges = None
    if path := rule.input.get("judgements"):
        judgements, judges = read_judgements(path), read_judges(path).query("judge != ''")
    else:  # by nuggets
        of_people = scores["metric"].isin(rule.params.against)
        judgements, scores = scores[of_people].rename(columns={"metric": "judgement"}), scores[~of_people]
    cells, claims = matrix_column(
        rule.params.name,
        scores,
        judgements,
        candidates,
        systems=rule.params.systems,
        judges=judges,
        resamples=rule.params.resamples,
        confidence=rule.params.confidence,
        seed=rule.params.seed,
    )
    write_tsv(rule.output.cells, cells)
    write_tsv(rule.output.claims, claims)
    references = records.read(rule.input.references, records.Reference)
    documents = documents_in(rule.input.index)
    write_tsv(rule.output.facts, column_facts(rule.params.name, cells, candidates, references, documents))
