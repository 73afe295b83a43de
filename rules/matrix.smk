# Needs: the columns of the benchmarks that the setting `matrix` names. Makes: how every metric follows every judgement, as
# tables, a figure and a page. One for all studies.

MATRIX = f"{config['results']}/matrix"


rule write_matrix:
    input:
        **{
            name: expand(f"{MATRIX}/columns/{{column}}.{name}.tsv", column=config["matrix"])
            for name in ("cells", "contrasts", "facts", "kinds")
        },
        template=[*TEMPLATES, *multiext(f"{ROOT}/study/matrix/matrix", ".html.j2", ".md.j2")],
    output:
        document=f"{MATRIX}/matrix.md",
        page=f"{MATRIX}/matrix.html",
        cells=f"{MATRIX}/cells.tsv",
        contrasts=f"{MATRIX}/contrasts.tsv",
        meta=f"{MATRIX}/meta.tsv",
        facts=f"{MATRIX}/benchmarks.tsv",
        kinds=f"{MATRIX}/kinds.tsv",
        pooled_kinds=f"{MATRIX}/pooled_kinds.tsv",
        overview=multiext(f"{MATRIX}/overview", ".tsv", ".md", ".tex"),
        figures=multiext(f"{MATRIX}/figures/forest", ".svg", ".png", ".pdf"),
        figures_of_kinds=multiext(f"{MATRIX}/figures/kinds", ".svg", ".png", ".pdf"),
    log:
        f"{MATRIX}/logs/write_matrix.log",
    benchmark:
        f"{MATRIX}/benchmarks/write_matrix.tsv"
    conda:
        "../envs/study.yaml"
    params:
        confidence=config["confidence"],
        code=code("write_matrix"),
    script:
        "../scripts/write_matrix.py"


rule matrix:
    input:
        results_of_matrix,
