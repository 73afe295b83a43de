# Needs: the settings (common.smk, which includes this). Makes: what several files of rules name: the benchmark's files,
# systems, parts of the index, modules of metrics, and results.

from study.settings.systems import number_draws, usable_systems, trained_names
from study.demo.benchmark import ARCHIVE, PACKAGES as DEMO_PACKAGES
from sera.benchmarks.scitldr import of_input
from study.workflow.data import Data, read_data
from study.workflow.own_summaries import candidate_files

GENERATED = ["<results>/data"] if SYNTHETIC else []
if SYNTHETIC:
    data = Data(
        {name: f"{OUT}/data/{name}" for name in ("release", "pyramids", "pmc_oa")},
        packages=DEMO_PACKAGES,
    )
else:
    folders = {
        "release": OWN_FOLDER or config["tac2014" if BENCHMARK == PAPERS_BENCHMARK else "data"],
        "pyramids": config["pyramids"],
        "pmc_oa": config["pmc_oa"],
    }
    if BENCHMARK == RELEASED_BENCHMARK and not config["data"]:
        folders["release"] = os.path.relpath(f"{ROOT}/{RELEASED}")
    if BENCHMARK == "scitldr" and config["data"]:
        folders["release"] = str(of_input(config["data"], config["input"]))
    with checks.report_errors():
        data = read_data(BENCHMARK, READER, folders)

# What metrics are correlated with: human judgements, or else Pyramid where nuggets are marked, or else nothing.
JUDGEMENT_FILE = {"judgements": "<results>/judgements.tsv"} if data.judgements else {}
PREFERENCES = ["<results>/preferences.tsv"] if "preferences" in data.brings else []
GIVEN_SCORES = ["<results>/scores/given.tsv"] if "given" in data.brings and HAS_TEXTS else []
GIVEN_SIGNATURES = ["<results>/scores/given.signatures.tsv"] if GIVEN_SCORES else []
BY_NUGGETS = data.has_nuggets and not data.judgements
JUDGEMENTS = ["Pyramid"] if BY_NUGGETS else list(data.judgements)
# The systems that are correlated. If the benchmark has none, the settings name them and the baselines. A user's own
# summaries are systems or baselines.
OFTEN = {"draws": config["draws"], "seeds": config["guided"]["seeds"]}
with checks.report_errors():
    SYSTEMS = data.systems or usable_systems(
        number_draws(config["systems"], **OFTEN), READER.LACKS, config["language"]
    )
BASELINES = [] if data.systems else number_draws(config["baselines"], **OFTEN)
for name in [*config["candidates"], *config["language_models"]]:
    if name in data.systems:
        raise SystemExit(
            f"Error: config: candidates: the benchmark has a system {name}. Give your summaries another name."
        )
    BASELINES += [name] if name not in [*SYSTEMS, *BASELINES] else []
# Systems that are trained, and language models that are asked; the multiverse takes their summaries as they are.
TRAINED = [
    name
    for name in [*SYSTEMS, *BASELINES]
    if name in number_draws(trained_names(), **OFTEN) and not data.systems
]
ASKED = [name for name in [*SYSTEMS, *BASELINES] if name in config["language_models"]]
# All whose summaries are not of sera.summarizers.
TAKEN = [*config["candidates"], *TRAINED, *ASKED]
# The systems that a job summarises by: short jobs share one. No system has the name of a batch.
SUMMARIZED = batches(
    {
        "the-systems": [] if data.systems else [name for name in SYSTEMS if name not in TAKEN],
        "the-baselines": [name for name in BASELINES if name not in TAKEN],
    },
    split=config["split_jobs"],
)
# The families of metrics that are scored: those that count content units only where they are marked, and a language
# model's judgements only where one is named.
SCORED = [
    family
    for family in scored_families(config["score"])
    if HAS_TEXTS
    and (data.has_nuggets or "nuggets" not in FAMILIES.needs(family))
    and (config["score"] or family != "Judge" or FAMILY_SETTINGS.get("Judge", {}).get("model"))
]
with checks.report_errors():
    if HAS_TEXTS:
        checks.check_score(SCORED, BY_NUGGETS)
# The families that a job scores by; rules/guided.smk scores those of an encoder.
ENCODER_FAMILIES = families_that_need("encoder") if config["encoder"] else []
FAMILY_BATCHES = batches(
    families_by_need(name for name in SCORED if name not in ["S3", *ENCODER_FAMILIES]),
    split=config["split_jobs"],
)
# S3 is trained on Pyramid's scores where they are the judgements.
PYRAMID = ["<results>/scores/Pyramid.tsv"] if BY_NUGGETS else []
# The files of the user's own summaries, by system.
OWN_FILES = {own: candidate_files(path) for own, path in config["candidates"].items()}
OWN_SUMMARIES = [path for files in OWN_FILES.values() for path in files]
with checks.report_errors():
    for path in [*data.files, *OWN_SUMMARIES]:
        checks.check_text("an input", path)


