# Needs: the published tables. Not a part of the study: `make audit`.
# Makes: over how many systems each printed pair of rank correlations can have been taken, as tables, figure and words.


rule audit:
    input:
        f"{ROOT}/resources/published/table2.tsv",
        f"{ROOT}/resources/published/table3.tsv",
    output:
        table=multiext(f"{config['results']}/audit/audit", ".tsv", ".md", ".tex"),
        summary=multiext(f"{config['results']}/audit/summary", ".tsv", ".md", ".tex"),
        paragraphs=f"{config['results']}/audit/paragraphs.md",
        figure=multiext(f"{config['results']}/audit/audit", ".svg", ".png", ".pdf"),
    log:
        f"{config['results']}/audit/audit.log",
    benchmark:
        f"{config['results']}/audit/benchmark.tsv"
    localrule: True
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        code=code("audit"),
    message:
        "Audit the published rank correlations"
    script:
        "../scripts/audit.py"
