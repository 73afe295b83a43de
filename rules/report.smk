# Needs: tables and figure. Makes: the page that shows them.


rule write_report:
    input:
        **({} if JUDGED else {"thresholds": f"{OUT}/tables/pyramid_threshold.tsv"}),
        template=f"{ROOT}/report/report.html.j2",
        table2=f"{OUT}/tables/table2.tsv",
        table3=f"{OUT}/tables/table3.tsv",
        figure1=f"{OUT}/figures/figure1.svg",
        unreadable=f"{OUT}/corpus/unreadable.tsv",
        summaries=f"{OUT}/summaries.jsonl",
        scores=f"{OUT}/scores.tsv",
        index=f"{OUT}/index/whole",
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
        runtime=growing(2),
    params:
        settings={key: config[key] for key in config if key not in WITHOUT_EFFECT},
        benchmark=LABEL,
        judgement=JUDGEMENTS[0],
        code=code("write_report"),
    message:
        "Write the report"
    script:
        "../scripts/write_report.py"
