# Needs: the demo benchmark, whose true scores are known, and the systems' summaries.
# Makes: every metric's correlation with the true scores, by the drift of the candidates' wording and the index size.

from study.demo.scores import sizes

DRIFTS = [f"{drift:g}" for drift in sorted(config["truth"]["drifts"])]

if SYNTHETIC:
    SIZES = sizes(DEMO.articles, config["truth"]["shares"])

    rule grade_candidates:
        input:
            data=f"{OUT}/data",
            sources=f"{OUT}/sources.jsonl",
            # a user's own are not made of the benchmark's sentences, and nothing is known of them
            summaries=expand(
                f"{OUT}/summaries/{{system}}.jsonl",
                system=[name for name in SYSTEMS if name not in [*config["candidates"], *TRAINED, *ASKED]],
            ),
        output:
            candidates=f"{OUT}/truth/candidates.jsonl",
            true=f"{OUT}/truth/true.tsv",
        params:
            words=BUDGET.get("words"),
            seed=config["seed"],
        message:
            "Gather candidates with known true scores"
        script:
            "../scripts/grade_candidates.py"

    rule index_by_size:
        input:
            expand(f"{OUT}/corpus/{{package}}.jsonl.gz", package=PACKAGES),
        output:
            [directory(f"{OUT}/truth/index/{size}") for size in SIZES],
        resources:
            index_mb=config["memory"],
        params:
            sizes=SIZES,
            analyzer=config["analyzer"],
        message:
            "Index parts of the collection"
        script:
            "../scripts/build_index.py"

    rule score_drift:
        input:
            data=f"{OUT}/data",
            candidates=f"{OUT}/truth/candidates.jsonl",
            references=f"{OUT}/references.jsonl",
            sources=f"{OUT}/sources.jsonl",
            nuggets=f"{OUT}/nuggets.jsonl",
            vectors=[*VECTORS, *OWN_VECTORS],
            indexes=rules.index_by_size.output,
        output:
            candidates=f"{OUT}/truth/candidates/{{drift}}.jsonl",
            scores=expand(f"{OUT}/truth/scores/{{{{drift}}}}/{{size}}.tsv", size=[0, *SIZES]),
        wildcard_constraints:
            drift=r"[\d.]+",
        resources:
            runtime=growing(5),
        params:
            seed=config["seed"],
            settings=settings_for(FAMILY_SETTINGS),
            sha256=sha256_of(OWN_VECTORS),
            code=code(
                "score_drift",
                *modules([*needing(), *needing("rankings"), *needing("nuggets"), *needing("vectors")]),
            ),
        message:
            "Score the candidates at drift {wildcards.drift}"
        script:
            "../scripts/score_drift.py"

    rule correlate_truth:
        input:
            true=f"{OUT}/truth/true.tsv",
            scores=expand(f"{OUT}/truth/scores/{{drift}}/{{size}}.tsv", drift=DRIFTS, size=[0, *SIZES]),
        output:
            table=multiext(f"{OUT}/truth/truth", ".tsv", ".md", ".tex"),
            figure=multiext(f"{OUT}/truth/truth", ".svg", ".png", ".pdf", "_narrow.svg"),
        params:
            drifts=[float(drift) for drift in DRIFTS],
            sizes=[0, *SIZES],
            against={
                "candidate": "True-Pyramid",
                "references": "True-Pyramid-Modified",
            }[config["pyramid"]["size"]],
            benchmark=LABEL,
            code=code("correlate_truth", *METRIC_MODULES),
        message:
            "Correlate the metrics with the true scores"
        script:
            "../scripts/correlate_truth.py"
