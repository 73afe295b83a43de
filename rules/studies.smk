# Needs: the study (study.smk). Makes: the further studies of the settings `studies` and `matrix`: the same rules, each with
# its own settings and with its name as a prefix of the rules' names.

from study.settings.settings import settings_by_study

FURTHER_STUDIES = settings_by_study(config)

# The settings that decide articles, index and summaries. A study that has those of the first reads its files.
OF_ARTICLES = [*DATA, "benchmark", "input", "demo", "language", "figures", "cleaning"]
OF_INDEX = [*OF_ARTICLES, "analyzer", "topic_documents", "engine", "mu"]
OF_SUMMARIES = [*OF_ARTICLES, "seed", *SCHEMA["groups"]["Summaries"]]


def shared_paths(study):
    """The paths of the first study's files that a further study reads."""
    settings = settings_of(study)

    def same(names):
        return all(settings[name] == config[name] for name in names)

    embedded = config["engine"] == "embedded"  # a server's index has mu
    of_index = [name for name in OF_INDEX if name != "mu" or not embedded]
    return {
        **({"corpus": f"{OUT}/corpus"} if same(OF_ARTICLES) else {}),
        **({"index": f"{OUT}/index", "vectors": f"{OUT}/vectors.npz"} if same(of_index) else {}),
        **({"summaries": f"{OUT}/summaries"} if same(OF_SUMMARIES) else {}),
    }


for STUDY in FURTHER_STUDIES:
    PREFIXED = f"{STUDY}_*"

    module:
        name: STUDY
        pathvars:
            **shared_paths(STUDY),
        snakefile:
            "study.smk"
        config:
            settings_of(STUDY)

    use rule * from STUDY as PREFIXED
