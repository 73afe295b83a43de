# Needs: summaries, gold summaries, articles and scores. Makes: the tables of ROUGE-K's paper for this benchmark.

from study.settings.families import modules
from sera.benchmarks import BENCHMARKS
from study.workflow.fingerprints import code
from study.settings.systems import undrawn
from study.workflow.rules import growing, literally

FAMILIES_COMPARED = ["ROUGE", "ROUGE-K"]


rule analyse_keywords:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        sources=f"{OUT}/sources.jsonl",
        scores=f"{OUT}/scores.tsv",
        published=f"{ROOT}/resources/published/rougek_table4.tsv",
    output:
        KEYWORDS,
    log:
        log_of("analyse_keywords"),
    benchmark:
        benchmark_of("analyse_keywords")
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(10),
    params:
        systems=literally(SYSTEMS),
        seeds={name: undrawn(name) for name in TRAINED if undrawn(name) != name},
        settings=settings_for(["ROUGE-K"]),
        benchmark=LABEL,
        forms=config["tables"],
        name=BENCHMARK,
        release=literally(FOLDERS["release"]),
        files=holds(BENCHMARK_FILES),
        code=code(
            "analyse_keywords",
            *modules(FAMILIES_COMPARED),
            BENCHMARKS.module(BENCHMARK),
        ),
    message:
        "Analyse the keywords of the summaries"
    script:
        "../scripts/analyse_keywords.py"
