# Needs: summaries, gold summaries, articles, nuggets, the index and word vectors. Makes: queries, rankings, and every
# metric's scores and signatures, a table for each family of metrics.


rule search:
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


rule score:
    input:
        unpack(files_of_family),
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
    output:
        scores=f"{OUT}/scores/{{family}}.tsv",
        signatures=f"{OUT}/scores/{{family}}.signatures.tsv",
        left_out=f"{OUT}/scores/{{family}}.left_out.tsv",
    wildcard_constraints:
        family="|".join(re.escape(family) for family in SCORED if family not in ["S3", *OF_ENCODER]),
    resources:
        mem_mb=growing(2000),
        runtime=growing(10),
    params:
        settings=lambda wildcards: FAMILY_SETTINGS.get(wildcards.family, {}),
        search=FAMILY_SETTINGS["SERA"],
        listing=lambda wildcards: FAMILY_LISTING.get(wildcards.family, {}),
        resources=resources_of_family,
        engine=config["engine"],
        analyzer=config["analyzer"],
        framenet=literally(config["framenet"]),
        sha256=sha256_of(raw_files_of_family),
        language=config["language"],
        code=code_of_family,
    message:
        "Score by {wildcards.family}"
    script:
        "../scripts/score.py"


if BY_NUGGETS:

    use rule score as score_at_threshold with:
        output:
            scores=f"{OUT}/scores/threshold_{{threshold}}/{{family}}.tsv",
            signatures=f"{OUT}/scores/threshold_{{threshold}}/{{family}}.signatures.tsv",
            left_out=f"{OUT}/scores/threshold_{{threshold}}/{{family}}.left_out.tsv",
        wildcard_constraints:
            family="Pyramid",
            threshold=r"[\d.]+",
        params:
            settings=lambda wildcards: {
                **FAMILY_SETTINGS[wildcards.family],
                "threshold": float(wildcards.threshold),
            },
        message:
            "Score by Pyramid at the threshold {wildcards.threshold}"


rule score_s3:
    input:
        **JUDGEMENT_FILE,
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        sources=f"{OUT}/sources.jsonl",
        vectors=[*VECTORS, *OWN_VECTORS],
        frames=FRAMES,
        pyramid=PYRAMID,
    output:
        scores=f"{OUT}/scores/S3.tsv",
        signatures=f"{OUT}/scores/S3.signatures.tsv",
        left_out=f"{OUT}/scores/S3.left_out.tsv",
        of_tables=f"{OUT}/scores/s3_tables.tsv",
    resources:
        mem_mb=growing(2000),
        runtime=growing(10),
    params:
        systems=literally(SYSTEMS),
        judgement=literally(JUDGEMENTS[0] if JUDGEMENTS else None),
        framenet=literally(config["framenet"]),
        language=config["language"],
        sha256=sha256_of([*OWN_VECTORS, *FRAMES]),
        code=code("score_s3", *modules([*map(family_of, FULL), *needing("model")])),
    message:
        "Score by S3, trained on the other topics"
    script:
        "../scripts/score_s3.py"


rule gather_scores:
    input:
        scores=[*expand(f"{OUT}/scores/{{family}}.tsv", family=SCORED), *GIVEN_SCORES],
        signatures=[
            *expand(f"{OUT}/scores/{{family}}.signatures.tsv", family=SCORED),
            *[path.removesuffix(".tsv") + ".signatures.tsv" for path in GIVEN_SCORES],
        ],
        left_out=expand(
            f"{OUT}/scores/{{family}}.left_out.tsv",
            family=[family for family in SCORED if family not in OF_ENCODER],
        ),
    output:
        scores=f"{OUT}/scores.tsv",
        signatures=f"{OUT}/signatures.tsv",
        left_out=f"{OUT}/scores/left_out.tsv",
    message:
        "Gather the scores and the signatures of the metrics"
    script:
        "../scripts/concatenate_tables.py"
