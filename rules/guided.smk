# Needs: sources, references and summaries. Makes: the summaries of systems that are trained (docs/plugins.md), each by a
# model that did not see the topic's own, those of language models, and the scores by BERTScore. What needs torch runs in
# an environment of its own.

import os
import shutil

from snakemake.settings.types import DeploymentMethod

from study.settings.families import encoder_modules, encoder_options
from study.settings.systems import guided_settings, plug_in

# A benchmark with training data has one model of each system; otherwise each part of the topics has its own.
HAS_SPLITS = load_benchmark(BENCHMARK).splits is not None
FOLDS = [str(fold) for fold in range(1 if HAS_SPLITS else config["guided"]["folds"])] if TRAINED else []
OF_FOLD = f"{OUT}/guided/{{fold}}"
BY_CONDA = DeploymentMethod.CONDA in workflow.deployment_settings.deployment_method
GUIDED_PYTHON = config["guided"]["python"] or ("python" if BY_CONDA else f"{ROOT}/.venv-guided/bin/python")
LAUNCHER = (
    f"accelerate.commands.launch --num_processes {config['guided']['gpus']} -m"
    if config["guided"]["gpus"] > 1
    else ""
)

NEED_TORCH = [*TRAINED, *(["encoder"] if config["encoder"] else [])]
if NEED_TORCH and not BY_CONDA and not shutil.which(GUIDED_PYTHON):
    raise SystemExit(
        f"Error: config: {NEED_TORCH[0]} needs torch and transformers, and there is no {GUIDED_PYTHON}. Install them with "
        "`make guided`, or name a Python that has them as guided.python."
    )


if TRAINED:

    rule split_topics:
        input:
            sources=f"{OUT}/sources.jsonl",
            references=f"{OUT}/references.jsonl",
            release=BENCHMARK_FILES if HAS_SPLITS else [],
        output:
            sources=f"{OF_FOLD}/train_sources.jsonl",
            references=f"{OF_FOLD}/train_references.jsonl",
            dev_sources=f"{OF_FOLD}/dev_sources.jsonl",
            dev_references=f"{OF_FOLD}/dev_references.jsonl",
            tested=f"{OF_FOLD}/sources.jsonl",
        wildcard_constraints:
            fold=r"\d+",
        params:
            benchmark=BENCHMARK,
            release=literally(FOLDERS["release"]) if HAS_SPLITS else None,
            sha256=sha256_of(BENCHMARK_FILES if HAS_SPLITS else []),
            folds=len(FOLDS),
            seed=config["seed"],
            code=code("split_topics", BENCHMARKS.module(BENCHMARK)),
        message:
            "Split the topics for training (part {wildcards.fold})"
        script:
            "../scripts/split_topics.py"

    rule train_guided:
        input:
            sources=f"{OF_FOLD}/train_sources.jsonl",
            references=f"{OF_FOLD}/train_references.jsonl",
            dev_sources=f"{OF_FOLD}/dev_sources.jsonl",
            dev_references=f"{OF_FOLD}/dev_references.jsonl",
        output:
            directory(f"{OF_FOLD}/{{system}}"),
        wildcard_constraints:
            fold=r"\d+",
            system="|".join(TRAINED),
        conda:
            "../envs/guided.yaml"
        resources:
            mem_mb=growing(16000),
            runtime=growing(720),
            gpu=config["guided"]["gpus"],
        params:
            python=literally(GUIDED_PYTHON),
            launcher=LAUNCHER,
            system=summarizer,
            settings=lambda wildcards: guided_settings(config, wildcards.system),
            # outside the output, which Snakemake removes before a job starts again
            checkpoints=f"{OF_FOLD}/{{system}}.training",
            code=lambda wildcards: code(*plug_in().modules_of(summarizer(wildcards))),
        message:
            "Train {wildcards.system} (part {wildcards.fold})"
        shell:
            "{params.python:q} -m {params.launcher} sera_guided train --system {params.system} "
            "--sources {input.sources:q} --references {input.references:q} --dev-sources {input.dev_sources:q} "
            "--dev-references {input.dev_references:q} {params.settings:q} "
            "--checkpoints {params.checkpoints:q} --out {output:q} > {log:q} 2>&1"

    rule generate_guided:
        input:
            models=expand(f"{OF_FOLD}/{{{{system}}}}", fold=FOLDS),
            sources=expand(f"{OF_FOLD}/sources.jsonl", fold=FOLDS),
        output:
            f"{OUT}/summaries/{{system}}.jsonl",
        wildcard_constraints:
            system="|".join(TRAINED),
        conda:
            "../envs/guided.yaml"
        resources:
            mem_mb=growing(8000),
            runtime=growing(120),
            gpu=min(1, config["guided"]["gpus"]),
        params:
            python=literally(GUIDED_PYTHON),
            pairs=lambda wildcards, input: [
                word
                for model, sources in zip(input.models, input.sources)
                for word in ("--model", model, "--sources", sources)
            ],
            code=lambda wildcards: code(*plug_in().modules_of(summarizer(wildcards))),
        message:
            "Write summaries by {wildcards.system}"
        shell:
            "{params.python:q} -m sera_guided generate {params.pairs:q} --name {wildcards.system} "
            "--out {output:q} > {log:q} 2>&1"


if ASKED:

    rule ask_language_model:
        input:
            sources=f"{OUT}/sources.jsonl",
        output:
            f"{OUT}/summaries/{{system}}.jsonl",
        wildcard_constraints:
            system="|".join(ASKED),
        resources:
            runtime=growing(240),
        params:
            question=lambda wildcards: config["language_models"][wildcards.system],
            answers=f"{OUT}/answers",
        message:
            "Ask {wildcards.system} for summaries"
        script:
            "../scripts/ask_language_model.py"


if config["encoder"]:
    ENCODER_FOLDER = [config["encoder"]] if os.path.isdir(config["encoder"]) else []

    rule score_bert:
        input:
            candidates=CANDIDATES,
            references=f"{OUT}/references.jsonl",
            encoder=ENCODER_FOLDER,
        output:
            scores=f"{OUT}/scores/{{family}}.tsv",
            signatures=f"{OUT}/scores/{{family}}.signatures.tsv",
        wildcard_constraints:
            family="|".join(needing("encoder")),
        conda:
            "../envs/guided.yaml"
        resources:
            mem_mb=growing(8000),
            runtime=growing(120),
            gpu=min(1, config["guided"]["gpus"]),
        params:
            python=literally(GUIDED_PYTHON),
            options=lambda wildcards: encoder_options(config, wildcards.family),
            sha256=sha256_of(ENCODER_FOLDER),
            code=lambda wildcards: code(*encoder_modules(wildcards.family)),
        message:
            "Score by {wildcards.family}"
        shell:
            "cat {input.candidates:q} | {params.python:q} -m sera.cli score {params.options:q} --plain-names "
            "--candidates - --references {input.references:q} --out {output.scores:q} "
            "--signatures {output.signatures:q} > {log:q} 2>&1"
