"""Make a query of every summary of a part, candidates and gold summaries, in each formulation; search."""

from itertools import islice

from sera.extras import import_nltk
from sera.io import records
from sera.retrieval.engines import ENGINES
from sera.retrieval.runs import write_run
from sera.retrieval.search import formulate_queries, rank_documents, search_settings
from study.workflow.job import job
from study.workflow.query_texts import collect_texts

with job(snakemake) as rule:
    import_nltk()
    texts = collect_texts(
        (record for path in rule.input.candidates for record in records.iterate(path, records.Candidate)),
        records.iterate(rule.input.references, records.Reference),
    )
    number, parts = map(int, rule.wildcards.scatteritem.split("-of-"))
    bounds = len(texts) * (number - 1) // parts, len(texts) * number // parts
    texts = dict(islice(texts.items(), *bounds))
    engine = ENGINES.load(rule.params.engine)(rule.input.index)
    how = {
        name: rule.params[name] for name in ("keyword_threshold", "noun_phrases", "query_stop", "language")
    }
    settings = search_settings(engine.analyzer, engine.documents, mu=rule.params.mu, **how)
    for formulation, path, run in zip(
        rule.params.formulations, rule.output.queries, rule.output.runs, strict=True
    ):
        queries = formulate_queries(
            formulation,
            texts,
            engine,
            threshold=how["keyword_threshold"],
            parser=how["noun_phrases"],
            stop=how["query_stop"],
            language=how["language"],
        )
        records.write(path, (records.Query(*query) for query in queries.items()))
        rankings = rank_documents(queries, engine, rule.params.depth, mu=rule.params.mu)
        write_run(run, rankings.items(), tag=f"{rule.params.engine}-{formulation}", settings=settings)
