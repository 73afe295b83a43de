"""Evaluate every metric by every judgement of one benchmark."""

from sera.evaluation.tables import write_tsv
from sera.io import records
from sera.io.scores import read_choices, read_judgements, read_judges, read_scores
from sera.metrics.configure import equip
from sera.metrics.scoring import canonical_name, score
from sera.retrieval.engines import count_documents
from study.claims.multiverse import ROUGE
from study.matrix.column import column_facts, describe_collection, matrix_column
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
    # only for the contrasts: the matrix's ROUGE keeps stop words unless the settings say otherwise
    rouge_settings = {"ROUGE": {**rule.params.rouge["ROUGE"], "stop": True}}
    references = list(records.read_all(rule.input.references, records.Reference))
    stop_word_scores = None
    if candidates:
        stop_word_scores = score(equip(ROUGE, rouge_settings), candidates, references, label=canonical_name)
    cells, contrasts, kinds = matrix_column(
        rule.params.name,
        scores,
        judgements,
        candidates,
        sources=sources,
        systems=rule.params.systems,
        judges=judges,
        preferences=preferences,
        stopped=stop_word_scores,
        resamples=rule.params.resamples,
        confidence=rule.params.confidence,
        seed=rule.params.seed,
    )
    write_tsv(rule.output.cells, cells)
    write_tsv(rule.output.contrasts, contrasts)
    write_tsv(rule.output.kinds, kinds)
    documents = count_documents(rule.input.index[0]) if rule.input.index else 0
    kind = describe_collection(rule.params.collection, sources)
    facts = column_facts(cells, candidates, references, documents, kind)
    write_tsv(rule.output.facts, facts)
