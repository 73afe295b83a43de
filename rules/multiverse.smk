# Needs: the benchmark and its articles. Makes: every universe of the settings `multiverse`, and their results.
# Not a part of the study: `make multiverse`. Universes share files: one job for each set of summaries and for each
# index. These jobs keep each setting's scores in `multiverse/cells` and do not compute them twice.


include: "universes.smk"


wildcard_constraints:
    cleaning="full|none",
    words=r"\d+",
    block=r"\d+",
    index=r"[\d.]+-(?:inside|outside)-[a-z]+",


rule multiverse:
    input:
        [f"{MULTIVERSE}/{table}" for table in TABLES_OF_UNIVERSES],
        [f"{MULTIVERSE}/{table}" for table in READABLE_ANSWERS],
        [f"{MULTIVERSE}/figures/{figure}" for figure in FIGURES_OF_UNIVERSES],
        f"{MULTIVERSE}/replication.md",
        f"{MULTIVERSE}/{STATE}",


rule multiverse_sources:
    input:
        GENERATED,
    output:
        sources=f"{MULTIVERSE}/sources/{{cleaning}}.jsonl",
    log:
        f"{OUT}/logs/multiverse_sources/{{cleaning}}.log",
    benchmark:
        f"{OUT}/benchmarks/multiverse_sources/{{cleaning}}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        benchmark=BENCHMARK,
        release=literally(FOLDERS["release"]),
        pyramids=literally(FOLDERS["pyramids"]),
        files=holds(BENCHMARK_FILES),
        cleaning=lambda wildcards: wildcards.cleaning,
        code=code("read_benchmark", BENCHMARKS.module(BENCHMARK)),
    message:
        "Read the articles (cleaning {wildcards.cleaning})"
    script:
        "../scripts/read_benchmark.py"


rule multiverse_summaries:
    input:
        sources=f"{MULTIVERSE}/sources/{{cleaning}}.jsonl",
        citances=f"{OUT}/citances.jsonl",
        references=f"{OUT}/references.jsonl",
    output:
        f"{MULTIVERSE}/summaries/{{cleaning}}-{{words}}.jsonl",
    log:
        f"{OUT}/logs/multiverse_summaries/{{cleaning}}-{{words}}.log",
    benchmark:
        f"{OUT}/benchmarks/multiverse_summaries/{{cleaning}}-{{words}}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(20),
    params:
        words=lambda wildcards: int(wildcards.words),
        order=config["order"],
        candidates=config["candidates"],
        files=holds([path for files in OWN_FILES.values() for path in files]),
        systems=lambda wildcards: {
            name: summarizer_settings(name) for name in [*SYSTEMS, *BASELINES]
        },
        code=lambda wildcards: code(
            "multiverse_summaries",
            *sorted(
                SUMMARIZERS.module(settings["summarizer"])
                for name in [*SYSTEMS, *BASELINES]
                if (settings := summarizer_settings(name))
            ),
        ),
    message:
        "Summarise in {wildcards.words} words (cleaning {wildcards.cleaning})"
    script:
        "../scripts/multiverse_summaries.py"


rule multiverse_queries:
    input:
        summaries=f"{MULTIVERSE}/summaries/{{cleaning}}-{{words}}.jsonl",
        references=f"{OUT}/references.jsonl",
    output:
        f"{MULTIVERSE}/queries/{{cleaning}}-{{words}}.json",
    log:
        f"{OUT}/logs/multiverse_queries/{{cleaning}}-{{words}}.log",
    benchmark:
        f"{OUT}/benchmarks/multiverse_queries/{{cleaning}}-{{words}}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        parsers=lambda wildcards: sorted(
            {each["noun_phrases"] for each in multiverse()}
        ),
        code=code("multiverse_queries"),
    message:
        "Formulate queries from the summaries ({wildcards.cleaning}, {wildcards.words} words)"
    script:
        "../scripts/multiverse_queries.py"


rule multiverse_index:
    input:
        articles=[f"{OUT}/corpus/{package}.jsonl.gz" for package in PACKAGES],
        topics=lambda wildcards: (
            [f"{OUT}/corpus/topics.jsonl.gz"] if indexes()[wildcards.index][1] else []
        ),
    output:
        directory(f"{MULTIVERSE}/index/{{index}}"),
    log:
        f"{OUT}/logs/multiverse_index/{{index}}.log",
    benchmark:
        f"{OUT}/benchmarks/multiverse_index/{{index}}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(config["memory"] + 600),
        index_mb=config["memory"],
        runtime=growing(60),
    params:
        share=lambda wildcards: indexes()[wildcards.index][0],
        analyzer=lambda wildcards: indexes()[wildcards.index][2],
        code=code("multiverse_index"),
    message:
        "Index the articles ({wildcards.index})"
    script:
        "../scripts/multiverse_index.py"


rule multiverse_rouge:
    input:
        summaries=f"{MULTIVERSE}/summaries/{{cleaning}}-{{words}}.jsonl",
        references=f"{OUT}/references.jsonl",
    output:
        f"{MULTIVERSE}/scores/rouge/{{cleaning}}-{{words}}.npz",
    log:
        f"{OUT}/logs/multiverse_rouge/{{cleaning}}-{{words}}.log",
    benchmark:
        f"{OUT}/benchmarks/multiverse_rouge/{{cleaning}}-{{words}}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        wanted=wanted("rouge", "skip"),
        multi=config["rouge"]["multi"],
        cells=f"{MULTIVERSE}/cells/rouge/{{cleaning}}-{{words}}",
        code=code("multiverse_rouge", FAMILIES.module("ROUGE")),
    message:
        "Score by ROUGE ({wildcards.cleaning}, {wildcards.words} words)"
    script:
        "../scripts/multiverse_rouge.py"


