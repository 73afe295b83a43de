# Needs: the benchmark and its articles. Makes: every universe of the settings `multiverse`, and their results.
# They are a target of their own, `multiverse`; the page of the study shows them. Universes share files: there is one job for
# each batch of summaries and for each collection of articles. The study of the index varies only the articles. benchmark.smk
# and corpus.smk read the topics and the articles for them.

from study.multiverse.plan import ANSWERS, PARTS, TESTS, Plan
from study.report.optional_results import other_answers

PLAN = Plan(config, SYSTEMS, BUDGET)
TABLES_OF_UNIVERSES = ["universes.tsv", "tables.tsv.gz", *(f"{answer}.tsv" for answer in ANSWERS)]
# Several draws or several human summaries count as one system.
EVERY_SYSTEM = sorted(
    {*SYSTEMS, *("random" if base_system(name) == "random" else name for name in BASELINES)}
)
# What scores a batch besides references; of the generated demo, the true Pyramid scores are known too.
KNOWN = {"rouge": [], "pyramid": ["<results>/nuggets.jsonl"]} | ({"truth": GENERATED} if SYNTHETIC else {})
SETS_OF_BATCH = expand(
    "<results>/multiverse/summaries/{{cleaning}}-{{summarizers}}/{set}.jsonl", set=PLAN.set_names
)


wildcard_constraints:
    summarizers="study|papers",
    family="rouge|pyramid|truth",
    test="null|exchange",
    block=r"\d+",
    question="systems|summaries",
    collection="(?:inside|outside)-(?:text|captions)-[a-z]+",


rule summarize_universes:
    input:
        sources="<results>/multiverse/sources/{cleaning}.jsonl",
        citances="<results>/citances.jsonl",
        references="<results>/references.jsonl",
        # the summaries of systems that are not of sera.summarizers are taken as they are
        external=expand("<summaries>/{name}.jsonl", name=[*TRAINED, *ASKED]),
        own=OWN_SUMMARIES,
    output:
        expand(
            "<results>/multiverse/summaries/{{cleaning}}-{summarizers}/{set}.jsonl",
            summarizers=PLAN.parameters,
            set=PLAN.set_names,
        ),
    log:
        "<logs>/summarize_universes/{cleaning}.log",
    benchmark:
        "<benchmarks>/summarize_universes/{cleaning}.tsv"
    group:
        "universes"
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: 10 * attempt,
    params:
        shapes=PLAN.shapes,
        candidates=lambda wildcards, input: config["candidates"]
        | dict(zip([*TRAINED, *ASKED], input.external, strict=True)),
        sha256=sha256_of(OWN_SUMMARIES),
        systems=lambda wildcards: {
            name: [settings_of_summarizer(name, of) for of in PLAN.parameters]
            for name in [*SYSTEMS, *BASELINES]
        },
        code=lambda wildcards: code("summarize_universes", *modules_of_summarizers([*SYSTEMS, *BASELINES])),
    script:
        "../scripts/summarize_universes.py"


rule formulate_universes:
    input:
        summaries=SETS_OF_BATCH,
        references="<results>/references.jsonl",
    output:
        expand("<results>/multiverse/queries/{{cleaning}}-{{summarizers}}/{set}.json", set=PLAN.set_names),
    log:
        "<logs>/formulate_universes/{cleaning}-{summarizers}.log",
    benchmark:
        "<benchmarks>/formulate_universes/{cleaning}-{summarizers}.tsv"
    group:
        "universes"
    conda:
        "../envs/study.yaml"
    params:
        wanted=lambda wildcards: PLAN.wanted_queries,
        code=code("formulate_universes"),
    script:
        "../scripts/formulate_universes.py"


