# Needs: scores and judgements. Makes: how every metric follows every judgement of this study, a column of the matrix.

from sera.reporting.study_settings import name_of
from rules.code import code
from rules.jobs import growing, literally

COLUMN = f"{config['results']}/matrix/columns/{name_of(config)}"


rule evaluate_column:
    input:
        **JUDGEMENT_FILE,
        scores=f"{OUT}/scores.tsv",
        candidates=CANDIDATES,
        references=f"{OUT}/references.jsonl",
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
