# Needs: scores and judgements. Makes: how every metric follows every judgement of this study, a column of the matrix.

COLUMN = f"{config['results']}/matrix/columns/{study_name(config)}"


rule evaluate_column:
    input:
        **JUDGEMENT_FILE,
        preferences=PREFERENCES,
        scores="<results>/scores.tsv",
        candidates=CANDIDATES,
        references=["<results>/references.jsonl"] if HAS_TEXTS else [],
        sources=SOURCES,
        index=["<index>/whole"] if HAS_TEXTS else [],
    output:
        cells=f"{COLUMN}.cells.tsv",
        contrasts=f"{COLUMN}.contrasts.tsv",
        kinds=f"{COLUMN}.kinds.tsv",
        differences=f"{COLUMN}.differences.tsv",
        facts=f"{COLUMN}.facts.tsv",
    log:
        "<logs>/evaluate_column.log",
    benchmark:
        "<benchmarks>/evaluate_column.tsv"
    group:
        f"{study_name(config)}_tables"
    conda:
        "../envs/study.yaml"
    params:
        name=study_name(config),
        collection=KIND_OF_COLLECTION,
        against=lambda wildcards: JUDGEMENTS,
        systems=lambda wildcards: SYSTEMS,
        resamples=config["resamples"],
        confidence=config["confidence"],
        seed=config["seed"],
        rouge=settings_for(["ROUGE"]),
        code=code("evaluate_column", *METRIC_MODULES),
    script:
        "../scripts/evaluate_column.py"
