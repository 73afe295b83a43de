# Needs: summaries, gold summaries, articles and scores. Makes: the tables of ROUGE-K's paper for this benchmark.

FAMILIES_COMPARED = ["ROUGE", "ROUGE-K"]


rule analyse_keywords:
    input:
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        sources=f"{OUT}/sources.jsonl",
        scores=f"{OUT}/scores.tsv",
        published=f"{ROOT}/resources/published/rougek_table4.tsv",
        release=BENCHMARK_FILES,
    output:
        KEYWORDS,
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
        sha256=sha256_of(BENCHMARK_FILES),
        code=code("analyse_keywords", *modules(FAMILIES_COMPARED), BENCHMARKS.module(BENCHMARK)),
    message:
        "Analyse the keywords of the summaries"
    script:
        "../scripts/analyse_keywords.py"
