"""Evaluate every metric by every judgement of one benchmark."""

from sera.evaluation.tables import write_tsv
from sera.io import records
from sera.io.scores import read_choices, read_judgements, read_judges, read_scores
from sera.metrics.configure import equip
from sera.metrics.scoring import canonical_name, score
from sera.retrieval.engines import count_documents
from study.claims.multiverse import ROUGE
from study.matrix.column import column_facts, describe_collection, matrix_column
from study.matrix.effects import WITH, WITHOUT
from study.workflow.job import job

with job(snakemake) as rule:
    candidates = list(records.read_all(rule.input.candidates, records.Candidate))
    sources = list(records.read_all(rule.input.sources, records.Source))
    scores = read_scores(rule.input.scores)
    judges = None
    if path := rule.input.get("judgements"):
        judgements, judges = read_judgements(path), read_judges(path).query("judge != ''")
    else:  # by nuggets
        is_judgement = scores["metric"].isin(rule.params.against)
        judgements, scores = (
            scores[is_judgement].rename(columns={"metric": "judgement"}),
            scores[~is_judgement],
        )
    preferences = read_choices(rule.input.preferences[0]) if rule.input.preferences else None
    references = list(records.read_all(rule.input.references, records.Reference))
    rouge = {}  # for the contrasts, also as the settings do not have it
    if candidates:
        settings = rule.params.rouge["ROUGE"]
        own, other = (WITHOUT, WITH) if settings["stop"] else (WITH, WITHOUT)
        rouge[own] = scores[scores["metric"].isin(ROUGE)]
        metrics = equip(ROUGE, {"ROUGE": {**settings, "stop": not settings["stop"]}})
        rouge[other] = score(metrics, candidates, references, label=canonical_name)
    tables = matrix_column(
        rule.params.name,
        scores,
        judgements,
        candidates,
        sources=sources,
        systems=rule.params.systems,
        judges=judges,
        preferences=preferences,
        rouge=rouge,
        resamples=rule.params.resamples,
        confidence=rule.params.confidence,
        seed=rule.params.seed,
    )
    for name, table in tables.items():
        write_tsv(rule.output[name], table)
    documents = count_documents(rule.input.index[0]) if rule.input.index else 0
    kind = describe_collection(rule.params.collection, sources)
    facts = column_facts(tables["cells"], candidates, references, documents, kind)
    write_tsv(rule.output.facts, facts)
