# Needs: the settings of one study. Makes: all its results, in its own folder.


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


# The target lists every file of every step, not only the last ones. Snakemake does not notice a missing file if
# later files are newer: it would take a run for complete that was killed when it had removed a job's old files.
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
    *SCORES,
    *SIGNATURES,
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
