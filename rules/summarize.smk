# Needs: sources, citances and references. Makes: the summaries of the paper's systems and of the baselines.

from study.settings.systems import DRAW


rule summarize:
    input:
        sources="<results>/sources.jsonl",
        citances=needed("citances"),
        references=needed("references"),
    output:
        "<results>/summaries/{system}.jsonl",
    log:
        "<logs>/summarize/{system}.log",
    benchmark:
        "<benchmarks>/summarize/{system}.tsv"
    wildcard_constraints:
        system="|".join([*SUMMARIZERS, DRAW]),
    group:
        f"{study_name(config)}_summaries"
    conda:
        "../envs/study.yaml"
    params:
        summarizer=summarizer,
        parameters=parameters_in_language,
        budget=BUDGET,
        order=config["order"],
        seed=lambda wildcards: seed_of(wildcards.system),
        code=lambda wildcards: code("summarize", SUMMARIZERS.module(summarizer(wildcards))),
    script:
        "../scripts/summarize.py"


rule take_human_summaries:
    input:
        "<results>/references.jsonl",
    output:
        "<results>/summaries/human.jsonl",
    log:
        "<logs>/take_human_summaries.log",
    benchmark:
        "<benchmarks>/take_human_summaries.tsv"
    group:
        f"{study_name(config)}_summaries"
    conda:
        "../envs/study.yaml"
    params:
        code=code("take_human_summaries"),
    script:
        "../scripts/take_human_summaries.py"


rule take_candidates:
    input:
        sources="<results>/sources.jsonl",
        own=lambda wildcards: OWN_FILES[wildcards.system],
    output:
        "<results>/summaries/{system}.jsonl",
    log:
        "<logs>/take_candidates/{system}.log",
    benchmark:
        "<benchmarks>/take_candidates/{system}.tsv"
    wildcard_constraints:
        system=one_of(OWN_FILES),
    group:
        f"{study_name(config)}_summaries"
    conda:
        "../envs/study.yaml"
    params:
        path=lambda wildcards: config["candidates"][wildcards.system],
        sha256=sha256_of(lambda wildcards: OWN_FILES[wildcards.system]),
        code=code("take_candidates"),
    script:
        "../scripts/take_candidates.py"


rule gather_summaries:
    input:
        systems=(
            ["<results>/candidates.jsonl"] if GIVEN else expand("<summaries>/{system}.jsonl", system=SYSTEMS)
        ),
        baselines=expand("<summaries>/{system}.jsonl", system=BASELINES),
    output:
        systems="<results>/summaries.jsonl",
        baselines="<results>/baselines.jsonl",
    log:
        "<logs>/gather_summaries.log",
    benchmark:
        "<benchmarks>/gather_summaries.tsv"
    localrule: True
    conda:
        "../envs/study.yaml"
    params:
        judged=lambda wildcards: SYSTEMS if GIVEN else None,
        code=code("gather_summaries"),
    script:
        "../scripts/gather_summaries.py"
