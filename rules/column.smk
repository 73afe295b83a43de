# Needs: scores and judgements. Makes: how every metric follows every judgement of this study, a column of the matrix.

from study.settings.settings import name_of
from study.workflow.fingerprints import code
from study.workflow.rules import growing, literally

# Claims of the user's, beside those of the papers.
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
        facts=f"{COLUMN}.facts.tsv",
    log:
        log_of("evaluate_column"),
    benchmark:
        benchmark_of("evaluate_column")
    conda:
        "../envs/study.yaml"
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
        code=code("evaluate_column"),
    message:
        "Evaluate the metrics for the matrix"
    script:
        "../scripts/evaluate_column.py"
