# Needs: summaries, gold summaries, articles, nuggets, the index and word vectors. Makes: queries, rankings, and every
# metric's scores and signatures, a table for each family of metrics.


# The summaries are searched in parts: --set-scatter search=20 makes twenty jobs.
scattergather:
    search=1,


rule search:
    input:
        candidates=CANDIDATES,
        references="<results>/references.jsonl",
        index="<index>/whole",
    output:
        queries=expand("<results>/search/{{scatteritem}}/{formulation}.jsonl", formulation=FORMULATIONS),
        runs=expand("<results>/search/{{scatteritem}}/{formulation}.trec", formulation=FORMULATIONS),
        settings=expand("<results>/search/{{scatteritem}}/{formulation}.trec.json", formulation=FORMULATIONS),
    log:
        "<logs>/search/{scatteritem}.log",
    benchmark:
        "<benchmarks>/search/{scatteritem}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=lambda wildcards, input, attempt: attempt
        * (1000 + 100 * share_of_search(wildcards, input) + articles_in(*INDEX_PARTS) // 4000),
        runtime=lambda wildcards, input, attempt: attempt
        * (5 + 4 * share_of_search(wildcards, input) * (1 + articles_in(*INDEX_PARTS) // 10**6)),
    params:
        formulations=FORMULATIONS,
        engine=config["engine"],
        keyword_threshold=config["keyword_threshold"],
        noun_phrases=config["noun_phrases"],
        query_stop=config["query_stop"],
        language=config["language"],
        mu=config["mu"],
        depth=config["depth"],
        code=code("search", ENGINES.module(config["engine"])),
    script:
        "../scripts/search.py"


rule gather_search:
    input:
        queries=gather.search("<results>/search/{scatteritem}/{{formulation}}.jsonl"),
        runs=gather.search("<results>/search/{scatteritem}/{{formulation}}.trec"),
        settings=gather.search("<results>/search/{scatteritem}/{{formulation}}.trec.json"),
    output:
        queries="<results>/queries/{formulation}.jsonl",
        run="<results>/runs/{formulation}.trec",
        settings="<results>/runs/{formulation}.trec.json",
    log:
        "<logs>/gather_search/{formulation}.log",
    benchmark:
        "<benchmarks>/gather_search/{formulation}.tsv"
    localrule: True
    conda:
        "../envs/study.yaml"
    shell:
        "(cat {input.queries:q} > {output.queries:q} && cat {input.runs:q} > {output.run:q} &&"
        " cp {input.settings[0]:q} {output.settings:q}) 2> {log:q}"


rule score:
    input:
        unpack(files_of_family),
        candidates=CANDIDATES,
        references="<results>/references.jsonl",
    output:
        scores="<results>/scores/{family}.tsv",
        signatures="<results>/scores/{family}.signatures.tsv",
        left_out="<results>/scores/{family}.left_out.tsv",
    log:
        "<logs>/score/{family}.log",
    benchmark:
        "<benchmarks>/score/{family}.tsv"
    wildcard_constraints:
        family=one_of(family for family in SCORED if family not in ["S3", *ENCODER_FAMILIES]),
    group:
        f"{study_name(config)}_tables"
    conda:
        "../envs/study.yaml"
    params:
        settings=settings_of_family,
        listing=lambda wildcards: FAMILY_LISTING.get(wildcards.family, {}),
        files=files_in_settings,
        sha256=sha256_of(
            lambda wildcards: [
                path for name in resources_of_family(wildcards) for path in RAW_RESOURCES.get(name, [])
            ]
        ),
        language=config["language"],
        code=code_of_family,
    script:
        "../scripts/score.py"


use rule score as score_at_threshold with:
    output:
        scores="<results>/scores/threshold_{threshold}/{family}.tsv",
        signatures="<results>/scores/threshold_{threshold}/{family}.signatures.tsv",
        left_out="<results>/scores/threshold_{threshold}/{family}.left_out.tsv",
    log:
        "<logs>/score_at_threshold/{threshold}-{family}.log",
    benchmark:
        "<benchmarks>/score_at_threshold/{threshold}-{family}.tsv"
    wildcard_constraints:
        family="Pyramid",
        threshold=r"[\d.]+",
    params:
        settings=lambda wildcards: {
            **FAMILY_SETTINGS[wildcards.family],
            "threshold": float(wildcards.threshold),
        },


rule score_s3:
    input:
        **JUDGEMENT_FILE,
        **RESOURCE_FILES["vectors"],
        **RESOURCE_FILES["frames"],
        candidates=CANDIDATES,
        references="<results>/references.jsonl",
        sources="<results>/sources.jsonl",
        pyramid=PYRAMID,
    output:
        scores="<results>/scores/S3.tsv",
        signatures="<results>/scores/S3.signatures.tsv",
        left_out="<results>/scores/S3.left_out.tsv",
        of_tables="<results>/scores/s3_tables.tsv",
    log:
        "<logs>/score_s3.log",
    benchmark:
        "<benchmarks>/score_s3.tsv"
    group:
        f"{study_name(config)}_tables"
    conda:
        "../envs/study.yaml"
    params:
        systems=lambda wildcards: SYSTEMS,
        judgement=lambda wildcards: JUDGEMENTS[0] if JUDGEMENTS else None,
        files={"framenet": config["framenet"]},
        language=config["language"],
        sha256=sha256_of([*OWN_VECTORS, *FRAMES]),
        code=code("score_s3", *modules([*map(family_of, FULL), *families_that_need("model")])),
    script:
        "../scripts/score_s3.py"


rule gather_scores:
    input:
        scores=[*expand("<results>/scores/{family}.tsv", family=SCORED), *GIVEN_SCORES],
        signatures=[
            *expand("<results>/scores/{family}.signatures.tsv", family=SCORED),
            *GIVEN_SIGNATURES,
        ],
        left_out=expand(
            "<results>/scores/{family}.left_out.tsv",
            family=[family for family in SCORED if family not in ENCODER_FAMILIES],
        ),
    output:
        scores="<results>/scores.tsv",
        signatures="<results>/signatures.tsv",
        left_out="<results>/scores/left_out.tsv",
    log:
        "<logs>/gather_scores.log",
    benchmark:
        "<benchmarks>/gather_scores.tsv"
    group:
        f"{study_name(config)}_tables"
    conda:
        "../envs/study.yaml"
    params:
        code=code("concatenate_tables"),
    script:
        "../scripts/concatenate_tables.py"
