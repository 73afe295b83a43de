# Needs: articles of PubMed Central. Makes: their plain text, one file for each subfolder or package, and the list of
# articles that were not read.


rule extract_corpus:
    input:
        GENERATED,
        package_files,
    output:
        documents="<results>/corpus/{package}.jsonl.gz",
        unreadable="<results>/corpus/{package}.unreadable.tsv",
    log:
        "<logs>/extract_corpus/{package}.log",
    benchmark:
        "<benchmarks>/extract_corpus/{package}.tsv"
    priority: 1  # the longest chain of steps begins here and ends with the word vectors
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: 60 * attempt,
    params:
        folder=FOLDERS["pmc_oa"],
        sha256=package_hash,
        figures=config["figures"],
        code=code("extract_corpus"),
    script:
        "../scripts/extract_corpus.py"


use rule extract_corpus as extract_universes with:
    output:
        documents="<results>/multiverse/corpus/{figures}/{package}.jsonl.gz",
        unreadable="<results>/multiverse/corpus/{figures}/{package}.unreadable.tsv",
    log:
        "<logs>/extract_universes/{figures}-{package}.log",
    benchmark:
        "<benchmarks>/extract_universes/{figures}-{package}.tsv"
    params:
        figures=lambda wildcards: wildcards.figures == "captions",


rule list_unreadable:
    input:
        table=expand("<corpus>/{package}.unreadable.tsv", package=PACKAGES),
    output:
        table="<results>/corpus/unreadable.tsv",
    log:
        "<logs>/list_unreadable.log",
    benchmark:
        "<benchmarks>/list_unreadable.tsv"
    conda:
        "../envs/study.yaml"
    params:
        header="part\tfile\treason",
        code=code("concatenate_tables"),
    script:
        "../scripts/concatenate_tables.py"
