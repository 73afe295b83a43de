# Needs: scores. Makes: the paper's tables and figure, with published numbers; the metrics' evaluation.


rule correlate:
    input:
        **JUDGEMENT_FILE,
        scores="<results>/scores.tsv",
        published=[f"{ROOT}/resources/published/table2.tsv", f"{ROOT}/resources/published/table3.tsv"],
    output:
        "<results>/correlations.tsv",
    log:
        "<logs>/correlate.log",
    benchmark:
        "<benchmarks>/correlate.tsv"
    group:
        f"{study_name(config)}_tables"
    conda:
        "../envs/study.yaml"
    params:
        systems=lambda wildcards: SYSTEMS,
        against=lambda wildcards: JUDGEMENTS,
        bootstrap=config["bootstrap"],
        resamples=config["resamples"],
        confidence=config["confidence"],
        seed=config["seed"],
        code=code("correlate"),
    script:
        "../scripts/correlate.py"


rule evaluate:
    input:
        **JUDGEMENT_FILE,
        scores="<results>/scores.tsv",
        signatures="<results>/signatures.tsv",
        s3=["<results>/scores/s3_tables.tsv"] if "S3" in SCORED else [],
        candidates=CANDIDATES,
        sources=SOURCES,
        preferences=PREFERENCES,
        published=expand(f"{ROOT}/resources/published/s3_table{{number}}.tsv", number=[1, 2, 3]),
    output:
        EVALUATION,
    log:
        "<logs>/evaluate.log",
    benchmark:
        "<benchmarks>/evaluate.tsv"
    group:
        f"{study_name(config)}_tables"
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: 10 * attempt,
    params:
        systems=lambda wildcards: SYSTEMS,
        against=lambda wildcards: JUDGEMENTS,
        bootstrap=config["bootstrap"],
        resamples=config["resamples"],
        confidence=config["confidence"],
        seed=config["seed"],
        compared=config["compare"],
        judges="judges" in data.brings,
        # The printed numbers of S3's paper are compared with human judgements, not with the score by nuggets.
        benchmark="" if BY_NUGGETS else study_name(config),
        label=LABEL,
        forms=config["tables"],
        code=code("evaluate", *METRIC_MODULES),
    script:
        "../scripts/evaluate.py"


with checks.report_errors():
    OTHER_STUDIES = [study for study in config["studies"] if has_judgements(study)]


rule tabulate:
    input:
        correlations="<results>/correlations.tsv",
        scores="<results>/scores.tsv",
        signatures="<results>/signatures.tsv",
        published=expand(f"{ROOT}/resources/published/{{table}}.tsv", table=["table2", "table3"]),
        pyramids=["<results>/scores/pyramid_thresholds.tsv"] if BY_NUGGETS else [],
        studies=expand(f"{config['results']}/{{study}}/tables/table2.tsv", study=OTHER_STUDIES),
    output:
        [shown(path, "Tables", "../report/table.rst") for path in PAPERS_TABLES],
        FURTHER_TABLES,
        tables("studies") if OTHER_STUDIES else [],
    log:
        "<logs>/tabulate.log",
    benchmark:
        "<benchmarks>/tabulate.tsv"
    group:
        f"{study_name(config)}_tables"
    conda:
        "../envs/study.yaml"
    params:
        systems=lambda wildcards: SYSTEMS,
        against=lambda wildcards: JUDGEMENTS,
        bootstrap=config["bootstrap"],
        benchmark=LABEL,
        compared=COMPARED,
        thresholds=config["pyramid"]["thresholds"] if BY_NUGGETS else [],
        studies=OTHER_STUDIES,
        forms=config["tables"],
        code=code("tabulate"),
    script:
        "../scripts/tabulate.py"
