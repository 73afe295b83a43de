# Needs: scores. Makes: the paper's tables and figure, with published numbers; the metrics' evaluation.

# The paper's numbers, if it has any for the benchmark.
PUBLISHED = {} if JUDGED else {"published": f"{ROOT}/resources/published/table2.tsv"}


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
        f"{OUT}/logs/correlate.log",
    benchmark:
        f"{OUT}/benchmarks/correlate.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
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
        published=[
            f"{ROOT}/resources/published/s3_table1.tsv",
            f"{ROOT}/resources/published/s3_table3.tsv",
        ],
    output:
        EVALUATION,
    log:
        f"{OUT}/logs/evaluate.log",
    benchmark:
        f"{OUT}/benchmarks/evaluate.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
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
        benchmark=name_of(config),
        label=LABEL,
        code=code("evaluate", *METRIC_MODULES),
    message:
        "Evaluate the metrics by the judgements"
    script:
        "../scripts/evaluate.py"


rule tabulate:
    input:
        correlations=f"{OUT}/correlations.tsv",
        published=f"{ROOT}/resources/published/{{table}}.tsv",
    output:
        report(
            f"{OUT}/tables/{{table}}.tsv",
            caption="../report/table.rst",
            category="Tables",
        ),
        multiext(f"{OUT}/tables/{{table}}", ".md", ".tex"),
    log:
        f"{OUT}/logs/tabulate/{{table}}.log",
    benchmark:
        f"{OUT}/benchmarks/tabulate/{{table}}.tsv"
    wildcard_constraints:
        table="table[23]",
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        benchmark=LABEL,
        elsewhere=JUDGED,
        against=literally(JUDGEMENTS),
        code=code("tabulate"),
    message:
        "Write {wildcards.table} beside the paper's"
    script:
        "../scripts/tabulate.py"


rule plot_figure1:
    input:
        **PUBLISHED,
        correlations=f"{OUT}/correlations.tsv",
    output:
        report(
            f"{OUT}/figures/figure1.svg",
            caption="../report/figure1.rst",
            category="Figures",
        ),
        multiext(f"{OUT}/figures/figure1", ".png", ".pdf"),
    log:
        f"{OUT}/logs/plot_figure1.log",
    benchmark:
        f"{OUT}/benchmarks/plot_figure1.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        benchmark=LABEL,
        judgement=literally(JUDGEMENTS[0]),
        cutoffs=config["cutoffs"],
        code=code("plot_figure1"),
    message:
        "Draw Figure 1"
    script:
        "../scripts/plot_figure1.py"


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
        f"{OUT}/logs/vary_pyramid_threshold.log",
    benchmark:
        f"{OUT}/benchmarks/vary_pyramid_threshold.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        thresholds=config["pyramid"]["thresholds"],
        systems=literally(SYSTEMS),
        benchmark=LABEL,
        code=code("vary_pyramid_threshold"),
    message:
        "Write Table 2 at several Pyramid thresholds"
    script:
        "../scripts/vary_pyramid_threshold.py"
