# Needs: sources, citances and references. Makes: the summaries of the paper's systems and of the baselines.

from study.settings.systems import DRAW


rule summarize:
    input:
        sources=f"{OUT}/sources.jsonl",
        citances=needed("citances"),
        references=needed("references"),
    output:
        f"{OUT}/summaries/{{system}}.jsonl",
    wildcard_constraints:
        system="|".join([*SUMMARIZERS, DRAW]),
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
        message:
            "Take the gold summaries as candidates"
        script:
            "../scripts/take_human_summaries.py"


rule take_candidates:
    input:
        sources=f"{OUT}/sources.jsonl",
        own=lambda wildcards: OWN_FILES[wildcards.system],
    output:
        f"{OUT}/summaries/{{system}}.jsonl",
    wildcard_constraints:
        system="|".join(OWN_FILES) or "none",
    params:
        path=lambda wildcards: config["candidates"][wildcards.system],
        sha256=sha256_of(lambda wildcards: OWN_FILES[wildcards.system]),
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
    params:
        judged=literally(SYSTEMS) if GIVEN else None,
    message:
        "Gather the summaries"
    script:
        "../scripts/gather_summaries.py"
