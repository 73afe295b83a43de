# Needs: the configuration and the benchmark. Makes: the inputs and parameters of rules that depend on wildcards.


def download_folder(wildcards):
    if not config.get("pmc_oa"):
        raise WorkflowError(
            "download: pmc_oa is not set. Name the folder to fill, `make download PMC_OA=...`."
        )
    try:
        check_download(config["pmc_oa"], config["results"])
    except InputError as error:
        raise WorkflowError(str(error))
    return config["pmc_oa"]


def package_files(wildcards):
    """A package and, where there is one, the list of its files."""
    if SYNTHETIC:
        return []
    stem = f"{FOLDERS['pmc_oa']}/{wildcards.package}"
    return [
        f"{stem}.tar.gz",
        *(path for path in [f"{stem}.filelist.csv"] if os.path.exists(path)),
    ]


def listing_files(wildcards):
    """The list of each package, or the package itself where it has none."""
    if SYNTHETIC:
        return []
    stems = [f"{FOLDERS['pmc_oa']}/{package}" for package in PACKAGES]
    lists = {stem: f"{stem}.filelist.csv" for stem in stems}
    return [
        lists[stem] if os.path.exists(lists[stem]) else f"{stem}.tar.gz"
        for stem in stems
    ]


def selection(wildcards):
    """What is read of a package, once the checkpoint has settled it.

    Snakemake compares no parameters of a job that has a new output, as for a new package: where the file is
    missing, it is asked for itself, so that the checkpoint runs however old the package is.
    """
    path = f"{OUT}/corpus/selection/{wildcards.package}.jsonl.gz"
    if os.path.exists(path):
        checkpoints.select_articles.get()
    return path


# A system depends only on the inputs that it needs, so a change of others does not rerun it.


def summarizer(wildcards):
    """The summarizer of a system: `random_2` is `random`, drawn a second time."""
    return re.sub(DRAW, "random", wildcards.system)


def needed(kind):
    """The benchmark's file of a kind, for the systems that need it; as a list."""
    return lambda wildcards: (
        [f"{OUT}/{kind}.jsonl"]
        if kind in SUMMARIZERS.needs(summarizer(wildcards))
        else []
    )


def seed(wildcards):
    if "seed" not in SUMMARIZERS.needs(summarizer(wildcards)):
        return 0
    draw = re.fullmatch(DRAW, wildcards.system)
    return config["seed"] + (int(draw[1]) - 1 if draw else 0)


def summarizer_code(wildcards):
    return code("summarize", SUMMARIZERS.module(summarizer(wildcards)))


def of_keywords(value, otherwise=None):
    """Keywords are told by the index; the other queries do not depend on it."""
    return lambda wildcards: value if wildcards.formulation == "kw" else otherwise


def name_on_server():
    """The index of this study: as the environment says, with the study's name if it has one."""
    named = os.environ.get("ELASTICSEARCH_INDEX")
    if not named:
        return f"sera-{name_of(config)}".lower()
    return "-".join([named, *([config["study"]] if config["study"] else [])]).lower()


# The settings that the multiverse reads.
OF_THE_MULTIVERSE = (
    *("benchmark", "seed", "demo", "systems", "baselines", "draws", "candidates"),
    *("cleaning", "words", "sentences", "share", "order", "parameters", "figures"),
    *("analyzer", "topic_documents", "mu", "keyword_threshold", "noun_phrases"),
    *("rouge", "pyramid", "confidence", "multiverse"),
)


def state_of_multiverse(wildcards):
    """What the multiverse is made of, to be kept beside it."""
    scripts = ("answers", "look", "summaries", "queries", "index", "rouge", "pyramid")
    modules = [f"multiverse_{script}" for script in (*scripts, "sera", "truth", "page")]
    modules += [SUMMARIZERS.module(name) for name in SUMMARIZERS]
    modules += [FAMILIES.module(family) for family in ("ROUGE", "SERA", "Pyramid")]
    modules += [BENCHMARKS.module(BENCHMARK), ENGINES.module("embedded")]
    return {
        **{name: config[name] for name in OF_THE_MULTIVERSE},
        "the inputs": holds(RAW_INPUTS)(wildcards),
        "the code": code("extract_corpus", "read_benchmark", *modules),
    }


def state_of_audit(wildcards):
    """What the audit is made of, to be kept beside it."""
    published = [f"{ROOT}/resources/published/table{number}.tsv" for number in (2, 3)]
    return {"the inputs": holds(published)(wildcards), "the code": code("audit")}


def beside(folder, state):
    """As a parameter: in what the files that another command made in a folder differ from this run."""
    return lambda wildcards: differing(folder, state(wildcards))


def already(path, state):
    """A file that another command makes, with its checksum, or None where none of this run's settings is there.

    As a parameter, not an input: no run of the study has to bring it up to date.
    """

    def of_job(wildcards):
        folder = MULTIVERSE if path.startswith(f"{MULTIVERSE}/") else AUDIT
        if not os.path.isfile(path) or differing(folder, state(wildcards)) != []:
            return None
        return [path, CONTENTS.sha256(path)]

    return of_job


def part_documents(part):
    """The documents of a part of the index: a file of the run, or the collection that a benchmark brings."""
    return str(COLLECTION) if part == "documents" else f"{OUT}/corpus/{part}.jsonl.gz"


def made_documents(parts):
    return [part_documents(part) for part in parts if part != "documents"]


def own_documents(parts):
    return [part_documents(part) for part in parts if part == "documents"]
