# Needs: summaries, gold summaries, nuggets and the index. Makes: rankings, and every metric's scores.

from sera.engines import ENGINES
from sera.metrics import FAMILIES

CANDIDATES = [f"{OUT}/summaries.jsonl", f"{OUT}/baselines.jsonl"]


def index_of_keywords(wildcards):
    """Keywords are told by the index; the other queries do not depend on it."""
    return f"{OUT}/index/whole" if wildcards.formulation == "kw" else []


rule formulate_queries:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        index=index_of_keywords,
    output:
        f"{OUT}/queries/{{formulation}}.jsonl",
    log:
        f"{OUT}/logs/formulate_queries/{{formulation}}.log",
    params:
        engine=config["engine"],
        # only keywords have a threshold; the other queries must not be made anew when it changes
        threshold=lambda wildcards: (
            config["keyword_threshold"]
            if wildcards.formulation == "kw"
            else "collection"
        ),
        code=code("sera.queries", "sera.metrics.sera", ENGINES.module(config["engine"])),
    message:
        "Make queries of the summaries ({wildcards.formulation})"
    script:
        "../scripts/formulate_queries.py"


rule search:
    input:
        queries=f"{OUT}/queries/{{formulation}}.jsonl",
        index=f"{OUT}/index/whole",
    output:
        f"{OUT}/runs/{{formulation}}.trec",
    log:
        f"{OUT}/logs/search/{{formulation}}.log",
    params:
        engine=config["engine"],
        mu=config["mu"],
        depth=config["depth"],
        code=code("sera.runs", ENGINES.module(config["engine"])),
    message:
        "Search with the queries ({wildcards.formulation})"
    script:
        "../scripts/search.py"


rule score_rouge:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
    output:
        f"{OUT}/scores/rouge.tsv",
    log:
        f"{OUT}/logs/score_rouge.log",
    params:
        settings=config["rouge"],
        code=code("sera.scoring", FAMILIES.module("ROUGE")),
    message:
        "Score by ROUGE"
    script:
        "../scripts/score_rouge.py"


rule score_sera:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        runs=expand(f"{OUT}/runs/{{formulation}}.trec", formulation=FORMULATIONS),
    output:
        f"{OUT}/scores/sera.tsv",
    log:
        f"{OUT}/logs/score_sera.log",
    params:
        cutoffs=config["cutoffs"],
        formulations=FORMULATIONS,
        code=code("sera.scoring", "sera.runs", FAMILIES.module("SERA")),
    message:
        "Score by SERA"
    script:
        "../scripts/score_sera.py"


rule score_pyramid:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        nuggets=f"{OUT}/nuggets.jsonl",
    output:
        f"{OUT}/scores/pyramid_{{threshold}}.tsv",
    log:
        f"{OUT}/logs/score_pyramid/{{threshold}}.log",
    params:
        tiers=config["pyramid"]["tiers"],
        size=config["pyramid"]["size"],
        code=code("sera.scoring", FAMILIES.module("Pyramid")),
    message:
        "Score by Pyramid (threshold {wildcards.threshold})"
    script:
        "../scripts/score_pyramid.py"


rule gather_scores:
    input:
        f"{OUT}/scores/rouge.tsv",
        f"{OUT}/scores/sera.tsv",
        f"{OUT}/scores/pyramid_{config['pyramid']['threshold']}.tsv",
    output:
        f"{OUT}/scores.tsv",
    log:
        f"{OUT}/logs/gather_scores.log",
    params:
        code=code("sera.files"),
    message:
        "Gather the scores"
    script:
        "../scripts/concatenate_tables.py"
