# The study of Cohan & Goharian (2016): from packages of articles and a benchmark to the paper's tables.
# Each file of rules says at its head what it needs and what it makes.

from snakemake.utils import min_version

min_version("9.0")


configfile: "config.yaml"


include: "rules/common.smk"
include: "rules/benchmark.smk"
include: "rules/inputs.smk"
include: "rules/download.smk"
include: "rules/corpus.smk"
include: "rules/index.smk"
include: "rules/summarize.smk"
include: "rules/score.smk"
include: "rules/correlate.smk"
include: "rules/report.smk"


rule all:
    default_target: True
    input:
        f"{OUT}/summaries.jsonl",
        f"{OUT}/references.jsonl",
        f"{OUT}/corpus/unreadable.tsv",
        f"{OUT}/scores.tsv",
        f"{OUT}/tables/table2.tsv",
        f"{OUT}/tables/table3.tsv",
        f"{OUT}/tables/pyramid_threshold.tsv",
        f"{OUT}/figures/figure1.svg",
        f"{OUT}/report.html",


rule summaries:
    input:
        f"{OUT}/summaries.jsonl",
        f"{OUT}/baselines.jsonl",


rule scores:
    input:
        f"{OUT}/scores.tsv",


rule tables:
    input:
        f"{OUT}/tables/table2.tsv",
        f"{OUT}/tables/table3.tsv",
        f"{OUT}/tables/pyramid_threshold.tsv",
