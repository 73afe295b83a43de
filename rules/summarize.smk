# Needs: sources, citances and references. Makes: the summaries of the paper's systems and of the baselines.

from study.settings.systems import DRAW


rule summarize:
    input:
        sources="<results>/sources.jsonl",
        citances=needed("citances"),
        references=needed("references"),
    output:
        "<results>/summaries/{batch}.jsonl",
    log:
        "<logs>/summarize/{batch}.log",
    benchmark:
        "<benchmarks>/summarize/{batch}.tsv"
    wildcard_constraints:
        batch="|".join([*SUMMARIZED, "human", *SUMMARIZERS, DRAW]),
    group:
        f"{study_name(config)}_summaries"
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: 5 * attempt,
    params:
        systems=lambda wildcards: {name: settings_of_summarizer(name) for name in systems_in(wildcards)},
        budget=BUDGET,
        order=config["order"],
        code=lambda wildcards: code("summarize", *modules_of_summarizers(systems_in(wildcards))),
    script:
        "../scripts/summarize.py"


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
        given=["<results>/candidates.jsonl"] if data.systems else [],
        made=expand("<summaries>/{batch}.jsonl", batch=[*SUMMARIZED, *TAKEN]),
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
        systems=lambda wildcards: SYSTEMS,
        baselines=BASELINES,
        code=code("gather_summaries"),
    script:
        "../scripts/gather_summaries.py"
