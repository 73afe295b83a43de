# Needs: documents, one file per package. Makes: the index for SERA, and word vectors.

# The documents to search: the packages of articles, otherwise the benchmark's own collection, otherwise its sources.
COLLECTED = [*PACKAGES, *(["documents"] if COLLECTION else [])]
INDEX_PARTS = [
    *COLLECTED,
    *(["topics"] if config["topic_documents"] or not COLLECTED else []),
]
COLLECTED_FILES = own_documents(INDEX_PARTS)


ON_SERVER = config["engine"] == "elasticsearch"
# Word vectors are learnt from positions, which a server does not provide: with a server there is a second index.
LOCAL_INDEX = f"{OUT}/index/local" if ON_SERVER else f"{OUT}/index/whole"
VECTORS = [f"{OUT}/vectors.npz"] if config["vectors"] == "index" else []
OWN_VECTORS = [config["vectors"]] if config["vectors"] and not VECTORS else []
HAS_LOCAL_INDEX = not ON_SERVER or config["vectors"] == "index"

if ON_SERVER:

    rule load_index:
        input:
            made_documents(INDEX_PARTS),
        output:
            directory(f"{OUT}/index/whole"),
        log:
            f"{OUT}/logs/load_index.log",
        benchmark:
            f"{OUT}/benchmarks/load_index.tsv"
        conda:
            "../envs/study.yaml"
        resources:
            mem_mb=growing(1000),
            runtime=growing(600),
        params:
            name=name_on_server(),
            documents=literally([part_documents(part) for part in INDEX_PARTS]),
            files=holds(COLLECTED_FILES),
            analyzer=config["analyzer"],
            mu=config["mu"],
            code=code("load_index"),
        message:
            "Load the articles into the server's index {params.name}"
        script:
            "../scripts/load_index.py"


rule build_index_part:
    input:
        lambda wildcards: made_documents([wildcards.part]),
    output:
        directory(f"{OUT}/index/parts/{{part}}"),
    log:
        f"{OUT}/logs/build_index_part/{{part}}.log",
    benchmark:
        f"{OUT}/benchmarks/build_index_part/{{part}}.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(config["memory"] + 600),
        index_mb=config["memory"],
        runtime=growing(60),
    params:
        documents=lambda wildcards: part_documents(wildcards.part),
        files=holds(lambda wildcards: own_documents([wildcards.part])),
        analyzer=config["analyzer"],
        code=code("build_index_part"),
    message:
        "Index the articles of {wildcards.part}"
    script:
        "../scripts/build_index_part.py"


rule merge_index:
    input:
        expand(f"{OUT}/index/parts/{{part}}", part=INDEX_PARTS),
    output:
        directory(LOCAL_INDEX),
    log:
        f"{OUT}/logs/merge_index.log",
    benchmark:
        f"{OUT}/benchmarks/merge_index.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(30),
    params:
        code=code("merge_index"),
    message:
        "Merge the parts of the index"
    script:
        "../scripts/merge_index.py"


rule learn_vectors:
    input:
        LOCAL_INDEX,
    output:
        f"{OUT}/vectors.npz",
    log:
        f"{OUT}/logs/learn_vectors.log",
    benchmark:
        f"{OUT}/benchmarks/learn_vectors.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(2000),
        runtime=growing(30),
    params:
        code=code("learn_vectors"),
    message:
        "Learn word vectors from the index"
    script:
        "../scripts/learn_vectors.py"
