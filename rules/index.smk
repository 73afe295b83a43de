# Needs: documents, one file per package. Makes: the index for SERA, and word vectors.

from sera.retrieval import engines

ON_SERVER = config["engine"] == engines.ON_SERVER
# Word vectors are learnt from positions, which a server does not provide: with a server there is a second index.
LOCAL_INDEX = "<results>/index/local" if ON_SERVER else "<results>/index/whole"

if ON_SERVER:

    rule load_index:
        input:
            list(map(part_documents, INDEX_PARTS)),
        output:
            directory("<results>/index/whole"),
        log:
            "<logs>/load_index.log",
        benchmark:
            "<benchmarks>/load_index.tsv"
        conda:
            "../envs/study.yaml"
        resources:
            runtime=lambda wildcards, attempt: 600 * attempt,
        params:
            name=name_on_server(),
            sha256=sha256_of(data.collection),
            analyzer=config["analyzer"],
            mu=config["mu"],
            code=code("load_index"),
        script:
            "../scripts/load_index.py"


rule build_index_part:
    input:
        lambda wildcards: part_documents(wildcards.part),
    output:
        directory("<results>/index/parts/{part}"),
    log:
        "<logs>/build_index_part/{part}.log",
    benchmark:
        "<benchmarks>/build_index_part/{part}.tsv"
    priority: 1
    group:
        "package"
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: (2 + articles_in(wildcards.part) // 20000) * attempt,
    params:
        sha256=sha256_of(lambda wildcards: data.collection if wildcards.part == "documents" else []),
        analyzer=config["analyzer"],
        code=code("build_index"),
    script:
        "../scripts/build_index.py"


rule merge_index:
    input:
        expand("<results>/index/parts/{part}", part=INDEX_PARTS),
    output:
        directory(LOCAL_INDEX),
    log:
        "<logs>/merge_index.log",
    benchmark:
        "<benchmarks>/merge_index.tsv"
    priority: 1
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: (2 + articles_in(*INDEX_PARTS) // 200000) * attempt,
    params:
        code=code("merge_index"),
    script:
        "../scripts/merge_index.py"


rule learn_vectors:
    input:
        LOCAL_INDEX,
    output:
        "<results>/vectors.npz",
    log:
        "<logs>/learn_vectors.log",
    benchmark:
        "<benchmarks>/learn_vectors.tsv"
    priority: 1
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: 10 * attempt,
    params:
        code=code("learn_vectors"),
    script:
        "../scripts/learn_vectors.py"