rule multiverse_pyramid:
    input:
        summaries=f"{MULTIVERSE}/summaries/{{cleaning}}-{{words}}.jsonl",
        references=f"{OUT}/references.jsonl",
        nuggets=f"{OUT}/nuggets.jsonl",
    output:
        f"{MULTIVERSE}/scores/pyramid/{{cleaning}}-{{words}}.npz",
    log:
        f"{OUT}/logs/multiverse_pyramid/{{cleaning}}-{{words}}.log",
    benchmark:
        f"{OUT}/benchmarks/multiverse_pyramid/{{cleaning}}-{{words}}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        wanted=wanted("pyramid"),
        cells=f"{MULTIVERSE}/cells/pyramid/{{cleaning}}-{{words}}",
        code=code("multiverse_pyramid", FAMILIES.module("Pyramid")),
    message:
        "Score by Pyramid ({wildcards.cleaning}, {wildcards.words} words)"
    script:
        "../scripts/multiverse_pyramid.py"


rule multiverse_sera:
    input:
        index=f"{MULTIVERSE}/index/{{index}}",
        summaries=of_sets_of_index("summaries/{cleaning}-{words}.jsonl"),
        queries=of_sets_of_index("queries/{cleaning}-{words}.json"),
        references=f"{OUT}/references.jsonl",
    output:
        f"{MULTIVERSE}/scores/sera/{{index}}.npz",
    log:
        f"{OUT}/logs/multiverse_sera/{{index}}.log",
    benchmark:
        f"{OUT}/benchmarks/multiverse_sera/{{index}}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(60),
    params:
        sets=sets_of_index,
        wanted=wanted_of_index,
        cells=f"{MULTIVERSE}/cells/sera/{{index}}",
        code=code(
            "multiverse_sera",
            ENGINES.module("embedded"),
            "sera.retrieval.engines.index_building",
            FAMILIES.module("SERA"),
        ),
    message:
        "Search, and score by SERA ({wildcards.index})"
    script:
        "../scripts/multiverse_sera.py"


rule multiverse_truth:
    input:
        data=f"{OUT}/data",
        summaries=of_sets("summaries/{cleaning}-{words}.jsonl"),
    output:
        f"{MULTIVERSE}/scores/truth.npz",
    log:
        f"{OUT}/logs/multiverse_truth.log",
    benchmark:
        f"{OUT}/benchmarks/multiverse_truth.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        sets=lambda wildcards: sets(),
        sizes=lambda wildcards: sorted({each["pyramid_size"] for each in multiverse()}),
        code=code("multiverse_truth"),
    message:
        "Score by the demo's true Pyramid"
    script:
        "../scripts/multiverse_truth.py"


rule multiverse_look:
    input:
        cells=all_cells,
        truth=[f"{MULTIVERSE}/scores/truth.npz"] if SYNTHETIC else [],
    output:
        f"{MULTIVERSE}/blocks/{{block}}.npz",
    log:
        f"{OUT}/logs/multiverse_look/{{block}}.log",
    benchmark:
        f"{OUT}/benchmarks/multiverse_look/{{block}}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(30),
    params:
        universes=lambda wildcards: universes_of(int(wildcards.block)),
        systems=literally(EVERY_SYSTEM),
        resamples=config["multiverse"]["resamples"],
        confidence=config["confidence"],
        seed=config["seed"],
        code=code("multiverse_look"),
    message:
        "Compute the universes (block {wildcards.block})"
    script:
        "../scripts/multiverse_look.py"


rule multiverse_answers:
    input:
        blocks=blocks,
        cells=all_cells,
        published=f"{ROOT}/resources/published/table2.tsv",
    output:
        [f"{MULTIVERSE}/{table}" for table in TABLES_OF_UNIVERSES],
    log:
        f"{OUT}/logs/multiverse_answers.log",
    benchmark:
        f"{OUT}/benchmarks/multiverse_answers.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(20),
    params:
        universes=lambda wildcards: multiverse(),
        systems=literally(SYSTEMS),
        confidence=config["confidence"],
        seed=config["seed"],
        benchmark=LABEL,
        code=code("multiverse_answers"),
    message:
        "Summarise the universes"
    script:
        "../scripts/multiverse_answers.py"


rule multiverse_page:
    input:
        tables=[f"{MULTIVERSE}/{table}" for table in TABLES_OF_UNIVERSES],
        template=f"{ROOT}/report/replication.md.j2",
        references=f"{OUT}/references.jsonl",
        index=lambda wildcards: own_index(),
    output:
        [f"{MULTIVERSE}/{table}" for table in READABLE_ANSWERS],
        [f"{MULTIVERSE}/figures/{figure}" for figure in FIGURES_OF_UNIVERSES],
        page=f"{MULTIVERSE}/replication.md",
        state=f"{MULTIVERSE}/{STATE}",
    log:
        f"{OUT}/logs/multiverse_page.log",
    benchmark:
        f"{OUT}/benchmarks/multiverse_page.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        benchmark=LABEL,
        name=name_of(config),
        synthetic=SYNTHETIC,
        confidence=config["confidence"],
        dimensions=config["multiverse"]["dimensions"],
        systems=literally(SYSTEMS),
        state=state_of_multiverse,
        code=code("multiverse_page"),
    message:
        "Write the figures, tables and page of the multiverse"
    script:
        "../scripts/multiverse_page.py"
