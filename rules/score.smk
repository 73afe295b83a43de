# Needs: summaries, gold summaries, articles, nuggets, the index and word vectors. Makes: queries, rankings, and every
# metric's scores and signatures.

from rules.code import code
from rules.jobs import growing, literally
from rules.families import by_file, modules, needing, needing_some_of, using
from sera.metrics import family_of
from sera.metrics.s3.model import FULL
from sera.retrieval.engines import ENGINES

# The families that look up words in the collection, and those that need only summaries and articles, by the file of
# their code.
OF_COLLECTION = by_file(using("collection"))
OF_TEXTS = by_file(family for family in needing() if family not in using("collection"))
OF_RANKINGS = needing("rankings")
OF_NUGGETS = needing("nuggets")
# Those that need word vectors or frames are scored with S3, whose features they are.
OF_VECTORS = needing_some_of("vectors", "frames")
S3_MODULES = modules([*map(family_of, FULL), *OF_VECTORS, *needing("model")])
# In the order of their rows in scores.tsv.
SCORES = [
    f"{OUT}/scores/rouge.tsv",
    f"{OUT}/scores/sera.tsv",
    *PYRAMID,
    f"{OUT}/scores/s3.tsv",
    *(
        f"{OUT}/scores/{file}.tsv"
        for file in sorted([*OF_TEXTS, *OF_COLLECTION])
        if file != "rouge"
    ),
    *GIVEN_SCORES,
]
SIGNATURES = [path.removesuffix(".tsv") + ".signatures.tsv" for path in SCORES]


rule formulate_queries:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        index=of_keywords(f"{OUT}/index/whole", otherwise=[]),
    output:
        f"{OUT}/queries/{{formulation}}.jsonl",
    log:
        log_of("formulate_queries", "{formulation}"),
    benchmark:
        benchmark_of("formulate_queries", "{formulation}")
    conda:
        "../envs/study.yaml"
    resources:
        runtime=growing(10),
    params:
        engine=of_keywords(config["engine"]),
        threshold=of_keywords(config["keyword_threshold"], otherwise="collection"),
        parser=lambda wildcards: (
            config["noun_phrases"] if wildcards.formulation == "np" else "textblob"
        ),
        query_stop=of_keywords(True, otherwise=config["query_stop"]),
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
        log_of("search", "{formulation}"),
    benchmark:
        benchmark_of("search", "{formulation}")
    conda:
        "../envs/study.yaml"
    resources:
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


rule score_texts:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        sources=sources_of_texts,
    output:
        scores=f"{OUT}/scores/{{file}}.tsv",
        signatures=f"{OUT}/scores/{{file}}.signatures.tsv",
    log:
        log_of("score_texts", "{file}"),
    benchmark:
        benchmark_of("score_texts", "{file}")
    wildcard_constraints:
        file="|".join(OF_TEXTS),
    conda:
        "../envs/study.yaml"
    params:
        families=lambda wildcards: OF_TEXTS[wildcards.file],
        settings=lambda wildcards: settings_for(OF_TEXTS[wildcards.file])(wildcards),
        listing=lambda wildcards: listing_for(OF_TEXTS[wildcards.file]),
        code=lambda wildcards: code("score_texts", *modules(OF_TEXTS[wildcards.file])),
    message:
        "Score by {wildcards.file}"
    script:
        "../scripts/score_texts.py"


rule score_with_collection:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        sources=f"{OUT}/sources.jsonl",
        collection=f"{OUT}/index/whole",
        nuggets=if_needed("nuggets", [f"{OUT}/nuggets.jsonl"] if HAS_NUGGETS else []),
        vectors=if_needed("vectors", VECTORS),
    output:
        scores=f"{OUT}/scores/{{file}}.tsv",
        signatures=f"{OUT}/scores/{{file}}.signatures.tsv",
    log:
        log_of("score_with_collection", "{file}"),
    benchmark:
        benchmark_of("score_with_collection", "{file}")
    wildcard_constraints:
        file="|".join(OF_COLLECTION),
    conda:
        "../envs/study.yaml"
    params:
        engine=config["engine"],
        vectors=if_needed("vectors", OWN_VECTORS),
        frequent_words=literally(FREQUENT_WORDS),
        files=holds(
            lambda wildcards: [
                *if_needed("vectors", OWN_VECTORS)(wildcards),
                *FREQUENT_WORDS,
            ]
        ),
        families=lambda wildcards: OF_COLLECTION[wildcards.file],
        settings=lambda wildcards: settings_for(OF_COLLECTION[wildcards.file])(
            wildcards
        ),
        code=code_with_collection,
    message:
        "Score by {wildcards.file}"
    script:
        "../scripts/score_with_collection.py"


