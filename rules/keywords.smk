# Needs: summaries, gold summaries, articles and scores. Makes: the tables of ROUGE-K's paper for this benchmark.


rule analyse_keywords:
    input:
        candidates=CANDIDATES,
        references="<results>/references.jsonl",
        sources="<results>/sources.jsonl",
        scores="<results>/scores.tsv",
        published=f"{ROOT}/resources/published/rougek_table4.tsv",
        release=data.files,
    output:
        KEYWORDS,
    log:
        "<logs>/analyse_keywords.log",
    benchmark:
        "<benchmarks>/analyse_keywords.tsv"
    group:
        f"{study_name(config)}_tables"
    conda:
        "../envs/study.yaml"
    params:
        systems=lambda wildcards: SYSTEMS,
        seeds={name: base_system(name) for name in TRAINED if base_system(name) != name},
        settings=settings_for(["ROUGE-K"]),
        benchmark=LABEL,
        forms=config["tables"],
        name=BENCHMARK,
        release=data.folders["release"],
        sha256=sha256_of(data.files),
        code=code("analyse_keywords", *modules(["ROUGE", "ROUGE-K"]), BENCHMARKS.module(BENCHMARK)),
    script:
        "../scripts/analyse_keywords.py"
