"""Print Table 2 of the latest results and tell where everything lies.

Usage: show_results.py [benchmark=NAME] [results=FOLDER] [study=NAME], where config.yaml would be overruled.
"""

import sys
from pathlib import Path

import yaml

from sera.benchmarks import resolve
from sera.corpora.pmc_oa import unreadable_reasons
from sera.metrics import catalogue_names
from sera.scoring import read_scores
from sera.tables import compact, read_tsv

settings = yaml.safe_load((Path(__file__).parent.parent / "config.yaml").read_text(encoding="utf-8"))
settings |= dict(argument.split("=", 1) for argument in sys.argv[1:])
benchmark, own = resolve(settings["benchmark"])
folder = Path(settings["results"], settings["study"] or (Path(own).absolute().name if own else benchmark))

table = read_tsv(folder / "tables/table2.tsv")
count = f"{table['systems'].max():g} systems, {table['topics'].max():g} topics"
by = " and ".join(table["against"].unique())
published = "" if table["pearson_paper"].isna().all() else ": reproduced, published, difference"
print(f"\nTable 2, correlation with {by} over {count}{published}")
print(f"Benchmark: {table['benchmark'][0]}\n")
print(compact(table))
unreadable = unreadable_reasons(folder / "corpus/unreadable.tsv")
reasons = ", ".join(f"{count} {reason}" for reason, count in unreadable.items()) or "none"
print(f"\nArticles left out: {reasons} (see {folder}/corpus/unreadable.tsv)")
scored = set(read_scores(folder / "scores.tsv")["metric"])
if absent := [name for name in catalogue_names() if name not in scored]:
    print(f"Metrics left out: {', '.join(absent)} (see {folder}/logs/score_s3.log)")
for what, where in (
    ("Tables with intervals:", "tables/table2.md, table3.md (.tsv and .tex beside)"),
    ("All metrics judged:", "tables/system_level.md, summary_level.md, global_level.md, differences.md"),
    ("Keywords:", "tables/rougek_table5.tsv to rougek_table9.tsv, rougek_figure2.tsv"),
    ("Figure:", "figures/figure1.svg (.png beside)"),
    ("Scores:", "scores.tsv"),
    ("Report:", "report.html"),
    ("What made them:", "provenance.json"),
):
    print(f"{what} {folder}/{where}")
for study in settings["studies"]:
    print(f"The study {study}: {settings['results']}/{study}/")
