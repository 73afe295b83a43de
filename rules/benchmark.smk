# Needs: the folders of the benchmark (the demo's are generated).
# Makes: sources, references, citances, nuggets and the documents of the topics.


if SYNTHETIC:

    rule generate_demo:
        output:
            directory(f"{OUT}/data"),
        params:
            settings=lambda wildcards: dict(seed=config["seed"], **config["demo"]),
        message:
            "Generate the synthetic demo benchmark"
        script:
            "../scripts/generate_demo.py"


rule read_benchmark:
    input:
        GENERATED,
        BENCHMARK_FILES,
    output:
        **({"candidates": f"{OUT}/candidates.jsonl"} if GIVEN else {}),
        **JUDGEMENT_FILE,
        **BESIDE_FILES,
        sources=f"{OUT}/sources.jsonl",
        references=f"{OUT}/references.jsonl",
        citances=f"{OUT}/citances.jsonl",
        nuggets=f"{OUT}/nuggets.jsonl",
        documents=f"{OUT}/corpus/topics.jsonl.gz",
    params:
        benchmark=BENCHMARK,
        release=literally(FOLDERS["release"]),
        pyramids=literally(FOLDERS["pyramids"]),
        sha256=sha256_of(BENCHMARK_FILES),
        cleaning=config["cleaning"],
        code=code("read_benchmark", BENCHMARKS.module(BENCHMARK)),
    message:
        "Read the topics of the benchmark"
    script:
        "../scripts/read_benchmark.py"


use rule read_benchmark as read_universes with:
    output:
        sources=f"{MULTIVERSE}/sources/{{cleaning}}.jsonl",
    params:
        cleaning=lambda wildcards: wildcards.cleaning,
    message:
        "Read the articles (cleaning {wildcards.cleaning})"
