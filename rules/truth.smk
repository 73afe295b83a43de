# Needs: the demo benchmark, whose true scores are known, and the systems' summaries.
# Makes: every metric's correlation with the true scores, by the drift of the candidates' wording and the index size.

from sera.benchmarks.demo.scores import sizes

TRUTH = []
if SYNTHETIC:
    DRIFTS = [f"{drift:g}" for drift in sorted(config["truth"]["drifts"])]
    SIZES = sizes(DEMO.articles, config["truth"]["shares"])
    TRUTH = [
        *multiext(f"{OUT}/truth/", "candidates.jsonl", "true.tsv"),
        *expand(f"{OUT}/truth/index/{{size}}", size=SIZES),
        *expand(f"{OUT}/truth/candidates/{{drift}}.jsonl", drift=DRIFTS),
        *expand(
            f"{OUT}/truth/scores/{{drift}}/{{size}}.tsv",
            drift=DRIFTS,
            size=[0, *SIZES],
        ),
    ]

    rule grade_candidates:
        input:
            data=f"{OUT}/data",
            sources=f"{OUT}/sources.jsonl",
            # a user's own are not made of the benchmark's sentences, and nothing is known of them
            summaries=expand(
                f"{OUT}/summaries/{{system}}.jsonl",
                system=[name for name in SYSTEMS if name not in config["candidates"]],
            ),
        output:
            candidates=f"{OUT}/truth/candidates.jsonl",
            true=f"{OUT}/truth/true.tsv",
        log:
            f"{OUT}/logs/grade_candidates.log",
        benchmark:
            f"{OUT}/benchmarks/grade_candidates.tsv"
        conda:
            "../envs/study.yaml"
        resources:
            mem_mb=growing(1000),
            runtime=growing(2),
        params:
            words=BUDGET.get("words"),
            seed=config["seed"],
            code=code("grade_candidates"),
        message:
            "Gather candidates with known true scores"
        script:
            "../scripts/grade_candidates.py"

    rule index_by_size:
        input:
            expand(f"{OUT}/corpus/{{package}}.jsonl.gz", package=PACKAGES),
        output:
            [directory(f"{OUT}/truth/index/{size}") for size in SIZES],
        log:
            f"{OUT}/logs/index_by_size.log",
        benchmark:
            f"{OUT}/benchmarks/index_by_size.tsv"
        conda:
            "../envs/study.yaml"
        resources:
            mem_mb=growing(1000),
            runtime=growing(2),
        params:
            sizes=SIZES,
            analyzer=config["analyzer"],
            code=code("index_by_size"),
        message:
            "Index parts of the collection"
        script:
            "../scripts/index_by_size.py"

    rule score_drift:
        input:
            data=f"{OUT}/data",
            candidates=f"{OUT}/truth/candidates.jsonl",
            references=f"{OUT}/references.jsonl",
            sources=f"{OUT}/sources.jsonl",
            nuggets=f"{OUT}/nuggets.jsonl",
            vectors=VECTORS,
            indexes=rules.index_by_size.output,
        output:
            candidates=f"{OUT}/truth/candidates/{{drift}}.jsonl",
            scores=expand(
                f"{OUT}/truth/scores/{{{{drift}}}}/{{size}}.tsv", size=[0, *SIZES]
            ),
        log:
            f"{OUT}/logs/score_drift/{{drift}}.log",
        benchmark:
            f"{OUT}/benchmarks/score_drift/{{drift}}.tsv"
        wildcard_constraints:
            drift=r"[\d.]+",
        conda:
            "../envs/study.yaml"
        resources:
            mem_mb=growing(1000),
            runtime=growing(5),
        params:
            seed=config["seed"],
            settings=settings_for(FAMILY_SETTINGS),
            vectors=literally(OWN_VECTORS),
            files=holds(OWN_VECTORS),
            code=code(
                "score_drift",
                *modules([*needing(), *OF_RANKINGS, *OF_NUGGETS, *needing("vectors")]),
            ),
        message:
            "Score the candidates at drift {wildcards.drift}"
        script:
            "../scripts/score_drift.py"

    rule tell_truth:
        input:
            true=f"{OUT}/truth/true.tsv",
            scores=expand(
                f"{OUT}/truth/scores/{{drift}}/{{size}}.tsv",
                drift=DRIFTS,
                size=[0, *SIZES],
            ),
        output:
            table=multiext(f"{OUT}/tables/truth", ".tsv", ".md", ".tex"),
            figure=multiext(f"{OUT}/figures/truth", ".svg", ".png", ".pdf"),
        log:
            f"{OUT}/logs/tell_truth.log",
        benchmark:
            f"{OUT}/benchmarks/tell_truth.tsv"
        conda:
            "../envs/study.yaml"
        resources:
            mem_mb=growing(1000),
            runtime=growing(2),
        params:
            drifts=[float(drift) for drift in DRIFTS],
            sizes=[0, *SIZES],
            against={
                "candidate": "True-Pyramid",
                "references": "True-Pyramid-Modified",
            }[config["pyramid"]["size"]],
            benchmark=LABEL,
            code=code("tell_truth", *METRIC_MODULES),
        message:
            "Correlate the metrics with the true scores"
        script:
            "../scripts/tell_truth.py"
