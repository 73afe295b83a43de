# Needs: all results and their provenance. Makes: the overview figures, and the page.

import os

from sera.benchmarks import load_benchmark
from study.published.tables import FIGURE1
from study.settings.settings import name_of, read_settings, with_defaults
from study.workflow.fingerprints import code
from study.workflow.rules import growing, literally
from study.multiverse.choices import asked

# The expected numbers of a benchmark: a file of this repository, an input of the page if the benchmark has one.
EXPECTED = f"{ROOT}/resources/expected/{name_of(config)}.tsv"
UNIVERSES = {"universes": f"{MULTIVERSE}/universes.tsv"} if SHOWS_MULTIVERSE else {}
CURVES = {
    f"curve_{question}": f"{MULTIVERSE}/figures/specification_curve_{question}.svg"
    for question in asked(config["multiverse"]["dimensions"])
}


if JUDGEMENTS:

    rule plot_overview:
        input:
            **JUDGEMENT_FILE,
            **UNIVERSES,
            **(
                {"thresholds": f"{OUT}/tables/pyramid_threshold.tsv"}
                if BY_NUGGETS
                else {}
            ),
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
            multiext(f"{OUT}/figures/comparison", ".png", ".pdf", "_narrow.svg"),
            multiext(f"{OUT}/figures/scatter", ".png", ".pdf", "_narrow.svg"),
            multiext(f"{OUT}/figures/metrics", ".png", ".pdf", "_narrow.svg"),
            multiext(f"{OUT}/figures/sensitivity", ".png", ".pdf", "_narrow.svg"),
        log:
            log_of("plot_overview"),
        benchmark:
            benchmark_of("plot_overview")
        conda:
            "../envs/study.yaml"
        params:
            benchmark=LABEL,
            judgement=literally(JUDGEMENTS[0]),
            systems=literally(SYSTEMS),
            cutoffs=config["cutoffs"],
            confidence=config["confidence"],
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
                *FIGURE1,
                "moulin_rouge",
                "comparison",
                "scatter",
                "metrics",
                "sensitivity",
            )
            if JUDGEMENTS
        },
        **{
            name: f"{OUT}/{path}.tsv"
            for name, path in (
                ("discrimination", "tables/discrimination"),
                ("table2", "tables/table2"),
                ("table3", "tables/table3"),
                ("correlations", "correlations"),
            )
            if JUDGEMENTS
        },
        **(
            {
                "truth": f"{OUT}/figures/truth.svg",
                "truth_table": f"{OUT}/tables/truth.tsv",
            }
            if SYNTHETIC
            else {}
        ),
        **(
            {"pyramid_threshold": f"{OUT}/tables/pyramid_threshold.tsv"}
            if BY_NUGGETS
            else {}
        ),
        **({**CURVES, **UNIVERSES} if SHOWS_MULTIVERSE else {}),
        **(
            {
                "audit": f"{AUDIT}/audit.svg",
                "counts": f"{AUDIT}/summary.tsv",
                "paragraphs": f"{AUDIT}/paragraphs.md",
            }
            if SHOWS_AUDIT
            else {}
        ),
        template=[
            *multiext(f"{ROOT}/sera/reporting/page", ".html.j2", ".css", ".js"),
            f"{ROOT}/sera/reporting/tables.js",
        ],
        narrow=(
            expand(
                f"{OUT}/figures/{{figure}}_narrow.svg",
                figure=[
                    *FIGURE1,
                    *(
                        "moulin_rouge",
                        "comparison",
                        "scatter",
                        "metrics",
                        "sensitivity",
                    ),
                    *(["truth"] if SYNTHETIC else []),
                ],
            )
            if JUDGEMENTS
            else []
        ),
        keywords=f"{OUT}/tables/rougek_table4.tsv",
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
        log_of("write_report"),
    benchmark:
        benchmark_of("write_report")
    conda:
        "../envs/study.yaml"
    resources:
        runtime=growing(5),
    params:
        benchmark=LABEL,
        judgements=literally(JUDGEMENTS),
        systems=literally(SYSTEMS),
        benchmarks=f"{OUT}/benchmarks",
        collection=literally(COLLECTED_FILES),
        files=holds(COLLECTED_FILES),
        documents=KIND_OF_COLLECTION,
        release=literally(load_benchmark(BENCHMARK).RELEASE),
        no_multiverse=NO_MULTIVERSE,
        defaults=literally(with_defaults(read_settings("config.yaml"), SCHEMA)),
        code=code("write_report", *METRIC_MODULES),
    message:
        "Write the report"
    script:
        "../scripts/write_report.py"
