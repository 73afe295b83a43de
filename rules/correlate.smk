# Needs: scores. Makes: the paper's tables and figure, with published numbers; the metrics' evaluation.

from study.published.tables import FIGURE1
from study.settings.settings import name_of
from study.workflow.fingerprints import code
from study.workflow.rules import growing, literally

# The paper's numbers, if the study is compared with them.
PUBLISHED = {"published": f"{ROOT}/resources/published/table2.tsv"} if COMPARED else {}


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
        correlations=f"{OUT}/correlations.tsv",
        signatures=f"{OUT}/signatures.tsv",
        published=f"{ROOT}/resources/published/{{table}}.tsv",
    output:
        report(
            f"{OUT}/tables/{{table}}.tsv",
            caption="../report/table.rst",
            category="Tables",
        ),
        multiext(f"{OUT}/tables/{{table}}", ".md", ".tex"),
    log:
        log_of("tabulate", "{table}"),
    benchmark:
        benchmark_of("tabulate", "{table}")
    wildcard_constraints:
        table="table[23]",
    conda:
        "../envs/study.yaml"
    params:
        benchmark=LABEL,
        compared=COMPARED,
        against=literally(JUDGEMENTS),
        code=code("tabulate"),
    message:
        "Write {wildcards.table}"
    script:
        "../scripts/tabulate.py"


# The paper is judged on its own data alone; `python -m study claims` reads any table.
if COMPARED:

    rule check_claims:
        input:
            correlations=f"{OUT}/correlations.tsv",
            published=[
                f"{ROOT}/resources/published/table2.tsv",
                f"{ROOT}/resources/published/table3.tsv",
            ],
        output:
            multiext(f"{OUT}/tables/table_claims", ".tsv", ".md", ".tex"),
        log:
            log_of("check_claims"),
        benchmark:
            benchmark_of("check_claims")
        conda:
            "../envs/study.yaml"
        params:
            benchmark=LABEL,
            against=literally(JUDGEMENTS[0]),
            code=code("check_claims"),
        message:
            "Check the paper's sentences against the correlations"
        script:
            "../scripts/check_claims.py"


rule plot_figure1:
    input:
        **PUBLISHED,
        correlations=f"{OUT}/correlations.tsv",
    output:
        report(
            expand(f"{OUT}/figures/{{figure}}.svg", figure=FIGURE1),
            caption="../report/figure1.rst",
            category="Figures",
        ),
        expand(
            f"{OUT}/figures/{{figure}}{{suffix}}",
            figure=FIGURE1,
            suffix=[".png", ".pdf", "_narrow.svg"],
        ),
    log:
        log_of("plot_figure1"),
    benchmark:
        benchmark_of("plot_figure1")
    conda:
        "../envs/study.yaml"
    params:
        benchmark=LABEL,
        judgement=literally(JUDGEMENTS[0]),
        cutoffs=config["cutoffs"],
        formulations=FORMULATIONS,
        code=code("plot_figure1"),
    message:
        "Draw the correlations of SERA by cut-off"
    script:
        "../scripts/plot_figure1.py"


rule plot_moulin_rouge:
    input:
        scores=f"{OUT}/scores.tsv",
    output:
        report(
            f"{OUT}/figures/moulin_rouge.svg",
            caption="../report/overview.rst",
            category="Figures",
        ),
        multiext(f"{OUT}/figures/moulin_rouge", ".png", ".pdf", "_narrow.svg"),
    log:
        log_of("plot_moulin_rouge"),
    benchmark:
        benchmark_of("plot_moulin_rouge")
    conda:
        "../envs/study.yaml"
    params:
        benchmark=LABEL,
        settings=settings_for(["MOULIN-ROUGE"]),
        code=code("plot_moulin_rouge"),
    message:
        "Draw the systems by content and abstraction"
    script:
        "../scripts/plot_moulin_rouge.py"


if BY_NUGGETS:

    rule vary_pyramid_threshold:
        input:
            scores=f"{OUT}/scores.tsv",
            pyramids=expand(
                f"{OUT}/scores/pyramid_{{threshold}}.tsv",
                threshold=config["pyramid"]["thresholds"],
            ),
            published=f"{ROOT}/resources/published/table2.tsv",
        output:
            multiext(f"{OUT}/tables/pyramid_threshold", ".tsv", ".md", ".tex"),
        log:
            log_of("vary_pyramid_threshold"),
        benchmark:
            benchmark_of("vary_pyramid_threshold")
        conda:
            "../envs/study.yaml"
        params:
            thresholds=config["pyramid"]["thresholds"],
            systems=literally(SYSTEMS),
            benchmark=LABEL,
            code=code("vary_pyramid_threshold"),
        message:
            "Write Table 2 at several Pyramid thresholds"
        script:
            "../scripts/vary_pyramid_threshold.py"


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
