"""Correlate SERA with Pyramid in indexes of samples of the articles, and continue the curve."""

from pathlib import Path

from sera.evaluation.correlation.correlate import Scores
from sera.evaluation.tables import caption, write_readable, write_tsv
from sera.io import records
from sera.io.scores import read_all_scores
from sera.progress import progress
from sera.reporting.figures import save
from sera.retrieval.lucene import open_index
from sera.retrieval.queries import plain
from study.claims.multiverse import ROUGE
from study.multiverse import index_study
from study.multiverse.cells import Summaries, name_of_queries
from study.multiverse.index_figure import index_figure, readable_curve, readable_sizes
from study.multiverse.journals import read_journals
from study.workflow.job import job

with job(snakemake) as rule:
    settings = rule.params.search["SERA"]
    whole = open_index(rule.input.index)
    journals = {id: name for path in rule.input.journals for id, name in read_journals(path).items()}
    # the topics' documents, where the study has them in its index, are in each index
    always = [each.id for path in rule.input.topics for each in records.iterate(path, records.Document)]
    articles = [id for id in whole.ids if id not in set(always)]

    texts = [plain(each.sentences) for each in records.iterate(rule.input.sources, records.Source)]
    near = whole.search(texts, max(1, whole.documents), mu=settings["mu"])
    nearness = index_study.by_nearness(articles, [[hit.document for hit in hits] for hits in near])

    candidates = records.read(rule.input.candidates, records.Candidate)
    summaries = Summaries(candidates, records.read(rule.input.references, records.Reference), {})
    for path in rule.input.queries:
        made = {query.id: query.text for query in records.iterate(path, records.Query)}
        summaries.queries[name_of_queries(Path(path).stem)] = {id: made[id] for id in summaries.texts}
    drawn = list(
        index_study.samples(
            articles,
            {id: journals.get(id, "") for id in articles},
            nearness,
            sizes=rule.params.sizes,
            draws=rule.params.draws,
            seed=rule.params.seed,
            share=rule.params.journal_share,
        )
    )
    found = [
        (sample, index_study.scores_on(whole.part([*sample.documents, *always]), summaries, settings))
        for sample in progress(drawn, "indexes searched")
    ]

    scores = Scores.of(read_all_scores(rule.input.scores), sorted({each.system for each in candidates}))
    judged = scores.of_metric("Pyramid")
    rouge = scores.of_metrics(ROUGE)
    draws = index_study.draws_table(found, rouge, judged, set(index_study.on_subject(nearness)))
    sizes = index_study.sizes_table(draws)
    bootstrap = {name: rule.params[name] for name in ("resamples", "confidence", "seed")}
    kinds = index_study.kinds_table(found, judged, **bootstrap)
    curve = index_study.curve_table(found, rouge, judged, toward=rule.params.toward, **bootstrap)

    folder, benchmark = Path(rule.output.draws).parent, rule.params.benchmark
    write_tsv(rule.output.draws, draws)
    for name, table, readable in (
        ("index_sizes", sizes, readable_sizes(sizes)),
        ("index_kinds", kinds, readable_curve(kinds)),
        ("index_curve", curve, readable_curve(curve)),
    ):
        write_tsv(folder / f"{name}.tsv", table.assign(benchmark=benchmark))
        write_readable(folder / name, readable, caption(name, benchmark))
    figure = index_figure(draws, curve, benchmark, confidence=rule.params.confidence)
    save(figure, folder / "figures" / "index_sizes")
