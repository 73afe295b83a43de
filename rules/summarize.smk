# Needs: sources and citances. Makes: the summaries of the paper's systems, and of the baselines beside them.

from sera.summarizers import SUMMARIZERS


rule summarize:
    input:
        sources=f"{OUT}/sources.jsonl",
        citances=citances,
    output:
        f"{OUT}/summaries/{{system}}.jsonl",
    log:
        f"{OUT}/logs/summarize/{{system}}.log",
    benchmark:
        f"{OUT}/benchmarks/summarize/{{system}}.tsv"
    wildcard_constraints:
        system="|".join(SUMMARIZERS),
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        words=config["words"],
        order=config["order"],
        seed=seed,
        code=summarizer_code,
    message:
        "Summarise by {wildcards.system}"
    script:
        "../scripts/summarize.py"


rule take_human_summaries:
    input:
        f"{OUT}/references.jsonl",
    output:
        f"{OUT}/summaries/human.jsonl",
    log:
        f"{OUT}/logs/take_human_summaries.log",
    benchmark:
        f"{OUT}/benchmarks/take_human_summaries.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        code=code("take_human_summaries"),
    message:
        "Take the gold summaries as candidates"
    script:
        "../scripts/take_human_summaries.py"


rule gather_summaries:
    input:
        systems=expand(f"{OUT}/summaries/{{system}}.jsonl", system=config["systems"]),
        baselines=expand(
            f"{OUT}/summaries/{{system}}.jsonl", system=config["baselines"]
        ),
    output:
        systems=f"{OUT}/summaries.jsonl",
        baselines=f"{OUT}/baselines.jsonl",
    log:
        f"{OUT}/logs/gather_summaries.log",
    benchmark:
        f"{OUT}/benchmarks/gather_summaries.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        code=code("gather_summaries"),
    message:
        "Gather the summaries"
    script:
        "../scripts/gather_summaries.py"
