# Needs: sources, citances and references. Makes: the summaries of the paper's systems and of the baselines.

from sera.corpora.candidates import candidate_files
from sera.summarizers import SUMMARIZERS

OWN_FILES = {own: candidate_files(path) for own, path in config["candidates"].items()}


rule summarize:
    input:
        sources=f"{OUT}/sources.jsonl",
        citances=needed("citances"),
        references=needed("references"),
    output:
        f"{OUT}/summaries/{{system}}.jsonl",
    log:
        f"{OUT}/logs/summarize/{{system}}.log",
    benchmark:
        f"{OUT}/benchmarks/summarize/{{system}}.tsv"
    wildcard_constraints:
        system="|".join([*SUMMARIZERS, DRAW]),
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(10),
    params:
        summarizer=summarizer,
        parameters=lambda wildcards: config["parameters"].get(summarizer(wildcards), {}),
        budget=BUDGET,
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


rule take_candidates:
    input:
        sources=f"{OUT}/sources.jsonl",
    output:
        f"{OUT}/summaries/{{system}}.jsonl",
    log:
        f"{OUT}/logs/take_candidates/{{system}}.log",
    benchmark:
        f"{OUT}/benchmarks/take_candidates/{{system}}.tsv"
    wildcard_constraints:
        system="|".join(OWN_FILES) or "none",
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        path=lambda wildcards: config["candidates"][wildcards.system],
        files=holds(lambda wildcards: OWN_FILES[wildcards.system]),
        code=code("take_candidates"),
    message:
        "Take the summaries of {wildcards.system}"
    script:
        "../scripts/take_candidates.py"


rule gather_summaries:
    input:
        systems=(
            [f"{OUT}/candidates.jsonl"]
            if JUDGED
            else expand(f"{OUT}/summaries/{{system}}.jsonl", system=SYSTEMS)
        ),
        baselines=expand(f"{OUT}/summaries/{{system}}.jsonl", system=BASELINES),
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
        judged=literally(SYSTEMS) if JUDGED else None,
        code=code("gather_summaries"),
    message:
        "Gather the summaries"
    script:
        "../scripts/gather_summaries.py"
