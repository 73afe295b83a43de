# Needs: the study's data and its results. Makes: the record of their origin.

from study.workflow.provenance import commit, versions

# The files that a run reads and no rule makes.
RAW_INPUTS = [
    *([] if SYNTHETIC else INPUTS),
    *OWN_SUMMARIES,
    *OWN_VECTORS,
    *FRAMES,
    *FREQUENT_WORDS,
]


rule checksum_inputs:
    input:
        GENERATED,
        RAW_INPUTS,
    output:
        f"{OUT}/inputs.tsv",
    resources:
        runtime=growing(60),
    params:
        sha256=sha256_of(RAW_INPUTS),
    message:
        "Compute the checksums of the study's data"
    script:
        "../scripts/checksum_inputs.py"


rule write_provenance:
    input:
        inputs=f"{OUT}/inputs.tsv",
        results=RESULTS,
        workflow=f"{ROOT}/Snakefile",
    output:
        workflow=f"{OUT}/workflow.smk",
        record=f"{OUT}/provenance.json",
        crate=f"{OUT}/ro-crate-metadata.json",
    params:
        commit=lambda wildcards: commit(ROOT),
        versions=lambda wildcards: versions(f"{ROOT}/envs/requirements.lock"),
        settings=config,
        benchmark=LABEL,
    message:
        "Record the origin of the results"
    script:
        "../scripts/write_provenance.py"
