# Needs: the settings of one study. Makes: all its results, in its own folder.


include: "common.smk"


if HAS_TEXTS:

    include: "benchmark.smk"
    include: "corpus.smk"
    include: "index.smk"
    include: "summarize.smk"
    include: "guided.smk"
    include: "score.smk"
    include: "keywords.smk"
    include: "spectrum.smk"
    include: "multiverse.smk"
    include: "more_systems.smk"

else:

    include: "released_scores.smk"


include: "provenance.smk"


if not str(rules.write_provenance.output.record).startswith(f"{OUT}/"):
    raise SystemExit(
        "Error: a module's `prefix` changes paths behind its settings. Leave it out, and name the folder in its config, as "
        "in {'results': 'sub/results'}."
    )


if FIGURES:

    include: "report.smk"


# Without judgements there is nothing to correlate.
if JUDGEMENTS:

    include: "correlate.smk"
    include: "column.smk"


rule multiverse:
    input:
        results_of_multiverse,


rule more_systems:
    input:
        results_of_more_systems,


rule study:
    input:
        RESULTS,
        rules.write_provenance.output,
        rules.write_report.output,
