# Needs: all results and their provenance. Makes: the overview figures, and the page.

# The expected numbers of a benchmark.
EXPECTED = f"{ROOT}/resources/expected/{name_of(config)}.tsv"


rule plot_overview:
    input:
        **JUDGEMENT_FILE,
        **({} if JUDGED else {"thresholds": f"{OUT}/tables/pyramid_threshold.tsv"}),
        table2=f"{OUT}/tables/table2.tsv",
        correlations=f"{OUT}/correlations.tsv",
        scores=f"{OUT}/scores.tsv",
    output:
        report(
            expand(
                f"{OUT}/figures/{{figure}}.svg",
                figure=["comparison", "scatter", "metrics", "sensitivity"],
            ),
            caption="../report/overview.rst",
            category="Figures",
        ),
        multiext(f"{OUT}/figures/comparison", ".png", ".pdf"),
        multiext(f"{OUT}/figures/scatter", ".png", ".pdf"),
        multiext(f"{OUT}/figures/metrics", ".png", ".pdf"),
        multiext(f"{OUT}/figures/sensitivity", ".png", ".pdf"),
    log:
        f"{OUT}/logs/plot_overview.log",
    benchmark:
        f"{OUT}/benchmarks/plot_overview.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        benchmark=LABEL,
        judgement=literally(JUDGEMENTS[0]),
        systems=literally(SYSTEMS),
        cutoffs=config["cutoffs"],
        universes=already(f"{MULTIVERSE}/universes.tsv", state_of_multiverse),
        code=code("plot_overview", *METRIC_MODULES),
    message:
        "Draw the overview of the results"
    script:
        "../scripts/plot_overview.py"


rule write_report:
    input:
        **JUDGEMENT_FILE,
        **({"expected": EXPECTED} if os.path.isfile(EXPECTED) else {}),
        **({"nuggets": f"{OUT}/nuggets.jsonl"} if HAS_NUGGETS else {}),
        **{
            figure: f"{OUT}/figures/{figure}.svg"
            for figure in (
                "figure1",
                "comparison",
                "scatter",
                "metrics",
                "sensitivity",
            )
        },
        **({"truth": f"{OUT}/figures/truth.svg"} if SYNTHETIC else {}),
        template=multiext(f"{ROOT}/report/report", ".html.j2", ".css", ".js"),
        table2=f"{OUT}/tables/table2.tsv",
        table3=f"{OUT}/tables/table3.tsv",
        correlations=f"{OUT}/correlations.tsv",
        scores=f"{OUT}/scores.tsv",
        signatures=f"{OUT}/signatures.tsv",
        summaries=f"{OUT}/summaries.jsonl",
        baselines=f"{OUT}/baselines.jsonl",
        references=f"{OUT}/references.jsonl",
        runs=expand(f"{OUT}/runs/{{formulation}}.trec", formulation=FORMULATIONS),
        corpus=made_documents(INDEX_PARTS),
        index=f"{OUT}/index/whole",
        unreadable=f"{OUT}/corpus/unreadable.tsv",
        provenance=f"{OUT}/provenance.json",
    output:
        f"{OUT}/report.html",
    log:
        f"{OUT}/logs/write_report.log",
    benchmark:
        f"{OUT}/benchmarks/write_report.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(5),
    params:
        benchmark=LABEL,
        judgements=literally(JUDGEMENTS),
        systems=literally(SYSTEMS),
        benchmarks=f"{OUT}/benchmarks",
        collection=literally(COLLECTED_FILES),
        files=holds(COLLECTED_FILES),
        made=lambda wildcards: {
            name: already(path, state)(wildcards)
            for name, path, state in (
                (
                    "specification_curve",
                    f"{MULTIVERSE}/figures/specification_curve.svg",
                    state_of_multiverse,
                ),
                ("audit", f"{AUDIT}/audit.svg", state_of_audit),
                ("paragraphs", f"{AUDIT}/paragraphs.md", state_of_audit),
            )
        },
        other=lambda wildcards: {
            "multiverse": beside(MULTIVERSE, state_of_multiverse)(wildcards),
            "audit": beside(AUDIT, state_of_audit)(wildcards),
        },
        defaults=literally(read_settings("config.yaml")),
        code=code("write_report", *METRIC_MODULES),
    message:
        "Write the report"
    script:
        "../scripts/write_report.py"
