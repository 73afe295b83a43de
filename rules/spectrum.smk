# Needs: references, articles, word vectors and S3's features. Makes: summaries over the whole range of a metric's
# scores, and how metrics agree on them; only if the setting spectrum.fitness names the metric.

from sera.metrics import configure as equip
from sera.metrics.s3.model import MODELS

FITNESS = config["spectrum"]["fitness"]

if FITNESS:
    with reported("config: spectrum.fitness: "):
        if unfit := {"rankings", "nuggets"} & set(FAMILIES.needs(family_of(FITNESS))):
            raise InputError(
                f"{FITNESS} needs {unfit.pop()}, which sampled summaries do not have",
                remedy="Name a metric that needs texts, word vectors or frames only, or S3-best.",
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
    OF_SAMPLES = [
        *needing(),
        *needing_some_of("vectors", "frames"),
        *(needing("nuggets") if HAS_NUGGETS else []),
    ]

    rule sample_spectrum:
        input:
            **JUDGEMENT_FILE,
            references=f"{OUT}/references.jsonl",
            sources=f"{OUT}/sources.jsonl",
            vectors=[*VECTORS, *OWN_VECTORS],
            frames=FRAMES,
            pyramid=PYRAMID,
            # of the study's summaries, to train S3 on
            features=f"{OUT}/scores/s3_tables.tsv" if FITNESS in MODELS else [],
        output:
            samples=f"{OUT}/spectrum/samples.jsonl",
            fitness=f"{OUT}/spectrum/fitness.tsv",
        resources:
            mem_mb=growing(2000),
            runtime=growing(60),
        params:
            spectrum=literally(config["spectrum"]),
            budget=BUDGET,
            seed=config["seed"],
            settings=settings_for([family_of(FITNESS)]),
            systems=literally(SYSTEMS),
            judgement=literally(JUDGEMENTS[0] if JUDGEMENTS else None),
            framenet=literally(config["framenet"]),
            language=config["language"],
            sha256=sha256_of([*OWN_VECTORS, *FRAMES]),
            code=code("sample_spectrum", *modules([family_of(FITNESS), *map(family_of, FULL)])),
        message:
            "Sample summaries over the range of {params.spectrum[fitness]}"
        script:
            "../scripts/sample_spectrum.py"

    rule score_spectrum:
        input:
            **JUDGEMENT_FILE,
            samples=f"{OUT}/spectrum/samples.jsonl",
            fitness=f"{OUT}/spectrum/fitness.tsv",
            references=f"{OUT}/references.jsonl",
            sources=f"{OUT}/sources.jsonl",
            nuggets=f"{OUT}/nuggets.jsonl" if HAS_NUGGETS else [],
            vectors=[*VECTORS, *OWN_VECTORS],
            frames=FRAMES,
            pyramid=PYRAMID,
            features=f"{OUT}/scores/s3_tables.tsv",
        output:
            scores=f"{OUT}/spectrum/scores.tsv",
            signatures=f"{OUT}/spectrum/signatures.tsv",
            table=multiext(f"{OUT}/tables/spectrum", ".tsv", ".md", ".tex"),
        resources:
            mem_mb=growing(2000),
            runtime=growing(20),
        params:
            fitness=literally(FITNESS),
            families=OF_SAMPLES,
            settings=settings_for(OF_SAMPLES),
            systems=literally(SYSTEMS),
            judgement=literally(JUDGEMENTS[0] if JUDGEMENTS else None),
            framenet=literally(config["framenet"]),
            language=config["language"],
            sha256=sha256_of([*OWN_VECTORS, *FRAMES]),
            resamples=config["resamples"],
            confidence=config["confidence"],
            seed=config["seed"],
            label=LABEL,
            code=code("score_spectrum", *modules([*OF_SAMPLES, *needing("model")])),
        message:
            "Score the sampled summaries"
        script:
            "../scripts/score_spectrum.py"
