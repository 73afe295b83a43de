# Needs: summaries, gold summaries, nuggets and the index. Makes: rankings, and every metric's scores.

from sera.retrieval.engines import ENGINES
from pathlib import Path

from sera.metrics import FAMILIES, family_of
from sera.metrics.s3.model import FULL

# The modules whose families need only summaries and articles.
OTHERS = sorted(
    {
        FAMILIES.module(family).rpartition(".")[2]
        for family in FAMILIES
        if family not in ("ROUGE", "SERA", "Pyramid") and not FAMILIES.needs(family)
    }
)
# Those of S3's features, and of the families that need word vectors or frames.
S3_MODULES = sorted(
    {FAMILIES.module(family_of(feature)) for feature in FULL}
    | {FAMILIES.module(family) for family in FAMILIES if FAMILIES.needs(family)}
)
METRIC_MODULES = sorted({FAMILIES.module(family) for family in FAMILIES})
FRAMES = (
    sorted(map(str, Path(config["framenet"]).glob("frame/*.xml")))
    if config["framenet"]
    else []
)
# Pyramid is scored if content units are marked.
PYRAMID = (
    [f"{OUT}/scores/pyramid_{config['pyramid']['threshold']}.tsv"]
    if HAS_NUGGETS
    else []
)
CANDIDATES = [f"{OUT}/summaries.jsonl", f"{OUT}/baselines.jsonl"]


rule formulate_queries:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        index=of_keywords(f"{OUT}/index/whole", otherwise=[]),
    output:
        f"{OUT}/queries/{{formulation}}.jsonl",
    log:
        f"{OUT}/logs/formulate_queries/{{formulation}}.log",
    benchmark:
        f"{OUT}/benchmarks/formulate_queries/{{formulation}}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        engine=of_keywords(config["engine"]),
        threshold=of_keywords(config["keyword_threshold"], otherwise="collection"),
        parser=lambda wildcards: (
            config["noun_phrases"] if wildcards.formulation == "np" else "textblob"
        ),
        code=of_keywords(
            code("formulate_queries", ENGINES.module(config["engine"])),
            otherwise=code("formulate_queries"),
        ),
    message:
        "Formulate queries from the summaries ({wildcards.formulation})"
    script:
        "../scripts/formulate_queries.py"


rule search:
    input:
        queries=f"{OUT}/queries/{{formulation}}.jsonl",
        index=f"{OUT}/index/whole",
    output:
        f"{OUT}/runs/{{formulation}}.trec",
    log:
        f"{OUT}/logs/search/{{formulation}}.log",
    benchmark:
        f"{OUT}/benchmarks/search/{{formulation}}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        engine=config["engine"],
        mu=config["mu"],
        depth=config["depth"],
        code=code("search", ENGINES.module(config["engine"])),
    message:
        "Search with the queries ({wildcards.formulation})"
    script:
        "../scripts/search.py"


rule score_rouge:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
    output:
        f"{OUT}/scores/rouge.tsv",
    log:
        f"{OUT}/logs/score_rouge.log",
    benchmark:
        f"{OUT}/benchmarks/score_rouge.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        settings=config["rouge"],
        code=code("score_rouge", FAMILIES.module("ROUGE")),
    message:
        "Score by ROUGE"
    script:
        "../scripts/score_rouge.py"


rule score_sera:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        runs=expand(f"{OUT}/runs/{{formulation}}.trec", formulation=FORMULATIONS),
    output:
        f"{OUT}/scores/sera.tsv",
    log:
        f"{OUT}/logs/score_sera.log",
    benchmark:
        f"{OUT}/benchmarks/score_sera.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        cutoffs=config["cutoffs"],
        formulations=FORMULATIONS,
        code=code("score_sera", FAMILIES.module("SERA")),
    message:
        "Score by SERA"
    script:
        "../scripts/score_sera.py"


rule score_pyramid:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        nuggets=f"{OUT}/nuggets.jsonl",
    output:
        f"{OUT}/scores/pyramid_{{threshold}}.tsv",
    log:
        f"{OUT}/logs/score_pyramid/{{threshold}}.log",
    benchmark:
        f"{OUT}/benchmarks/score_pyramid/{{threshold}}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        tiers=config["pyramid"]["tiers"],
        size=config["pyramid"]["size"],
        code=code("score_pyramid", FAMILIES.module("Pyramid")),
    message:
        "Score by Pyramid (threshold {wildcards.threshold})"
    script:
        "../scripts/score_pyramid.py"


rule score_module:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        sources=f"{OUT}/sources.jsonl",
    output:
        f"{OUT}/scores/{{module}}.tsv",
    log:
        f"{OUT}/logs/score_module/{{module}}.log",
    benchmark:
        f"{OUT}/benchmarks/score_module/{{module}}.tsv"
    wildcard_constraints:
        module="|".join(OTHERS) or "none",
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        settings=settings_of_module,
        code=lambda wildcards: code("score_module", f"sera.metrics.{wildcards.module}"),
    message:
        "Score by {wildcards.module}"
    script:
        "../scripts/score_module.py"


rule score_s3:
    input:
        **JUDGEMENT_FILE,
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        sources=f"{OUT}/sources.jsonl",
        vectors=VECTORS,
        pyramid=[] if JUDGED else PYRAMID,
    output:
        f"{OUT}/scores/s3.tsv",
    log:
        f"{OUT}/logs/score_s3.log",
    benchmark:
        f"{OUT}/benchmarks/score_s3.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(10),
    params:
        systems=literally(SYSTEMS),
        judgement=literally(JUDGEMENTS[0]),
        framenet=literally(config["framenet"]),
        vectors=literally(OWN_VECTORS),
        files=holds([*OWN_VECTORS, *FRAMES]),
        settings=config["metrics"],
        code=code("score_s3", *S3_MODULES),
    message:
        "Score by S3 and by the metrics that need word vectors or frames"
    script:
        "../scripts/score_s3.py"


rule gather_scores:
    input:
        f"{OUT}/scores/rouge.tsv",
        f"{OUT}/scores/sera.tsv",
        PYRAMID,
        f"{OUT}/scores/s3.tsv",
        expand(f"{OUT}/scores/{{module}}.tsv", module=OTHERS),
    output:
        f"{OUT}/scores.tsv",
    log:
        f"{OUT}/logs/gather_scores.log",
    benchmark:
        f"{OUT}/benchmarks/gather_scores.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        code=code("concatenate_tables"),
    message:
        "Gather the scores"
    script:
        "../scripts/concatenate_tables.py"
