# Needs: summaries, gold summaries, articles and scores. Makes: the tables of ROUGE-K's paper for this benchmark.


rule analyse_keywords:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        sources=f"{OUT}/sources.jsonl",
        scores=f"{OUT}/scores.tsv",
    output:
        KEYWORDS,
    log:
        f"{OUT}/logs/analyse_keywords.log",
    benchmark:
        f"{OUT}/benchmarks/analyse_keywords.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(5),
    params:
        systems=literally(SYSTEMS),
        settings=settings_for(["ROUGE", "ROUGE-K"]),
        benchmark=LABEL,
        code=code("analyse_keywords", *modules(["ROUGE", "ROUGE-K"])),
    message:
        "Analyse the keywords of the summaries"
    script:
        "../scripts/analyse_keywords.py"
