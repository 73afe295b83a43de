# Needs: the demo benchmark, whose true scores are known, and the systems' summaries.
# Makes: every metric's correlation with the true scores, by the drift of the candidates' wording and the index size.

from study.demo.scores import sizes

DRIFTS = [f"{drift:g}" for drift in sorted(config["truth"]["drifts"])]

if SYNTHETIC:
    SIZES = sizes(DEMO.articles, config["truth"]["shares"])

    rule grade_candidates:
        input:
            data="<results>/data",
            sources="<results>/sources.jsonl",
            # a user's own are not made of the benchmark's sentences, and nothing is known of them
            summaries=expand(
                "<results>/summaries/{system}.jsonl",
                system=[name for name in SYSTEMS if name not in [*config["candidates"], *TRAINED, *ASKED]],
            ),
        output:
            candidates="<results>/truth/candidates.jsonl",
            true="<results>/truth/true.tsv",
        log:
            "<logs>/grade_candidates.log",
        benchmark:
            "<benchmarks>/grade_candidates.tsv"
        conda:
            "../envs/study.yaml"
        params:
            words=BUDGET.get("words"),
            seed=config["seed"],
            code=code("grade_candidates"),
        script:
            "../scripts/grade_candidates.py"

    rule index_by_size:
        input:
            expand("<results>/corpus/{package}.jsonl.gz", package=PACKAGES),
        output:
            [directory(f"<results>/truth/index/{size}") for size in SIZES],
        log:
            "<logs>/index_by_size.log",
        benchmark:
            "<benchmarks>/index_by_size.tsv"
        conda:
            "../envs/study.yaml"
        resources:
            index_mb=config["memory"],
        params:
            sizes=SIZES,
            analyzer=config["analyzer"],
            code=code("build_index"),
        script:
            "../scripts/build_index.py"

    rule score_drift:
        input:
            data="<results>/data",
            candidates="<results>/truth/candidates.jsonl",
            references="<results>/references.jsonl",
            sources="<results>/sources.jsonl",
            nuggets="<results>/nuggets.jsonl",
            vectors=[*VECTORS, *OWN_VECTORS],
            indexes=rules.index_by_size.output,
        output:
            candidates="<results>/truth/candidates/{drift}.jsonl",
            scores=expand("<results>/truth/scores/{{drift}}/{size}.tsv", size=[0, *SIZES]),
        log:
            "<logs>/score_drift/{drift}.log",
        benchmark:
            "<benchmarks>/score_drift/{drift}.tsv"
        wildcard_constraints:
            drift=r"[\d.]+",
        conda:
            "../envs/study.yaml"
        resources:
            runtime=lambda wildcards, attempt: 5 * attempt,
        params:
            seed=config["seed"],
            settings=settings_for(FAMILY_SETTINGS),
            sha256=sha256_of(OWN_VECTORS),
            code=code(
                "score_drift",
                *modules([*needing(), *needing("rankings"), *needing("nuggets"), *needing("vectors")]),
            ),
        script:
            "../scripts/score_drift.py"

    rule correlate_truth:
        input:
            true="<results>/truth/true.tsv",
            scores=expand("<results>/truth/scores/{drift}/{size}.tsv", drift=DRIFTS, size=[0, *SIZES]),
        output:
            table=multiext("<results>/truth/truth", ".tsv", ".md", ".tex"),
            figure=multiext("<results>/truth/truth", ".svg", ".png", ".pdf", "_narrow.svg"),
        log:
            "<logs>/correlate_truth.log",
        benchmark:
            "<benchmarks>/correlate_truth.tsv"
        conda:
            "../envs/study.yaml"
        params:
            drifts=[float(drift) for drift in DRIFTS],
            sizes=[0, *SIZES],
            against={
                "candidate": "True-Pyramid",
                "references": "True-Pyramid-Modified",
            }[config["pyramid"]["size"]],
            benchmark=LABEL,
            code=code("correlate_truth", *METRIC_MODULES),
        script:
            "../scripts/correlate_truth.py"
