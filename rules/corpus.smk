# Needs: PubMed Central Open Access packages.
# Makes: their articles as plain text, one file per package, and the list of articles that were not read.
#
# The first rule selects the package and the version of every article from the packages' lists. It is a
# checkpoint, so Snakemake looks at the selections when they exist. Snakemake compares the contents of files
# below 1 MB, so after a new package it reads only the packages whose selection changed. After a plain rule
# it would read all.


checkpoint select_articles:
    input:
        GENERATED,
    output:
        expand(f"{OUT}/corpus/selection/{{package}}.jsonl.gz", package=PACKAGES),
    resources:
        runtime=growing(30),
    params:
        packages=literally([f"{FOLDERS['pmc_oa']}/{package}.tar.gz" for package in PACKAGES]),
        files=holds(listing_files),
    message:
        "Select the articles to read from each package"
    script:
        "../scripts/select_articles.py"


rule extract_corpus:
    input:
        GENERATED,
        selection=selection,
    output:
        documents=f"{OUT}/corpus/{{package}}.jsonl.gz",
        unreadable=f"{OUT}/corpus/{{package}}.unreadable.tsv",
    priority: 1  # the longest chain of steps begins here and ends with the word vectors
    resources:
        runtime=growing(60),
    params:
        package=lambda wildcards: f"{FOLDERS['pmc_oa']}/{wildcards.package}.tar.gz",
        files=holds(package_files),
        figures=config["figures"],
    message:
        "Read the articles of {wildcards.package}"
    script:
        "../scripts/extract_corpus.py"


use rule extract_corpus as extract_universes with:
    output:
        documents=f"{MULTIVERSE}/corpus/{{figures}}/{{package}}.jsonl.gz",
        unreadable=f"{MULTIVERSE}/corpus/{{figures}}/{{package}}.unreadable.tsv",
    params:
        figures=lambda wildcards: wildcards.figures == "captions",
    message:
        "Read the articles of {wildcards.package} ({wildcards.figures})"


rule list_unreadable:
    input:
        table=expand(f"{OUT}/corpus/{{package}}.unreadable.tsv", package=PACKAGES),
    output:
        table=f"{OUT}/corpus/unreadable.tsv",
    params:
        header="package\tmember\treason",
    message:
        "List the articles that were not read"
    script:
        "../scripts/concatenate_tables.py"
