# Needs: articles of PubMed Central. Makes: their plain text, one file for each subfolder or package, and the list of
# articles that were not read.


rule extract_corpus:
    input:
        GENERATED,
        package_files,
    output:
        documents=f"{OUT}/corpus/{{package}}.jsonl.gz",
        unreadable=f"{OUT}/corpus/{{package}}.unreadable.tsv",
    priority: 1  # the longest chain of steps begins here and ends with the word vectors
    resources:
        runtime=growing(60),
    params:
        folder=literally(FOLDERS["pmc_oa"]),
        sha256=sha256_of(package_files),
        plan=package_plan,
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
        header="part\tfile\treason",
    message:
        "List the articles that were not read"
    script:
        "../scripts/concatenate_tables.py"
