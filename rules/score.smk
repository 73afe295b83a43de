# Needs: summaries, gold summaries, articles, nuggets, the index and word vectors. Makes: queries, rankings, and every
# metric's scores and signatures. With the setting `shards`, scores are of shards first: parts of the topics.

import re

from study.workflow.fingerprints import code
from study.workflow.rules import growing, literally
from study.settings.families import by_file, modules, needing, needing_some_of, using
from sera.metrics import FAMILIES, family_of
from sera.metrics.configure import unread
from sera.metrics.s3.model import FULL
from sera.metrics.shards import Shard
from sera.retrieval.engines import ENGINES

# The families that look up words in the collection, and those that need only summaries and articles, by the file of
# their code.
OF_COLLECTION = by_file(using("collection"))
OF_TEXTS = by_file(family for family in needing() if family not in using("collection"))
OF_RANKINGS = needing("rankings")
OF_NUGGETS = needing("nuggets")
# Those that need word vectors or frames are scored with S3, whose features they are.
OF_VECTORS = needing_some_of("vectors", "frames")
# Those that need a language model are scored by rules/guided.smk, where the settings name one.
OF_ENCODER = needing("encoder")
UNSCORED = [] if config["encoder"] else OF_ENCODER
S3_MODULES = modules([*map(family_of, FULL), *OF_VECTORS, *needing("model")])
# In the order of their rows in scores.tsv.
SCORES = [
    f"{OUT}/scores/rouge.tsv",
    f"{OUT}/scores/sera.tsv",
    *PYRAMID,
    f"{OUT}/scores/s3.tsv",
    *([f"{OUT}/scores/encoder.tsv"] if config["encoder"] else []),
    *(
        f"{OUT}/scores/{file}.tsv"
        for file in sorted([*OF_TEXTS, *OF_COLLECTION])
        if file != "rouge"
    ),
    *GIVEN_SCORES,
]
SHARDS = [
    Shard(number + 1, config["shards"]).name
    for number in range(config["shards"])
    if config["shards"] > 1
]
OF_SHARD = f"{OUT}/scores/shards/{{shard}}"
# What S3 learns from, and the other metrics of its rule.
S3_PARTS = ("features", "others") if SHARDS else ()
# The files of scores/ that shards make, without their ending.
SHARDED = [
    *([*OF_TEXTS, *OF_COLLECTION, "sera"] if SHARDS else []),
    *([f"pyramid_{threshold}" for threshold in THRESHOLDS] if SHARDS else []),
    *(f"s3_{part}" for part in S3_PARTS),
]
SIGNATURES = [path.removesuffix(".tsv") + ".signatures.tsv" for path in SCORES]


wildcard_constraints:
    shard=r"\d+-of-\d+",


rule search:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        index=f"{OUT}/index/whole",
    output:
        queries=expand(f"{OUT}/queries/{{formulation}}.jsonl", formulation=FORMULATIONS),
        runs=expand(f"{OUT}/runs/{{formulation}}.trec", formulation=FORMULATIONS),
    log:
        log_of("search"),
    benchmark:
        benchmark_of("search")
    conda:
        "../envs/study.yaml"
    resources:
        runtime=growing(30),
    params:
        formulations=FORMULATIONS,
        engine=config["engine"],
        threshold=config["keyword_threshold"],
        parser=config["noun_phrases"],
        query_stop=config["query_stop"],
        language=config["language"],
        mu=config["mu"],
        depth=config["depth"],
        code=code("search", ENGINES.module(config["engine"])),
    message:
        "Search with the summaries as queries"
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


if THRESHOLDS:

    rule score_nuggets:
        input:
            candidates=CANDIDATES,
            references=f"{OUT}/references.jsonl",
            nuggets=f"{OUT}/nuggets.jsonl",
        output:
            scores=expand(
                f"{OUT}/scores/pyramid_{{threshold}}.tsv", threshold=THRESHOLDS
            ),
            signatures=expand(
                f"{OUT}/scores/pyramid_{{threshold}}.signatures.tsv",
                threshold=THRESHOLDS,
            ),
        log:
            log_of("score_nuggets"),
        benchmark:
            benchmark_of("score_nuggets")
        conda:
            "../envs/study.yaml"
        params:
            families=OF_NUGGETS,
            settings=[settings_at(threshold) for threshold in THRESHOLDS],
            code=code("score_nuggets", *modules(OF_NUGGETS)),
        message:
            "Score by Pyramid"
        script:
            "../scripts/score_nuggets.py"


rule score_s3:
    input:
        **JUDGEMENT_FILE,
        **{part: f"{OUT}/scores/s3_{part}.tsv" for part in S3_PARTS},
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
        unread=literally(unread(FAMILIES, FAMILY_SETTINGS, FAMILY_LISTING)),
        vectors=literally(OWN_VECTORS),
        files=holds([*OWN_VECTORS, *FRAMES]),
        families=OF_VECTORS + UNSCORED,
        settings=settings_for(OF_VECTORS + UNSCORED),
        code=code("score_s3", *S3_MODULES),
    message:
        "Score by S3 and by the metrics that need word vectors or frames"
    script:
        "../scripts/score_s3.py"


