# Needs: summaries, gold summaries, articles and scores. Makes: the tables of ROUGE-K's paper for this benchmark.

from rules.families import modules
from rules.code import code
from rules.jobs import growing, literally

COMPARED = ["ROUGE", "ROUGE-K"]


rule analyse_keywords:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        sources=f"{OUT}/sources.jsonl",
        scores=f"{OUT}/scores.tsv",
    output:
        KEYWORDS,
    log:
        log_of("analyse_keywords"),
    benchmark:
        benchmark_of("analyse_keywords")
    conda:
        "../envs/study.yaml"
    resources:
        runtime=growing(5),
    params:
        systems=literally(SYSTEMS),
        settings=settings_for(COMPARED),
        benchmark=LABEL,
        code=code("analyse_keywords", *modules(COMPARED)),
    message:
        "Analyse the keywords of the summaries"
    script:
        "../scripts/analyse_keywords.py"
