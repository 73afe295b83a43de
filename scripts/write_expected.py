"""Keep Table 2 of the latest results as what is expected of its benchmark, with the settings that made it.

Usage: write_expected.py [benchmark=NAME] [results=FOLDER] [study=NAME], where config.yaml would be overruled.
"""

import json
import sys
from pathlib import Path

import yaml

from rules.checks import name_of
from sera.tables import read_tsv
from sera.verdicts import write_expected

# Where something lies, and what no result depends on.
LEFT_OUT = ("download", "memory", "results", "study", "studies", "tac2014", "pyramids", "pmc_oa", "realsumm")

root = Path(__file__).parent.parent
settings = yaml.safe_load((root / "config.yaml").read_text(encoding="utf-8"))
settings |= dict(argument.split("=", 1) for argument in sys.argv[1:])
name = name_of(settings)
folder = Path(settings["results"], name)
record = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
path = root / f"resources/expected/{name}.tsv"
write_expected(
    path,
    read_tsv(folder / "tables/table2.tsv"),
    {key: value for key, value in record["settings"].items() if key not in LEFT_OUT},
)
print(f"Expected of {name}: {path}")
