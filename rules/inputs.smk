# Needs: the configuration and the benchmark. Makes: what rules read where that depends on wildcards.


def download_folder(wildcards):
    if not config.get("pmc_oa"):
        raise WorkflowError(
            "download: pmc_oa is not set. Name the folder to fill, `make download PMC_OA=...`."
        )
    return config["pmc_oa"]


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


# What a system does not need does not rerun it.


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


def settings_of_module(wildcards):
    """The settings of a module's metrics where they are not the defaults, by family."""
    return {
        family: settings
        for family, settings in config["metrics"].items()
        if FAMILIES.module(family) == f"sera.metrics.{wildcards.module}"
    }


def name_on_server():
    """The index of this study: as the environment says, with the study's name if it has one."""
    named = os.environ.get("ELASTICSEARCH_INDEX")
    if not named:
        return f"sera-{name_of(config)}".lower()
    return "-".join([named, *([config["study"]] if config["study"] else [])]).lower()


def already(path):
    """A file that another command makes, with its checksum, or None where it is not there.

    As a parameter, not an input: no run of the study has to bring it up to date.
    """
    if not os.path.isfile(path):
        return None
    return [path, next(checksums([path])).sha256]


def part_documents(part):
    return str(COLLECTION) if part == "documents" else f"{OUT}/corpus/{part}.jsonl.gz"