wildcard_constraints:
    articles=one_of(data.packages),
    part=one_of([*data.packages, "topics", "documents"]),


# The documents to search: the packages of articles, otherwise the benchmark's own collection, otherwise its sources.
INDEX_PARTS = [*data.packages, *(["documents"] if data.collection else [])]
INDEX_PARTS += ["topics"] if config["topic_documents"] or not INDEX_PARTS else []
# The same in a word, for the page.
KIND_OF_COLLECTION = "documents" if data.collection else "sources"
if data.packages:
    KIND_OF_COLLECTION = "generated" if SYNTHETIC else "open-access" if COMPARED else "packages"
# Word vectors: learnt from the index, or a file.
VECTORS = ["<vectors>"] if config["vectors"] == "index" else []
OWN_VECTORS = [config["vectors"]] if config["vectors"] and not VECTORS else []
FRAMES = sorted(map(str, Path(config["framenet"]).glob("frame/*.xml"))) if config["framenet"] else []
ENCODER_FOLDER = [config["encoder"]] if config["encoder"] and os.path.isdir(config["encoder"]) else []
FREQUENT_WORDS = [config["frequent_words"]] if config["frequent_words"] else []
METRIC_MODULES = modules(FAMILIES)
CANDIDATES = ["<results>/summaries.jsonl", "<results>/baselines.jsonl"] if HAS_TEXTS else []
SOURCES = ["<results>/sources.jsonl"] if HAS_TEXTS else []

# Why this study cannot have a multiverse; None if it can.
NO_MULTIVERSE = checks.no_multiverse(BENCHMARK, READER.JUDGED, JUDGEMENTS, config["language"])


def tables(*names):
    """The files of these tables: each is a TSV, and in the further forms of the settings."""
    return [f"<results>/tables/{name}.{form}" for name in names for form in ["tsv", *config["tables"]]]


# The tables of the metrics' evaluation, where there are judgements; some need the judges' names or preferences.
# `sera evaluate --all` makes those that the released scores of the paper's study leave out.
EVALUATED = ["discrimination"]
if BENCHMARK != RELEASED_BENCHMARK:
    EVALUATED += ["system_level", "summary_level", "global_level"]
    EVALUATED += ["differences", "top_systems", "pairwise", "clusters"]
if "S3" in SCORED:
    EVALUATED += ["s3_table1", "s3_table3", "s3_distribution"]
if HAS_TEXTS:
    EVALUATED += ["partial"]
if "judges" in data.brings:
    EVALUATED += ["judges", "ceilings", "system_level_judges"]
if PREFERENCES:
    EVALUATED += ["preferences"]
EVALUATION = tables(*EVALUATED)

# The paper's tables, and further ones. Only its own data are compared with the paper.
PAPERS_TABLES = tables("table2", "table3")
FURTHER_TABLES = tables(
    *(["table_claims"] if COMPARED else []),
    *(["pyramid_threshold"] if BY_NUGGETS else []),
)

# The tables of ROUGE-K's analyses.
KEYWORDS = tables(
    *("rougek_table4", "rougek_table5", "rougek_table6", "rougek_table7"),
    *("rougek_table8", "rougek_table8_pairs", "rougek_table9", "rougek_figure2"),
)

# The forms of figures: SVG, which pages show, and those of the settings.
PICTURES = ["svg", *config["pictures"]]

# The figures, where there are judgements; the last one needs texts. Scores of other metrics than the paper's have none.
FIGURES = ["rougek_figure2"] if HAS_TEXTS else []
if JUDGEMENTS and (HAS_TEXTS or COMPARED):
    FIGURES = [*FIGURE1, "moulin_rouge", "comparison", "scatter", "metrics", *FIGURES]

# What all pages are made of.
TEMPLATES = [
    f"{ROOT}/sera/reporting/{name}" for name in ("base.html.j2", "macros.html.j2", "page.css", "page.js")
]

# All that a run makes for its user.
RESULTS = [
    *([*CANDIDATES, "<results>/references.jsonl"] if HAS_TEXTS else []),
    *JUDGEMENT_FILE.values(),
    *PREFERENCES,
    *("<results>/scores.tsv", "<results>/signatures.tsv"),
    *expand("<results>/figures/{figure}.{form}", figure=FIGURES, form=PICTURES),
]
if HAS_TEXTS and config["spectrum"]["fitness"]:
    RESULTS += ["<results>/spectrum/samples.jsonl"]
    RESULTS += multiext("<results>/tables/spectrum", ".tsv", ".md", ".tex")
RESULTS += KEYWORDS if HAS_TEXTS else []
RESULTS += PAPERS_TABLES + FURTHER_TABLES + EVALUATION if JUDGEMENTS else []
