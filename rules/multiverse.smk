# Needs: the benchmark and its articles. Makes: every universe of the settings `multiverse`, and their results.
# They are a target of their own, `multiverse`; the page of the study shows them. Universes share files:
# there is one job for each batch of summaries and for each collection of articles. These jobs keep each setting's scores in
# `multiverse/cells`, so that no score is computed twice. The study of the index varies only the articles. benchmark.smk and
# corpus.smk read the topics and the articles for them.


include: "universes.smk"


wildcard_constraints:
    summarizers="study|papers",
    family="rouge|pyramid",
    test="null|exchange",
    block=r"\d+",
    question="systems|summaries",
    collection="(?:inside|outside)-(?:text|captions)-[a-z]+",


rule summarize_universes:
    input:
        sources=f"{MULTIVERSE}/sources/{{cleaning}}.jsonl",
        citances=f"{OUT}/citances.jsonl",
        references=f"{OUT}/references.jsonl",
        beside=list(written_beside().values()),
        own=OWN_SUMMARIES,
    output:
        [
            path.replace("{summarizers}", summarizers)
            for summarizers in parameter_sets()
            for path in of_batch("summaries", ".jsonl")
        ],
    resources:
        runtime=growing(20),
    params:
        lengths=[read_length(length) for length, _ in written_sets()],
        orders=[order for _, order in written_sets()],
        candidates=config["candidates"] | written_beside(),
        sha256=sha256_of(OWN_SUMMARIES),
        systems=lambda wildcards: {
            name: [summarizer_settings(name, of) for of in parameter_sets()]
            for name in [*SYSTEMS, *BASELINES]
        },
        code=lambda wildcards: code(
            "summarize_universes",
            *sorted(
                SUMMARIZERS.module(settings["summarizer"])
                for name in [*SYSTEMS, *BASELINES]
                if (settings := summarizer_settings(name, "study"))
            ),
        ),
    message:
        "Summarise in every length and order, by all parameters (cleaning {wildcards.cleaning})"
    script:
        "../scripts/summarize_universes.py"


rule formulate_universes:
    input:
        summaries=of_batch("summaries", ".jsonl"),
        references=f"{OUT}/references.jsonl",
    output:
        of_batch("queries", ".json"),
    resources:
        runtime=growing(10),
    params:
        wanted=wanted_queries,
    message:
        "Formulate queries from the summaries (cleaning {wildcards.cleaning}, parameters of the {wildcards.summarizers})"
    script:
        "../scripts/formulate_universes.py"


rule index_universes:
    input:
        articles=documents_of_collection,
        topics=topics_of_collection,
    output:
        directory(f"{MULTIVERSE}/index/{{collection}}"),
    resources:
        mem_mb=growing(config["memory"] + 600),
        index_mb=config["memory"],
        runtime=growing(60),
    params:
        analyzer=lambda wildcards: collections()[wildcards.collection][2],
    message:
        "Index the articles ({wildcards.collection})"
    script:
        "../scripts/build_index.py"


rule score_universes:
    input:
        summaries=of_batch("summaries", ".jsonl"),
        references=f"{OUT}/references.jsonl",
        nuggets=lambda wildcards: ([f"{OUT}/nuggets.jsonl"] if wildcards.family == "pyramid" else []),
    output:
        f"{MULTIVERSE}/scores/{{family}}/{{cleaning}}-{{summarizers}}.npz",
    resources:
        runtime=growing(20),
    params:
        sets=sets_of_batch,
        wanted=wanted_of_batch,
        settings=lambda wildcards: (
            {"draws": config["multiverse"]["misread"], "seed": config["seed"]}
            if wildcards.family == "pyramid"
            else {}
        ),
        cells=f"{MULTIVERSE}/cells/{{family}}",
        code=lambda wildcards: code(
            "score_universes",
            FAMILIES.module({"rouge": "ROUGE", "pyramid": "Pyramid"}[wildcards.family]),
        ),
    message:
        "Score by {wildcards.family} (cleaning {wildcards.cleaning}, parameters of the {wildcards.summarizers})"
    script:
        "../scripts/score_universes.py"


rule score_universes_sera:
    input:
        index=f"{MULTIVERSE}/index/{{collection}}",
        topics=topics_of_collection,
        summaries=of_batches("summaries", ".jsonl"),
        queries=of_batches("queries", ".json"),
        references=f"{OUT}/references.jsonl",
    output:
        f"{MULTIVERSE}/scores/sera/{{collection}}.npz",
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        sets=sets_of_batches,
        wanted=wanted_of_collection,
        cells=f"{MULTIVERSE}/cells/sera/{{collection}}",
        code=code(
            "score_universes_sera",
            ENGINES.module("embedded"),
            "sera.retrieval.engines.index_building",
            FAMILIES.module("SERA"),
        ),
    message:
        "Search, and score by SERA ({wildcards.collection})"
    script:
        "../scripts/score_universes_sera.py"


if SYNTHETIC:

    rule score_universes_truth:
        input:
            data=f"{OUT}/data",
            summaries=of_batches("summaries", ".jsonl"),
        output:
            f"{MULTIVERSE}/scores/truth.npz",
        resources:
            runtime=growing(10),
        params:
            sets=sets_of_batches,
            sizes=lambda wildcards: sorted({each["pyramid_size"] for each in multiverse()}),
        message:
            "Score by the demo's true Pyramid"
        script:
            "../scripts/score_universes_truth.py"


