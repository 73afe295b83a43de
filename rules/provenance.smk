# Needs: the study's data and its results. Makes: the record of their origin.

from study.workflow.provenance import commit, versions

# The files that a run reads and no rule makes.
RAW_INPUTS = [
    *data.inputs,
    *OWN_SUMMARIES,
    *OWN_VECTORS,
    *FRAMES,
    *ENCODER_FOLDER,
    *FREQUENT_WORDS,
]


rule write_provenance:
    input:
        inputs=[*GENERATED, *RAW_INPUTS],
        articles=expand("<corpus>/{articles}.jsonl.gz", articles=data.packages),
        results=RESULTS,
        workflow=f"{ROOT}/Snakefile",
    output:
        workflow="<results>/workflow.smk",
        record="<results>/provenance.json",
        crate="<results>/ro-crate-metadata.json",
    log:
        "<logs>/write_provenance.log",
    benchmark:
        "<benchmarks>/write_provenance.tsv"
    group:
        f"{study_name(config)}_tables"
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: (5 + articles_in(*data.packages) // 50000) * attempt,
    params:
        sha256=sha256_of(RAW_INPUTS),
        commit=lambda wildcards: commit(ROOT),
        versions=lambda wildcards: versions(f"{ROOT}/envs/requirements.lock"),
        settings=config,
        benchmark=LABEL,
        code=code("write_provenance"),
    script:
        "../scripts/write_provenance.py"
