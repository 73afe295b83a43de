# Needs: scores. Makes: the paper's tables and figure, with published numbers; the metrics' evaluation.


rule correlate:
    input:
        **JUDGEMENT_FILE,
        scores=f"{OUT}/scores.tsv",
        published=[f"{ROOT}/resources/published/table2.tsv", f"{ROOT}/resources/published/table3.tsv"],
    output:
        f"{OUT}/correlations.tsv",
    params:
        systems=literally(SYSTEMS),
        against=literally(JUDGEMENTS),
        bootstrap=config["bootstrap"],
        resamples=config["resamples"],
        confidence=config["confidence"],
        seed=config["seed"],
    message:
        "Correlate the metrics over systems"
    script:
        "../scripts/correlate.py"


rule evaluate:
    input:
        **JUDGEMENT_FILE,
        scores=f"{OUT}/scores.tsv",
        signatures=f"{OUT}/signatures.tsv",
        s3=f"{OUT}/scores/s3_tables.tsv",
        candidates=CANDIDATES,
        sources=f"{OUT}/sources.jsonl",
        preferences=PREFERENCES,
        published=[
            f"{ROOT}/resources/published/s3_table1.tsv",
            f"{ROOT}/resources/published/s3_table2.tsv",
            f"{ROOT}/resources/published/s3_table3.tsv",
        ],
    output:
        EVALUATION,
    resources:
        runtime=growing(10),
    params:
        systems=literally(SYSTEMS),
        against=literally(JUDGEMENTS),
        bootstrap=config["bootstrap"],
        resamples=config["resamples"],
        confidence=config["confidence"],
        seed=config["seed"],
        top=config["top"],
        compared=literally(config["compare"]),
        judges=HAS_JUDGES,
        # The printed numbers of S3's paper are compared with human judgements, not with the score by nuggets.
        benchmark="" if BY_NUGGETS else name_of(config),
        label=LABEL,
        forms=config["tables"],
        code=code("evaluate", *METRIC_MODULES),
    message:
        "Evaluate the metrics by the judgements"
    script:
        "../scripts/evaluate.py"


VARIED = config["pyramid"]["thresholds"] if BY_NUGGETS else []
OTHER_STUDIES = list(config["studies"])


rule tabulate:
    input:
        correlations=f"{OUT}/correlations.tsv",
        scores=f"{OUT}/scores.tsv",
        signatures=f"{OUT}/signatures.tsv",
        published=expand(f"{ROOT}/resources/published/{{table}}.tsv", table=["table2", "table3"]),
        pyramids=expand(f"{OUT}/scores/threshold_{{threshold}}/Pyramid.tsv", threshold=VARIED),
        studies=expand(f"{config['results']}/{{study}}/tables/table2.tsv", study=OTHER_STUDIES),
    output:
        report(PAPERS_TABLES, caption="../report/table.rst", category="Tables"),
        BESIDE_TABLES,
        tables("studies") if OTHER_STUDIES else [],
    params:
        systems=literally(SYSTEMS),
        against=literally(JUDGEMENTS),
        bootstrap=config["bootstrap"],
        benchmark=LABEL,
        compared=COMPARED,
        thresholds=VARIED,
        studies=literally(OTHER_STUDIES),
        forms=config["tables"],
    message:
        "Write the paper's tables"
    script:
        "../scripts/tabulate.py"
