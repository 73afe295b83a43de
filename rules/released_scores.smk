# Needs: a release of scores and judgements without texts. Makes: both as tables, and the page of their evaluation. These rules
# take the place of all that needs texts: summaries, index, scores, multiverse.


rule read_scores:
    input:
        data.files,
    output:
        **JUDGEMENT_FILE,
        scores="<results>/scores.tsv",
        signatures="<results>/signatures.tsv",
    log:
        "<logs>/read_scores.log",
    benchmark:
        "<benchmarks>/read_scores.tsv"
    group:
        f"{study_name(config)}_tables"
    conda:
        "../envs/study.yaml"
    params:
        benchmark=BENCHMARK,
        release=data.folders["release"],
        sha256=sha256_of(data.files),
        code=code("read_scores", BENCHMARKS.module(BENCHMARK)),
    script:
        "../scripts/read_scores.py"


# The page of the metrics of the paper is that of report.smk.
if not FIGURES:

    rule write_report:
        input:
            **JUDGEMENT_FILE,
            scores="<results>/scores.tsv",
            template=[*TEMPLATES, f"{ROOT}/sera/reporting/page.html.j2"],
        output:
            shown("<results>/report.html", "Pages", "../report/page.rst"),
        log:
            "<logs>/write_report.log",
        benchmark:
            "<benchmarks>/write_report.tsv"
        group:
            f"{study_name(config)}_tables"
        conda:
            "../envs/study.yaml"
        params:
            benchmark=LABEL,
            resamples=config["resamples"],
            confidence=config["confidence"],
            seed=config["seed"],
            code=code("write_scores_report", *METRIC_MODULES),
        script:
            "../scripts/write_scores_report.py"
