# Needs: sources, references and summaries. Makes: the summaries of systems that are trained (plugins/sera-guided/README.md), each by a
# model that did not see the topic's own, those of language models, and the scores by BERTScore. What needs torch runs in
# an environment of its own.

import os
import shutil

from study.settings.families import encoder_modules, encoder_options, is_onnx
from study.settings.systems import guided_settings, plug_in

# A benchmark with training data has one model of each system; otherwise each part of the topics has its own.
HAS_SPLITS = READER.splits is not None
FOLDS = [str(fold) for fold in range(1 if HAS_SPLITS else config["guided"]["folds"])] if TRAINED else []
# `make guided` makes that environment; without it, `python` is that of envs/guided.yaml.
GUIDED_PYTHON = config["guided"]["python"] or shutil.which(f"{ROOT}/.venv-guided/bin/python") or "python"
STUDY_PYTHON = shutil.which(f"{ROOT}/.venv/bin/python") or "python"
LAUNCHER = (
    ["accelerate.commands.launch", "--num_processes", config["guided"]["gpus"], "-m"]
    if config["guided"]["gpus"] > 1
    else []
)

ENCODES_BY_TORCH = config["encoder"] and not is_onnx(config["encoder"])
NEED_TORCH = [*TRAINED, *(["encoder"] if ENCODES_BY_TORCH else [])]
if NEED_TORCH and not shutil.which(GUIDED_PYTHON):
    raise SystemExit(
        f"Error: config: {NEED_TORCH[0]} needs torch and transformers, and there is no {GUIDED_PYTHON}. Install them with "
        "`make guided`, or name a Python that has them as guided.python."
    )


rule split_topics:
    input:
        sources="<results>/sources.jsonl",
        references="<results>/references.jsonl",
        release=data.files if HAS_SPLITS else [],
    output:
        sources="<results>/guided/{fold}/train_sources.jsonl",
        references="<results>/guided/{fold}/train_references.jsonl",
        dev_sources="<results>/guided/{fold}/dev_sources.jsonl",
        dev_references="<results>/guided/{fold}/dev_references.jsonl",
        tested="<results>/guided/{fold}/sources.jsonl",
    log:
        "<logs>/split_topics/{fold}.log",
    benchmark:
        "<benchmarks>/split_topics/{fold}.tsv"
    wildcard_constraints:
        fold=r"\d+",
    group:
        f"{study_name(config)}_summaries"
    conda:
        "../envs/study.yaml"
    params:
        benchmark=BENCHMARK,
        release=data.folders["release"] if HAS_SPLITS else None,
        sha256=sha256_of(data.files if HAS_SPLITS else []),
        folds=len(FOLDS),
        seed=config["seed"],
        code=code("split_topics", BENCHMARKS.module(BENCHMARK)),
    script:
        "../scripts/split_topics.py"


rule train_guided:
    input:
        sources="<results>/guided/{fold}/train_sources.jsonl",
        references="<results>/guided/{fold}/train_references.jsonl",
        dev_sources="<results>/guided/{fold}/dev_sources.jsonl",
        dev_references="<results>/guided/{fold}/dev_references.jsonl",
    output:
        directory("<results>/guided/{fold}/{system}"),
    log:
        "<logs>/train_guided/{fold}-{system}.log",
    benchmark:
        "<benchmarks>/train_guided/{fold}-{system}.tsv"
    wildcard_constraints:
        fold=r"\d+",
        system=one_of(TRAINED),
    conda:
        "../envs/guided.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 16000 * attempt,
        runtime=lambda wildcards, attempt: 720 * attempt,
        gpu=config["guided"]["gpus"],
    params:
        command=lambda wildcards, input, output: [
            *(
                GUIDED_PYTHON,
                "-m",
                *LAUNCHER,
                "sera_guided",
                "train",
                "--system",
                base_system(wildcards.system),
            ),
            *("--sources", input.sources, "--references", input.references),
            *("--dev-sources", input.dev_sources, "--dev-references", input.dev_references),
            *guided_settings(config, wildcards.system),
            # outside the output, which Snakemake removes before a job starts again
            *("--checkpoints", f"{output[0]}.training", "--out", output[0]),
        ],
        code=lambda wildcards: code(*plug_in().modules_of(base_system(wildcards.system))),
    shell:
        "{params.command:q} > {log:q} 2>&1"


rule generate_guided:
    input:
        models=expand("<results>/guided/{fold}/{{system}}", fold=FOLDS),
        sources=expand("<results>/guided/{fold}/sources.jsonl", fold=FOLDS),
    output:
        "<results>/summaries/{system}.jsonl",
    log:
        "<logs>/generate_guided/{system}.log",
    benchmark:
        "<benchmarks>/generate_guided/{system}.tsv"
    wildcard_constraints:
        system=one_of(TRAINED),
    conda:
        "../envs/guided.yaml"
    resources:
        mem_mb=lambda wildcards, attempt: 8000 * attempt,
        runtime=lambda wildcards, attempt: 120 * attempt,
        gpu=min(1, config["guided"]["gpus"]),
    params:
        command=lambda wildcards, input, output: [
            *(GUIDED_PYTHON, "-m", "sera_guided", "generate"),
            *(
                word
                for model, sources in zip(input.models, input.sources)
                for word in ("--model", model, "--sources", sources)
            ),
            *("--name", wildcards.system, "--out", output[0]),
        ],
        code=lambda wildcards: code(*plug_in().modules_of(base_system(wildcards.system))),
    shell:
        "{params.command:q} > {log:q} 2>&1"


rule ask_language_model:
    input:
        sources="<results>/sources.jsonl",
    output:
        "<results>/summaries/{system}.jsonl",
    log:
        "<logs>/ask_language_model/{system}.log",
    benchmark:
        "<benchmarks>/ask_language_model/{system}.tsv"
    wildcard_constraints:
        system=one_of(ASKED),
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: 240 * attempt,
    params:
        question=lambda wildcards: config["language_models"][wildcards.system],
        answers=f"{OUT}/answers",
        code=code("ask_language_model"),
    script:
        "../scripts/ask_language_model.py"


if config["encoder"]:

    rule score_bert:
        input:
            candidates=CANDIDATES,
            references="<results>/references.jsonl",
            encoder=ENCODER_FOLDER,
        output:
            scores="<results>/scores/{family}.tsv",
            signatures="<results>/scores/{family}.signatures.tsv",
        log:
            "<logs>/score_bert/{family}.log",
        benchmark:
            "<benchmarks>/score_bert/{family}.tsv"
        wildcard_constraints:
            family=one_of(families_that_need("encoder")),
        conda:
            "../envs/guided.yaml" if ENCODES_BY_TORCH else "../envs/study.yaml"
        resources:
            mem_mb=lambda wildcards, attempt: 8000 * attempt,
            runtime=lambda wildcards, attempt: 120 * attempt,
            gpu=min(1, config["guided"]["gpus"]),
        params:
            command=lambda wildcards, input, output: [
                GUIDED_PYTHON if ENCODES_BY_TORCH else STUDY_PYTHON,
                *("-m", "sera.cli", "score", "-", input.references),
                *encoder_options(config, wildcards.family),
                *("--plain-names", "--out", output.scores, "--signatures", output.signatures),
            ],
            sha256=sha256_of(ENCODER_FOLDER),
            code=lambda wildcards: code(*encoder_modules(config["encoder"], wildcards.family)),
        shell:
            "cat {input.candidates:q} | {params.command:q} > {log:q} 2>&1"
