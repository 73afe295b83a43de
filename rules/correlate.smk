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
        published=[
            f"{ROOT}/resources/published/s3_table1.tsv",
            f"{ROOT}/resources/published/s3_table2.tsv",
            f"{ROOT}/resources/published/s3_table3.tsv",
        ],
    output:
        EVALUATION,
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
        # Printed numbers of S3's paper stand beside people's judgements alone, not beside the score by nuggets.
        benchmark="" if BY_NUGGETS else name_of(config),
        label=LABEL,
        code=code("evaluate", *METRIC_MODULES),
    message:
        "Evaluate the metrics by the judgements"
    script:
        "../scripts/evaluate.py"


rule evaluate_further:
    input:
        **JUDGEMENT_FILE,
        scores=f"{OUT}/scores.tsv",
        signatures=f"{OUT}/signatures.tsv",
        candidates=CANDIDATES,
        sources=f"{OUT}/sources.jsonl",
    output:
        FURTHER,
    log:
        log_of("evaluate_further"),
    benchmark:
        benchmark_of("evaluate_further")
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
        compared=literally(config["compare"]),
        judges=HAS_JUDGES,
        label=LABEL,
        code=code("evaluate_further", *METRIC_MODULES),
    message:
        "Compare pairs, partial correlations, power and judges"
    script:
        "../scripts/evaluate_further.py"


if PREFERENCES:

    rule evaluate_preferences:
        input:
            scores=f"{OUT}/scores.tsv",
            signatures=f"{OUT}/signatures.tsv",
            preferences=PREFERENCES[0],
        output:
            BY_PREFERENCES,
        log:
            log_of("evaluate_preferences"),
        benchmark:
            benchmark_of("evaluate_preferences")
        conda:
            "../envs/study.yaml"
        params:
            resamples=config["resamples"],
            confidence=config["confidence"],
            seed=config["seed"],
            label=LABEL,
            code=code("evaluate_preferences", *METRIC_MODULES),
        message:
            "Evaluate the metrics by the preferences"
        script:
            "../scripts/evaluate_preferences.py"


rule tabulate:
    input:
        **(
            {
                "thresholds": expand(
                    f"{OUT}/scores/pyramid_{{threshold}}.tsv",
                    threshold=config["pyramid"]["thresholds"],
                )
            }
            if BY_NUGGETS
            else {}
        ),
        correlations=f"{OUT}/correlations.tsv",
        scores=f"{OUT}/scores.tsv",
        signatures=f"{OUT}/signatures.tsv",
        published=[
            f"{ROOT}/resources/published/table2.tsv",
            f"{ROOT}/resources/published/table3.tsv",
        ],
    output:
        report(
            expand(f"{OUT}/tables/{{table}}.tsv", table=["table2", "table3"]),
            caption="../report/table.rst",
            category="Tables",
        ),
        expand(
            f"{OUT}/tables/{{table}}{{suffix}}",
            table=["table2", "table3"],
            suffix=[".md", ".tex"],
        ),
        # The paper is judged on its own data alone; `python -m study claims` reads any table.
        multiext(f"{OUT}/tables/table_claims", ".tsv", ".md", ".tex")
        if COMPARED
        else [],
        multiext(f"{OUT}/tables/pyramid_threshold", ".tsv", ".md", ".tex")
        if BY_NUGGETS
        else [],
    log:
        log_of("tabulate"),
    benchmark:
        benchmark_of("tabulate")
    conda:
        "../envs/study.yaml"
    params:
        benchmark=LABEL,
        compared=COMPARED,
        against=literally(JUDGEMENTS),
        thresholds=config["pyramid"]["thresholds"] if BY_NUGGETS else [],
        systems=literally(SYSTEMS),
        code=code("tabulate"),
    message:
        "Write Tables 2 and 3"
    script:
        "../scripts/tabulate.py"


if config["studies"]:

    rule compare_studies:
        input:
            own=f"{OUT}/tables/table2.tsv",
            others=expand(
                f"{config['results']}/{{study}}/tables/table2.tsv",
                study=config["studies"],
            ),
        output:
            multiext(f"{OUT}/tables/studies", ".tsv", ".md", ".tex"),
        log:
            log_of("compare_studies"),
        benchmark:
            benchmark_of("compare_studies")
        conda:
            "../envs/study.yaml"
        params:
            studies=literally(list(config["studies"])),
            benchmark=LABEL,
            code=code("compare_studies"),
        message:
            "Write Table 2 of this study beside those of the others"
        script:
            "../scripts/compare_studies.py"
