# Needs: the published tables. One for all studies; their pages show it: the target `audit`.
# Makes: the numbers of systems for which each printed pair of rank correlations is possible: tables, figure, text.


rule audit:
    input:
        tables=[f"{ROOT}/resources/published/table2.tsv", f"{ROOT}/resources/published/table3.tsv"],
        paragraphs=f"{ROOT}/study/published/audit.md",
    output:
        table=multiext(f"{AUDIT}/audit", ".tsv", ".md", ".tex"),
        summary=multiext(f"{AUDIT}/summary", ".tsv", ".md", ".tex"),
        paragraphs=f"{AUDIT}/paragraphs.md",
        figure=multiext(f"{AUDIT}/audit", ".svg", ".png", ".pdf"),
    log:
        f"{AUDIT}/audit.log",
    benchmark:
        f"{AUDIT}/benchmark.tsv"
    localrule: True
    conda:
        "../envs/study.yaml"
    params:
        code=code("audit"),
    script:
        "../scripts/audit.py"