use rule build_index_part as index_universes with:
    input:
        documents_of_collection,
        topics_of_collection,
    output:
        directory("<results>/multiverse/index/{collection}"),
    log:
        "<logs>/index_universes/{collection}.log",
    benchmark:
        "<benchmarks>/index_universes/{collection}.tsv"
    group:
        "universes_index"
    resources:
        runtime=lambda wildcards, attempt: (2 + articles_in(*data.packages) // 20000) * attempt,
    params:
        sha256=None,
        analyzer=lambda wildcards: PLAN.collections[wildcards.collection][2],


rule score_universes:
    input:
        summaries=SETS_OF_BATCH,
        references="<results>/references.jsonl",
        known=lambda wildcards: KNOWN[wildcards.family],
    output:
        "<results>/multiverse/scores/{family}/{cleaning}-{summarizers}.npz",
    log:
        "<logs>/score_universes/{family}-{cleaning}-{summarizers}.log",
    benchmark:
        "<benchmarks>/score_universes/{family}-{cleaning}-{summarizers}.tsv"
    group:
        "universes"
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: 5 * attempt,
    params:
        wanted=lambda wildcards: PLAN.wanted(
            PARTS[wildcards.family], f"{wildcards.cleaning}-{wildcards.summarizers}"
        ),
        settings=lambda wildcards: (
            {"draws": config["multiverse"]["misread"], "seed": config["seed"]}
            if wildcards.family == "pyramid"
            else {}
        ),
        code=code("score_universes", *modules(["ROUGE", "Pyramid"])),
    script:
        "../scripts/score_universes.py"


rule score_universes_sera:
    input:
        index="<results>/multiverse/index/{collection}",
        topics=topics_of_collection,
        summaries=files_of_batches("<results>/multiverse/summaries/{batch}/{set}.jsonl"),
        queries=files_of_batches("<results>/multiverse/queries/{batch}/{set}.json"),
        references="<results>/references.jsonl",
    output:
        "<results>/multiverse/scores/sera/{collection}.npz",
    log:
        "<logs>/score_universes_sera/{collection}.log",
    benchmark:
        "<benchmarks>/score_universes_sera/{collection}.tsv"
    group:
        "universes_index"
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: 10 * attempt,
    params:
        wanted=lambda wildcards: PLAN.wanted_of_collection(wildcards.collection),
        code=code(
            "score_universes_sera",
            ENGINES.module("embedded"),
            FAMILIES.module("SERA"),
        ),
    script:
        "../scripts/score_universes_sera.py"


rule compute_universes:
    input:
        cells=all_cells,
    output:
        "<results>/multiverse/blocks/{block}.npz",
    log:
        "<logs>/compute_universes/{block}.log",
    benchmark:
        "<benchmarks>/compute_universes/{block}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: 15 * attempt,
    params:
        universes=lambda wildcards: PLAN.block(int(wildcards.block)),
        systems=EVERY_SYSTEM,
        summarizers=lambda wildcards: SYSTEMS,
        resamples=config["multiverse"]["resamples"],
        confidence=config["confidence"],
        seed=config["seed"],
        code=code("compute_universes"),
    script:
        "../scripts/compute_universes.py"


rule permute_universes:
    input:
        cells=all_cells,
    output:
        "<results>/multiverse/{test}/{question}.npz",
    log:
        "<logs>/permute_universes/{test}-{question}.log",
    benchmark:
        "<benchmarks>/permute_universes/{test}-{question}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: 15 * attempt,
    params:
        universes=lambda wildcards: PLAN.tested[wildcards.question],
        systems=lambda wildcards: (sorted(SYSTEMS) if wildcards.test == "null" else EVERY_SYSTEM),
        draws=lambda wildcards: config["multiverse"][TESTS[wildcards.test]],
        seed=config["seed"],
        code=code("permute_universes"),
    script:
        "../scripts/permute_universes.py"


rule answer_universes:
    input:
        blocks=lambda wildcards: expand("<results>/multiverse/blocks/{block}.npz", block=PLAN.blocks),
        null=expand("<results>/multiverse/null/{question}.npz", question=PLAN.questions),
        exchange=expand("<results>/multiverse/exchange/{question}.npz", question=PLAN.questions),
        published=f"{ROOT}/resources/published/table2.tsv",
    output:
        expand("<results>/multiverse/{table}", table=TABLES_OF_UNIVERSES),
    log:
        "<logs>/answer_universes.log",
    benchmark:
        "<benchmarks>/answer_universes.tsv"
    group:
        "universes_answers"
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: 5 * attempt,
    params:
        universes=lambda wildcards: PLAN.universes,
        tested=lambda wildcards: PLAN.tested,
        confidence=config["confidence"],
        benchmark=LABEL,
        code=code("answer_universes"),
    script:
        "../scripts/answer_universes.py"


rule write_replication:
    input:
        tables=expand("<results>/multiverse/{table}", table=TABLES_OF_UNIVERSES),
        template=[f"{ROOT}/study/multiverse/replication.md.j2", f"{ROOT}/study/report/answer.j2"],
        published=f"{ROOT}/resources/published/table2.tsv",
        cells=all_cells,
        signatures="<results>/scores/Pyramid.signatures.tsv",
        index=f"<results>/multiverse/index/{PLAN.own_collection}",
    output:
        expand(
            "<results>/multiverse/figures/specification_curve_{question}{form}",
            question=PLAN.questions,
            form=[".svg", ".png", ".pdf"],
        ),
        page="<results>/multiverse/replication.md",
    log:
        "<logs>/write_replication.log",
    benchmark:
        "<benchmarks>/write_replication.tsv"
    group:
        "universes_answers"
    conda:
        "../envs/study.yaml"
    params:
        benchmark=LABEL,
        name=study_name(config),
        synthetic=SYNTHETIC,
        own=PLAN.own_universe(),
        seed=config["seed"],
        confidence=config["confidence"],
        dimensions=config["multiverse"]["dimensions"],
        optional=lambda wildcards: other_answers(OUT),
        shown=sha256_of(lambda wildcards: other_answers(OUT).values()),
        code=code("write_replication"),
    script:
        "../scripts/write_replication.py"


rule vary_index:
    input:
        index=f"<results>/multiverse/index/{PLAN.own_collection}",
        topics=(["<corpus>/topics.jsonl.gz"] if config["topic_documents"] else []),
        candidates="<results>/summaries.jsonl",
        references="<results>/references.jsonl",
        queries=expand("<results>/queries/{formulation}.jsonl", formulation=["plain", "np"]),
        scores=tables_of_scores(["ROUGE", "Pyramid"]),
    output:
        "<results>/multiverse/index_sizes.tsv",
        multiext("<results>/multiverse/figures/index_sizes", ".svg", ".png", ".pdf"),
        draws="<results>/multiverse/index_draws.tsv",
    log:
        "<logs>/vary_index.log",
    benchmark:
        "<benchmarks>/vary_index.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: 15 * attempt,
    params:
        **config["index_curve"],
        search=settings_for(["SERA"]),
        seed=config["seed"],
        benchmark=LABEL,
        code=code(
            "vary_index",
            ENGINES.module("embedded"),
            FAMILIES.module("SERA"),
        ),
    script:
        "../scripts/vary_index.py"
