# Needs: scores and judgements. Makes: how every metric follows every judgement of this study, a column of the matrix.

# The user's own claims, which are checked like those of the papers.
OWN_CLAIMS = {"own_claims": config["claims"]} if config["claims"] else {}
COLUMN = f"{config['results']}/matrix/columns/{name_of(config)}"


rule evaluate_column:
    input:
        **JUDGEMENT_FILE,
        **OWN_CLAIMS,
        **({"preferences": PREFERENCES[0]} if PREFERENCES else {}),
        scores=f"{OUT}/scores.tsv",
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
        sources=f"{OUT}/sources.jsonl",
        index=f"{OUT}/index/whole",
    output:
        cells=f"{COLUMN}.cells.tsv",
        claims=f"{COLUMN}.claims.tsv",
        contrasts=f"{COLUMN}.contrasts.tsv",
        facts=f"{COLUMN}.facts.tsv",
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        name=name_of(config),
        collection=KIND_OF_COLLECTION,
        against=literally(JUDGEMENTS),
        systems=literally(SYSTEMS),
        resamples=config["resamples"],
        confidence=config["confidence"],
        seed=config["seed"],
        rouge=settings_for(["ROUGE"]),
        code=code("evaluate_column", *modules(["ROUGE"])),
    message:
        "Evaluate the metrics for the matrix"
    script:
        "../scripts/evaluate_column.py"
