# Needs: the columns of the benchmarks that the setting `matrix` names. Makes: how every metric follows every judgement, as
# tables, a figure and a page. One for all studies.

from study.workflow.fingerprints import code
from study.workflow.rules import benchmark_path, log_path, made_unless

MATRIX = f"{config['results']}/matrix"


rule write_matrix:
    input:
        cells=expand(f"{MATRIX}/columns/{{column}}.cells.tsv", column=config["matrix"]),
        claims=expand(
            f"{MATRIX}/columns/{{column}}.claims.tsv", column=config["matrix"]
        ),
        facts=expand(f"{MATRIX}/columns/{{column}}.facts.tsv", column=config["matrix"]),
        own_claims=[config["claims"]] if config["claims"] else [],
        template=[
            *TEMPLATES,
            *multiext(f"{ROOT}/study/matrix/matrix", ".html.j2", ".js"),
        ],
    output:
        page=f"{MATRIX}/matrix.html",
        document=f"{MATRIX}/matrix.md",
        cells=f"{MATRIX}/cells.tsv",
        claims=f"{MATRIX}/claims.tsv",
        facts=f"{MATRIX}/benchmarks.tsv",
        overview=multiext(f"{MATRIX}/overview", ".tsv", ".md", ".tex"),
        tables=directory(f"{MATRIX}/tables"),
        figure=multiext(
            f"{MATRIX}/figures/matrix", ".svg", ".png", ".pdf", "_narrow.svg"
        ),
    log:
        log_path(MATRIX, "write_matrix"),
    benchmark:
        benchmark_path(MATRIX, "write_matrix")
    conda:
        "../envs/study.yaml"
    params:
        confidence=config["confidence"],
        code=code("write_matrix"),
    message:
        "Write the matrix of metrics by benchmarks"
    script:
        "../scripts/write_matrix.py"


rule matrix:
    input:
        made_unless(
            (
                ""
                if config["matrix"]
                else "config: matrix: names no benchmark. "
                "Name the folder of `sera datasets get --all`: `make matrix DATA=folder`."
            ),
            lambda: rules.write_matrix.output,
        ),