rule gather_scores:
    input:
        scores=SCORES,
        signatures=SIGNATURES,
    output:
        scores=f"{OUT}/scores.tsv",
        signatures=f"{OUT}/signatures.tsv",
    log:
        log_of("gather_scores"),
    benchmark:
        benchmark_of("gather_scores")
    conda:
        "../envs/study.yaml"
    params:
        code=code("concatenate_tables"),
    message:
        "Gather the scores and the signatures of the metrics"
    script:
        "../scripts/concatenate_tables.py"


# A shard's job is one of its own on a cluster, so it is a rule of its own: profiles/slurm joins jobs by rule.
if SHARDS:

    ruleorder: gather_shards > score_texts
    ruleorder: gather_shards > score_with_collection
    ruleorder: gather_shards > score_rankings

    use rule score_texts as score_texts_shard with:
        output:
            scores=f"{OF_SHARD}/{{file}}.tsv",
            signatures=f"{OF_SHARD}/{{file}}.signatures.tsv",
        log:
            log_of("score_texts_shard", "{shard}-{file}"),
        benchmark:
            benchmark_of("score_texts_shard", "{shard}-{file}")
        message:
            "Score by {wildcards.file} (shard {wildcards.shard})"

    use rule score_with_collection as score_with_collection_shard with:
        output:
            scores=f"{OF_SHARD}/{{file}}.tsv",
            signatures=f"{OF_SHARD}/{{file}}.signatures.tsv",
        log:
            log_of("score_with_collection_shard", "{shard}-{file}"),
        benchmark:
            benchmark_of("score_with_collection_shard", "{shard}-{file}")
        message:
            "Score by {wildcards.file} (shard {wildcards.shard})"

    use rule score_rankings as score_rankings_shard with:
        output:
            scores=f"{OF_SHARD}/sera.tsv",
            signatures=f"{OF_SHARD}/sera.signatures.tsv",
        log:
            log_of("score_rankings_shard", "{shard}"),
        benchmark:
            benchmark_of("score_rankings_shard", "{shard}")
        message:
            "Score by SERA (shard {wildcards.shard})"

    if THRESHOLDS:

        ruleorder: gather_shards > score_nuggets

        use rule score_nuggets as score_nuggets_shard with:
            output:
                scores=[
                    f"{OF_SHARD}/pyramid_{threshold}.tsv" for threshold in THRESHOLDS
                ],
                signatures=[
                    f"{OF_SHARD}/pyramid_{threshold}.signatures.tsv"
                    for threshold in THRESHOLDS
                ],
            log:
                log_of("score_nuggets_shard", "{shard}"),
            benchmark:
                benchmark_of("score_nuggets_shard", "{shard}")
            message:
                "Score by Pyramid (shard {wildcards.shard})"

    rule score_s3_shard:
        input:
            candidates=CANDIDATES,
            references=f"{OUT}/references.jsonl",
            sources=f"{OUT}/sources.jsonl",
            vectors=VECTORS,
        output:
            features=f"{OF_SHARD}/s3_features.tsv",
            signatures_of_features=f"{OF_SHARD}/s3_features.signatures.tsv",
            others=f"{OF_SHARD}/s3_others.tsv",
            signatures_of_others=f"{OF_SHARD}/s3_others.signatures.tsv",
        log:
            log_of("score_s3_shard", "{shard}"),
        benchmark:
            benchmark_of("score_s3_shard", "{shard}")
        conda:
            "../envs/study.yaml"
        resources:
            mem_mb=growing(2000),
            runtime=growing(10),
        params:
            framenet=literally(config["framenet"]),
            language=config["language"],
            vectors=literally(OWN_VECTORS),
            files=holds([*OWN_VECTORS, *FRAMES]),
            families=OF_VECTORS,
            settings=settings_for(OF_VECTORS),
            code=code("score_s3_shard", *S3_MODULES),
        message:
            "Score by the features of S3 (shard {wildcards.shard})"
        script:
            "../scripts/score_s3_shard.py"

    rule gather_shards:
        input:
            candidates=CANDIDATES,
            scores=expand(f"{OF_SHARD}/{{{{file}}}}.tsv", shard=SHARDS),
            signatures=expand(f"{OF_SHARD}/{{{{file}}}}.signatures.tsv", shard=SHARDS),
        output:
            scores=f"{OUT}/scores/{{file}}.tsv",
            signatures=f"{OUT}/scores/{{file}}.signatures.tsv",
        log:
            log_of("gather_shards", "{file}"),
        benchmark:
            benchmark_of("gather_shards", "{file}")
        wildcard_constraints:
            file="|".join(map(re.escape, SHARDED)),
        conda:
            "../envs/study.yaml"
        params:
            code=code("gather_shards"),
        message:
            "Gather the shards of {wildcards.file}"
        script:
            "../scripts/gather_shards.py"
