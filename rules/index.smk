# Needs: documents, one file a package. Makes: the index that summaries are searched in.

INDEX_PARTS = [*PACKAGES, *(["topics"] if config["topic_documents"] else [])]


if config["engine"] == "elasticsearch":

    rule load_index:
        input:
            expand(f"{OUT}/corpus/{{part}}.jsonl.gz", part=INDEX_PARTS),
        output:
            directory(f"{OUT}/index/whole"),
        log:
            f"{OUT}/logs/load_index.log",
        params:
            name=os.environ.get("ELASTICSEARCH_INDEX") or f"sera-{config['benchmark']}",
            analyzer=config["analyzer"],
            mu=config["mu"],
            code=code("sera.engines.elasticsearch"),
        message:
            "Load the articles into the server's index {params.name}"
        script:
            "../scripts/load_index.py"

else:

    rule build_index_part:
        input:
            f"{OUT}/corpus/{{part}}.jsonl.gz",
        output:
            directory(f"{OUT}/index/parts/{{part}}"),
        log:
            f"{OUT}/logs/build_index_part/{{part}}.log",
        resources:
            mem_mb=config["memory"],
        params:
            analyzer=config["analyzer"],
            code=code("sera.engines.index_building"),
        message:
            "Index the articles of {wildcards.part}"
        script:
            "../scripts/build_index_part.py"

    rule merge_index:
        input:
            expand(f"{OUT}/index/parts/{{part}}", part=INDEX_PARTS),
        output:
            directory(f"{OUT}/index/whole"),
        log:
            f"{OUT}/logs/merge_index.log",
        params:
            code=code("sera.engines.index_building"),
        message:
            "Merge the parts of the index"
        script:
            "../scripts/merge_index.py"
