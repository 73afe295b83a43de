# Needs: references, articles, word vectors and S3's features. Makes: summaries over the whole range of a metric's
# scores, and how metrics agree on them; only if the setting spectrum.fitness names the metric.

from sera.metrics import configure as equip
from sera.metrics.s3.features import MODELS

FITNESS = config["spectrum"]["fitness"]

if FITNESS:
    with checks.report_errors("config: spectrum.fitness: "):
        if unfit := {"rankings", "nuggets", "encoder"} & set(FAMILIES.needs(family_of(FITNESS))):
            raise InputError(
                f"{FITNESS} needs {unfit.pop()}, which sampled summaries do not have",
                remedy="Name a metric that needs texts, word vectors or frames only, or S3-best.",
            )
        if FITNESS in MODELS and not JUDGEMENTS:
            raise InputError(
                f"{FITNESS} is trained on judgements, and the benchmark has none",
                remedy="Name a metric that needs texts only, such as ROUGE-2-R.",
            )
        equip.check(
            [FITNESS],
            FAMILY_SETTINGS,
            equip.Resources(
                vectors=config["vectors"],
                frames=config["framenet"],
                model=FITNESS if FITNESS in MODELS else None,
            ),
        )

    # SERA is left out, since each sampled summary would be searched with.
    SAMPLE_FAMILIES = [
        *families_that_need(),
        *families_that_need_only("vectors", "frames"),
        *(families_that_need("nuggets") if data.has_nuggets else []),
    ]

    rule sample_spectrum:
        input:
            **JUDGEMENT_FILE,
            **RESOURCE_FILES["vectors"],
            **RESOURCE_FILES["frames"],
            references="<results>/references.jsonl",
            sources="<results>/sources.jsonl",
            pyramid=PYRAMID,
            # of the study's summaries, to train S3 on
            features="<results>/scores/s3_tables.tsv" if FITNESS in MODELS else [],
        output:
            samples="<results>/spectrum/samples.jsonl",
            fitness="<results>/spectrum/fitness.tsv",
        log:
            "<logs>/sample_spectrum.log",
        benchmark:
            "<benchmarks>/sample_spectrum.tsv"
        group:
            f"{study_name(config)}_tables"
        conda:
            "../envs/study.yaml"
        resources:
            runtime=lambda wildcards, attempt: 60 * attempt,
        params:
            spectrum=config["spectrum"],
            budget=BUDGET,
            seed=config["seed"],
            settings=settings_for([family_of(FITNESS)]),
            systems=lambda wildcards: SYSTEMS,
            judgement=lambda wildcards: JUDGEMENTS[0] if JUDGEMENTS else None,
            files={"framenet": config["framenet"]},
            language=config["language"],
            sha256=sha256_of([*OWN_VECTORS, *FRAMES]),
            code=code("sample_spectrum", *modules([family_of(FITNESS), *map(family_of, FULL)])),
        script:
            "../scripts/sample_spectrum.py"

    rule score_spectrum:
        input:
            **JUDGEMENT_FILE,
            **RESOURCE_FILES["vectors"],
            **RESOURCE_FILES["frames"],
            **RESOURCE_FILES["nuggets"],
            samples="<results>/spectrum/samples.jsonl",
            fitness="<results>/spectrum/fitness.tsv",
            references="<results>/references.jsonl",
            sources="<results>/sources.jsonl",
            pyramid=PYRAMID,
            features="<results>/scores/s3_tables.tsv",
        output:
            scores="<results>/spectrum/scores.tsv",
            signatures="<results>/spectrum/signatures.tsv",
            table=multiext("<results>/tables/spectrum", ".tsv", ".md", ".tex"),
        log:
            "<logs>/score_spectrum.log",
        benchmark:
            "<benchmarks>/score_spectrum.tsv"
        group:
            f"{study_name(config)}_tables"
        conda:
            "../envs/study.yaml"
        resources:
            runtime=lambda wildcards, attempt: 20 * attempt,
        params:
            fitness=FITNESS,
            families=SAMPLE_FAMILIES,
            settings=settings_for(SAMPLE_FAMILIES),
            systems=lambda wildcards: SYSTEMS,
            judgement=lambda wildcards: JUDGEMENTS[0] if JUDGEMENTS else None,
            files={"framenet": config["framenet"]},
            language=config["language"],
            sha256=sha256_of([*OWN_VECTORS, *FRAMES]),
            resamples=config["resamples"],
            confidence=config["confidence"],
            seed=config["seed"],
            label=LABEL,
            code=code("score_spectrum", *modules([*SAMPLE_FAMILIES, *families_that_need("model")])),
        script:
            "../scripts/score_spectrum.py"
