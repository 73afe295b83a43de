# Needs: sources, citances, references, nuggets, the index and the study's scores. Makes: scores of more systems than the
# paper's nine, and the comparison of SERA with ROUGE on them. The target is `more_systems`; pages show its results if they exist.

MORE = f"{OUT}/more_systems"


rule compare_more_systems:
    input:
        systems=f"{ROOT}/study/resources/more_systems.yaml",
        sources=f"{OUT}/sources.jsonl",
        citances=f"{OUT}/citances.jsonl",
        references=f"{OUT}/references.jsonl",
        nuggets=f"{OUT}/nuggets.jsonl",
        scores=f"{OUT}/scores.tsv",
        index=f"{OUT}/index/whole",
    output:
        scores=f"{MORE}/scores.tsv",
        systems=f"{MORE}/systems.tsv",
        answer=f"{MORE}/answer.tsv",
        reliability=f"{MORE}/reliability.tsv",
        by_topics=f"{MORE}/by_topics.tsv",
        figure=multiext(f"{MORE}/more_systems", ".svg", ".png", ".pdf"),
    resources:
        runtime=growing(60),
    params:
        engine=config["engine"],
        systems=literally(SYSTEMS),
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
    message:
        "Summarise and score by more systems"
    script:
        "../scripts/compare_more_systems.py"
