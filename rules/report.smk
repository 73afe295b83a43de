# Needs: all results and their provenance. Makes: the figures, and the page.

import os

from study.settings.settings import read_settings

# The expected numbers of a benchmark: a file of this repository, an input of the page if the benchmark has one.
EXPECTED = f"{ROOT}/resources/expected/{name_of(config)}.tsv"
# What the figures and the page read where there are judgements.
CORRELATED = {
    "correlations": f"{OUT}/correlations.tsv",
    "table2": f"{OUT}/tables/table2.tsv",
    **JUDGEMENT_FILE,
}


rule draw_figures:
    input:
        **(CORRELATED if JUDGEMENTS else {}),
        **PUBLISHED,
        **({"thresholds": f"{OUT}/tables/pyramid_threshold.tsv"} if BY_NUGGETS else {}),
        lengths=f"{OUT}/tables/rougek_figure2.tsv",
        scores=f"{OUT}/scores.tsv",
    output:
        report(
            [f"{OUT}/figures/{figure}.svg" for figure in FIGURE1 if JUDGEMENTS],
            caption="../report/figure1.rst",
            category="Figures",
        ),
        report(
            [f"{OUT}/figures/{figure}.svg" for figure in OVERVIEW if JUDGEMENTS],
            caption="../report/overview.rst",
            category="Figures",
        ),
        report(f"{OUT}/figures/rougek_figure2.svg", caption="../report/keywords.rst", category="Figures"),
        expand(f"{OUT}/figures/{{figure}}{{suffix}}", figure=FIGURES, suffix=[".png", ".pdf", "_narrow.svg"]),
        texts=f"{OUT}/figures/texts.tsv",
    params:
        benchmark=LABEL,
        judgements=literally(JUDGEMENTS),
        systems=literally(SYSTEMS),
        cutoffs=config["cutoffs"],
        bootstrap=config["bootstrap"],
        confidence=config["confidence"],
        settings=settings_for(["MOULIN-ROUGE"]),
        universes=figures_universes,
        shown=sha256_of(lambda wildcards: figures_universes(wildcards).values()),
        code=code("draw_figures", *METRIC_MODULES),
    message:
        "Draw the figures"
    script:
        "../scripts/draw_figures.py"


rule write_report:
    input:
        **(CORRELATED if JUDGEMENTS else JUDGEMENT_FILE),
        **({"expected": EXPECTED} if os.path.isfile(EXPECTED) else {}),
        **({"nuggets": f"{OUT}/nuggets.jsonl"} if HAS_NUGGETS else {}),
        **{name: f"{OUT}/tables/{name}.tsv" for name in ("discrimination", "table3") if JUDGEMENTS},
        figures=rules.draw_figures.output,
        texts=rules.draw_figures.output.texts,
        published=f"{ROOT}/resources/published/table2.tsv",
        template=[
            *TEMPLATES,
            f"{ROOT}/sera/reporting/page.html.j2",
            f"{ROOT}/study/report/study.html.j2",
            f"{ROOT}/study/report/answer.j2",
            f"{ROOT}/study/report/summaries.js",
        ],
        keywords=f"{OUT}/tables/rougek_table4.tsv",
        scores=f"{OUT}/scores.tsv",
        signatures=f"{OUT}/signatures.tsv",
        summaries=f"{OUT}/summaries.jsonl",
        baselines=f"{OUT}/baselines.jsonl",
        references=f"{OUT}/references.jsonl",
        runs=expand(f"{OUT}/runs/{{formulation}}.trec", formulation=FORMULATIONS),
        corpus=list(map(part_documents, INDEX_PARTS)),
        index=f"{OUT}/index/whole",
        unreadable=f"{OUT}/corpus/unreadable.tsv",
        provenance=f"{OUT}/provenance.json",
    output:
        f"{OUT}/report.html",
    resources:
        runtime=growing(5),
    params:
        benchmark=LABEL,
        judgements=literally(JUDGEMENTS),
        systems=literally(SYSTEMS),
        benchmarks=f"{OUT}/benchmarks",
        sha256=sha256_of(COLLECTED_FILES),
        documents=KIND_OF_COLLECTION,
        release=literally(load_benchmark(BENCHMARK).RELEASE),
        no_multiverse=NO_MULTIVERSE,
        beside=beside,
        shown=sha256_of(lambda wildcards: beside(wildcards).values()),
        defaults=literally(with_defaults(read_settings("config.yaml"), SCHEMA)),
        code=code("write_report", *METRIC_MODULES),
    message:
        "Write the report"
    script:
        "../scripts/write_report.py"
