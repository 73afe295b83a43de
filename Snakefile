# The study of Cohan & Goharian (2016): from articles and a benchmark to the paper's tables.
# The head of each file in rules/ lists what its rules need and make.

from snakemake.utils import min_version

min_version("9.20")  # modules with names from the configuration


configfile: "config.yaml"


report: "report/workflow.rst"


include: "rules/settings.smk"
include: "rules/study.smk"
include: "rules/audit.smk"
include: "rules/matrix.smk"
include: "rules/studies.smk"


rule all:
    default_target: True
    input:
        rules.study.input,
        [getattr(rules, f"{study}_study").input for study in config["studies"]],
    message:
        "All results are there"


rule summaries:
    input:
        "<results>/summaries.jsonl",
        "<results>/baselines.jsonl",


rule scores:
    input:
        "<results>/scores.tsv",


rule tables:
    input:
        expand("<results>/tables/{table}.tsv", table=["table2", "table3"]) if JUDGEMENTS else KEYWORDS,
