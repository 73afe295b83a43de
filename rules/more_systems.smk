# Needs: sources, citances, references, nuggets, the index and the study's scores. Makes: scores of more systems than the
# paper's nine, and the comparison of SERA with ROUGE on them. The target is `more_systems`; pages show its results if they exist.


rule compare_more_systems:
    input:
        systems=f"{ROOT}/study/resources/more_systems.yaml",
        sources="<results>/sources.jsonl",
        citances="<results>/citances.jsonl",
        references="<results>/references.jsonl",
        nuggets="<results>/nuggets.jsonl",
        scores="<results>/scores.tsv",
        index="<index>/whole",
    output:
        scores="<results>/more_systems/scores.tsv",
        systems="<results>/more_systems/systems.tsv",
        answer="<results>/more_systems/answer.tsv",
        reliability="<results>/more_systems/reliability.tsv",
        by_topics="<results>/more_systems/by_topics.tsv",
        figure=multiext("<results>/more_systems/more_systems", ".svg", ".png", ".pdf"),
    log:
        "<logs>/compare_more_systems.log",
    benchmark:
        "<benchmarks>/compare_more_systems.tsv"
    group:
        f"{study_name(config)}_tables"
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: 20 * attempt,
    params:
        engine=config["engine"],
        systems=lambda wildcards: SYSTEMS,
        settings=settings_for(["ROUGE", "SERA", "Pyramid"]),
        budget=BUDGET,
        order=config["order"],
        seed=config["seed"],
        confidence=config["confidence"],
        benchmark=LABEL,
        code=code(
            "compare_more_systems",
            *map(SUMMARIZERS.module, SUMMARIZERS),
            *map(FAMILIES.module, ("ROUGE", "SERA", "Pyramid")),
            ENGINES.module(config["engine"]),
        ),
    script:
        "../scripts/compare_more_systems.py"
