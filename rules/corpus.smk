# Needs: PubMed Central Open Access packages.
# Makes: their articles as plain text, one file a package, and the list of what could not be read.
#
# Which version of an article is read from which package is settled for all of them first, from their
# lists. Since that is a checkpoint, Snakemake looks at the selections when they are made, and since it
# compares the contents of files below 1 MB, a new package has only those read again whose selection
# changed. After a plain rule it would read all.


def package_files(wildcards):
    """A package and, where there is one, the list of its files."""
    if SYNTHETIC:
        return BENCHMARK_FILES
    stem = f"{FOLDERS['pmc_oa']}/{wildcards.package}"
    return [
        f"{stem}.tar.gz",
        *(path for path in [f"{stem}.filelist.csv"] if os.path.exists(path)),
    ]


def listing_files(wildcards):
    """The list of each package, or the package itself where it has none."""
    if SYNTHETIC:
        return BENCHMARK_FILES
    stems = [f"{FOLDERS['pmc_oa']}/{package}" for package in PACKAGES]
    lists = {stem: f"{stem}.filelist.csv" for stem in stems}
    return [
        lists[stem] if os.path.exists(lists[stem]) else f"{stem}.tar.gz"
        for stem in stems
    ]


def selection(wildcards):
    checkpoints.select_articles.get()
    return f"{OUT}/corpus/selection/{wildcards.package}.jsonl.gz"


checkpoint select_articles:
    input:
        listing_files,
    output:
        expand(f"{OUT}/corpus/selection/{{package}}.jsonl.gz", package=PACKAGES),
    log:
        f"{OUT}/logs/select_articles.log",
    params:
        packages=[f"{FOLDERS['pmc_oa']}/{package}.tar.gz" for package in PACKAGES],
        code=code("sera.corpora.pmc_oa"),
    message:
        "Settle which article is read from which package"
    script:
        "../scripts/select_articles.py"


rule extract_corpus:
    input:
        package_files,
        selection=selection,
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
