# Needs: the folders of the benchmark (the demo's are unpacked).
# Makes: sources, references, citances, nuggets and the documents of the topics.


rule unpack_demo:
    input:
        str(ARCHIVE),
    output:
        directory("<results>/data"),
    log:
        "<logs>/unpack_demo.log",
    benchmark:
        "<benchmarks>/unpack_demo.tsv"
    group:
        f"{study_name(config)}_summaries"
    conda:
        "../envs/study.yaml"
    params:
        settings=config["demo"],
        code=code("unpack_demo"),
    script:
        "../scripts/unpack_demo.py"


rule read_benchmark:
    input:
        GENERATED,
        data.files,
    output:
        **({"candidates": "<results>/candidates.jsonl"} if data.systems else {}),
        **JUDGEMENT_FILE,
        preferences=PREFERENCES,
        given=GIVEN_SCORES,
        signatures=GIVEN_SIGNATURES,
        sources="<results>/sources.jsonl",
        references="<results>/references.jsonl",
        citances="<results>/citances.jsonl",
        nuggets="<results>/nuggets.jsonl",
        documents="<results>/corpus/topics.jsonl.gz",
    log:
        "<logs>/read_benchmark.log",
    benchmark:
        "<benchmarks>/read_benchmark.tsv"
    group:
        f"{study_name(config)}_summaries"
    conda:
        "../envs/study.yaml"
    params:
        benchmark=BENCHMARK,
        release=data.folders["release"],
        pyramids=data.folders["pyramids"],
        sha256=sha256_of(data.files),
        cleaning=config["cleaning"],
        code=code("read_benchmark", BENCHMARKS.module(BENCHMARK)),
    script:
        "../scripts/read_benchmark.py"


use rule read_benchmark as read_universes with:
    output:
        sources="<results>/multiverse/sources/{cleaning}.jsonl",
    log:
        "<logs>/read_universes/{cleaning}.log",
    benchmark:
        "<benchmarks>/read_universes/{cleaning}.tsv"
    group:
        "universes"
    params:
        cleaning=lambda wildcards: wildcards.cleaning,
