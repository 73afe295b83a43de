"""Make the tables of ROUGE-K's paper: keywords, means, length, other metrics, spread, place and length."""

from pathlib import Path

import pandas as pd

from sera.benchmarks import load_benchmark
from sera.evaluation.keyword_tables import keyword_statistics, keyword_tables
from sera.evaluation.tables import write_tables
from sera.extras import import_nltk
from sera.io import records
from sera.io.scores import read_scores
from sera.metrics.configure import equip, listed_names
from sera.metrics.rouge_k import RougeK
from study.published.tables import add_published_table4, read_of_dataset
from study.workflow.job import job

with job(snakemake) as rule:
    import_nltk()
    candidates = records.read_all(rule.input.candidates, records.Candidate)
    references = records.read(rule.input.references, records.Reference)
    sources = records.read(rule.input.sources, records.Source)
    names = listed_names(["ROUGE-K"], settings=rule.params.settings)
    metrics = [metric for metric in equip(names, rule.params.settings) if isinstance(metric, RougeK)]
    if splits := load_benchmark(rule.params.name).splits:
        statistics = [
            keyword_statistics(
                metrics[0],
                [reference for topic in topics for reference in topic.references],
                [topic.source for topic in topics],
                split,
            )
            for split, topics in splits(release=rule.params.release)
        ]
    else:
        statistics = [keyword_statistics(metrics[0], references, sources, "all")]
    paper_table = read_of_dataset(rule.input.published, rule.params.name)
    table4 = add_published_table4(paper_table, pd.concat(statistics, ignore_index=True))
    tables = {"table4": table4} | keyword_tables(
        metrics,
        read_scores(rule.input.scores),
        candidates,
        references,
        sources,
        systems=rule.params.systems,
        seeds=rule.params.seeds,
    )
    tables = {f"rougek_{name}": table for name, table in tables.items()}
    write_tables(Path(rule.output[0]).parent, tables, rule.params.benchmark, forms=rule.params.forms)
