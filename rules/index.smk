# Needs: documents, one file per package. Makes: the index for SERA, and word vectors.

from sera.retrieval.engines import LOADERS

ON_SERVER = config["engine"] in LOADERS
# Word vectors are learnt from positions, which a server does not provide: with a server there is a second index.
LOCAL_INDEX = f"{OUT}/index/local" if ON_SERVER else f"{OUT}/index/whole"

if ON_SERVER:

    rule load_index:
        input:
            list(map(part_documents, INDEX_PARTS)),
        output:
            directory(f"{OUT}/index/whole"),
        resources:
            runtime=growing(600),
        params:
            engine=config["engine"],
            name=name_on_server(),
            sha256=sha256_of(COLLECTED_FILES),
            analyzer=config["analyzer"],
            mu=config["mu"],
            code=code("load_index", LOADERS.module(config["engine"])),
        message:
            "Load the articles into the server's index {params.name}"
        script:
            "../scripts/load_index.py"


if VECTORS or not ON_SERVER:

    rule build_index_part:
        input:
            lambda wildcards: part_documents(wildcards.part),
        output:
            directory(f"{OUT}/index/parts/{{part}}"),
        priority: 1
        resources:
            mem_mb=growing(config["memory"] + 600),
            index_mb=config["memory"],
            runtime=growing(60),
        params:
            sha256=sha256_of(lambda wildcards: COLLECTED_FILES if wildcards.part == "documents" else []),
            analyzer=config["analyzer"],
        message:
            "Index the articles of {wildcards.part}"
        script:
            "../scripts/build_index.py"

    rule merge_index:
        input:
            expand(f"{OUT}/index/parts/{{part}}", part=INDEX_PARTS),
        output:
            directory(LOCAL_INDEX),
        priority: 1
        resources:
            runtime=growing(30),
        message:
            "Merge the parts of the index"
        script:
            "../scripts/merge_index.py"


if VECTORS:

    rule learn_vectors:
        input:
            LOCAL_INDEX,
        output:
            f"{OUT}/vectors.npz",
        priority: 1
        resources:
            mem_mb=growing(2000),
            runtime=growing(30),
        message:
            "Learn word vectors from the index"
        script:
            "../scripts/learn_vectors.py"
