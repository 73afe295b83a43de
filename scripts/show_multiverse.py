"""Print in how many universes each claim holds, and tell where everything lies.

Usage: show_multiverse.py [--publish FOLDER] [benchmark=NAME] [results=FOLDER] [study=NAME], where config.yaml
would be overruled. With --publish the page is copied to FOLDER/replication.md, and its figures beside it.
"""

import shutil
import sys
from pathlib import Path

from latest import latest

from sera.multiverse.answers import read_answer
from sera.multiverse.claims import MOST
from sera.multiverse.replication import percent, verdict

publish = sys.argv[2] if sys.argv[1:2] == ["--publish"] else None
folder = latest()[2] / "multiverse"

if publish:
    figures = Path(publish, "figures")
    figures.mkdir(parents=True, exist_ok=True)
    shutil.copy(folder / "replication.md", Path(publish, "replication.md"))
    for path in sorted((folder / "figures").glob("*.png")):
        shutil.copy(path, figures / path.name)
    print(f"{publish}/replication.md, with its figures in {figures}")
    sys.exit()

claims = read_answer(folder / "claims.tsv")
print(f"\nIn how many of {claims['universes'].max()} universes each of the paper's claims holds")
print(
    f"Benchmark: {claims['benchmark'][0]}; intervals over topics; {percent(MOST)} of the universes decide\n"
)
shown = [
    {
        "claim": row["claim"].replace("_", " "),
        "by": row["coefficient"],
        "paper": row["paper"],
        "share": percent(row["share"]),
        "interval": f"{percent(row['low'])} to {percent(row['high'])}",
        "undefined": row["undefined"],
        "verdict": verdict(row),
    }
    for row in claims.to_dict("records")
]
widths = {key: max(len(key), *(len(str(row[key])) for row in shown)) for key in shown[0]}
for row in [dict(zip(widths, widths, strict=True)), *shown]:
    print("  ".join(str(row[key]).ljust(width) for key, width in widths.items()).rstrip())
print()
for what, where in (
    ("In words:", "replication.md"),
    (
        "Figures:",
        "figures/specification_curve.svg, claims.svg, variance.svg, influence.svg (.png and .pdf beside)",
    ),
    ("Every universe:", "universes.tsv, its Table 2 in tables.tsv.gz"),
    (
        "Answers:",
        "claims.md, choices.md, variance.md, systems.md, outliers.md, agreement.md (.tsv and .tex beside)",
    ),
):
    print(f"{what} {folder}/{where}")
