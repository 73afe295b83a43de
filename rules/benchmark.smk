# Needs: the folders of the benchmark (the demo's are generated).
# Makes: sources, references, citances, nuggets and the documents of the topics.

from sera.benchmarks.demo.benchmark import Settings as DemoSettings, package_names
from sera.corpora.file_lists import file_list
from sera.corpora.pmc_oa import packages

if SYNTHETIC:
    DEMO = DemoSettings(seed=config["seed"], **config["demo"])
    FOLDERS = {
        "release": f"{OUT}/data/release",
        "pyramids": f"{OUT}/data/pyramids",
        "pmc_oa": f"{OUT}/data/pmc_oa",
    }
    COLLECTION = None
    PACKAGES = package_names(DEMO)
    GENERATED = INPUTS = [f"{OUT}/data"]
    BENCHMARK_FILES = []
else:
    GENERATED = []
    FOLDERS = {
        "release": OWN_FOLDER or config.get(BENCHMARK),
        "pyramids": config.get("pyramids"),
        "pmc_oa": config.get("pmc_oa"),
    }
    try:
        check_folders(BENCHMARK, FOLDERS)
        BENCHMARK_FILES = [
            str(path)
            for path in BENCHMARKS.load(BENCHMARK).inputs(
                release=FOLDERS["release"], pyramids=FOLDERS["pyramids"]
            )
        ]
        PACKAGE_FILES = packages(FOLDERS["pmc_oa"]) if FOLDERS["pmc_oa"] else []
        for path in PACKAGE_FILES:
            check_text("config: pmc_oa", path.name, written=True)
        PACKAGES = [path.name.removesuffix(".tar.gz") for path in PACKAGE_FILES]
        COLLECTION = None
        if JUDGED:
            COLLECTION = BENCHMARKS.load(BENCHMARK).collection(FOLDERS["release"])
            SYSTEMS, JUDGEMENTS = BENCHMARKS.load(BENCHMARK).judged(FOLDERS["release"])
            HAS_NUGGETS = BENCHMARKS.load(BENCHMARK).has_nuggets(FOLDERS["release"])
        INPUTS = [
            *BENCHMARK_FILES,
            *map(str, PACKAGE_FILES),
            *(str(path) for path in map(file_list, PACKAGE_FILES) if path.is_file()),
            *([str(COLLECTION)] if COLLECTION else []),
        ]
    except InputError as error:
        raise WorkflowError(str(error))

# What metrics are correlated with, and over which systems. Where these are not the benchmark's, the settings name
# them, and baselines beside them; a user's own summaries count where the settings name them.
JUDGEMENT_FILE = {"judgements": f"{OUT}/judgements.tsv"} if JUDGED else {}
if not JUDGED:
    SYSTEMS, JUDGEMENTS, HAS_NUGGETS = drawn(config["systems"]), ["Pyramid"], True
BASELINES = [
    *([] if JUDGED else drawn(config["baselines"])),
    *(
        own
        for own in config["candidates"]
        if own not in SYSTEMS and own not in config["baselines"]
    ),
]


wildcard_constraints:
    package="|".join(map(re.escape, PACKAGES)) or "none",
    part="|".join(map(re.escape, [*PACKAGES, "topics", "documents"])),


rule generate_demo:
    output:
        directory(f"{OUT}/data"),
    log:
        f"{OUT}/logs/generate_demo.log",
    benchmark:
        f"{OUT}/benchmarks/generate_demo.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        settings=lambda wildcards: dict(seed=config["seed"], **config["demo"]),
        code=code("generate_demo"),
    message:
        "Generate the synthetic demo benchmark"
    script:
        "../scripts/generate_demo.py"


rule read_benchmark:
    input:
        GENERATED,
    output:
        **(
            {"candidates": f"{OUT}/candidates.jsonl", **JUDGEMENT_FILE}
            if JUDGED
            else {}
        ),
        sources=f"{OUT}/sources.jsonl",
        references=f"{OUT}/references.jsonl",
        citances=f"{OUT}/citances.jsonl",
        nuggets=f"{OUT}/nuggets.jsonl",
        documents=f"{OUT}/corpus/topics.jsonl.gz",
    log:
        f"{OUT}/logs/read_benchmark.log",
    benchmark:
        f"{OUT}/benchmarks/read_benchmark.tsv"
    conda:
        "../envs/study.yaml"
    resources:
        mem_mb=growing(1000),
        runtime=growing(2),
    params:
        benchmark=BENCHMARK,
        release=literally(FOLDERS["release"]),
        pyramids=literally(FOLDERS["pyramids"]),
        files=holds(BENCHMARK_FILES),
        cleaning=config["cleaning"],
        code=code("read_benchmark", BENCHMARKS.module(BENCHMARK)),
    message:
        "Read the topics of {params.benchmark}"
    script:
        "../scripts/read_benchmark.py"
