# Needs: the settings of one study. Makes: all of it, in a folder of its own.


include: "common.smk"
include: "benchmark.smk"
include: "inputs.smk"
include: "corpus.smk"
include: "index.smk"
include: "summarize.smk"
include: "score.smk"
include: "correlate.smk"
include: "keywords.smk"
include: "truth.smk"
include: "provenance.smk"
include: "report.smk"


# Every file of every step is asked for, not the last ones alone. Snakemake does not miss a file between others
# that are newer: a run that was killed just when a job's old files were removed would be taken for done.
STEPS = [
    *multiext(f"{OUT}/", "sources.jsonl", "citances.jsonl", "nuggets.jsonl"),
    f"{OUT}/corpus/topics.jsonl.gz",
    *expand(f"{OUT}/corpus/{{package}}.jsonl.gz", package=PACKAGES),
    *expand(f"{OUT}/corpus/{{package}}.unreadable.tsv", package=PACKAGES),
    *(
        expand(f"{OUT}/index/parts/{{part}}", part=INDEX_PARTS)
        if HAS_LOCAL_INDEX
        else []
    ),
    *([LOCAL_INDEX] if HAS_LOCAL_INDEX else []),
    *VECTORS,
    f"{OUT}/index/whole",
    *expand(
        f"{OUT}/summaries/{{system}}.jsonl",
        system=[*([] if JUDGED else SYSTEMS), *BASELINES],
    ),
    *([f"{OUT}/candidates.jsonl"] if JUDGED else []),
    *expand(f"{OUT}/queries/{{formulation}}.jsonl", formulation=FORMULATIONS),
    *expand(f"{OUT}/runs/{{formulation}}.trec", formulation=FORMULATIONS),
    *multiext(f"{OUT}/scores/", "rouge.tsv", "sera.tsv", "s3.tsv"),
    *expand(f"{OUT}/scores/{{module}}.tsv", module=OTHERS),
    *PYRAMID,
    *(
        []
        if JUDGED
        else expand(
            f"{OUT}/scores/pyramid_{{threshold}}.tsv",
            threshold=config["pyramid"]["thresholds"],
        )
    ),
    *TRUTH,
    f"{OUT}/correlations.tsv",
    f"{OUT}/inputs.tsv",
    f"{OUT}/provenance.json",
    f"{OUT}/ro-crate-metadata.json",
    f"{OUT}/report.html",
]


rule study:
    input:
        RESULTS,
        STEPS,
