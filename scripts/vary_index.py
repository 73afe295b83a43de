"""Correlate SERA with Pyramid in indexes of samples of the articles."""

from pathlib import Path

from sera.evaluation.correlate import Scores
from sera.evaluation.tables import write_tsv
from sera.io import records
from sera.io.scores import read_all_scores
from sera.progress import progress
from sera.reporting.figures import save
from sera.retrieval.lucene import open_index
from study.claims.multiverse import ROUGE
from study.multiverse import index_study
from study.multiverse.indexes import PartEngine
from study.workflow.job import job
from study.workflow.query_texts import collect_texts

with job(snakemake) as rule:
    settings = rule.params.search["SERA"]
    whole = open_index(rule.input.index)
    # the topics' documents, where the study has them in its index, are in each index
    always = [each.id for path in rule.input.topics for each in records.iterate(path, records.Document)]
    articles = [id for id in whole.ids if id not in set(always)]

    candidates = records.read(rule.input.candidates, records.Candidate)
    references = records.read(rule.input.references, records.Reference)
    texts, queries = collect_texts(candidates, references), {}
    for path in rule.input.queries:
        query_texts = {query.id: query.text for query in records.iterate(path, records.Query)}
        queries[Path(path).stem] = {id: query_texts[id] for id in texts}
    summaries = candidates, references, queries
    options = {name: rule.params[name] for name in ("sizes", "draws", "seed")}
    samples = list(index_study.draw_samples(articles, **options))
    rows = [
        ((draw, ids), index_study.index_scores(PartEngine(whole, [*ids, *always]), *summaries, settings))
        for draw, ids in progress(samples, "indexes searched")
    ]

    scores = Scores.from_table(
        read_all_scores(rule.input.scores), sorted({each.system for each in candidates})
    )
    judgements = scores.metric("Pyramid")
    rouge = scores.stack(ROUGE)
    draws = index_study.draws_table(rows, rouge, judgements)
    sizes = index_study.sizes_table(draws)

    folder, benchmark = Path(rule.output.draws).parent, rule.params.benchmark
    write_tsv(rule.output.draws, draws)
    write_tsv(folder / "index_sizes.tsv", sizes.assign(benchmark=benchmark))
    save(index_study.index_figure(draws, benchmark), folder / "figures" / "index_sizes")
