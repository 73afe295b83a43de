# Needs: the columns of the benchmarks that the setting `matrix` names. Makes: how every metric follows every judgement, as
# tables, a figure and a page. One for all studies.

MATRIX = f"{config['results']}/matrix"


rule write_matrix:
    input:
        **{
            name: expand(f"{MATRIX}/columns/{{column}}.{name}.tsv", column=config["matrix"])
            for name in ("cells", "contrasts", "differences", "facts", "kinds")
        },
        more_systems=[f"{ROOT}/{RELEASED}/more_systems/{name}" for name in ("scores.tsv.gz", "systems.tsv")],
        template=[
            *TEMPLATES,
            *multiext(f"{ROOT}/study/matrix/", "matrix.html.j2", "matrix.md.j2", "kinds.md.j2"),
        ],
    output:
        document=f"{MATRIX}/matrix.md",
        page=f"{MATRIX}/matrix.html",
        cells=f"{MATRIX}/cells.tsv",
        contrasts=f"{MATRIX}/contrasts.tsv",
        differences=f"{MATRIX}/differences.tsv",
        pooled=f"{MATRIX}/pooled.tsv",
        releases=f"{MATRIX}/releases.tsv",
        choices=f"{MATRIX}/choices.tsv",
        shown=f"{MATRIX}/shown.tsv",
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
    group:
        f"{study_name(config)}_tables"
    conda:
        "../envs/study.yaml"
    params:
        sampling={name: config[name] for name in ("resamples", "confidence", "seed")},
        code=code("write_matrix"),
    script:
        "../scripts/write_matrix.py"


rule matrix:
    input:
        results_of_matrix,
