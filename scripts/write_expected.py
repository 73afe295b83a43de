"""Keep Table 2 of the latest results as what is expected of its benchmark, with the settings that made it.

Usage: write_expected.py [benchmark=NAME] [results=FOLDER] [study=NAME], where config.yaml would be overruled.
"""

import json

from latest import ROOT, latest

from sera.tables import read_tsv
from sera.verdicts import write_expected

# Where something lies, and what no result depends on.
LEFT_OUT = (
    "download",
    "memory",
    "multiverse",
    "results",
    "study",
    "studies",
    "tac2014",
    "pyramids",
    "pmc_oa",
    "realsumm",
    "nist",
)

settings, name, folder = latest()
record = json.loads((folder / "provenance.json").read_text(encoding="utf-8"))
path = ROOT / f"resources/expected/{name}.tsv"
write_expected(
    path,
    read_tsv(folder / "tables/table2.tsv"),
    {key: value for key, value in record["settings"].items() if key not in LEFT_OUT},
)
print(f"Expected of {name}: {path}")
