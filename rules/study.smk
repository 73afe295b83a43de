# Needs: the settings of one study. Makes: all its results, in its own folder.

from study.workflow.rules import making, steps


include: "common.smk"
include: "benchmark.smk"
include: "corpus.smk"
include: "index.smk"
include: "summarize.smk"
include: "guided.smk"
include: "score.smk"
include: "keywords.smk"
include: "truth.smk"
include: "spectrum.smk"
include: "multiverse.smk"
include: "more_systems.smk"
include: "provenance.smk"
include: "report.smk"


# Without judgements there is nothing to correlate.
if JUDGEMENTS:

    include: "correlate.smk"
    include: "column.smk"


# Log, measurements, environment and code of each step; in another study its rules have a prefix.
complete(workflow.modifier.rules, OUT, workflow.modifier.modify_rulename(""))

# The values of the wildcards that are in outputs of the study's rules.
VALUES = {
    "package": PACKAGES,
    "part": INDEX_PARTS,
    "system": [*([] if GIVEN else SYSTEMS), *BASELINES],
    "fold": FOLDS,
    "fold,system": [(fold, system) for fold in FOLDS for system in TRAINED],
    "family": SCORED,
    "family,threshold": [("Pyramid", threshold) for threshold in config["pyramid"]["thresholds"]],
    "drift": DRIFTS,
}

# The targets list every file of every step, not only the last ones. Snakemake does not notice a missing file if later
# files are newer: it would take a run for complete that was killed when it had removed a job's old files.
OF_MULTIVERSE = making(MULTIVERSE, workflow.modifier.rules)
OF_TRUTH = making(f"{OUT}/truth", workflow.modifier.rules)
OF_MORE = making(MORE, workflow.modifier.rules)
OF_STUDY = making(OUT, workflow.modifier.rules, but=[*OF_MULTIVERSE, *OF_TRUTH, *OF_MORE])


rule multiverse:
    input:
        made_unless(
            NO_MULTIVERSE and f"There is no multiverse. {NO_MULTIVERSE}",
            lambda: steps(OF_MULTIVERSE, values_of_universes()),
        ),


rule more_systems:
    input:
        made_unless(
            NO_MULTIVERSE and f"There are no more systems. {NO_MULTIVERSE}",
            lambda: steps(OF_MORE, {}),
        ),


rule truth:
    input:
        made_unless(
            not SYNTHETIC and "Only the demo's true scores are known.",
            lambda: steps(OF_TRUTH, VALUES),
        ),


rule study:
    input:
        steps(OF_STUDY, VALUES),
