"""The defaults that the commands and the functions of `sera` share; a study has its own settings."""

METRICS = ("ROUGE-1-F", "ROUGE-2-F", "ROUGE-L-F")
MISSING = "stop"
BOOTSTRAP = "systems"
RESAMPLES, CONFIDENCE, SEED = 10_000, 95, 0
