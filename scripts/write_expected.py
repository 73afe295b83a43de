"""Keep Table 2 of the latest results as what is expected of its benchmark, with the settings that made it.

Usage: write_expected.py [benchmark=NAME] [results=FOLDER] [study=NAME], where config.yaml would be overruled.
"""

from latest import ROOT, latest

from sera.evaluation.tables import read_tsv
from sera.files import read_json
from sera.published.verdicts import settings_of, write_expected

settings, name, folder = latest()
record = read_json(folder / "provenance.json")
path = ROOT / f"resources/expected/{name}.tsv"
write_expected(
    path,
    read_tsv(folder / "tables/table2.tsv"),
    settings_of(record),
)
print(f"Expected of {name}: {path}")
