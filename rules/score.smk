# Needs: summaries, gold summaries, articles, nuggets, the index and word vectors. Makes: queries, rankings, and every
# metric's scores and signatures. With the setting `shards`, scores are of shards first: parts of the topics.

import re

from sera.metrics.configure import unread
from sera.metrics.shards import Shard

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
    *(f"{OUT}/scores/{file}.tsv" for file in sorted([*OF_TEXTS, *OF_COLLECTION]) if file != "rouge"),
    *GIVEN_SCORES,
]
SHARDS = [
    Shard(number + 1, config["shards"]).name for number in range(config["shards"]) if config["shards"] > 1
]
SCORES_IN = f"{OUT}/scores/shards/{{shard}}" if SHARDS else f"{OUT}/scores"
# profiles/slurm groups jobs by the name of their rule. A shard is a job of its own, and so is the search for shards.
OF_SHARD = "_shard" if SHARDS else ""
IN_SHARD = " (shard {wildcards.shard})" if SHARDS else ""
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


rule:
    name:
        f"search{OF_SHARD}"
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        index=f"{OUT}/index/whole",
    output:
        queries=expand(f"{OUT}/queries/{{formulation}}.jsonl", formulation=FORMULATIONS),
        runs=expand(f"{OUT}/runs/{{formulation}}.trec", formulation=FORMULATIONS),
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


rule:
    name:
        f"score_texts{OF_SHARD}"
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        sources=sources_of_texts,
    output:
        scores=f"{SCORES_IN}/{{file}}.tsv",
        signatures=f"{SCORES_IN}/{{file}}.signatures.tsv",
    wildcard_constraints:
        file="|".join(OF_TEXTS),
    params:
        families=lambda wildcards: OF_TEXTS[wildcards.file],
        settings=lambda wildcards: settings_for(OF_TEXTS[wildcards.file])(wildcards),
        listing=lambda wildcards: listing_for(OF_TEXTS[wildcards.file]),
        code=lambda wildcards: code("score_texts", *modules(OF_TEXTS[wildcards.file])),
    message:
        f"Score by {{wildcards.file}}{IN_SHARD}"
    script:
        "../scripts/score_texts.py"


rule:
    name:
        f"score_with_collection{OF_SHARD}"
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        sources=f"{OUT}/sources.jsonl",
        collection=f"{OUT}/index/whole",
        nuggets=if_needed("nuggets", [f"{OUT}/nuggets.jsonl"] if HAS_NUGGETS else []),
        vectors=if_needed("vectors", VECTORS),
    output:
        scores=f"{SCORES_IN}/{{file}}.tsv",
        signatures=f"{SCORES_IN}/{{file}}.signatures.tsv",
    wildcard_constraints:
        file="|".join(OF_COLLECTION),
    params:
        engine=config["engine"],
        vectors=if_needed("vectors", OWN_VECTORS),
        frequent_words=literally(FREQUENT_WORDS),
        files=holds(lambda wildcards: [*if_needed("vectors", OWN_VECTORS)(wildcards), *FREQUENT_WORDS]),
        families=lambda wildcards: OF_COLLECTION[wildcards.file],
        settings=lambda wildcards: settings_for(OF_COLLECTION[wildcards.file])(wildcards),
        code=code_with_collection,
    message:
        f"Score by {{wildcards.file}}{IN_SHARD}"
    script:
        "../scripts/score_with_collection.py"


rule:
    name:
        f"score_rankings{OF_SHARD}"
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        runs=expand(f"{OUT}/runs/{{formulation}}.trec", formulation=FORMULATIONS),
        index=f"{OUT}/index/whole",
    output:
        scores=f"{SCORES_IN}/sera.tsv",
        signatures=f"{SCORES_IN}/sera.signatures.tsv",
    params:
        formulations=FORMULATIONS,
        analyzer=config["analyzer"],
        families=OF_RANKINGS,
        settings=settings_for(OF_RANKINGS),
        listing=listing_for(OF_RANKINGS),
        code=code("score_rankings", *modules(OF_RANKINGS)),
    message:
        f"Score by SERA{IN_SHARD}"
    script:
        "../scripts/score_rankings.py"


if THRESHOLDS:

    rule:
        name:
            f"score_nuggets{OF_SHARD}"
        input:
            candidates=CANDIDATES,
            references=f"{OUT}/references.jsonl",
            nuggets=f"{OUT}/nuggets.jsonl",
        output:
            scores=[f"{SCORES_IN}/pyramid_{threshold}.tsv" for threshold in THRESHOLDS],
            signatures=[f"{SCORES_IN}/pyramid_{threshold}.signatures.tsv" for threshold in THRESHOLDS],
        params:
            families=OF_NUGGETS,
            settings=[settings_at(threshold) for threshold in THRESHOLDS],
            code=code("score_nuggets", *modules(OF_NUGGETS)),
        message:
            f"Score by Pyramid{IN_SHARD}"
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
    message:
        "Gather the scores and the signatures of the metrics"
    script:
        "../scripts/concatenate_tables.py"


if SHARDS:

    rule score_s3_shard:
        input:
            candidates=CANDIDATES,
            references=f"{OUT}/references.jsonl",
            sources=f"{OUT}/sources.jsonl",
            vectors=VECTORS,
        output:
            features=f"{SCORES_IN}/s3_features.tsv",
            signatures_of_features=f"{SCORES_IN}/s3_features.signatures.tsv",
            others=f"{SCORES_IN}/s3_others.tsv",
            signatures_of_others=f"{SCORES_IN}/s3_others.signatures.tsv",
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
            f"Score by the features of S3{IN_SHARD}"
        script:
            "../scripts/score_s3_shard.py"

    rule gather_shards:
        input:
            candidates=CANDIDATES,
            scores=expand(f"{SCORES_IN}/{{{{file}}}}.tsv", shard=SHARDS),
            signatures=expand(f"{SCORES_IN}/{{{{file}}}}.signatures.tsv", shard=SHARDS),
        output:
            scores=f"{OUT}/scores/{{file}}.tsv",
            signatures=f"{OUT}/scores/{{file}}.signatures.tsv",
        wildcard_constraints:
            file="|".join(map(re.escape, SHARDED)),
        message:
            "Gather the shards of {wildcards.file}"
        script:
            "../scripts/gather_shards.py"
