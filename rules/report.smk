# Needs: all results and their provenance. Makes: the figures, and the page.

import os

from study.published import expected_name
from study.settings.settings import read_settings

# The expected numbers of a benchmark: a file of this repository, an input of the page if the benchmark has one.
EXPECTED = f"{ROOT}/resources/expected/{expected_name(study_name(config))}.tsv"
# What the figures and the page read where there are judgements.
CORRELATED = {
    "correlations": "<results>/correlations.tsv",
    "table2": "<results>/tables/table2.tsv",
    **JUDGEMENT_FILE,
}
# What the page shows of texts; without any, where the scores are from.
OF_TEXTS = {"origin": f"{data.folders['release']}/provenance.json"}
if HAS_TEXTS:
    OF_TEXTS = {
        "keywords": "<results>/tables/rougek_table4.tsv",
        "summaries": "<results>/summaries.jsonl",
        "baselines": "<results>/baselines.jsonl",
        "references": "<results>/references.jsonl",
        "runs": expand("<results>/runs/{formulation}.trec", formulation=FORMULATIONS),
        "index": "<index>/whole",
        "unreadable": "<corpus>/unreadable.tsv",
    }


rule draw_figures:
    input:
        **(CORRELATED if JUDGEMENTS else {}),
        **({"published": f"{ROOT}/resources/published/table2.tsv"} if COMPARED else {}),
        **({"lengths": "<results>/tables/rougek_figure2.tsv"} if HAS_TEXTS else {}),
        scores="<results>/scores.tsv",
    output:
        [shown(f"<results>/figures/{figure}.svg", "Figures", "../report/figures.rst") for figure in FIGURES],
        expand("<results>/figures/{figure}.{form}", figure=FIGURES, form=PICTURES[1:]),
        texts="<results>/figures/texts.tsv",
    log:
        "<logs>/draw_figures.log",
    benchmark:
        "<benchmarks>/draw_figures.tsv"
    group:
        f"{study_name(config)}_tables"
    conda:
        "../envs/study.yaml"
    params:
        benchmark=LABEL,
        judgements=lambda wildcards: JUDGEMENTS,
        systems=lambda wildcards: SYSTEMS,
        cutoffs=config["cutoffs"],
        bootstrap=config["bootstrap"],
        confidence=config["confidence"],
        forms=PICTURES,
        code=code("draw_figures", *METRIC_MODULES),
    script:
        "../scripts/draw_figures.py"


rule write_report:
    input:
        **(CORRELATED if JUDGEMENTS else JUDGEMENT_FILE),
        **({"expected": EXPECTED} if os.path.isfile(EXPECTED) else {}),
        **({"nuggets": "<results>/nuggets.jsonl"} if data.has_nuggets else {}),
        **OF_TEXTS,
        **{name: f"<results>/tables/{name}.tsv" for name in ("discrimination", "table3") if JUDGEMENTS},
        figures=rules.draw_figures.output,
        texts=rules.draw_figures.output.texts,
        published=f"{ROOT}/resources/published/table2.tsv",
        kinds=f"{ROOT}/{KINDS_RELEASED}",
        template=[
            *TEMPLATES,
            f"{ROOT}/sera/reporting/page.html.j2",
            *multiext(f"{ROOT}/study/report/", "study.html.j2", "answer.j2"),
        ],
        scores="<results>/scores.tsv",
        signatures="<results>/signatures.tsv",
        provenance="<results>/provenance.json",
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
        judgements=lambda wildcards: JUDGEMENTS,
        systems=lambda wildcards: SYSTEMS,
        documents=KIND_OF_COLLECTION,
        release=READER.RELEASE,
        no_multiverse=NO_MULTIVERSE,
        optional=results_shown,
        shown=sha256_of(lambda wildcards: results_shown(wildcards).values()),
        defaults=with_defaults(read_settings(f"{ROOT}/config.yaml"), SCHEMA),
        code=code("write_report", *METRIC_MODULES),
    script:
        "../scripts/write_report.py"
