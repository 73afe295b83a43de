# Needs: the settings of one study. Makes: all of it, in a folder of its own.


include: "common.smk"
include: "benchmark.smk"
include: "inputs.smk"
include: "corpus.smk"
include: "index.smk"
include: "summarize.smk"
include: "score.smk"
include: "correlate.smk"
include: "report.smk"
include: "provenance.smk"


rule study:
    input:
        RESULTS,
        f"{OUT}/provenance.json",
