# Needs: sources, citances and references. Makes: the summaries of the paper's systems and of the baselines.

from study.workflow.fingerprints import code
from study.settings.systems import DRAW
from study.workflow.rules import growing, literally
from sera.summarizers import SUMMARIZERS


rule summarize:
    input:
        sources=f"{OUT}/sources.jsonl",
        citances=needed("citances"),
        references=needed("references"),
    output:
        f"{OUT}/summaries/{{system}}.jsonl",
    log:
        log_of("summarize", "{system}"),
    benchmark:
        benchmark_of("summarize", "{system}")
    wildcard_constraints:
        system="|".join([*SUMMARIZERS, DRAW]),
    conda:
        "../envs/study.yaml"
    resources:
        runtime=growing(10),
    params:
        summarizer=summarizer,
        parameters=parameters_in_language,
        budget=BUDGET,
        order=config["order"],
        seed=seed,
        code=summarizer_code,
    message:
        "Summarise by {wildcards.system}"
    script:
        "../scripts/summarize.py"


if "human" in BASELINES:

    rule take_human_summaries:
        input:
            f"{OUT}/references.jsonl",
        output:
            f"{OUT}/summaries/human.jsonl",
        log:
            log_of("take_human_summaries"),
        benchmark:
            benchmark_of("take_human_summaries")
        conda:
            "../envs/study.yaml"
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
        log_of("take_candidates", "{system}"),
    benchmark:
        benchmark_of("take_candidates", "{system}")
    wildcard_constraints:
        system="|".join(OWN_FILES) or "none",
    conda:
        "../envs/study.yaml"
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
            if GIVEN
            else expand(f"{OUT}/summaries/{{system}}.jsonl", system=SYSTEMS)
        ),
        baselines=expand(f"{OUT}/summaries/{{system}}.jsonl", system=BASELINES),
    output:
        systems=f"{OUT}/summaries.jsonl",
        baselines=f"{OUT}/baselines.jsonl",
    log:
        log_of("gather_summaries"),
    benchmark:
        benchmark_of("gather_summaries")
    conda:
        "../envs/study.yaml"
    params:
        judged=literally(SYSTEMS) if GIVEN else None,
        code=code("gather_summaries"),
    message:
        "Gather the summaries"
    script:
        "../scripts/gather_summaries.py"
