# Needs: the published tables. Not a part of the study: `make audit`.
# Makes: the numbers of systems for which each printed pair of rank correlations is possible: tables, figure, text.


rule audit:
    input:
        f"{ROOT}/resources/published/table2.tsv",
        f"{ROOT}/resources/published/table3.tsv",
    output:
        table=multiext(f"{AUDIT}/audit", ".tsv", ".md", ".tex"),
        summary=multiext(f"{AUDIT}/summary", ".tsv", ".md", ".tex"),
        paragraphs=f"{AUDIT}/paragraphs.md",
        figure=multiext(f"{AUDIT}/audit", ".svg", ".png", ".pdf"),
        state=f"{AUDIT}/{STATE}",
    log:
        f"{AUDIT}/audit.log",
    benchmark:
        f"{AUDIT}/benchmark.tsv"
    localrule: True
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        state=state_of_audit,
        code=code("audit"),
    message:
        "Audit the published rank correlations"
    script:
        "../scripts/audit.py"