rule score_rankings:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        runs=expand(f"{OUT}/runs/{{formulation}}.trec", formulation=FORMULATIONS),
        index=f"{OUT}/index/whole",
    output:
        scores=f"{OUT}/scores/sera.tsv",
        signatures=f"{OUT}/scores/sera.signatures.tsv",
    log:
        log_of("score_rankings"),
    benchmark:
        benchmark_of("score_rankings")
    conda:
        "../envs/study.yaml"
    params:
        formulations=FORMULATIONS,
        analyzer=config["analyzer"],
        families=OF_RANKINGS,
        settings=settings_for(OF_RANKINGS),
        listing=listing_for(OF_RANKINGS),
        code=code("score_rankings", *modules(OF_RANKINGS)),
    message:
        "Score by SERA"
    script:
        "../scripts/score_rankings.py"


rule score_nuggets:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        nuggets=f"{OUT}/nuggets.jsonl",
    output:
        scores=f"{OUT}/scores/pyramid_{{threshold}}.tsv",
        signatures=f"{OUT}/scores/pyramid_{{threshold}}.signatures.tsv",
    log:
        log_of("score_nuggets", "{threshold}"),
    benchmark:
        benchmark_of("score_nuggets", "{threshold}")
    conda:
        "../envs/study.yaml"
    params:
        families=OF_NUGGETS,
        settings=settings_at_threshold,
        code=code("score_nuggets", *modules(OF_NUGGETS)),
    message:
        "Score by Pyramid (threshold {wildcards.threshold})"
    script:
        "../scripts/score_nuggets.py"


rule score_s3:
    input:
        **JUDGEMENT_FILE,
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        sources=f"{OUT}/sources.jsonl",
        vectors=VECTORS,
        pyramid=PYRAMID if BY_NUGGETS else [],
    output:
        scores=f"{OUT}/scores/s3.tsv",
        signatures=f"{OUT}/scores/s3.signatures.tsv",
        left_out=f"{OUT}/scores/left_out.tsv",
        of_tables=f"{OUT}/scores/s3_tables.tsv",
    log:
        log_of("score_s3"),
    benchmark:
        benchmark_of("score_s3")
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(10),
    params:
        systems=literally(SYSTEMS),
        judgement=literally(JUDGEMENTS[0] if JUDGEMENTS else None),
        framenet=literally(config["framenet"]),
        language=config["language"],
        vectors=literally(OWN_VECTORS),
        files=holds([*OWN_VECTORS, *FRAMES]),
        families=OF_VECTORS,
        settings=settings_for(OF_VECTORS),
        code=code("score_s3", *S3_MODULES),
    message:
        "Score by S3 and by the metrics that need word vectors or frames"
    script:
        "../scripts/score_s3.py"


rule gather_scores:
    input:
        SCORES,
    output:
        f"{OUT}/scores.tsv",
    log:
        log_of("gather_scores"),
    benchmark:
        benchmark_of("gather_scores")
    conda:
        "../envs/study.yaml"
    params:
        code=code("concatenate_tables"),
    message:
        "Gather the scores"
    script:
        "../scripts/concatenate_tables.py"


use rule gather_scores as gather_signatures with:
    input:
        SIGNATURES,
    output:
        f"{OUT}/signatures.tsv",
    log:
        log_of("gather_signatures"),
    benchmark:
        benchmark_of("gather_signatures")
    message:
        "Gather the signatures of the metrics"
