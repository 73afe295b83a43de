# Needs: the study's data and its results. Makes: the record of their origin.

from study.workflow.provenance import commit, versions

# The files that a run reads and no rule makes.
RAW_INPUTS = [
    *([] if SYNTHETIC else INPUTS),
    *(path for files in OWN_FILES.values() for path in files),
    *OWN_VECTORS,
    *FRAMES,
    *FREQUENT_WORDS,
]
ALL_INPUTS = [*GENERATED, *RAW_INPUTS]


rule checksum_inputs:
    input:
        GENERATED,
    output:
        f"{OUT}/inputs.tsv",
    resources:
        runtime=growing(60),
    params:
        paths=literally(ALL_INPUTS),
        files=holds(RAW_INPUTS),
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
