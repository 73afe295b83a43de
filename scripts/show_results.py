"""Print Table 2 of the latest results and tell where everything lies.

Usage: show_results.py [benchmark=NAME] [results=FOLDER], where config.yaml would be overruled.
"""

import sys
from pathlib import Path

import yaml

settings = yaml.safe_load((Path(__file__).parent.parent / "config.yaml").read_text(encoding="utf-8"))
settings |= dict(argument.split("=", 1) for argument in sys.argv[1:])
folder = Path(settings["results"], settings["benchmark"])

print(f"\n{(folder / 'tables/table2.md').read_text(encoding='utf-8')}")
for what, where in (
    ("Tables", "tables/table2.tsv, table3.tsv, pyramid_threshold.tsv (.md and .tex beside the first two)"),
    ("Figure", "figures/figure1.svg (.png beside it)"),
    ("Scores", "scores.tsv"),
    ("Report", "report.html"),
):
    print(f"{what}: {folder}/{where}")
