# Needs: articles of PubMed Central. Makes: their plain text, one file for each subfolder or package, and the list of
# articles that were not read.


rule extract_corpus:
    input:
        GENERATED,
        files_of_articles,
    output:
        documents="<results>/corpus/{articles}.jsonl.gz",
        unreadable="<results>/corpus/{articles}.unreadable.tsv",
    log:
        "<logs>/extract_corpus/{articles}.log",
    benchmark:
        "<benchmarks>/extract_corpus/{articles}.tsv"
    priority: 1  # the longest chain of steps begins here and ends with the word vectors
    group:
        "package"
    conda:
        "../envs/study.yaml"
    resources:
        runtime=lambda wildcards, attempt: (2 + articles_in(wildcards.articles) // 6000) * attempt,
    params:
        folder=data.folders["pmc_oa"],
        sha256=hash_of_articles,
        figures=config["figures"],
        code=code("extract_corpus"),
    script:
        "../scripts/extract_corpus.py"


use rule extract_corpus as extract_universes with:
    output:
        documents="<results>/multiverse/corpus/{figures}/{articles}.jsonl.gz",
        unreadable="<results>/multiverse/corpus/{figures}/{articles}.unreadable.tsv",
    log:
        "<logs>/extract_universes/{figures}-{articles}.log",
    benchmark:
        "<benchmarks>/extract_universes/{figures}-{articles}.tsv"
    params:
        figures=lambda wildcards: wildcards.figures == "captions",


rule list_unreadable:
    input:
        table=expand("<corpus>/{articles}.unreadable.tsv", articles=data.packages),
    output:
        table="<results>/corpus/unreadable.tsv",
    log:
        "<logs>/list_unreadable.log",
    benchmark:
        "<benchmarks>/list_unreadable.tsv"
    localrule: True
    conda:
        "../envs/study.yaml"
    params:
        header="part\tfile\treason",
        code=code("concatenate_tables"),
    script:
        "../scripts/concatenate_tables.py"
