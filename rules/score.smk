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
        queries=[gather.search(part) for part in rules.search.output.queries],
        runs=[gather.search(part) for part in rules.search.output.runs],
        settings=[gather.search(part) for part in rules.search.output.settings],
    output:
        queries=expand("<results>/queries/{formulation}.jsonl", formulation=FORMULATIONS),
        runs=expand("<results>/runs/{formulation}.trec", formulation=FORMULATIONS),
        settings=expand("<results>/runs/{formulation}.trec.json", formulation=FORMULATIONS),
    log:
        "<logs>/gather_search.log",
    benchmark:
        "<benchmarks>/gather_search.tsv"
    localrule: True
    conda:
        "../envs/study.yaml"
    params:
        code=code("gather_search"),
    script:
        "../scripts/gather_search.py"


rule score:
    input:
        unpack(files_of_families),
        candidates=CANDIDATES,
        references="<results>/references.jsonl",
    output:
        scores="<results>/scores/{batch}.tsv",
        signatures="<results>/scores/{batch}.signatures.tsv",
        left_out="<results>/scores/{batch}.left_out.tsv",
    log:
        "<logs>/score/{batch}.log",
    benchmark:
        "<benchmarks>/score/{batch}.tsv"
    wildcard_constraints:
        batch=one_of([*FAMILY_BATCHES, *(family for names in FAMILY_BATCHES.values() for family in names)]),
    group:
        f"{study_name(config)}_tables"
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: 5 * attempt,
    params:
        families=lambda wildcards: {
            family: {
                "settings": settings_of_family(family),
                "listing": FAMILY_LISTING.get(family, {}),
                "resources": resources_of_family(family),
            }
            for family in families_in(wildcards)
        },
        files=files_in_settings,
        sha256=sha256_of(
            lambda wildcards: [
                path for name in resources_in(wildcards) for path in RAW_RESOURCES.get(name, [])
            ]
        ),
        language=config["language"],
        code=code_of_families,
    script:
        "../scripts/score.py"


if BY_NUGGETS:

    rule score_at_thresholds:
        input:
            candidates=CANDIDATES,
            references="<results>/references.jsonl",
            nuggets="<results>/nuggets.jsonl",
        output:
            "<results>/scores/pyramid_thresholds.tsv",
        log:
            "<logs>/score_at_thresholds.log",
        benchmark:
            "<benchmarks>/score_at_thresholds.tsv"
        group:
            f"{study_name(config)}_tables"
        conda:
            "../envs/study.yaml"
        params:
            settings={
                name: value for name, value in FAMILY_SETTINGS["Pyramid"].items() if name != "threshold"
            },
            thresholds=config["pyramid"]["thresholds"],
            files={},
            code=code("score_at_thresholds", *modules(["Pyramid"])),
        script:
            "../scripts/score_at_thresholds.py"


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
        scores=tables_of_scores(SCORED),
        signatures=tables_of_scores(SCORED, ".signatures.tsv"),
        left_out=tables_of_scores(
            [family for family in SCORED if family not in ENCODER_FAMILIES], ".left_out.tsv"
        ),
        given_scores=GIVEN_SCORES,
        given_signatures=GIVEN_SIGNATURES,
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
        families=SCORED,
        code=code("gather_scores"),
    script:
        "../scripts/gather_scores.py"
