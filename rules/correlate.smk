# Needs: scores. Makes: the paper's tables and figure, with published numbers; the metrics' evaluation.

from study.settings.settings import name_of
from study.workflow.fingerprints import code
from study.workflow.rules import growing, literally


rule correlate:
    input:
        **JUDGEMENT_FILE,
        scores=f"{OUT}/scores.tsv",
        published=[
            f"{ROOT}/resources/published/table2.tsv",
            f"{ROOT}/resources/published/table3.tsv",
        ],
    output:
        f"{OUT}/correlations.tsv",
    log:
        log_of("correlate"),
    benchmark:
        benchmark_of("correlate")
    conda:
        "../envs/study.yaml"
    params:
        systems=literally(SYSTEMS),
        against=literally(JUDGEMENTS),
        resamples=config["resamples"],
        confidence=config["confidence"],
        seed=config["seed"],
        code=code("correlate"),
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
        FURTHER,
        BY_PREFERENCES,
    log:
        log_of("evaluate"),
    benchmark:
        benchmark_of("evaluate")
    conda:
        "../envs/study.yaml"
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
        # Printed numbers of S3's paper stand beside people's judgements alone, not beside the score by nuggets.
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
        published=expand(
            f"{ROOT}/resources/published/{{table}}.tsv", table=["table2", "table3"]
        ),
        pyramids=expand(f"{OUT}/scores/pyramid_{{threshold}}.tsv", threshold=VARIED),
        studies=expand(
            f"{config['results']}/{{study}}/tables/table2.tsv", study=OTHER_STUDIES
        ),
    output:
        report(
            expand(f"{OUT}/tables/{{table}}.tsv", table=["table2", "table3"]),
            caption="../report/table.rst",
            category="Tables",
        ),
        expand(
            f"{OUT}/tables/{{table}}{{suffix}}",
            table=["table2", "table3"],
            suffix=FORMS[1:],
        ),
        expand(
            f"{OUT}/tables/{{table}}{{suffix}}",
            table=[
                # the paper is judged on its own data alone; `python -m study claims` reads any table
                *(["table_claims"] if COMPARED else []),
                *(["pyramid_threshold"] if BY_NUGGETS else []),
                *(["studies"] if OTHER_STUDIES else []),
            ],
            suffix=FORMS,
        ),
    log:
        log_of("tabulate"),
    benchmark:
        benchmark_of("tabulate")
    conda:
        "../envs/study.yaml"
    params:
        systems=literally(SYSTEMS),
        against=literally(JUDGEMENTS),
        benchmark=LABEL,
        compared=COMPARED,
        thresholds=VARIED,
        studies=literally(OTHER_STUDIES),
        forms=config["tables"],
        code=code("tabulate"),
    message:
        "Write the paper's tables"
    script:
        "../scripts/tabulate.py"
