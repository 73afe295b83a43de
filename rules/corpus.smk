# Needs: PubMed Central Open Access packages.
# Makes: their articles as plain text, one file a package, and the list of what could not be read.


def package_files(wildcards):
    """A package and, where there is one, the list of its files."""
    if SYNTHETIC:
        return BENCHMARK_FILES
    stem = f"{FOLDERS['pmc_oa']}/{wildcards.package}"
    return [
        f"{stem}.tar.gz",
        *(path for path in [f"{stem}.filelist.csv"] if os.path.exists(path)),
    ]


rule extract_corpus:
    input:
        package_files,
    output:
        documents=f"{OUT}/corpus/{{package}}.jsonl.gz",
        unreadable=f"{OUT}/corpus/{{package}}.unreadable.tsv",
    log:
        f"{OUT}/logs/extract_corpus/{{package}}.log",
    params:
        package=f"{FOLDERS['pmc_oa']}/{{package}}.tar.gz",
        figures=config["figures"],
        code=code("sera.corpora.pmc_oa"),
    message:
        "Read the articles of {wildcards.package}"
    script:
        "../scripts/extract_corpus.py"


rule list_unreadable:
    input:
        expand(f"{OUT}/corpus/{{package}}.unreadable.tsv", package=PACKAGES),
    output:
        f"{OUT}/corpus/unreadable.tsv",
    log:
        f"{OUT}/logs/list_unreadable.log",
    params:
        code=code("sera.files"),
    message:
        "List what could not be read"
    script:
        "../scripts/concatenate_tables.py"
