# Needs: the study (study.smk). Makes: the further studies of the settings `studies` and `matrix`: the same rules, each with
# its own settings and with its name as a prefix of the rules' names.

from study.settings.settings import settings_by_study

FURTHER = settings_by_study(config)

for STUDY in FURTHER:
    WITH_ITS_NAME = f"{STUDY}_*"

    module:
        name: STUDY
        snakefile:
            "study.smk"
        config:
            settings_of(STUDY)

    use rule * from STUDY as WITH_ITS_NAME