rule compute_universes:
    input:
        cells=all_cells,
        truth=[f"{MULTIVERSE}/scores/truth.npz"] if SYNTHETIC else [],
    output:
        f"{MULTIVERSE}/blocks/{{block}}.npz",
    resources:
        runtime=growing(30),
    params:
        universes=lambda wildcards: universes_of(int(wildcards.block)),
        systems=literally(EVERY_SYSTEM),
        summarizers=literally(SYSTEMS),
        resamples=config["multiverse"]["resamples"],
        confidence=config["confidence"],
        seed=config["seed"],
    message:
        "Compute the universes (block {wildcards.block})"
    script:
        "../scripts/compute_universes.py"


rule permute_universes:
    input:
        cells=all_cells,
    output:
        f"{MULTIVERSE}/{{test}}/{{question}}.npz",
    resources:
        runtime=growing(30),
    params:
        universes=lambda wildcards: tested()[wildcards.question],
        systems=lambda wildcards: (sorted(SYSTEMS) if wildcards.test == "null" else EVERY_SYSTEM),
        draws=lambda wildcards: config["multiverse"][TESTS[wildcards.test]],
        seed=config["seed"],
    message:
        "Test the universes by {wildcards.test} (question {wildcards.question})"
    script:
        "../scripts/permute_universes.py"


rule answer_universes:
    input:
        blocks=blocks,
        null=lambda wildcards: tests_of("null"),
        exchange=lambda wildcards: tests_of("exchange"),
        published=f"{ROOT}/resources/published/table2.tsv",
    output:
        [f"{MULTIVERSE}/{table}" for table in TABLES_OF_UNIVERSES],
    resources:
        runtime=growing(20),
    params:
        universes=lambda wildcards: multiverse(),
        tested=lambda wildcards: tested(),
        confidence=config["confidence"],
        benchmark=LABEL,
    message:
        "Summarise the universes"
    script:
        "../scripts/answer_universes.py"


rule write_replication:
    input:
        tables=[f"{MULTIVERSE}/{table}" for table in TABLES_OF_UNIVERSES],
        template=f"{ROOT}/study/multiverse/replication.md.j2",
        answer=f"{ROOT}/study/report/answer.j2",
        published=f"{ROOT}/resources/published/table2.tsv",
        cells=all_cells,
        references=f"{OUT}/references.jsonl",
        index=lambda wildcards: own_index(),
    output:
        [f"{MULTIVERSE}/{table}" for table in READABLE_ANSWERS],
        figures_of_universes(),
        page=f"{MULTIVERSE}/replication.md",
    resources:
        runtime=growing(10),
    params:
        benchmark=LABEL,
        name=name_of(config),
        synthetic=SYNTHETIC,
        own=own_universe(),
        resamples=config["resamples"],
        seed=config["seed"],
        confidence=config["confidence"],
        dimensions=config["multiverse"]["dimensions"],
        draws=config["multiverse"]["misread"],
        systems=literally(SYSTEMS),
        beside=beside_replication,
        shown=sha256_of(lambda wildcards: beside_replication(wildcards).values()),
    message:
        "Write the figures, tables and page of the multiverse"
    script:
        "../scripts/write_replication.py"


rule list_journals:
    input:
        GENERATED,
        package_files,
        documents=f"{OUT}/corpus/{{package}}.jsonl.gz",
    output:
        f"{MULTIVERSE}/journals/{{package}}.tsv",
    resources:
        runtime=growing(60),
    params:
        folder=literally(FOLDERS["pmc_oa"]),
        sha256=sha256_of(package_files),
        plan=package_plan,
    message:
        "List the journals of the articles of {wildcards.package}"
    script:
        "../scripts/list_journals.py"


rule vary_index:
    input:
        index=lambda wildcards: own_index(),
        journals=expand(f"{MULTIVERSE}/journals/{{package}}.tsv", package=PACKAGES),
        topics=([f"{OUT}/corpus/topics.jsonl.gz"] if config["topic_documents"] else []),
        candidates=f"{OUT}/summaries.jsonl",
        references=f"{OUT}/references.jsonl",
        sources=f"{OUT}/sources.jsonl",
        queries=expand(f"{OUT}/queries/{{formulation}}.jsonl", formulation=["plain", "np"]),
        scores=expand(f"{OUT}/scores/{{family}}.tsv", family=["ROUGE", "Pyramid"]),
    output:
        multiext(f"{MULTIVERSE}/index_sizes", ".tsv", ".md", ".tex"),
        multiext(f"{MULTIVERSE}/index_kinds", ".tsv", ".md", ".tex"),
        multiext(f"{MULTIVERSE}/index_curve", ".tsv", ".md", ".tex"),
        multiext(f"{MULTIVERSE}/figures/index_sizes", ".svg", ".png", ".pdf"),
        draws=f"{MULTIVERSE}/index_draws.tsv",
    resources:
        mem_mb=growing(2000),
        runtime=growing(60),
    params:
        **config["index_curve"],
        search=settings_for(["SERA"]),
        resamples=config["resamples"],
        confidence=config["confidence"],
        seed=config["seed"],
        benchmark=LABEL,
        code=code(
            "vary_index",
            ENGINES.module("embedded"),
            "sera.retrieval.engines.index_building",
            FAMILIES.module("SERA"),
        ),
    message:
        "Search indexes of other articles, and correlate SERA in each"
    script:
        "../scripts/vary_index.py"
